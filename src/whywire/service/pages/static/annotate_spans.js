"use strict";
// Causes, effects and signals in a sentence, with the five tests beside each relation (RECESS, section 3.1), and with
// sentences that are several split (3.4).

const CAUSAL_TESTS = ["why", "order", "counterfactual", "asymmetry", "linguistic"];

KINDS.spans = {
  // `tests` are those that a person has ticked: an aid, and no part of the answer.
  start: () => ({ relations: [], splits: [], isNone: false }),
  from: (answer) => ({ relations: answer.relations.map((one) => ({ cause: one.cause, effect: one.effect, signals: one.signals ?? [], tests: [] })), splits: answer.splits ?? [], isNone: !answer.relations.length }),
  answer({ relations, splits, isNone }) {
    const isComplete = isNone ? !relations.length : relations.length && relations.every(({ cause, effect }) => cause && effect);
    return isComplete ? { relations: relations.map(({ cause, effect, signals }) => ({ cause, effect, signals })), splits } : null;
  },
  missing: ({ relations }) => say(relations.length ? "mark both ends" : "mark a relation"),
  describe(item, answer) {
    if (!answer.relations.length) return make("p", {}, say("not causal"));
    return make("ol", { class: "described" }, answer.relations.map((relation) => make("li", { class: "read" }, markedText(item.text, marksOf(relation)))));
  },
  mount(box, item, task) {
    let active = 0;
    const marker = new TextMarker(item.text, { language: LANGUAGE, label: say("text label") });
    const mark = (act) => {
      const span = marker.span;
      if (!span) return marker.element.focus();
      task.change((draft) => {
        draft.relations[active] ??= { cause: null, effect: null, signals: [], tests: [] };
        act(draft.relations[active], span);
        draft.isNone = false;
      });
      marker.clear();
    };
    const split = () => {
      const [at] = marker.span ?? [0];
      if (at) task.change((draft) => { draft.splits = draft.splits.includes(at) ? draft.splits.filter((one) => one !== at) : [...draft.splits, at].sort((a, b) => a - b); });
      marker.clear();
    };
    const begin = () => { active = task.draft.relations.length; show(); };
    const none = keyButton("0", say("no relation"), () => task.change((draft) => { draft.isNone = !draft.isNone; if (draft.isNone) draft.relations = []; }), { "aria-pressed": "false" });
    const next = keyButton("r", say("another relation"), begin);
    const tools = make("div", { class: "actions" },
      keyButton("c", say("role cause"), () => mark((relation, span) => { relation.cause = span; }), { class: "role-cause" }),
      keyButton("e", say("role effect"), () => mark((relation, span) => { relation.effect = span; }), { class: "role-effect" }),
      keyButton("s", say("add signal"), () => mark((relation, span) => { relation.signals.push(span); }), { class: "role-signal" }),
      next, keyButton("k", say("split here"), split), none);
    const list = make("ol", { class: "relations" });
    box.append(make("div", { class: "sheet read" }, marker.element), make("p", { class: "hint" }, say("select hint")), tools, list);

    function relationCard(relation, index) {
      const words = { cause: part(relation.cause), effect: part(relation.effect) };
      const remove = () => { active = 0; task.change((draft) => draft.relations.splice(index, 1)); };
      const parts = [["cause", relation.cause], ["effect", relation.effect], ...relation.signals.map((span) => ["signal", span])].map(([role, span], place) => make("div", {},
        make("dt", {}, say(`role ${role}`)),
        make("dd", { dir: "auto" }, part(span), role === "signal" ? make("button", { type: "button", class: "quiet", "aria-label": `${say("remove")}: ${part(span)}`, onclick: () => task.change((draft) => draft.relations[index].signals.splice(place - 2, 1)) }, "×") : null)));
      const tests = CAUSAL_TESTS.map((test) => make("label", { class: "check" },
        make("input", { type: "checkbox", "aria-label": `${index + 1} ${say(`test ${test}`)} ${say(`test ${test} asks`, words)}`, checked: relation.tests.includes(test), onchange: (event) => task.change((draft) => {
          const { tests: passed } = draft.relations[index];
          draft.relations[index].tests = event.target.checked ? [...passed, test] : passed.filter((one) => one !== test);
        }) }), make("span", {}, make("b", {}, say(`test ${test}`)), ` ${say(`test ${test} asks`, words)}`)));
      return make("li", { class: `card${index === active ? " active" : ""}` },
        make("div", { class: "actions" }, keyButton(String(index + 1), say("relation number", { number: index + 1 }), () => { active = index; show(); }, { "aria-pressed": String(index === active) }), make("button", { type: "button", class: "quiet", "aria-label": `${say("remove")}: ${say("relation number", { number: index + 1 })}`, onclick: remove }, say("remove"))),
        make("dl", { class: "named" }, parts),
        relation.cause && relation.effect ? make("fieldset", { class: "tests" }, make("legend", { class: "label" }, say("five tests")), tests) : null);
    }
    const part = (span) => (span ? say("quoted", { words: cut(item.text, span) }) : "…");

    function show() {
      const { relations, splits, isNone } = task.draft;
      active = Math.min(active, relations.length);
      marker.mark(relations.flatMap((relation, index) => marksOf(relation).map((one) => ({ ...one, faint: index !== active }))), splits);
      none.setAttribute("aria-pressed", String(isNone));
      next.disabled = !relations.length || active === relations.length;
      refill(list, ...relations.map(relationCard), ...(active === relations.length && relations.length ? [make("li", { class: "card active hint" }, say("new relation"))] : []));
      list.hidden = !relations.length;
    }
    return { show, focus: () => marker.element.focus({ preventScroll: true }) };
  },
};

/** The marks of a relation; one that is not complete has fewer. */
function marksOf({ cause, effect, signals = [] }) {
  return [[cause, "cause"], [effect, "effect"], ...signals.map((span) => [span, "signal"])].filter(([span]) => span).map(([span, role]) => ({ span, role }));
}
