"use strict";
// The page as a whole: counts, the list of stories with its search, light and dark, and the view the address asks for.
//
// The view is in the address: `#` is the list of stories, `#story/<lead event>` a story, `#link/<index>` a link,
// `#<event>` an event. Everything that opens is an ordinary link, so going back, bookmarks and the keyboard work.

let currentStory = null;
let focusBeforePanel = null;

// --- The list of stories and single events ---

function renderStoryList() {
  const words = searchWords(byId("search").value);
  const language = byId("language").value;
  const matches = (index) => (!language || data.events[index].language === language) && matchesSearch(index, words);
  const stories = data.stories.map((story, index) => ({ index, matching: story.events.filter(matches) }))
    .filter(({ matching }) => matching.length);
  const singleEvents = data.singleEvents.filter(matches);
  const searching = words.length > 0;

  byId("stories-heading").textContent = `Stories (${formatNumber(stories.length)})`;
  byId("single-events-heading").textContent = `Single events (${formatNumber(singleEvents.length)})`;
  byId("stories").replaceChildren(stories.length
    ? pagedList(stories, ({ index, matching }) => storyEntry(index, searching ? matching : [], words), { class: "entries" })
    : make("p", { class: "hint" }, searching || language ? "No story matches." : "No two events are connected."));
  byId("single-events").replaceChildren(singleEvents.length
    ? pagedList(singleEvents, (index) => eventEntry(index, words), { size: 15, class: "entries" })
    : make("p", { class: "hint" }, searching || language ? "No single event matches." : "Every event is part of a story."));
  markCurrentStory();
}

function storyEntry(index, matching, words) {
  const story = data.stories[index];
  const { first, last } = timeRange(story.events);
  const facts = [formatCount(story.events.length, "event"), formatCount(articleCount(story.events), "article"),
    formatTimeRange(first, last)];
  const listed = matching.filter((event) => event !== story.lead || matchingMention(event, words) !== null);
  listed.sort((a, b) => data.linksOfEvent[b].length - data.linksOfEvent[a].length);
  return [
    make("a", { class: "entry", href: storyAddress(index) },
      titleElement(story.lead, "span", { class: "entry-title" }),
      make("span", { class: "facts" }, facts.join(" · "))),
    listed.length ? pagedList(listed, (event) => make("a", { class: "entry match", href: eventAddress(event) },
      titleElement(event), matchingMentionElement(event, words)), { size: 3 }) : null,
  ];
}

function eventEntry(index, words) {
  const event = data.events[index];
  return make("a", { class: "entry", href: eventAddress(index) },
    titleElement(index, "span", { class: "entry-title small" }), matchingMentionElement(index, words),
    make("span", { class: "facts" },
      [formatShortTime(event.firstSeen), formatCount(event.articles.length, "article")].join(" · ")));
}

function markCurrentStory() {
  const current = currentStory === null ? null : storyAddress(currentStory);
  for (const entry of document.querySelectorAll("#stories .entry")) {
    if (entry.getAttribute("href") === current) entry.setAttribute("aria-current", "true");
    else entry.removeAttribute("aria-current");
  }
}

// --- The view the address asks for ---

/** The story, link or event of the address; an empty object if it names none. Ids in it are percent-encoded. */
function requestedView() {
  const [, kind, name] = /^(story\/|link\/)?(.*)$/su.exec(location.hash.slice(1));
  if (kind === "link/") {
    const link = /^(0|[1-9]\d*)$/u.test(name) ? data.links[name] : undefined;
    return link === undefined ? {} : { story: storyOfEvent[link.source], link: Number(name) };
  }
  const event = eventIndices.get(percentDecoded(name));
  if (event === undefined) return {};
  return kind === "story/" ? { story: storyOfEvent[event] } : { story: storyOfEvent[event] ?? currentStory, event };
}

/** The decoded name; null if it is not percent-encoded text. */
function percentDecoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}

function showRequestedView(moveFocus) {
  const { story = null, link = null, event = null } = requestedView();
  const isWide = matchMedia("(min-width: 60rem)").matches;
  const nextStory = story ?? (isWide && data.stories.length ? 0 : null);
  const panelWasOpen = !byId("panel").hidden;
  const hasPanel = link !== null || event !== null;

  document.body.dataset.view = story === null ? "list" : "story";
  document.body.toggleAttribute("data-panel", hasPanel);
  if (nextStory !== currentStory || !byId("story").childElementCount) {
    currentStory = nextStory;
    if (nextStory === null) renderEmptyStory();
    else renderStory(nextStory);
    markCurrentStory();
    if (moveFocus && !hasPanel) focusHeading("story-title");
    window.scrollTo(0, 0);
  }

  if (!hasPanel) {
    byId("panel").hidden = true;
    clearHighlight();
    if (panelWasOpen && focusBeforePanel?.isConnected) focusBeforePanel.focus({ preventScroll: true });
    return;
  }
  if (!panelWasOpen) focusBeforePanel = document.activeElement;
  if (link !== null) renderLinkPanel(link);
  else renderEventPanel(event);
  if (storyOfEvent[event ?? data.links[link].source] === null) clearHighlight();
  else highlight(link === null ? "event" : "link", link ?? event);
  if (moveFocus) focusHeading("panel-title");
}

function focusHeading(id) {
  byId(id)?.focus({ preventScroll: true });
}

function closePanel() {
  location.hash = currentStory === null ? "" : storyAddress(currentStory);
}

function renderEmptyStory() {
  closeGraph();
  const [heading, words] = data.events.length
    ? ["No stories", "No two events were found to be connected. Every event is listed by itself."]
    : ["No events", "No events were found in the articles."];
  byId("story").replaceChildren(data.stories.length ? "" : make("div", { class: "notice" },
    make("h2", { id: "story-title", tabindex: -1 }, heading), make("p", {}, words)));
}

// --- Light and dark ---

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return (document.documentElement.style.colorScheme || (prefersDark.matches ? "dark" : "light")) === "dark";
}

function updateTheme() {
  byId("theme").textContent = isDark() ? "Light theme" : "Dark theme";
  graphView?.restyle();
}

// --- Start ---

function renderHeader() {
  const counts = [["article", data.articles.length], ["event", data.events.length],
    ["link", data.links.length], ["claim", data.claimCount]];
  byId("counts").append(...counts.map(([noun, amount]) =>
    make("li", {}, make("b", {}, formatNumber(amount)), ` ${noun}${amount === 1 ? "" : "s"}`)));
  if (data.omittedEvents) {
    const omitted = formatNumber(data.omittedEvents);
    byId("counts").append(make("li", {}, `${omitted} minor events without links are only in events.jsonl`));
  }
  byId("guide").append(glossaryList());

  const languages = Object.keys(LANGUAGE_LABELS).filter((name) => data.events.some((event) => event.language === name));
  byId("language").append(make("option", { value: "" }, "All languages"),
    ...languages.map((name) => make("option", { value: name }, LANGUAGE_LABELS[name])));
  byId("language-field").hidden = languages.length < 2;

  byId("run").hidden = !data.summary.length;
  byId("summary").append(...data.summary.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

renderHeader();
renderStoryList();
updateTheme();
showRequestedView(false);

byId("search").addEventListener("input", renderStoryList);
byId("language").addEventListener("change", renderStoryList);
byId("theme").addEventListener("click", () => {
  document.documentElement.style.colorScheme = isDark() ? "light" : "dark";
  updateTheme();
});
prefersDark.addEventListener("change", updateTheme);
window.addEventListener("hashchange", () => showRequestedView(true));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !byId("panel").hidden) closePanel();
});
