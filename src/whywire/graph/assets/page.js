"use strict";
// The page as a whole: counts, the index with search, light and dark, and what the address asks for.
//
// What is shown is in the address: `#` is the index, `#story/<lead event>` a story, `#link/<place>` a
// link, `#<event>` an event. Everything one can open is an ordinary link, so going back, bookmarks
// and the keyboard work by themselves.

const LANGUAGE_WORDS = { en: "English", ru: "Russian", other: "Other" };
const byId = (id) => document.getElementById(id);

let shownStory = null;
let opener = null; // what had the focus when the panel opened

// --- The index ---

function renderIndex() {
  const words = searchWords(byId("search").value);
  const language = byId("language").value;
  const matches = (place) => {
    return (!language || data.events[place].language === language) && isFound(place, words);
  };
  const stories = data.stories.map((story, place) => ({ place, hits: story.events.filter(matches) }))
    .filter(({ hits }) => hits.length);
  const singles = data.singles.filter(matches);
  const searching = words.length > 0;

  byId("stories-heading").textContent = `Stories (${number(stories.length)})`;
  byId("singles-heading").textContent = `Events on their own (${number(singles.length)})`;
  byId("stories").replaceChildren(stories.length
    ? pagedList(stories, ({ place, hits }) => storyEntry(place, searching ? hits : [], words), { class: "entries" })
    : make("p", { class: "hint" }, searching || language ? "No story matches." : "No event is part of a story yet."));
  byId("singles").replaceChildren(singles.length
    ? pagedList(singles, (place) => eventEntry(place, words), { size: 15, class: "entries" })
    : make("p", { class: "hint" }, "None."));
  markCurrent();
}

function storyEntry(place, hits, words) {
  const story = data.stories[place];
  const { first, last } = timesOf(story.events);
  const facts = [count(story.events.length, "event"), count(reportCount(story.events), "report"), rangeWords(first, last)];
  const told = hits.filter((event) => event !== story.lead || wordingOf(event, words) !== null);
  told.sort((a, b) => linksOfEvent[b].length - linksOfEvent[a].length);
  return [
    make("a", { class: "entry", href: storyAddress(place) },
      titleElement(story.lead, "span", { class: "entry-title" }),
      make("span", { class: "facts" }, facts.join(" · "))),
    told.length ? pagedList(told, (event) => make("a", { class: "entry hit", href: eventAddress(event) },
      titleElement(event), wordingElement(event, words)), { size: 3 }) : null,
  ];
}

function eventEntry(place, words) {
  const event = data.events[place];
  return make("a", { class: "entry", href: eventAddress(place) },
    titleElement(place, "span", { class: "entry-title small" }), wordingElement(place, words),
    make("span", { class: "facts" }, [shortTimeWords(event.first), count(event.articles.length, "report")].join(" · ")));
}

function markCurrent() {
  const current = shownStory === null ? null : storyAddress(shownStory);
  for (const entry of document.querySelectorAll("#stories .entry")) {
    if (entry.getAttribute("href") === current) entry.setAttribute("aria-current", "true");
    else entry.removeAttribute("aria-current");
  }
}

// --- What the address asks for ---

/**
 * What the address asks for: nothing where it leads nowhere, whatever is written in it.
 *
 * An id is encoded, so a slash in the address is never one of its own.
 */
function wanted() {
  const [, kind, name] = /^(story\/|link\/)?(.*)$/su.exec(location.hash.slice(1));
  if (kind === "link/") {
    const link = /^(0|[1-9]\d*)$/u.test(name) ? data.links[name] : undefined;
    return link === undefined ? {} : { story: storyOfEvent[link.source], link: Number(name) };
  }
  const event = eventPlaces.get(decoded(name));
  if (event === undefined) return {};
  return kind === "story/" ? { story: storyOfEvent[event] } : { story: storyOfEvent[event] ?? shownStory, event };
}

/** The words behind an encoded name; null when it is none. */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}

function show(moveFocus) {
  const { story = null, link = null, event = null } = wanted();
  const roomy = matchMedia("(min-width: 60rem)").matches;
  const next = story ?? (roomy && data.stories.length ? 0 : null);
  const panelWasOpen = !byId("panel").hidden;

  document.body.dataset.view = story === null ? "index" : "story";
  document.body.toggleAttribute("data-panel", link !== null || event !== null);
  if (next !== shownStory || !byId("story").childElementCount) {
    shownStory = next;
    if (next === null) renderNoStory();
    else renderStory(next);
    markCurrent();
    if (moveFocus && link === null && event === null) focusHeading("story-title");
    window.scrollTo(0, 0);
  }

  if (link === null && event === null) {
    byId("panel").hidden = true;
    pointAtNothing();
    if (panelWasOpen && opener?.isConnected) opener.focus({ preventScroll: true });
    return;
  }
  if (!panelWasOpen) opener = document.activeElement;
  if (link !== null) renderLinkPanel(link);
  else renderEventPanel(event);
  if (storyOfEvent[event ?? data.links[link].source] === null) pointAtNothing();
  else pointOut(link === null ? "event" : "link", link ?? event, data.stories[story]);
  if (moveFocus) focusHeading("panel-title");
}

function focusHeading(id) {
  byId(id)?.focus({ preventScroll: true });
}

function closePanel() {
  location.hash = shownStory === null ? "" : storyAddress(shownStory);
}

function renderNoStory() {
  closePicture();
  const [heading, words] = data.events.length
    ? ["No stories yet", "The events stand alone: none of them was found to have to do with another."]
    : ["Nothing here yet", "No events were found. Once news is read, the stories and their causes appear here."];
  byId("story").replaceChildren(data.stories.length ? "" : make("div", { class: "notice" },
    make("h2", { id: "story-title", tabindex: -1 }, heading), make("p", {}, words)));
}

// --- Light and dark ---

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return (document.documentElement.style.colorScheme || (prefersDark.matches ? "dark" : "light")) === "dark";
}

function themeChanged() {
  byId("theme").textContent = isDark() ? "Light" : "Dark";
  byId("theme").setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
  picture?.restyle();
}

// --- Beginning ---

function renderHead() {
  const counts = [["article", data.articles.length], ["event", data.events.length],
    ["link", data.links.length], ["claim", data.claimCount]];
  byId("counts").append(...counts.map(([noun, amount]) => make("li", {}, make("b", {}, number(amount)), ` ${noun}${amount === 1 ? "" : "s"}`)));

  const languages = Object.keys(LANGUAGE_WORDS).filter((name) => data.events.some((event) => event.language === name));
  byId("language").append(make("option", { value: "" }, "All"),
    ...languages.map((name) => make("option", { value: name }, LANGUAGE_WORDS[name])));
  byId("language-field").hidden = languages.length < 2;

  if (data.moreEvents) {
    byId("counts").append(make("li", {}, `${number(data.moreEvents)} more events, without links, in events.jsonl`));
  }
  byId("run").hidden = !data.summary.length;
  byId("summary").append(...data.summary.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

renderHead();
renderIndex();
themeChanged();
show(false);

byId("search").addEventListener("input", renderIndex);
byId("language").addEventListener("change", renderIndex);
byId("theme").addEventListener("click", () => {
  document.documentElement.style.colorScheme = isDark() ? "light" : "dark";
  themeChanged();
});
prefersDark.addEventListener("change", themeChanged);
window.addEventListener("hashchange", () => show(true));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !byId("panel").hidden) closePanel();
});
