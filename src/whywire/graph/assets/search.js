"use strict";
// Finding events by words: in their titles, or in any wording by which a report mentions them.

const searchWords = (text) => text.toLocaleLowerCase().split(/\s+/u).filter(Boolean);

/** All that is said of an event, its title first, in small letters. */
const wordings = data.events.map((event) =>
  [event.title, ...event.mentions.map(({ words }) => words)].map((words) => words.toLocaleLowerCase()));

/** Whether each of the words is in the title or in a mention; not all of them need be in the same. */
function isFound(place, words) {
  return words.every((word) => wordings[place].some((wording) => wording.includes(word)));
}

/** The mention that an event is found by, the one with most of the words its title lacks; null where it lacks none. */
function wordingOf(place, words) {
  const [title, ...mentions] = wordings[place];
  const lacking = words.filter((word) => !title.includes(word));
  const hits = mentions.map((wording) => lacking.filter((word) => wording.includes(word)).length);
  return lacking.length ? data.events[place].mentions[hits.indexOf(Math.max(...hits))] : null;
}

const AROUND = 40; // characters shown before and after the words that were found

/** The mention that matched, cut to the surroundings of the first word found and with this word marked. */
function wordingElement(place, words) {
  const mention = wordingOf(place, words);
  if (mention === null) return null;
  const small = mention.words.toLocaleLowerCase();
  const word = words.find((one) => small.includes(one) && !wordings[place][0].includes(one));
  const from = small.indexOf(word);
  const until = from + word.length;
  const before = mention.words.slice(Math.max(0, from - AROUND), from);
  const after = mention.words.slice(until, until + AROUND);
  return make("span", { class: "wording", dir: "auto" }, "“",
    from > AROUND ? before.replace(/^\S*/u, "…") : before,
    make("b", {}, mention.words.slice(from, until)),
    until + AROUND < mention.words.length ? after.replace(/\S*$/u, "…") : after, "”");
}
