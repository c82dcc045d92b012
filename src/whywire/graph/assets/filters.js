"use strict";
// Which links a reader wants to see: how strong ones, of which kind, and what they rest on.

const filters = { strength: 0, causes: true, refutes: true, said: true, shown: true, judged: true };
const passesKind = (link) => filters[link.kind] && link.rests.some((kind) => filters[kind]);
const passes = (link) => link.strength >= filters.strength && passesKind(link);

const isStrict = () => filters.said && filters.shown && !filters.judged;

/** The controls; `changed` is called with whether another kind of links is wanted, or only another strength. */
function filterControls(changed) {
  const check = (kind, label) => make("label", { class: "check" },
    make("input", {
      type: "checkbox", id: `show-${kind}`, checked: filters[kind],
      onchange: (event) => { filters[kind] = event.target.checked; update(); },
    }), label);
  const strict = make("input", {
    type: "checkbox", role: "switch", id: "strict", checked: isStrict(),
    onchange: () => { Object.assign(filters, { said: true, shown: true, judged: !strict.checked }); update(); },
  });
  const box = make("details", { class: "filters", open: matchMedia("(min-width: 60rem)").matches },
    make("summary", {}, "Filters"),
    make("div", { class: "controls" },
      strengthSlider(() => changed(false)),
      make("div", { class: "checks" },
        check("causes", "Causes"), check("refutes", "Refutations"),
        restsOnPage.map((kind) => check(kind, RESTS[kind].filter)),
        restsOnPage.includes("judged")
          ? make("label", { class: "check" }, strict, "Strict: only what reports say or show") : null)));

  function update() {
    for (const kind of restsOnPage) box.querySelector(`#show-${kind}`).checked = filters[kind];
    strict.checked = isStrict();
    changed(true);
  }

  return box;
}

function strengthSlider(changed) {
  const value = make("output", { for: "strength" });
  const slider = make("input", {
    type: "range", id: "strength", min: 0, max: 100, step: 1, value: filters.strength,
    oninput: () => { filters.strength = Number(slider.value); say(); changed(); },
  });
  function say() {
    const words = filters.strength === 0 ? "all" : `${filters.strength} and stronger`;
    value.textContent = words;
    slider.setAttribute("aria-valuetext", words);
  }
  let lowest = 0;
  const scale = data.classes.map(({ name, highest }) => {
    const mark = make("span", { class: `mark ${name}` }, name);
    mark.style.flexGrow = highest - lowest;
    lowest = highest;
    return mark;
  });
  say();
  return make("div", { class: "strength" },
    make("label", { for: "strength" }, "Minimum strength: ", value),
    slider,
    make("div", { class: "scale", "aria-hidden": "true" }, scale));
}
