"""Recipe: choose articles for readers, write them as numbered sentences, and take what readers drew as label rows.

    python -m whywire_lab.recipes.reading_batches choose --data DATA --out BATCHES
    python -m whywire_lab.recipes.reading_batches stories --data DATA --out STORIES
    python -m whywire_lab.recipes.reading_batches take --data DATA --batches BATCHES --out LABELS
    python -m whywire_lab.recipes.reading_batches take-stories --data DATA --batches STORIES --out LABELS

``choose`` draws articles of the news streams that have no graph yet, in corpora or labels, and belong to no story of
which an article has one; long ones more often than the streams do. Those to be read twice are drawn once. It writes
``NAME.md``: for each article ``## article ID``, then a sentence a line, ``[0]`` the title. A reader answers with
``NAME.jsonl``, one graph an article, and a second one, who has not seen the first, with ``NAME.second.jsonl``.
``stories`` does the same with stories of five or six articles.

``take`` finds the words a reader copied in the sentence they are of, and writes them as spans of title or text:
:class:`~whywire_lab.labels.rows.ReaderGraph`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whywire.errors import InputError
from whywire.news import Language
from whywire.news.sentences import split_sentences
from whywire_lab.corpora import news_stream
from whywire_lab.labels.files import FOLDER
from whywire_lab.labels.keys import short_hash
from whywire_lab.recipes.training_loop import console

SEED = 12

BATCH_WORDS = 21_000
"""About how many words a reader reads well in one sitting."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """Articles to draw.

    Args:
        words: the fewest and the most words of their texts.
        once: how many to draw for one reader.
        twice: how many more for two readers, which are never trained on.
    """

    language: str
    words: tuple[int, int]
    once: int
    twice: int


STRATA = (
    Stratum("ru", (120, 500), 240, 28),
    Stratum("ru", (500, 1500), 55, 12),
    Stratum("en", (200, 600), 65, 10),
    Stratum("en", (600, 1500), 80, 10),
)


def choose(data: Path) -> dict[str, list[dict[str, str]]]:
    """The articles of each batch, by its name; the same data gives the same batches."""
    drawn = random.Random(SEED)
    once: dict[str, list[dict[str, str]]] = defaultdict(list)
    twice: list[dict[str, str]] = []
    read, labelled = _already_read(data), _labelled()
    for language in ("ru", "en"):
        stream = list(news_stream.read_articles(data / "news_stream", language))
        rows = list({row["url"]: row for row in reversed(stream)}.values())  # an id is that of the first
        known = [row for row in rows if row["url"] in read or short_hash(row["url"]) in labelled]
        known_groups = {row["system_group"] for row in known}
        known_titles = {_title_key(row) for row in known}
        drawn.shuffle(rows)
        for stratum in (stratum for stratum in STRATA if stratum.language == language):
            by_category: dict[str, list[dict[str, str]]] = defaultdict(list)
            for row in rows:
                is_new = row["system_group"] not in known_groups and _title_key(row) not in known_titles
                if is_new and stratum.words[0] <= len(row["text"].split()) < stratum.words[1]:
                    by_category[row["category"]].append(row)
                    known_groups.add(row["system_group"])
                    known_titles.add(_title_key(row))
            queue = [*_in_turn(by_category)]
            apart = 0 if labelled else stratum.twice
            twice += queue[:apart]
            once[language] += queue[apart : apart + stratum.once]
            for row in queue[apart + stratum.once :]:  # other strata of the language may have them
                known_groups.discard(row["system_group"])
                known_titles.discard(_title_key(row))
    batches = {"twice": twice} if twice else {}
    for language, rows in once.items():
        drawn.shuffle(rows)
        for number, batch in enumerate(_cut_by_words(rows), 1):
            batches[f"{language}-{number}"] = batch
    return batches


STORY_ARTICLES, STORIES_A_BATCH = 6, 10

STORY_COUNTS = {"ru": 30, "en": 20}
"""Stories to draw; the last ten of a language's batches are read twice."""


def choose_stories(data: Path) -> dict[str, list[list[dict[str, str]]]]:
    """The stories of each batch, as their articles in order of time; none has an article of the corpora's graphs."""
    drawn = random.Random(SEED)
    read = _already_read(data)
    batches = {}
    for language, count in STORY_COUNTS.items():
        groups: dict[str, list[dict[str, str]]] = defaultdict(list)
        for row in news_stream.read_articles(data / "news_stream", language):
            groups[row["system_group"]].append(row)
        usable = []
        for rows in groups.values():
            distinct = list({_title_key(row): row for row in rows if 80 <= len(row["text"].split()) < 700}.values())
            if len(distinct) >= STORY_ARTICLES - 1 and not any(row["url"] in read for row in rows):
                chosen = drawn.sample(distinct, min(STORY_ARTICLES, len(distinct)))
                usable.append(sorted(chosen, key=lambda row: row["published"]))
        drawn.shuffle(usable)
        usable = usable[:count]
        for at in range(0, len(usable), STORIES_A_BATCH):
            batches[f"stories-{language}-{at // STORIES_A_BATCH + 1}"] = usable[at : at + STORIES_A_BATCH]
    return batches


def render_story(name: str, articles: Sequence[Mapping[str, str]]) -> str:
    """A story as a reader gets it: its articles, each with its time."""
    parts = [f"# story {name}\n"]
    for article in articles:
        head, _, rest = render(short_hash(article["url"]), article).partition("\n")
        parts.append(f"{head}\n(published {article['published'][:10]})\n{rest}")
    return "\n".join(parts)


def take_story(drawn: Mapping[str, Any], articles: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """A reader's story with spans for words: ``{articles, events: [{date, status, mentions}], pairs}``.

    Args:
        drawn: ``{events: [{id, text, date, status, mentions: [{article, words, sentence}]}], pairs: [{cause, effect,
            score}]}``.
        articles: by their hashes.

    Raises:
        InputError: words are not in the sentence they are said to be of.
    """
    order = list(dict.fromkeys(mention["article"] for event in drawn["events"] for mention in event["mentions"]))
    numbers = {event["id"]: number for number, event in enumerate(drawn["events"])}
    events = []
    for event in drawn["events"]:
        mentions: list[list[Any]] = []
        for named in event["mentions"]:
            article = articles[named["article"]]
            place = _place(named, article)
            if (mention := [order.index(named["article"]), *place]) not in mentions:
                mentions.append(mention)
        events.append({"text": event["text"], "date": event["date"], "status": event["status"], "mentions": mentions})
    pairs = [[numbers[pair["cause"]], numbers[pair["effect"]], pair["score"]] for pair in drawn["pairs"]]
    return {"articles": order, "events": events, "pairs": pairs}


def _place(named: Mapping[str, Any], article: Mapping[str, str]) -> tuple[str, int, int]:
    field, start, end = sentences(article)[named["sentence"]]
    at = _find(named["words"], article[field][start:end])
    if at is None:
        raise InputError(f"no {named['words']!r} in sentence {named['sentence']}", where=article["url"])
    return field, start + at[0], start + at[1]


def sentences(article: Mapping[str, str]) -> list[tuple[str, int, int]]:
    """The numbered sentences of an article as ``(field, start, end)``; number 0 is the title."""
    text = article["text"]
    spans = split_sentences(text, Language(article["language"]))
    return [("title", 0, len(article["title"])), *(("text", start, end) for start, end in spans)]


def render(identifier: str, article: Mapping[str, str]) -> str:
    """An article as a reader gets it."""
    lines = [
        f"[{number}] {' '.join(article[field][start:end].split())}"
        for number, (field, start, end) in enumerate(sentences(article))
    ]
    return "\n".join((f"## article {identifier}", *lines)) + "\n"


def take(drawn: Mapping[str, Any], article: Mapping[str, str]) -> dict[str, Any]:
    """A reader's graph with spans for words.

    Args:
        drawn: ``{events: [{id, words, sentence, status, again}], links: [{cause, effect, how, sure}]}``.

    Raises:
        InputError: words are not in the sentence they are said to be of.
    """
    numbers = {event["id"]: number for number, event in enumerate(drawn["events"])}
    events = []
    for event in drawn["events"]:
        mentions: list[list[Any]] = []
        for named in (event, *event.get("again", ())):
            mention = list(_place(named, article))
            if mention not in mentions:
                mentions.append(mention)
        events.append({"status": event["status"], "mentions": mentions})
    links = [
        {"cause": numbers[link["cause"]], "effect": numbers[link["effect"]], "how": link["how"], "sure": link["sure"]}
        for link in drawn["links"]
    ]
    return {"article": short_hash(article["url"]), "events": events, "links": links}


def _find(words: str, sentence: str) -> tuple[int, int] | None:
    """Where words stand in a sentence, whatever its whitespace."""
    found = re.search(r"\s+".join(re.escape(word) for word in words.split()), sentence)
    return found.span() if found else None


def _already_read(data: Path) -> set[str]:
    folder = data / "reader_graphs"
    found = set()
    for name in ("articles.jsonl", "story_articles.jsonl"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            found.add(json.loads(line)["source_id"])
    return found


def _labelled() -> set[str]:
    """The hashes of articles that have a graph in the labels."""
    return {json.loads(line)["article"] for path in FOLDER.glob("reader_graphs_*.jsonl") for line in path.open("rb")}


def _title_key(row: Mapping[str, str]) -> str:
    return " ".join(sorted(re.findall(r"\w{5,}", row["title"].lower()))[:4])


def _in_turn(groups: Mapping[str, list[dict[str, str]]]) -> Iterator[dict[str, str]]:
    """One of each category after the other."""
    queues = [list(rows) for _, rows in sorted(groups.items())]
    while any(queues):
        for queue in queues:
            if queue:
                yield queue.pop()


def _cut_by_words(rows: Sequence[dict[str, str]]) -> Iterator[list[dict[str, str]]]:
    batch: list[dict[str, str]] = []
    words = 0
    for row in rows:
        batch.append(row)
        words += len(row["text"].split())
        if words >= BATCH_WORDS:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch


def _graphs(path: Path) -> dict[str, Any]:
    return {
        row["article"]: row for line in path.read_text(encoding="utf-8").splitlines() for row in [json.loads(line)]
    }


def _articles(data: Path) -> dict[str, dict[str, str]]:
    return {
        short_hash(row["url"]): row
        for language in ("en", "ru")
        for row in reversed(list(news_stream.read_articles(data / "news_stream", language)))
    }


def _take_stories(data: Path, folder: Path, out: Path) -> Iterable[str]:
    articles = _articles(data)
    for language in ("en", "ru"):
        for second in ("", ".second"):
            rows = [
                take_story(json.loads(line), articles)
                for path in sorted(folder.glob(f"stories-{language}-?{second}.jsonl"))
                for line in path.read_text(encoding="utf-8").splitlines()
            ]
            if rows:
                name = f"reader_stories{'_second' if second else ''}_{language}"
                text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
                (out / f"{name}.jsonl").write_text(text, encoding="utf-8")
                yield f"{name}: {len(rows)} stories"


def _take_batches(data: Path, folder: Path, out: Path) -> Iterable[str]:
    articles = _articles(data)
    out.mkdir(parents=True, exist_ok=True)
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted(folder.glob("*.jsonl")):
        part = (
            "_".join(("reader_graphs", *path.stem.split("."))) if path.stem.startswith("twice") else "reader_graphs"
        )
        for identifier, drawn in _graphs(path).items():
            rows[f"{part}_{articles[identifier]['language']}"].append(take(drawn, articles[identifier]))
    for name, found in rows.items():
        found.sort(key=lambda row: row["article"])
        text = "".join(json.dumps(row) + "\n" for row in found)
        (out / f"{name}.jsonl").write_text(text, encoding="utf-8")
        yield f"{name}: {len(found)} articles"


def main() -> None:
    """Run the recipe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("choose", "stories", "take", "take-stories"))
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    parser.add_argument("--batches", type=Path, help="where batches and readers' answers lie")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    if options.step == "choose":
        options.out.mkdir(parents=True, exist_ok=True)
        for name, batch in choose(options.data).items():
            text = "\n".join(render(short_hash(row["url"]), row) for row in batch)
            (options.out / f"{name}.md").write_text(text, encoding="utf-8")
            console.print(f"{name}: {len(batch)} articles, {sum(len(row['text'].split()) for row in batch):,} words")
    elif options.step == "stories":
        options.out.mkdir(parents=True, exist_ok=True)
        for name, stories in choose_stories(options.data).items():
            text = "\n".join(render_story(f"{name}.{at}", story) for at, story in enumerate(stories, 1))
            (options.out / f"{name}.md").write_text(text, encoding="utf-8")
            console.print(f"{name}: {len(stories)} stories, {sum(map(len, stories))} articles")
    elif options.step == "take-stories":
        console.print(*_take_stories(options.data, options.batches, options.out), sep="\n")
    else:
        console.print(*_take_batches(options.data, options.batches, options.out), sep="\n")


if __name__ == "__main__":
    main()
