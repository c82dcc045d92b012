"use strict";
// The causal graph of an article or a story: events by selecting words, links by choosing cause and effect, or by drawing
// from one event to another.

const STATUSES = ["fact", "plan", "claimed", "denied"];
const HOWS = ["said", "implied", "claimed"];
const MOST_KEYS = 9;

KINDS.graph = {
  start: (item) => (item.drawn ? KINDS.graph.from(item.drawn) : { events: [], links: [] }),
  from: (answer) => ({
    events: answer.events.map((event) => ({ status: "fact", main: false, ...event })),
    links: answer.links.map((link) => ({ how: "said", sure: true, ...link })),
  }),
  answer: (draft) => ({ events: draft.events, links: draft.links }),
  missing: () => "",
  describe(item, answer) {
    const numbers = new Map(answer.events.map(({ id }, index) => [id, index + 1]));
    return make("div", {},
      make("ol", { class: "described numbered" }, answer.events.map((event) => make("li", { dir: "auto" }, mentionWords(item, event.mentions[0]), event.main ? make("b", {}, ` · ${say("main")}`) : null, event.status && event.status !== "fact" ? ` · ${say(`status ${event.status}`)}` : null))),
      make("ul", {}, answer.links.map((link) => make("li", {}, `${numbers.get(link.cause)} → ${numbers.get(link.effect)} · ${say(`how ${link.how ?? "said"}`)}${link.sure === false ? ` · ${say("unsure")}` : ""}`))));
  },
  mount(box, item, task) {
    const view = new GraphView(item, task);
    box.append(view.element);
    return { show: () => view.show(), focus: () => view.markers[0].marker.element.focus({ preventScroll: true }) };
  },
};

function mentionWords(item, { article, field, span }) {
  return cut(item.articles.find(({ id }) => id === article)[field], span);
}

class GraphView {
  constructor(item, task) {
    this.item = item;
    this.task = task;
    this.active = null; // the id of the event that is worked on
    this.cause = null; // the id of the event that a link begins at
    this.link = null; // the ends of the link that was made or changed last
    this.markers = item.articles.flatMap((article) => ["title", "text"].filter((field) => article[field]).map((field) => ({
      article: article.id,
      field,
      marker: new TextMarker(article[field], { language: LANGUAGE, label: `${say(field === "title" ? "headline" : "article")}. ${say("text label")}`, numbered: field === "text", selected: (marker) => this.onSelect(marker) }),
    })));
    const articles = item.articles.map((article) => make("article", { class: "sheet read" },
      article.published ? make("p", { class: "facts" }, formatTime(article.published)) : null,
      this.markers.filter((one) => one.article === article.id).map(({ field, marker }) => make("div", { class: `field-${field}` }, marker.element))));
    this.tools = make("div", { class: "actions" },
      keyButton("e", say("new event of words"), () => this.addEvent()),
      this.again = keyButton("a", say("again"), () => this.addMention()),
      this.main = keyButton("m", say("main event"), () => this.toggleMain()),
      this.status = keyButton("s", say("other status"), () => this.nextStatus()),
      this.from = keyButton("l", say("link from"), () => this.beginLink()),
      keyButton("j", say("to the list"), () => this.focusInList(0)),
      this.how = keyButton("h", say("link how"), () => this.nextHow()),
      this.sure = keyButton("q", say("link unsure"), () => this.toggleSure()));
    this.note = make("p", { class: "hint", role: "status" });
    this.events = make("ol", { class: "events", onkeydown: (event) => this.moveInList(event) });
    this.arcs = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.arcs.setAttribute("class", "arcs");
    this.arcs.setAttribute("aria-hidden", "true");
    this.links = make("ul", { class: "drawn-links" });
    this.panel = make("div", { class: "panel" }, this.tools, this.note,
      make("h3", {}, say("events")), this.eventBox = make("div", { class: "event-box" }, this.arcs, this.events),
      make("h3", {}, say("links")), this.links);
    this.element = make("div", { class: "beside" }, make("div", { class: "documents" }, articles), this.panel);
    new ResizeObserver(() => this.drawArcs()).observe(this.eventBox);
  }

  event(id) {
    return this.task.draft.events.find((one) => one.id === id);
  }

  number(id) {
    return 1 + this.task.draft.events.findIndex((one) => one.id === id);
  }

  title(event) {
    return mentionWords(this.item, event.mentions[0]);
  }

  /** The words that are selected, as a mention; null without. */
  selection() {
    const found = this.markers.find(({ marker }) => marker.span !== null);
    return found ? { article: found.article, field: found.field, span: found.marker.span } : null;
  }

  /** Only one text has a selection; a word of a mention chooses its event. */
  onSelect(marker) {
    for (const other of this.markers) if (other.marker !== marker && other.marker.span) other.marker.clear();
    const { article, field, span } = this.selection();
    const holds = (mention) => mention.article === article && mention.field === field && mention.span[0] <= span[0] && span[1] <= mention.span[1];
    const event = this.task.draft.events.find(({ mentions }) => mentions.some(holds));
    if (event && event.id !== this.active) {
      this.active = event.id;
      this.show();
    }
  }

  clear() {
    for (const { marker } of this.markers) marker.clear();
  }

  addEvent() {
    const mention = this.selection();
    if (!mention) return this.say("select first");
    const taken = new Set(this.task.draft.events.map(({ id }) => id));
    let number = taken.size + 1;
    while (taken.has(`e${number}`)) number += 1;
    this.active = `e${number}`;
    this.task.change((draft) => draft.events.push({ id: `e${number}`, mentions: [mention], status: "fact", main: false }));
    this.clear();
  }

  addMention() {
    const mention = this.selection();
    if (!mention || !this.event(this.active)) return this.say(mention ? "choose event first" : "select first");
    this.task.change(() => this.event(this.active).mentions.push(mention));
    this.clear();
  }

  removeMention(id, place) {
    this.task.change((draft) => {
      const event = this.event(id);
      event.mentions.splice(place, 1);
      if (event.mentions.length) return;
      draft.events = draft.events.filter((one) => one.id !== id);
      draft.links = draft.links.filter((link) => link.cause !== id && link.effect !== id);
    });
  }

  toggleMain() {
    this.task.change(() => { const event = this.event(this.active); if (event) event.main = !event.main; });
  }

  nextStatus() {
    this.task.change(() => { const event = this.event(this.active); if (event) event.status = STATUSES[(STATUSES.indexOf(event.status) + 1) % STATUSES.length]; });
  }

  beginLink() {
    this.cause = this.cause === null ? this.active : null;
    this.show();
  }

  /** Choose an event: the one to work on, or the effect of a link that was begun. */
  choose(id) {
    if (this.cause !== null && this.cause !== id) this.addLink(this.cause, id);
    else {
      this.active = id;
      this.cause = null;
      this.show();
    }
  }

  /** Move the focus to an event of the list, by steps from the one that is worked on. */
  focusInList(step, from = this.active) {
    const names = [...this.events.querySelectorAll(".event-name")];
    const at = this.task.draft.events.findIndex(({ id }) => id === from);
    names[Math.max(0, Math.min(names.length - 1, at + step))]?.focus();
  }

  moveInList(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.matches(".event-name")) return;
    event.preventDefault();
    this.focusInList(step, event.target.closest("[data-event]").dataset.event);
  }

  addLink(cause, effect) {
    this.cause = null;
    this.active = effect;
    this.link = [cause, effect];
    const isThere = this.task.draft.links.some((one) => (one.cause === cause && one.effect === effect) || (one.cause === effect && one.effect === cause));
    if (isThere) {
      this.show();
      return this.say("linked already");
    }
    this.task.change((draft) => draft.links.push({ cause, effect, how: "said", sure: true }));
  }

  currentLink() {
    return this.link && this.task.draft.links.find((one) => one.cause === this.link[0] && one.effect === this.link[1]);
  }

  nextHow() {
    this.task.change(() => { const link = this.currentLink(); if (link) link.how = HOWS[(HOWS.indexOf(link.how) + 1) % HOWS.length]; });
  }

  toggleSure() {
    this.task.change(() => { const link = this.currentLink(); if (link) link.sure = !link.sure; });
  }

  say(words) {
    this.note.textContent = say(words);
  }

  show() {
    const { events, links } = this.task.draft;
    if (!this.event(this.active)) this.active = null;
    if (!this.event(this.cause)) this.cause = null;
    for (const { article, field, marker } of this.markers) {
      marker.mark(events.flatMap((event) => event.mentions.filter((one) => one.article === article && one.field === field).map(({ span }) => ({ span, role: this.roleOf(event.id), faint: event.id !== this.active && event.id !== this.cause }))));
    }
    this.note.textContent = this.cause === null ? say("graph hint") : say("choose effect", { cause: this.title(this.event(this.cause)) });
    this.from.setAttribute("aria-pressed", String(this.cause !== null));
    this.again.disabled = this.main.disabled = this.status.disabled = this.from.disabled = this.active === null;
    this.how.disabled = this.sure.disabled = !this.currentLink();
    refill(this.events, ...events.map((event, index) => this.eventRow(event, index)));
    refill(this.links, ...links.map((link) => this.linkRow(link)));
    this.drawArcs();
  }

  /** The event that is worked on is shown in the colour of causes while its effect is looked for. */
  roleOf(id) {
    return id === this.cause ? "cause" : "event";
  }

  eventRow(event, index) {
    const key = index < MOST_KEYS ? String(index + 1) : null;
    const isActive = event.id === this.active;
    const title = this.title(event);
    const choose = make("button", { type: "button", class: "event-name quiet", "data-hotkey": key, "aria-keyshortcuts": key, "aria-pressed": String(isActive), dir: "auto", onclick: () => this.choose(event.id) },
      make("kbd", {}, String(index + 1)), ` ${title}`);
    const grip = make("button", { type: "button", class: "grip quiet", "aria-label": say("draw from", { title }), title: say("draw hint"), onpointerdown: (down) => this.draw(down, event.id) }, "↷");
    const status = make("select", { "aria-label": `${say("status")}: ${title}`, onchange: () => this.task.change(() => { event = this.event(event.id); event.status = status.value; }) },
      STATUSES.map((one) => make("option", { value: one, selected: one === event.status }, say(`status ${one}`))));
    const main = make("label", { class: "check" }, make("input", { type: "checkbox", "aria-label": `${say("main")}: ${title}`, checked: event.main, onchange: () => { this.active = event.id; this.toggleMain(); } }), say("main"));
    const mentions = event.mentions.map((mention, place) => make("li", {}, make("span", { dir: "auto" }, mentionWords(this.item, mention)), make("button", { type: "button", class: "quiet", "aria-label": `${say("remove")}: ${mentionWords(this.item, mention)}`, onclick: () => this.removeMention(event.id, place) }, "×")));
    return make("li", { class: `event${isActive ? " active" : ""}${event.id === this.cause ? " from" : ""}${event.main ? " main-event" : ""}`, "data-event": event.id },
      make("div", { class: "event-row" }, choose, grip),
      isActive ? make("div", { class: "event-details" }, status, main, make("ul", { class: "mentions" }, mentions)) : event.status === "fact" ? null : make("span", { class: "tag" }, say(`status ${event.status}`)));
  }

  linkRow(link) {
    const same = (one) => one.cause === link.cause && one.effect === link.effect;
    const words = `${this.title(this.event(link.cause))} → ${this.title(this.event(link.effect))}`;
    const change = (act) => { this.link = [link.cause, link.effect]; this.task.change((draft) => act(draft.links.find(same))); };
    const how = make("select", { "aria-label": `${say("how")}: ${words}`, onchange: () => change((one) => { one.how = how.value; }) }, HOWS.map((one) => make("option", { value: one, selected: one === link.how }, say(`how ${one}`))));
    return make("li", { class: this.currentLink() === link ? "active" : "" },
      make("span", { dir: "auto" }, make("kbd", {}, String(this.number(link.cause))), ` ${this.title(this.event(link.cause))} → `, make("kbd", {}, String(this.number(link.effect))), ` ${this.title(this.event(link.effect))}`),
      make("div", { class: "actions" }, how,
        make("label", { class: "check" }, make("input", { type: "checkbox", "aria-label": `${say("unsure")}: ${words}`, checked: !link.sure, onchange: (event) => { const isSure = !event.target.checked; change((one) => { one.sure = isSure; }); } }), say("unsure")),
        make("button", { type: "button", class: "quiet", "aria-label": `${say("remove")}: ${words}`, onclick: () => this.task.change((draft) => { draft.links = draft.links.filter((one) => !same(one)); }) }, say("remove"))));
  }

  // --- Arcs beside the list: links that are there, and the one that is being drawn ---

  middleOf(id) {
    const row = this.events.querySelector(`[data-event="${CSS.escape(id)}"] .event-row`);
    return row.getBoundingClientRect().top - this.eventBox.getBoundingClientRect().top + row.offsetHeight / 2;
  }

  arc(from, to, attributes) {
    const width = this.arcs.clientWidth || 40;
    const bend = Math.max(4, width - Math.min(width, 10 + Math.abs(to - from) / 4));
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", `M${width} ${from} C${bend} ${from} ${bend} ${to} ${width - 6} ${to} m-1 -4 l6 4 l-6 4`);
    for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, value);
    return path;
  }

  drawArcs(extra = []) {
    const arcs = this.task.draft.links.filter((link) => this.event(link.cause) && this.event(link.effect)).map((link) =>
      this.arc(this.middleOf(link.cause), this.middleOf(link.effect), { class: `arc ${link.how}${link.sure ? "" : " unsure"}${this.currentLink() === link ? " active" : ""}` }));
    this.arcs.replaceChildren(...arcs, ...extra);
  }

  /** Draw a link from an event to the one where the pointer is let go; a click alone begins a link. */
  draw(down, id) {
    if (down.button !== 0) return;
    down.preventDefault();
    const top = () => this.eventBox.getBoundingClientRect().top;
    const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-event]");
    const move = (event) => {
      this.drawArcs([this.arc(this.middleOf(id), event.clientY - top(), { class: "arc drawing" })]);
      for (const row of this.events.children) row.classList.toggle("aimed", row === under(event) && row.dataset.event !== id);
    };
    const end = (event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      const aim = event.type === "pointerup" ? under(event)?.dataset.event : null;
      if (aim && aim !== id) this.addLink(id, aim);
      else if (aim === id) {
        this.active = this.cause = id;
        this.show();
      } else this.show();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}
