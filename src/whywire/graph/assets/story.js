"use strict";
// One story: its heading, its graph with controls, its links as a list, and its timeline.

let graphView = null; // of the current story, if it has links

function renderStory(index) {
  const story = data.stories[index];
  const { first, last } = timeRange(story.events);
  const hasLinks = story.links.length > 0;
  const links = make("div", { id: "links" });
  const hiddenCount = make("p", { class: "hint", "aria-live": "polite" });

  function applyFilters(kindsChanged) {
    const shown = data.byWeight(story.links.filter((link) => passesFilters(data.links[link])));
    links.replaceChildren(shown.length
      ? pagedList(shown, linkRow, { size: 12, class: "rows" })
      : make("p", { class: "hint" }, "No link passes these filters."));
    const hidden = story.links.length - shown.length;
    hiddenCount.textContent = hidden ? `${formatCount(hidden, "link")} hidden by the filters` : "";
    graphView?.filter(kindsChanged);
  }

  closeGraph();
  const sheet = make("section", { class: "sheet", "aria-label": "Causal graph" }, filterControls(applyFilters));
  byId("story").replaceChildren(
    make("a", { class: "back", href: "#" }, "‹ All stories"),
    titleElement(story.lead, "h2", { id: "story-title", tabindex: -1 }),
    make("p", { class: "facts" }, [
      formatTimeRange(first, last), formatCount(story.events.length, "event"),
      formatCount(articleCount(story.events), "article"), hasLinks ? formatCount(story.links.length, "link") : "no links",
    ].join(" · ")),
    ...(story.written ? [writtenSentence(story.written)] : []),
    ...(hasLinks ? [
      sheet,
      storySection("Links", "The strongest and surest first. Open a link for its evidence.", hiddenCount, links)] : []),
    storySection("Timeline", "Each bar runs from the first article on an event to the last. Open an event for its articles.",
      timeline(story.events, first)),
  );
  if (!hasLinks) return;
  graphView = mountGraph(sheet, data, story, openInPanel, { link: passesFilters, kind: passesKind });
  applyFilters(false);
}

/** A sentence that a language model wrote; each clause is followed by the article that says it. */
function writtenSentence({ model, clauses }) {
  const told = clauses.map(({ part, text, article, quote }, index) => {
    const { title, url, source } = data.articles[article];
    const address = webAddress(url);
    const begins = WRITTEN_PARTS[part] && part !== clauses[index - 1]?.part;
    return make("span", {}, index ? "; " : null, begins ? `${WRITTEN_PARTS[part]}: ` : null,
      make("q", { dir: "auto", title: quote }, text), " (",
      make(address ? "a" : "span", { href: address, rel: address && "noopener noreferrer" }, source || title), ")");
  });
  return make("p", { class: "written" }, ...told, ". ",
    make("span", { class: "tag" }, `put together by ${model} from words of these articles`));
}

function storySection(title, hint, ...content) {
  const id = `${title.toLowerCase()}-title`;
  return make("section", { class: "story-section", "aria-labelledby": id },
    make("h3", { id }, title), make("p", { class: "hint" }, hint), ...content);
}

// --- The graph ---

const openInPanel = {
  event: (index) => { location.hash = eventAddress(index); },
  link: (index) => { location.hash = linkAddress(index); },
};

function highlight(kind, index) {
  graphView?.highlight(kind, index);
}

function clearHighlight() {
  graphView?.highlight(null, null);
}

function closeGraph() {
  graphView?.close();
  graphView = null;
}

// --- The list of links ---

function linkRow(index) {
  const link = data.links[index];
  return make("a", { class: `link-row ${link.kind}`, href: linkAddress(index), "data-link": index },
    strengthChip(link),
    make("span", { class: "link-words" },
      titleElement(link.source),
      make("span", { class: "verb" }, `→ ${LINK_KIND_LABELS[link.kind]}`),
      titleElement(link.target),
      make("span", { class: "tags" },
        make("span", { class: `tag ${mainEvidenceKind(link)}` }, link.evidenceKinds.join(", ")),
        link.closedBy === null ? null : make("span", { class: "tag" }, "closed"))));
}

function strengthChip(link) {
  const title = `Strength ${Math.round(link.strength)} of 100, probability ${formatProbability(link.probability)}`;
  return make("span", { class: `chip ${link.class}`, title },
    make("b", {}, String(Math.round(link.strength))), make("small", {}, link.class));
}
