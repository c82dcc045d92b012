"use strict";
// Whether a sentence is counterfactual, and its antecedent and consequent (SemEval-2020 Task 5, section 3.2).

KINDS.counterfactual = {
  start: () => ({ counterfactual: null, antecedent: null, consequent: null, hasNone: false }),
  from: (answer) => ({ counterfactual: answer.counterfactual, antecedent: answer.antecedent ?? null, consequent: answer.consequent ?? null, hasNone: answer.counterfactual && !answer.consequent }),
  answer({ counterfactual, antecedent, consequent, hasNone }) {
    if (counterfactual === null) return null;
    if (!counterfactual) return { counterfactual };
    return antecedent && (consequent || hasNone) ? { counterfactual, antecedent, ...(consequent ? { consequent } : {}) } : null;
  },
  missing: (draft) => say(draft.counterfactual === null ? "choose one" : draft.antecedent ? "mark the consequent" : "mark the antecedent"),
  describe(item, answer) {
    const marks = ["antecedent", "consequent"].filter((role) => answer[role]).map((role) => ({ span: answer[role], role }));
    return make("div", {}, make("p", {}, say(answer.counterfactual ? "is counterfactual" : "not counterfactual")), marks.length ? make("p", { class: "read" }, markedText(item.text, marks)) : null);
  },
  mount(box, item, task) {
    const marker = new TextMarker(item.text, { language: LANGUAGE, label: say("text label") });
    const answers = [["yes", "y", "is counterfactual"], ["no", "n", "not counterfactual"]].map(([value, key, words]) => ({ value, key, words: say(words), why: "" }));
    const question = radios("counterfactual", say("counterfactual question"), answers, (value) => {
      task.change((draft) => {
        draft.counterfactual = value === "yes";
        if (!draft.counterfactual) Object.assign(draft, { antecedent: null, consequent: null, hasNone: false });
      });
      if (value === "yes") marker.element.focus({ preventScroll: true });
    });
    const mark = (role) => {
      const span = marker.span;
      if (!span) return marker.element.focus();
      task.change((draft) => { draft[role] = span; if (role === "consequent") draft.hasNone = false; });
      marker.clear();
    };
    const none = keyButton("x", say("no consequent"), () => task.change((draft) => { draft.hasNone = !draft.hasNone; draft.consequent = null; }), { "aria-pressed": "false" });
    const tools = make("div", { class: "actions" }, keyButton("a", say("role antecedent"), () => mark("antecedent"), { class: "role-antecedent" }), keyButton("c", say("role consequent"), () => mark("consequent"), { class: "role-consequent" }), none);
    const parts = make("div", { class: "parts" }, make("p", { class: "hint" }, say("select hint")), tools);
    box.append(make("div", { class: "sheet read" }, marker.element), question.box, parts);
    return {
      show() {
        const { counterfactual, hasNone } = task.draft;
        question.show(counterfactual === null ? "" : counterfactual ? "yes" : "no");
        parts.hidden = !counterfactual;
        none.setAttribute("aria-pressed", String(hasNone));
        marker.mark(["antecedent", "consequent"].filter((role) => task.draft[role]).map((role) => ({ span: task.draft[role], role })));
      },
      focus: () => {},
    };
  },
};
