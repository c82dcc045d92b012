"use strict";
// The words in the graph, in Russian.

const russianPlural = new Intl.PluralRules("ru");
const russianCount = (amount, forms) => `${formatNumber(amount)} ${forms[russianPlural.select(amount)] ?? forms.many}`;
const RUSSIAN_EVENTS = { one: "событие", few: "события", many: "событий" };
const RUSSIAN_LINKED = { one: "событие со связями", few: "события со связями", many: "событий со связями" };

Object.assign(GRAPH_WORDS, {
  articles: (amount) => russianCount(amount, { one: "статья", few: "статьи", many: "статей" }),
  planned: "план",
  timeUnknown: "время неизвестно",

  label: "Причинный граф. Стрелки двигают его, плюс и минус меняют масштаб, 0 показывает весь граф. Связи перечислены ниже.",
  zoomIn: "Крупнее",
  zoomOut: "Мельче",
  fit: "Весь",
  fitAll: "Показать весь граф",

  more: "Показать ещё",
  all: "Показать все",
  mainOnly: "Только главные",
  unlinked: (amount) => `И события без связей (${formatNumber(amount)})`,
  allShown: (amount, unlinked) => `На графе ${russianCount(amount, unlinked ? RUSSIAN_EVENTS : RUSSIAN_LINKED)}: все`,
  someShown: (amount, total, main, requested) =>
    `На графе ${formatNumber(amount)} из ${formatNumber(total)}: ${main ? "главные события" : "события с самыми сильными связями"}`
    + `${requested ? " и те, что вы открыли" : ""}`,

  causes: "привело к (число и толщина: сила; бледнее: менее надёжно)",
  refutes: "опровергнуто или исправлено",
  said: "сказано в предложении",
  shown: "видно по заголовкам",
  implied: "следует из статьи",
  closed: "закрыта: позже опровергнуто",
  hint: "Выберите событие или связь. Масштаб: Ctrl и колесо или щипок.",
});
