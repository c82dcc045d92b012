"use strict";
// The words in which the page names kinds, and the explanations of its terms.

const LANGUAGE_LABELS = { en: "English", ru: "Russian", other: "Other" };

const LINK_KIND_LABELS = { causes: "led to", refutes: GRAPH_WORDS.refutes };

const EVIDENCE_FILTER_LABELS = { said: "Said in sentences", shown: "Shown by headlines", implied: "Implied by an article" };

const ORDER_LABELS = {
  forward: "Order in time: the first event came before the second.",
  same_time: "Order in time: the known times are too coarse to tell which event came first.",
  unknown: "Order in time: unknown, because at least one of the two events has no time.",
  said: "Order in time: given by a sentence, although by the known times the second event came first.",
};

const INFERRED_FROM_LABELS = {
  url: "date from the address",
  dateline: "date from the dateline",
  text: "date from the text",
  page: "date from the page",
};

const WRITTEN_PARTS = { led_to_it: "what led to it", followed: "what followed" };

const ROLES = ["cause", "effect", "signal", "antecedent", "consequent"];

const MENTION_KIND_LABELS = { statement: "as a statement", cause: "as a cause", effect: "as an effect" };

const CONTRADICTION_LABELS = {
  polarity: "one denies or takes back the other", number: "different numbers", attribution: "different people or things responsible",
};

const GLOSSARY = {
  Event: "Something that happened or is planned: all mentions of it in the articles. Its title is a headline, or else "
    + "other words of an article.",
  Story: "An event with what led to it, followed from it and was said of it. It is named for the event with the most "
    + "articles and links.",
  Link: "One event led to another, or one report was refuted or corrected by another. A link is closed when a later "
    + "report denies one of its events, or that one led to the other.",
  Strength: "How strongly the first event caused the second, from 0 to 100 (the scale of CRAB, Romanou et al. 2023): "
    + `${data.classes.map(({ name, highest }) => `${name} up to ${highest}`).join(", ")}.`
    + " Whether it did so at all is the probability.",
  Probability: "How likely it is that the link, or a piece of its evidence, is right, from 0 to 1.",
  Evidence: "Said: a sentence states the relation. Shown: a model finds it between two headlines. Implied: readers of an "
    + "article take one event for the cause of the other, though no sentence says so. A link may have several kinds.",
};

/** The explanations of some terms, or of all. */
function glossaryList(terms = Object.keys(GLOSSARY)) {
  return make("dl", { class: "glossary" }, terms.flatMap((term) => [make("dt", {}, term), make("dd", {}, GLOSSARY[term])]));
}
