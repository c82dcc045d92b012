"""Measure the stories of a build where somebody said what belongs together, and print stories to be read.

python lab/experiments/stories.py --data DATA
python lab/experiments/stories.py --data DATA --language en --since 2020-05-03 --sample 30

The first measures: documents of event_causes, by topic, and the headlines of the corpora that group them, on the
topics held out (of event_causes 1 and 5, and beside them those the settings were chosen on). Two documents share a
story if their events do. *Precision*: of the pairs that share a story, those of one topic; *recall*: of the pairs of
one topic, those that share a story; *beyond events*: the precision of the pairs whose events are two. Wikinews and
ECB+ have no times, and what is one group there is narrower than a story.

The second builds the stories of the news stream, of articles that came out since then. It counts the same on pairs of
headlines labelled for this project (*valid*: the settings were chosen on them; *dev*), where two belong together if
they have any relationship. Then it prints stories drawn by chance, the lead first, and events that are alone, with
those most alike.

Only titles and the beginnings of texts are read; from whole articles a build gets a few links more.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import numpy as np

from whywire import Article, CausalGraph, Language, build
from whywire.news import Published, read_row
from whywire.pairs.model import PairModel
from whywire.pairs.relations import Relation
from whywire_lab.corpora import news_stream
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.corpora.same_event import grouped_headlines
from whywire_lab.corpora.splits import part_of_topic
from whywire_lab.labels.files import read_labels
from whywire_lab.labels.keys import short_hash
from whywire_lab.labels.rows import HashedPair
from whywire_lab.metrics.classification import pairwise_score

Thing = TypeVar("Thing")

ALIKE = 6
"""With so many of those most like it an event that is alone is printed."""

CHOSEN_ON = (2, 3, 4, 6)
"""Topics of event_causes on which the settings of stories were chosen."""

KnownArticle = tuple[Article, str]
"""An article, and the story that it is known to belong to."""


def main() -> None:
    """Print a table, or stories."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--language", choices=("en", "ru"), help="print stories of this news stream")
    parser.add_argument("--since", default="", help="of articles from this day on")
    parser.add_argument("--sample", type=int, default=30, help="how many stories to print")
    options = parser.parse_args()
    if options.language:
        show(options.data, options.language, options.since, options.sample)
    else:
        for name, known in corpora(options.data):
            print(json.dumps({"corpus": name, **scores(known)}), flush=True)


def corpora(data: Path) -> Iterator[tuple[str, list[KnownArticle]]]:
    """The corpora that say what belongs together, a name and their articles each."""
    topics = list(json_lines(data / "event_causes" / "stories.jsonl"))
    for name, chosen in (("event_causes, chosen on", True), ("event_causes", False)):
        own = [row for row in topics if (row["topic_id"] in CHOSEN_ON) == chosen]
        yield (
            name,
            [
                (_article(document["id"], document["title"], document["content"]), str(row["topic_id"]))
                for row in own
                for document in row["documents"]
            ],
        )
    for corpus, headlines in grouped_headlines(data / "same_event").items():
        held_out = [headline for headline in headlines if part_of_topic(headline.topic) == "dev"]
        yield (
            corpus,
            [
                (_article(str(number), headline.title, headline.lead, headline.published), headline.group)
                for number, headline in enumerate(held_out)
            ],
        )


def _article(name: str, title: str, text: str, published: datetime | None = None) -> Article:
    return Article(
        name,
        title,
        text=begun(text),
        language=Language.ENGLISH,
        published=Published(published) if published else None,
    )


BEGINNING = 100
"""Words of a text that stories look at."""


def begun(text: str) -> str:
    """As much of a text as stories look at."""
    return " ".join(text.split()[:BEGINNING])


def scores(known: Sequence[KnownArticle]) -> dict[str, float]:
    """How well the stories of these articles agree with what is known."""
    graph = build(article for article, _ in known).graph
    event_of = {article: event for event in graph.events for article in event.articles}
    known = [(event_of[article.id], truth) for article, truth in known if article.id in event_of]
    events = [event.id for event, _ in known]
    stories = [event.story or event.id for event, _ in known]
    truths = [truth for _, truth in known]
    alone, together = pairwise_score(events, truths), pairwise_score(stories, truths)
    right = [pairs_inside(list(zip(found, truths, strict=True))) for found in (events, stories)]
    added = pairs_inside(stories) - pairs_inside(events)
    return {
        "documents": len(known),
        "events": len(graph.events),
        "stories": len(graph.stories()),
        "precision": round(together.precision, 4),
        "recall": round(together.recall, 4),
        "precision of events": round(alone.precision, 4),
        "recall of events": round(alone.recall, 4),
        "pairs beyond events": added,
        "right beyond events": round((right[1] - right[0]) / added, 4) if added else 1.0,
    }


def pairs_inside(groups: Sequence[object]) -> int:
    """How many pairs are of one group."""
    return sum(groups[:place].count(group) for place, group in enumerate(groups))


def show(data: Path, language: str, since: str, sample: int) -> None:
    """Count on the labelled pairs of the stream, and print stories and lone events, to be read by eye."""
    rows = (row for row in news_stream.read_articles(data / "news_stream", language) if row["published"] >= since)
    graph = build(read_row({**row, "text": begun(row["text"])})[0] for row in rows).graph
    stories, alone = sorted(graph.stories(), key=lambda story: story.id), graph.single_events()
    print(f"{len(graph.articles)} articles, {len(graph.events)} events, {len(alone)} alone, {len(stories)} stories")
    print("events a story:", sorted((len(story.events) for story in stories), reverse=True))
    for part in ("valid", "dev"):
        print(part, json.dumps(labelled(graph, language, part)))
    for number, story in enumerate(drawn(stories, sample), start=1):
        print(f"\n{number}. {story.title} ({len(story.links)} links)")
        for event in story.events:
            if event is not story.lead:
                print(f"     {len(event.articles):3} {event.title}")
    model = PairModel.from_pretrained()
    vectors = model.embed([event.title for event in graph.events])
    for number, event in enumerate(drawn(alone, sample), start=1):
        print(f"\n{number}. alone: {event.title}")
        for place in np.argsort(-vectors @ vectors[graph.events.index(event)])[1 : ALIKE + 1]:
            print(f"         {graph.events[place].title}")


def drawn(things: Sequence[Thing], sample: int) -> list[Thing]:
    """So many of them, the same at every run."""
    return random.Random(1).sample(things, min(sample, len(things)))


def labelled(graph: CausalGraph, language: str, part: str) -> dict[str, float]:
    """How the stories agree with the labelled pairs of headlines; *beyond*: those whose events are two."""
    events = {short_hash(graph.articles[name].url or ""): event for event in graph.events for name in event.articles}
    known = [
        (events[row.left], events[row.right], row.relation is not Relation.NO_RELATIONSHIP)
        for row in read_labels(HashedPair, f"stream_pairs_{language}_{part}")
        if row.left in events and row.right in events
    ]
    result: dict[str, float] = {}
    for name, pairs in (("", known), ("beyond ", [pair for pair in known if pair[0] is not pair[1]])):
        known = [truth for left, right, truth in pairs if (left.story or left.id) == (right.story or right.id)]
        result[f"{name}pairs"] = len(pairs)
        result[f"{name}precision"] = round(sum(known) / max(1, len(known)), 4)
        result[f"{name}recall"] = round(sum(known) / max(1, sum(truth for *_, truth in pairs)), 4)
    return result


if __name__ == "__main__":
    main()
