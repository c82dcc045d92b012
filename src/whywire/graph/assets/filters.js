"use strict";
// The filters of links: minimum strength, kind of link, kind of evidence.

const filters = { strength: 0, causes: true, refutes: true, said: true, shown: true, implied: true };
const passesKind = (link) => filters[link.kind] && link.evidenceKinds.some((kind) => filters[kind]);
const passesFilters = (link) => link.strength >= filters.strength && passesKind(link);

const isFiltering = () => filters.strength > 0 || Object.values(filters).includes(false);

/** The controls; `onChange` is called with whether kinds have changed, and not only the minimum strength. */
function filterControls(onChange) {
  const checkbox = (kind, label) => make("label", { class: "check" },
    make("input", {
      type: "checkbox", id: `show-${kind}`, checked: filters[kind],
      onchange: (event) => { filters[kind] = event.target.checked; onChange(true); },
    }), label);
  const group = (name, ...controls) =>
    make("fieldset", { class: "checks" }, make("legend", { class: "label" }, name), ...controls);
  return make("details", { class: "filters", open: isFiltering() },
    make("summary", {}, "Filter links by strength, kind and evidence"),
    make("div", { class: "controls" },
      strengthSlider(() => onChange(false)),
      group("Links", checkbox("causes", "Causes"), checkbox("refutes", "Refutations")),
      group("Evidence", data.evidenceKinds.map((kind) => checkbox(kind, EVIDENCE_FILTER_LABELS[kind])))));
}

function strengthSlider(onChange) {
  const value = make("output", { for: "strength" });
  const slider = make("input", {
    type: "range", id: "strength", min: 0, max: 100, step: 1, value: filters.strength,
    oninput: () => { filters.strength = Number(slider.value); updateValue(); onChange(); },
  });
  function updateValue() {
    const words = filters.strength === 0 ? "all" : `${filters.strength} and stronger`;
    value.textContent = words;
    slider.setAttribute("aria-valuetext", words);
  }
  let lowest = 0;
  const scale = data.classes.map(({ name, highest }) => {
    const segment = make("span", { class: `segment ${name}` }, name);
    segment.style.flexGrow = highest - lowest;
    lowest = highest;
    return segment;
  });
  updateValue();
  return make("div", { class: "strength" },
    make("label", { for: "strength" }, "Minimum strength: ", value),
    slider,
    make("div", { class: "scale", "aria-hidden": "true" }, scale));
}
