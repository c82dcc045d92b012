"use strict";
// Texts whose words are marked. Offsets count code points, as Python does: a string of JavaScript counts an emoji twice,
// so nothing here uses offsets of strings.

/** The words of a text and what is between them, each with its span [start, end) in code points. */
function wordsOf(text, language) {
  const segments = [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)];
  const pieces = [];
  for (const [index, { segment, isWordLike }] of segments.entries()) {
    const last = pieces.at(-1);
    const joins = /^[-‑'’]$/u.test(segment) && last?.isWord && segments[index + 1]?.isWordLike;
    if (last && (joins || last.isOpen)) { // "mid-air" is one word
      last.text += segment;
      last.isOpen = joins;
    } else pieces.push({ text: segment, isWord: Boolean(isWordLike), isSpace: !segment.trim(), isOpen: false });
  }
  let start = 0;
  for (const piece of pieces) {
    piece.start = start;
    start = piece.end = start + [...piece.text].length;
  }
  return pieces;
}

/** A part of a text by its span in code points. */
const cut = (text, [start, end]) => [...text].slice(start, end).join("");

/** A text with marks that cannot be changed; `marks` are [{span, role}]. */
function markedText(text, marks, language) {
  const points = [...text];
  const edges = [...new Set([0, points.length, ...marks.flatMap(({ span }) => span)])].sort((a, b) => a - b);
  const pieces = edges.slice(1).map((end, index) => {
    const start = edges[index];
    const roles = new Set(marks.filter(({ span }) => span[0] <= start && end <= span[1]).map(({ role }) => role));
    const words = points.slice(start, end).join("");
    return roles.size ? make("mark", { "data-roles": [...roles].join(" "), title: [...roles].map((role) => say(`role ${role}`)).join(", ") }, words) : words;
  });
  return make("span", { dir: "auto", lang: language }, pieces);
}

let listsMade = 0;

/**
 * A text whose words are selected: with the mouse by dragging, by touch with a tap on the first and one on the last word,
 * with the keyboard by arrows, where Shift extends. What is selected is a range of words.
 */
class TextMarker {
  /** `selected` is called when another range is selected; `numbered` gives each sentence a line and a number. */
  constructor(text, { language, label, numbered = false, selected = () => {} }) {
    this.text = text;
    this.pieces = wordsOf(text, language);
    this.places = this.pieces.flatMap((piece, index) => (piece.isSpace ? [] : [index]));
    this.cursor = 0; // a place
    this.anchor = null; // the other end of the selection, a place
    this.selected = selected;
    const id = `text-${++listsMade}`;
    this.elements = this.pieces.map((piece, index) =>
      piece.isSpace
        ? make("span", { class: "gap" }, piece.text)
        : make("span", { class: "word", role: "option", id: `${id}-${index}`, "aria-selected": "false" }, piece.text));
    this.element = make("div", { class: "marking", role: "listbox", tabindex: "0", dir: "auto", lang: language, "aria-label": label, "aria-multiselectable": "true" });
    if (numbered) this.element.append(...this.sentences(language));
    else this.element.append(...this.elements);
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("pointerdown", (event) => this.onDown(event));
    this.element.addEventListener("click", (event) => this.onTap(event));
    this.element.addEventListener("focus", () => this.show());
    this.element.addEventListener("blur", () => this.show());
  }

  sentences(language) {
    const ends = [];
    let end = 0;
    for (const { segment } of new Intl.Segmenter(language, { granularity: "sentence" }).segment(this.text)) ends.push(end += [...segment].length);
    let from = 0;
    return ends.map((sentenceEnd, index) => {
      let to = from;
      while (to < this.pieces.length && this.pieces[to].end <= sentenceEnd) to += 1;
      const words = this.elements.slice(from, to);
      from = to;
      return make("span", { class: "sentence", role: "group", "aria-label": say("sentence", { number: index + 1 }), "data-number": index + 1 }, words);
    });
  }

  /** The span that is selected, or null. */
  get span() {
    if (this.anchor === null) return null;
    const [first, last] = [this.anchor, this.cursor].sort((a, b) => a - b).map((place) => this.pieces[this.places[place]]);
    return [first.start, last.end];
  }

  clear() {
    this.anchor = null;
    this.show();
  }

  select(anchor, cursor) {
    this.anchor = anchor;
    this.cursor = cursor;
    this.show();
    this.selected(this);
  }

  /** Show marks: [{span, role, faint}]; and splits, offsets before which a sentence ends. */
  mark(marks, splits = []) {
    for (const [index, piece] of this.pieces.entries()) {
      const over = marks.filter(({ span }) => span[0] <= piece.start && piece.end <= span[1]);
      const element = this.elements[index];
      element.dataset.roles = [...new Set(over.map(({ role }) => role))].join(" ");
      element.classList.toggle("faint", over.length > 0 && over.every(({ faint }) => faint));
      element.classList.toggle("split", splits.includes(piece.start));
    }
  }

  show() {
    const span = this.span;
    const inside = (piece) => span !== null && span[0] <= piece.start && piece.end <= span[1];
    const isFocused = document.activeElement === this.element;
    for (const [index, piece] of this.pieces.entries()) {
      const element = this.elements[index];
      element.classList.toggle("chosen", inside(piece));
      element.classList.toggle("cursor", isFocused && index === this.places[this.cursor]);
      if (!piece.isSpace) element.setAttribute("aria-selected", String(inside(piece)));
    }
    const current = this.elements[this.places[this.cursor]];
    if (isFocused && current) this.element.setAttribute("aria-activedescendant", current.id);
    if (isFocused) current?.scrollIntoView({ block: "nearest" });
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.places.length - 1;
    const moves = {
      ArrowRight: () => Math.min(last, this.cursor + 1),
      ArrowLeft: () => Math.max(0, this.cursor - 1),
      ArrowDown: () => this.below(1),
      ArrowUp: () => this.below(-1),
      Home: () => 0,
      End: () => last,
      " ": () => this.cursor,
    };
    if (event.key === "Escape") this.clear();
    else if (moves[event.key] && last >= 0) {
      const isFirst = this.anchor === null && !event.shiftKey && event.key !== " " && this.cursor === 0; // the first move selects the first word
      const to = isFirst && event.key === "ArrowRight" ? 0 : moves[event.key]();
      this.select(event.shiftKey ? this.anchor ?? this.cursor : to, to);
    } else return;
    event.preventDefault();
  }

  /** The place nearest to the cursor in the next line, or in the one before. */
  below(direction) {
    const box = (place) => this.elements[this.places[place]].getBoundingClientRect();
    const from = box(this.cursor);
    let best = this.cursor;
    let line = null;
    for (let place = this.cursor + direction; place >= 0 && place < this.places.length; place += direction) {
      const to = box(place);
      if (Math.abs(to.top - from.top) < 4) continue;
      line ??= to.top;
      if (Math.abs(to.top - line) >= 4) break;
      if (best === this.cursor || Math.abs(to.left - from.left) < Math.abs(box(best).left - from.left)) best = place;
    }
    return best;
  }

  placeAt(target) {
    const element = target?.closest?.(".word");
    return element && this.element.contains(element) ? this.places.indexOf(this.elements.indexOf(element)) : -1;
  }

  onDown(event) {
    this.isTouch = event.pointerType === "touch";
    const place = this.placeAt(event.target);
    if (this.isTouch || event.button !== 0) return;
    event.preventDefault(); // the browser's own selection
    this.element.focus({ preventScroll: true });
    if (place < 0) return;
    this.select(event.shiftKey && this.anchor !== null ? this.anchor : place, place);
    const drag = (moved) => {
      const to = this.placeAt(document.elementFromPoint(moved.clientX, moved.clientY));
      if (to >= 0 && to !== this.cursor) this.select(this.anchor ?? to, to);
    };
    const end = () => removeEventListener("pointermove", drag);
    addEventListener("pointermove", drag);
    addEventListener("pointerup", end, { once: true });
    addEventListener("pointercancel", end, { once: true });
  }

  onTap(event) {
    const place = this.placeAt(event.target);
    if (!this.isTouch || place < 0) return;
    const span = this.span;
    const piece = this.pieces[this.places[place]];
    const isInside = span !== null && span[0] <= piece.start && piece.end <= span[1];
    this.select(span === null || isInside ? place : this.anchor, place);
  }
}
