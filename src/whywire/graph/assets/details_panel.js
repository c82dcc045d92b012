"use strict";
// The details panel: everything known of one link or one event, down to the words in the articles.

function renderLinkPanel(index) {
  const link = data.links[index];
  const evidenceOf = (kind) => link.evidence.filter((evidence) => evidence.kind === kind);
  const [claims, pairs, implied] = ["said", "shown", "implied"].map(evidenceOf);
  const claim = (evidence) => claimCard(data.claims[evidence.claim], evidence.probability);
  const claimIndices = (evidence) => evidence.map((one) => one.claim);
  fillPanel(link.kind === "causes" ? "Cause and effect" : "Refutation",
    make("div", { class: `relation ${link.kind}` },
      eventLine(link.source), make("p", { class: "verb" }, `↓ ${LINK_KIND_LABELS[link.kind]}`), eventLine(link.target)),
    strengthMeter(link),
    make("p", { class: "facts" }, `Evidence: ${link.evidenceKinds.map((kind) => GRAPH_WORDS[kind]).join(" · ")}`),
    make("p", { class: "hint" }, ORDER_LABELS[link.order]),
    checkedLine(link.checkedBy),
    make("details", { class: "help" }, make("summary", {}, "What do these numbers mean?"),
      glossaryList(["Strength", "Probability", "Evidence"])),
    link.closedBy === null ? null : make("p", { class: "note" }, "This link is closed: later denied by ",
      make("a", { href: eventAddress(link.closedBy) }, titleElement(link.closedBy)), "."),
    ...section(`Sentences that state it (${formatNumber(claims.length)})`, claims, claim, roleLegend(claimIndices(claims))),
    ...section(`Sentences that deny it (${formatNumber(link.deniedBy.length)})`, link.deniedBy, claim,
      roleLegend(claimIndices(link.deniedBy))),
    ...section(`Headlines that show it (${formatNumber(pairs.length)})`, pairs, headlinePairCard),
    ...section(`Articles that imply it (${formatNumber(implied.length)})`, implied, impliedCard));
}

function renderEventPanel(index) {
  const event = data.events[index];
  const linksTo = (kind, end) => data.byWeight(data.linksOfEvent[index].filter((link) =>
    data.links[link].kind === kind && data.links[link][end] === index));
  const otherEnd = (end) => (link) => make("a", { class: "neighbour", href: linkAddress(link) },
    strengthChip(data.links[link]), titleElement(data.links[link][end]));
  const claimsOf = (kind) => event.claims.filter((claim) => data.claims[claim].kind === kind && !data.claims[claim].derived);
  const card = (claim) => claimCard(data.claims[claim], data.claims[claim].probability);
  const claimSection = (title, claims) => section(title, claims, card, roleLegend(claims));
  fillPanel("Event",
    make("p", { class: "event-title large", dir: "auto" }, event.title),
    event.planned ? make("p", { class: "note" }, "Planned or announced: no article says that it has happened.") : null,
    make("p", { class: "facts" }, `Reported ${event.firstSeen === event.lastSeen || event.lastSeen === null
      ? formatTime(event.firstSeen) : `${formatTime(event.firstSeen)} – ${formatTime(event.lastSeen)}`}`),
    checkedLine(event.checkedBy),
    event.when ? make("p", { class: "facts" }, `Happened ${formatEventTime(event.when)} (“${event.when.words}”)`) : null,
    ...section("What led to it", linksTo("causes", "target"), otherEnd("source")),
    ...section("What it led to", linksTo("causes", "source"), otherEnd("target")),
    ...section("Refuted or corrected by", linksTo("refutes", "source"), otherEnd("target")),
    ...section("What it refutes or corrects", linksTo("refutes", "target"), otherEnd("source")),
    ...section(`Articles (${formatNumber(event.articles.length)})`, event.articles, (article) => articleCard(article, event)),
    ...claimSection("Causal claims in these articles", claimsOf("causal")),
    ...claimSection("Denied causes in these articles", claimsOf("denial")),
    ...claimSection("Counterfactuals in these articles", claimsOf("counterfactual")),
    ...section("Causal claims that follow from counterfactuals",
      event.claims.filter((claim) => data.claims[claim].derived), card),
    event.omittedClaims
      ? make("p", { class: "hint" }, `${formatCount(event.omittedClaims, "more claim")} in claims.jsonl.`) : null);
}

function fillPanel(heading, ...content) {
  const panel = byId("panel");
  panel.replaceChildren(
    make("div", { class: "panel-head" },
      make("h2", { id: "panel-title", class: "label", tabindex: -1 }, heading),
      make("button", { type: "button", id: "close", class: "quiet", onclick: closePanel }, "Close")),
    make("div", { class: "panel-body" }, content));
  panel.hidden = false;
  panel.scrollTop = 0;
}

function section(title, items, render, legend = null) {
  if (!items.length) return [];
  return [make("section", { class: "evidence" },
    make("h3", {}, title), legend, pagedList(items, render, { size: 6, class: "cards" }))];
}

function eventLine(index) {
  return make("p", { class: "event-line" },
    make("a", { class: "event-title", href: eventAddress(index) }, titleElement(index)),
    make("span", { class: "facts" }, `reported ${formatTime(data.events[index].firstSeen)}`));
}

/** Which chat model had a say, if one had. */
function checkedLine(model) {
  return model ? make("p", { class: "facts" }, "Checked by ", make("b", { dir: "auto" }, model)) : null;
}

function strengthMeter(link) {
  const bar = make("span", { class: `fill ${link.class}` });
  bar.style.width = `${link.strength}%`;
  const bounds = data.classes.slice(0, -1).map(({ highest }) => {
    const bound = make("span", { class: "bound" });
    bound.style.left = `${highest}%`;
    return bound;
  });
  return make("div", { class: "measure" },
    make("p", {}, "Strength ", make("b", {}, String(Math.round(link.strength))), ` · ${link.class}`),
    make("p", {}, "Probability ", make("b", {}, formatProbability(link.probability))),
    make("div", { class: "meter", "aria-hidden": "true" }, bar, bounds));
}

/** The sentence of a claim with its spans marked, and its article. */
function claimCard(claim, probability) {
  const rolesIn = (words) => words.split(" ").filter(Boolean);
  const sentence = claim.pieces.map(([text, roles], index) => {
    if (!roles) return text;
    const before = index ? rolesIn(claim.pieces[index - 1][1]) : [];
    const begins = rolesIn(roles).filter((role) => !before.includes(role));
    return make("mark", { "data-roles": roles, "data-begins": begins.join(", ") || null }, text);
  });
  return make("article", { class: "card" },
    claim.derived ? make("p", { class: "derived", dir: "auto" }, claim.derived) : null,
    make("blockquote", { dir: "auto" }, sentence),
    articleLine(claim.article, probability));
}

/** An article on an event, with its mentions of the event below the headline. */
function articleCard(article, event) {
  const mentions = event.mentions.filter((mention) => mention.article === article && mention.kind !== "headline");
  return make("article", { class: "card" }, articleLine(article),
    mentions.length ? make("ul", { class: "mentions" }, mentions.map((mention) => make("li", {},
      make("q", { dir: "auto" }, mention.words),
      make("span", { class: "facts" }, ` ${MENTION_KIND_LABELS[mention.kind]}`)))) : null);
}

/** The two mentions that their article implies to be cause and effect. */
function impliedCard(evidence) {
  const side = (role) => [
    make("blockquote", { dir: "auto" },
      make("mark", { "data-roles": role, "data-begins": role }, evidence[role].words)),
    articleLine(evidence[role].article)];
  return make("article", { class: "card" }, side("cause"), side("effect"),
    make("p", { class: "facts" }, `implied by the article · ${probabilityWords(evidence.probability)}`));
}

function headlinePairCard(evidence) {
  return make("article", { class: "card pair" },
    articleLine(evidence.source), articleLine(evidence.target),
    make("span", { class: "facts" }, [probabilityWords(evidence.probability), CONTRADICTION_LABELS[evidence.contradicts]]
      .filter(Boolean).join(" · ")));
}

/** An article's title, linked if it has a web address, with outlet and time. */
function articleLine(index, probability = null) {
  const article = data.articles[index];
  const address = webAddress(article.url);
  const title = address
    ? make("a", { href: address, target: "_blank", rel: "noopener noreferrer", dir: "auto" }, article.title)
    : make("span", { dir: "auto" }, article.title);
  const facts = [article.source, formatTime(article.published), INFERRED_FROM_LABELS[article.inferredFrom]];
  return make("div", { class: "article-line" }, title,
    make("span", { class: "facts" }, facts.filter(Boolean).join(" · ")),
    probability === null ? null : make("span", { class: "facts" }, probabilityWords(probability)));
}

function probabilityWords(probability) {
  return `probability ${formatProbability(probability)}`;
}

/** The roles marked in these claims, each in its style. */
function roleLegend(claims) {
  const used = new Set(claims.flatMap((claim) => data.claims[claim].pieces.flatMap(([, roles]) => roles.split(" "))));
  const shown = ROLES.filter((role) => used.has(role));
  return shown.length
    ? make("p", { class: "roles" }, shown.map((role) => make("mark", { "data-roles": role }, role)))
    : null;
}
