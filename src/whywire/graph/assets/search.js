"use strict";
// Search for events by words of their titles and mentions.

const searchWords = (text) => text.toLocaleLowerCase().split(/\s+/u).filter(Boolean);

/** The title and the mentions of each event, in lower case. */
const searchableTexts = data.events.map((event) =>
  [event.title, ...event.mentions.map(({ words }) => words)].map((text) => text.toLocaleLowerCase()));

/** Whether each word is in the title or in a mention, not necessarily all in the same one. */
function matchesSearch(index, words) {
  return words.every((word) => searchableTexts[index].some((text) => text.includes(word)));
}

/** The mention with most of the words that the title lacks; null if it lacks none. */
function matchingMention(index, words) {
  const [title, ...mentions] = searchableTexts[index];
  const missing = words.filter((word) => !title.includes(word));
  const matches = mentions.map((text) => missing.filter((word) => text.includes(word)).length);
  return missing.length ? data.events[index].mentions[matches.indexOf(Math.max(...matches))] : null;
}

const CONTEXT_LENGTH = 40; // characters shown before and after the word found

/** The matching mention, cut to the context of the first word found, which is emphasised. */
function matchingMentionElement(index, words) {
  const mention = matchingMention(index, words);
  if (mention === null) return null;
  const lower = mention.words.toLocaleLowerCase();
  const word = words.find((one) => lower.includes(one) && !searchableTexts[index][0].includes(one));
  const start = lower.indexOf(word);
  const end = start + word.length;
  const before = mention.words.slice(Math.max(0, start - CONTEXT_LENGTH), start);
  const after = mention.words.slice(end, end + CONTEXT_LENGTH);
  return make("span", { class: "matching-mention", dir: "auto" }, "“",
    start > CONTEXT_LENGTH ? before.replace(/^\S*/u, "…") : before,
    make("b", {}, mention.words.slice(start, end)),
    end + CONTEXT_LENGTH < mention.words.length ? after.replace(/\S*$/u, "…") : after, "”");
}
