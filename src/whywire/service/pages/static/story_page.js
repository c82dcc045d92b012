"use strict";
// The page of a story: its graph, and filters that act on the graph and on the list of links at once.

let storyGraph = null;

function mountStory() {
  storyGraph?.close();
  storyGraph = null;
  const sheet = document.getElementById("graph-sheet");
  const source = document.getElementById("graph-data");
  if (!sheet || !source || sheet.childElementCount) return;
  const graph = new GraphData(JSON.parse(source.textContent));
  const form = document.getElementById("filters");
  const shows = filterOf(form);
  const openEvent = (index) => { location.assign(`${document.body.dataset.root}/events/${encodeURIComponent(graph.events[index].id)}`); };
  const open = {
    event: openEvent,
    link: (index) => {
      const id = idOfLink(graph, graph.links[index]);
      if (!document.getElementById(id)) openEvent(graph.links[index].target); // a large story lists some
      else if (location.hash === `#${encodeURIComponent(id)}`) openNamed();
      else location.hash = encodeURIComponent(id);
    },
  };
  const kinds = (link) => link.evidenceKinds.some((kind) => shows.kinds.has(kind));
  const passes = { kind: kinds, link: (link) => link.strength >= shows.strength && kinds(link) };
  storyGraph = mountGraph(sheet, graph, graph.stories[0], open, passes);
  if (matchMedia("(max-width: 40rem)").matches) document.getElementById("main-list").open = false; // the graph says it
  form.querySelector("button").hidden = true;
  form.addEventListener("input", (event) => {
    Object.assign(shows, filterOf(form));
    storyGraph.filter(event.target.type === "checkbox");
    filterList(shows, graph.stories[0].links.map((index) => graph.links[index]).filter((link) => !passes.link(link)).length);
    sayStrength(form, shows.strength);
    keepAddress(form, shows);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  sayStrength(form, shows.strength);
  addChainButtons(sheet);
}

/** A button beside each causal chain that shows it in the graph. */
function addChainButtons(sheet) {
  for (const list of document.querySelectorAll(".chains")) {
    for (const item of list.querySelectorAll("li[data-links]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "quiet";
      button.textContent = list.dataset.show;
      button.addEventListener("click", () => {
        storyGraph.highlightChain(item.dataset.links.split(" ").map(Number));
        sheet.scrollIntoView({ block: "center" });
      });
      item.append(button);
    }
  }
}

function filterOf(form) {
  const values = new FormData(form);
  return { strength: Number(values.get("min_strength")), kinds: new Set(values.getAll("evidence")) };
}

/** The id of a link in the list, as macros.html makes it. */
function idOfLink(graph, link) {
  const [source, target] = [graph.events[link.source].id, graph.events[link.target].id];
  return `link-${source}.${target}${link.kind === "causes" ? "" : `.${link.kind}`}`;
}

/** Put the filters into the address, so that it can be passed on. */
function keepAddress(form, shows) {
  const address = new URL(location.href);
  address.searchParams.delete("min_strength");
  address.searchParams.delete("evidence");
  if (shows.strength) address.searchParams.set("min_strength", shows.strength);
  if (shows.kinds.size < form.querySelectorAll("[name='evidence']").length) {
    for (const kind of shows.kinds) address.searchParams.append("evidence", kind);
  }
  history.replaceState(history.state, "", address);
}

function filterList(shows, hiddenCount) {
  for (const item of document.querySelectorAll("#links > li")) {
    const isOfKind = item.dataset.kinds.split(" ").some((kind) => shows.kinds.has(kind));
    item.hidden = !isOfKind || Number(item.dataset.strength) < shows.strength;
  }
  const hint = document.getElementById("hidden-links");
  hint.textContent = hiddenCount ? hint.dataset.words.replace("N", formatNumber(hiddenCount)) : "";
}

function sayStrength(form, strength) {
  const output = form.querySelector("output");
  output.textContent = strength ? output.dataset.some.replace("N", strength) : output.dataset.all;
  form.querySelector("[type='range']").setAttribute("aria-valuetext", output.textContent);
}

mountStory();
document.addEventListener("htmx:afterSettle", mountStory);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => storyGraph?.restyle());
