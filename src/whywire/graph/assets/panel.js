"use strict";
// The panel: all there is to know of one link or one event, down to the words in the sources.

const TIME_FROM_WORDS = { url: "date from the address", dateline: "date from the dateline", text: "date from the text" };

const ROLE_WORDS = {
  cause: "cause", effect: "effect", signal: "signal", antecedent: "antecedent", consequent: "consequent",
};

const MENTION_WORDS = { statement: "says", cause: "as a cause", effect: "as an effect" };

const CONTRADICTION_WORDS = {
  polarity: "denied or taken back", number: "another number", attribution: "put down to another",
};

function renderLinkPanel(place) {
  const link = data.links[place];
  const of = (part) => link.evidence.filter((evidence) => part in evidence);
  const [claims, pairs, judged] = ["claim", "source", "judged"].map(of);
  fillPanel(link.kind === "causes" ? "Cause and effect" : "Refutation",
    make("p", { class: "facts" }, link.rests.map((kind) => RESTS[kind].words).join(" · ")),
    make("div", { class: `relation ${link.kind}` },
      eventLine(link.source), make("p", { class: "verb" }, `↓ ${KIND_WORDS[link.kind]}`), eventLine(link.target)),
    strengthMeter(link),
    make("p", { class: "hint" }, ORDER_WORDS[link.order]),
    link.closedBy === null ? null : make("p", { class: "note" }, "This link is closed: later refuted or corrected by ",
      make("a", { href: eventAddress(link.closedBy) }, titleElement(link.closedBy)), "."),
    ...section(`Sentences that say so (${number(claims.length)})`, claims, (evidence) =>
      claimCard(data.claims[evidence.claim], evidence.probability), legendOf(claims.map(({ claim }) => claim))),
    ...section(`Sentences that deny it (${number(link.deniedBy.length)})`, link.deniedBy, (evidence) =>
      claimCard(data.claims[evidence.claim], evidence.probability), legendOf(link.deniedBy.map(({ claim }) => claim))),
    ...section(`Headlines that belong together (${number(pairs.length)})`, pairs, pairCard),
    ...section(`Judged to be cause and effect (${number(judged.length)})`, judged, (evidence) =>
      judgedCard(evidence, link.rests.includes("said"))));
}

function renderEventPanel(place) {
  const event = data.events[place];
  const { words, headline } = titleParts(place);
  const links = linksOfEvent[place];
  const of = (kind, end) => links.filter((link) => data.links[link].kind === kind && data.links[link][end] === place)
    .sort((a, b) => data.links[b].strength - data.links[a].strength);
  const other = (end) => (link) => make("a", { class: "near", href: linkAddress(link) },
    strengthChip(data.links[link]), titleElement(data.links[link][end]));
  const claimed = (kind) => event.claims.filter((claim) => data.claims[claim].kind === kind && !data.claims[claim].derived);
  const derived = event.claims.filter((claim) => data.claims[claim].derived);
  const card = (claim) => claimCard(data.claims[claim], data.claims[claim].probability);
  fillPanel("Event",
    make("p", { class: "event-title large", dir: "auto" }, words),
    headline === null ? null : make("p", { class: "facts", dir: "auto" }, `in “${headline}”`),
    event.planned ? make("p", { class: "note" }, "Planned or announced: no report says that it has happened.") : null,
    make("p", { class: "facts" }, event.first === event.last || event.last === null
      ? timeWords(event.first) : `${timeWords(event.first)} – ${timeWords(event.last)}`),
    event.when ? make("p", { class: "facts" }, `Happened ${whenWords(event.when)} (“${event.when.words}”)`) : null,
    ...section("What led to it", of("causes", "target"), other("source")),
    ...section("What it led to", of("causes", "source"), other("target")),
    ...section("Refuted or corrected by", of("refutes", "source"), other("target")),
    ...section("What it refutes or corrects", of("refutes", "target"), other("source")),
    ...section(`Reports (${number(event.articles.length)})`, event.articles, (article) => reportCard(article, event)),
    ...section("What the reports say of cause and effect", claimed("causal"), card, legendOf(claimed("causal"))),
    ...section("What the reports say was not the cause", claimed("denial"), card, legendOf(claimed("denial"))),
    ...section("What the reports imagine", claimed("counterfactual"), card, legendOf(claimed("counterfactual"))),
    ...section("What follows from what they imagine", derived, card),
    event.moreClaims ? make("p", { class: "hint" }, `${count(event.moreClaims, "more claim")} in claims.jsonl.`) : null);
}

function fillPanel(kicker, ...parts) {
  const panel = document.getElementById("panel");
  panel.replaceChildren(
    make("div", { class: "panel-head" },
      make("h2", { id: "panel-title", class: "label", tabindex: -1 }, kicker),
      make("button", { type: "button", id: "close", class: "quiet", onclick: closePanel }, "Close")),
    make("div", { class: "panel-body" }, parts));
  panel.hidden = false;
  panel.scrollTop = 0;
}

function section(title, items, render, legend = null) {
  if (!items.length) return [];
  return [make("section", { class: "evidence" },
    make("h3", {}, title), legend, pagedList(items, render, { size: 6, class: "cards" }))];
}

function eventLine(place) {
  return make("p", { class: "event-line" },
    make("a", { class: "event-title", href: eventAddress(place) }, titleElement(place)),
    make("span", { class: "facts" }, timeWords(data.events[place].first)));
}

function strengthMeter(link) {
  const bar = make("span", { class: `fill ${link.class}` });
  bar.style.width = `${link.strength}%`;
  const marks = data.classes.slice(0, -1).map(({ highest }) => {
    const mark = make("span", { class: "bound" });
    mark.style.left = `${highest}%`;
    return mark;
  });
  return make("div", { class: "measure" },
    make("p", {}, "Strength ", make("b", {}, String(link.strength)), ` · ${link.class}`),
    make("p", {}, "Probability ", make("b", {}, link.probability.toFixed(2))),
    make("div", { class: "meter", "aria-hidden": "true" }, bar, marks));
}

/** The sentence with its parts marked, and where it stands. */
function claimCard(claim, probability) {
  const roles = (words) => words.split(" ").filter(Boolean);
  const begun = new Set();
  const marked = claim.pieces.map(([text, words], at) => {
    if (!words) return text;
    const before = at ? roles(claim.pieces[at - 1][1]) : [];
    const begins = roles(words).filter((role) => !before.includes(role));
    begins.forEach((role) => begun.add(role));
    return make("mark", { "data-roles": words, "data-begins": begins.map((role) => ROLE_WORDS[role]).join(", ") || null }, text);
  });
  return make("article", { class: "card" },
    claim.derived ? make("p", { class: "derived", dir: "auto" }, claim.derived) : null,
    make("blockquote", { dir: "auto" }, marked),
    reportLine(claim.article, probability));
}

/** A report of an event, with the words below its headline that mention the event. */
function reportCard(article, event) {
  const mentions = event.mentions.filter((mention) => mention.article === article && mention.kind !== "headline");
  return make("article", { class: "card" }, reportLine(article),
    mentions.length ? make("ul", { class: "mentions" }, mentions.map((mention) =>
      make("li", {}, make("q", { dir: "auto" }, mention.words), make("span", { class: "facts" }, ` ${MENTION_WORDS[mention.kind]}`)))) : null);
}

/** The two wordings that a model took for cause and effect. */
function judgedCard({ judged, probability }, isSaid) {
  const side = (role) => [
    make("blockquote", { dir: "auto" },
      make("mark", { "data-roles": role, "data-begins": ROLE_WORDS[role] }, judged[role].words)),
    reportLine(judged[role].article)];
  return make("article", { class: "card" }, side("cause"), side("effect"),
    make("p", { class: "facts" }, `judged by a model${isSaid ? "" : "; no sentence says so clearly"} · probability ${probability.toFixed(2)}`));
}

function pairCard(evidence) {
  return make("article", { class: "card pair" },
    reportLine(evidence.source), reportLine(evidence.target), probabilityLine(evidence.probability),
    evidence.contradicts ? make("span", { class: "facts" }, ` · ${CONTRADICTION_WORDS[evidence.contradicts]}`) : null);
}

/** An article's title, linked where it has an address, with outlet and time. */
function reportLine(place, probability = null) {
  const article = data.articles[place];
  const address = webAddress(article.url);
  const title = address
    ? make("a", { href: address, target: "_blank", rel: "noopener noreferrer", dir: "auto" }, article.title)
    : make("span", { dir: "auto" }, article.title);
  return make("div", { class: "report" }, title,
    make("span", { class: "facts" }, [article.source, timeWords(article.time), TIME_FROM_WORDS[article.timeFrom]].filter(Boolean).join(" · ")),
    probability === null ? null : probabilityLine(probability));
}

function probabilityLine(probability) {
  return make("span", { class: "facts" }, `probability ${probability.toFixed(2)}`);
}

/** The marks used in these claims, each in the dress it wears in the sentences. */
function legendOf(claims) {
  const used = new Set(claims.flatMap((claim) => data.claims[claim].pieces.flatMap(([, words]) => words.split(" "))));
  const shown = Object.keys(ROLE_WORDS).filter((role) => used.has(role));
  return shown.length
    ? make("p", { class: "roles" }, shown.map((role) => make("mark", { "data-roles": role }, ROLE_WORDS[role])))
    : null;
}
