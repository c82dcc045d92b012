"use strict";
// A timeline grouped by event, headline by headline in order of time (HLGD, section 3.2).

const GROUP_KEYS = [..."123456789abcdefghijklmopqrstwxyz"].filter((key) => !"nuvz".includes(key)); // N, V and Z have a meaning

const byTime = (headlines) => headlines.toSorted((a, b) => (a.published ?? "").localeCompare(b.published ?? "")); // stable

const SHOWN_ALL = 4;

/** Rows of a group: of many, the first and the last two, the others on request. */
function shortened(rows) {
  if (rows.length <= SHOWN_ALL) return rows;
  const hidden = rows.slice(1, -2);
  return [rows[0], make("li", {}, make("details", { class: "help" }, make("summary", {}, say("more headlines", { count: hidden.length })), make("ul", {}, hidden))), ...rows.slice(-2)];
}

KINDS.grouping = {
  // Each headline's group, a number from 0; `vague` are the groups of one headline that nothing joins.
  start: () => ({ groups: {}, vague: [], moved: null }),
  from: (answer) => ({ groups: Object.fromEntries(answer.groups.flatMap((group, number) => group.map((id) => [id, number]))), vague: [], moved: null }),
  answer(draft, item) {
    const groups = Map.groupBy(item.headlines.filter(({ id }) => id in draft.groups), ({ id }) => draft.groups[id]);
    const isComplete = item.headlines.every(({ id }) => id in draft.groups) && draft.moved === null;
    return isComplete ? { groups: [...groups.values()].map((group) => group.map(({ id }) => id)) } : null;
  },
  missing: (draft, item) => say("headlines left", { count: item.headlines.filter(({ id }) => !(id in draft.groups)).length + (draft.moved !== null) }),
  describe(item, answer) {
    const titles = new Map(item.headlines.map(({ id, title }) => [id, title]));
    return make("ol", { class: "groups" }, answer.groups.map((group) => make("li", { class: "card" }, make("ul", {}, group.map((id) => make("li", { dir: "auto" }, titles.get(id)))))));
  },
  mount(box, item, task) {
    const headlines = byTime(item.headlines);
    const current = make("div", { class: "current", "aria-live": "polite" });
    const list = make("ol", { class: "groups" });
    box.append(item.title ? make("h2", { dir: "auto" }, item.title) : "", current, list);
    const now = () => headlines.find(({ id }) => id === task.draft.moved) ?? headlines.find(({ id }) => !(id in task.draft.groups));
    const put = (group, isVague) => task.change((draft) => {
      const headline = now();
      draft.vague = draft.vague.filter((other) => other !== draft.groups[headline.id]);
      draft.groups[headline.id] = group;
      draft.moved = null;
      if (isVague) draft.vague.push(group);
    });
    const free = () => 1 + Math.max(-1, ...Object.values(task.draft.groups));
    const line = ({ title, published, source }) => [make("span", { class: "facts" }, [published ? formatTime(published) : say("time unknown"), source].filter(Boolean).join(" · ")), make("span", { class: "told", dir: "auto" }, title)];

    const memberRow = (member) => make("li", { class: "member" }, make("div", {}, line(member)),
      make("button", { type: "button", class: "quiet", "aria-label": `${say("move")}: ${member.title}`, onclick: () => task.change((draft) => { draft.moved = member.id; }) }, say("move")));

    function show() {
      const headline = now();
      const placed = headlines.filter(({ id }) => id in task.draft.groups).length;
      refill(current,
        make("p", { class: "facts" }, say("headline of", { number: formatNumber(placed + (headline && task.draft.moved === null ? 1 : 0)), total: formatNumber(headlines.length) })),
        headline
          ? make("div", { class: "card" }, line(headline), make("div", { class: "actions" }, keyButton("n", say("new event"), () => put(free())), keyButton("v", say("vague"), () => put(free(), true))))
          : make("p", {}, say("all placed")));
      const groups = Map.groupBy(headlines.filter(({ id }) => id in task.draft.groups), ({ id }) => task.draft.groups[id]);
      refill(list, ...[...groups].map(([number, members], index) => {
        const isVague = task.draft.vague.includes(number);
        const key = GROUP_KEYS[index];
        const attributes = { type: "button", "data-hotkey": key ?? null, "aria-keyshortcuts": key ?? null, disabled: !headline || isVague, onclick: () => put(number) };
        return make("li", { class: "card" },
          make("button", attributes, key ? keyCap(key) : null, ` ${isVague ? say("vague") : say("same event as these")}`),
          make("ul", {}, shortened(members.map(memberRow))));
      }));
    }
    return { show, focus: () => {} };
  },
};
