"use strict";
// The relation of two headlines: one of seven (HeadlineCause, figure 3). They are shown in order of time, so the answers
// speak of the first and the second; left and right are those of the item.

const RELATIONS = ["no_relationship", "same_event", "other_relationship", "first_second_cause", "second_first_cause", "first_second_refute", "second_first_refute"];

/** The two headlines in order of time; `swapped` if the right one is earlier. */
function headlinesOf(item) {
  const [left, right] = ["left", "right"].map((side) => ({ title: item[`${side}_title`], published: item[`${side}_published`] ?? null, url: item[`${side}_url`] ?? "" }));
  const apart = left.published && right.published ? Date.parse(right.published) - Date.parse(left.published) : 0;
  return { shown: apart < 0 ? [right, left] : [left, right], swapped: apart < 0, apart: Math.abs(apart) };
}

const asItem = (relation, swapped) => relation.replace("first_second", swapped ? "right_left" : "left_right").replace("second_first", swapped ? "left_right" : "right_left");
const asShown = (relation, swapped) => RELATIONS.find((one) => asItem(one, swapped) === relation);

KINDS.relation = {
  start: () => ({ relation: null }),
  from: (answer) => ({ relation: answer.relation }),
  answer: (draft) => draft.relation && { relation: draft.relation },
  missing: () => say("choose one"),
  describe: (item, answer) => make("p", {}, say(`relation ${asShown(answer.relation, headlinesOf(item).swapped)}`)),
  mount(box, item, task) {
    const { shown, swapped, apart } = headlinesOf(item);
    const choices = RELATIONS.map((relation, index) => ({
      value: asItem(relation, swapped),
      key: String(index + 1),
      words: say(`relation ${relation}`),
      why: apart && relation.startsWith("second_first") ? say("ruled out") : "",
    }));
    const { box: fields, show } = radios("relation", say("relation question"), choices, (relation) => task.change((draft) => { draft.relation = relation; }));
    const headlines = shown.map(({ title, published, url }, index) =>
      make("li", { class: "card" },
        make("span", { class: "facts" }, `${say(index ? "second" : "first")} · ${published ? formatTime(published) : say("time unknown")}`),
        make("span", { class: "told", dir: "auto" }, title),
        /^https?:/i.test(url) ? make("a", { class: "facts", href: url, target: "_blank", rel: "noopener noreferrer" }, say("report")) : null));
    box.append(make("ol", { class: "headlines" }, headlines), fields);
    return { show: () => show(task.draft.relation), focus: () => {} };
  },
};
