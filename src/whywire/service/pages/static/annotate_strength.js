"use strict";
// How much one event is responsible for another, 0 to 100 (CRAB, appendix A.3).

const CLASS_BOUNDS = [["none", 0, 20], ["low", 20, 50], ["medium", 50, 80], ["high", 80, 100]];

const classOf = (score) => CLASS_BOUNDS.findLast(([, from]) => score >= from)[0];

/** A button for ten times a digit; T is for 100. */
function tenButton(index, act) {
  const key = index < 10 ? String(index) : "t";
  return make("button", { type: "button", class: "quiet", "data-hotkey": key, "aria-keyshortcuts": key, onclick: act }, String(index * 10));
}

KINDS.strength = {
  start: () => ({ score: null, without: null }),
  from: (answer) => ({ score: answer.score, without: answer.without ?? null }),
  answer: ({ score, without }) => (score !== null && without !== null ? { score, without } : null),
  missing: ({ without }) => say(without === null ? "say whether without" : "choose a score"),
  describe: (item, answer) => make("p", {}, make("b", {}, formatNumber(answer.score)), ` · ${say(`strength ${classOf(answer.score)}`)}${answer.without ? ` · ${say("without", { answer: say(`without ${answer.without}`) })}` : ""}`),
  mount(box, item, task) {
    const score = (value) => task.change((draft) => { draft.score = value; });
    const slider = make("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": say("score"), oninput: () => score(Number(slider.value)) });
    const number = make("input", { type: "number", min: 0, max: 100, inputmode: "numeric", "aria-label": say("score number"), oninput: () => {
      if (number.value !== "" && number.validity.valid) score(Number(number.value));
    } });
    const output = make("output", { class: "facts" });
    const scale = make("div", { class: "scale", "aria-hidden": "true" }, CLASS_BOUNDS.map(([name, from, to]) => make("span", { class: `segment ${name} w${to - from}` }, make("b", {}, `${from}–${to}`), say(`strength ${name}`))));
    const tens = make("div", { class: "actions tens" }, Array.from({ length: 11 }, (_, index) => tenButton(index, () => score(index * 10))));
    const without = radios("without", say("without question"), [["no", "n"], ["partly", "p"], ["yes", "y"]].map(([value, key]) => ({ value, key, words: say(`without ${value}`), why: "" })), (value) => task.change((draft) => { draft.without = value; }));
    const event = (role, text) => make("div", { class: "card" }, make("span", { class: "label" }, say(`role ${role}`)), make("span", { class: "told", dir: "auto" }, text));
    const documents = (item.documents ?? []).map((text, index) => make("article", { class: "sheet read", tabindex: "0", "aria-label": say("document", { number: index + 1 }) }, text.split(/\n+/).filter(Boolean).map((part) => make("p", { dir: "auto" }, part))));
    const asked = make("div", {}, make("div", { class: "headlines" }, event("cause", item.cause), event("effect", item.effect)), without.box,
      make("fieldset", { class: "choices" }, make("legend", {}, say("strength question")), make("div", { class: "score" }, make("div", {}, slider, scale), number), output, make("div", { class: "ruler" }, tens, make("p", { class: "hint" }, say("digits hint")))));
    box.append(make("div", { class: documents.length ? "beside" : "" }, asked, documents.length ? make("div", { class: "documents" }, documents) : null));
    return {
      show() {
        const { score: value } = task.draft;
        without.show(task.draft.without ?? "");
        slider.value = value ?? 50;
        slider.classList.toggle("unset", value === null);
        slider.setAttribute("aria-valuetext", value === null ? say("not chosen") : `${value}, ${say(`strength ${classOf(value)}`)}`);
        if (document.activeElement !== number) number.value = value ?? "";
        output.textContent = value === null ? say("not chosen") : `${formatNumber(value)} · ${say(`strength ${classOf(value)}`)}`;
      },
      focus: () => {},
    };
  },
};
