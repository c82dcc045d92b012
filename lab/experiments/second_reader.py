"""Measure what a second reader adds to the links of articles, by recorded answers and by a chat model.

python lab/experiments/second_reader.py recorded --data DATA --language en
python lab/experiments/second_reader.py chat --data DATA --language en --articles 12 [--server PID]
python lab/experiments/second_reader.py merges --data DATA --language en --articles 40

In the first two, the articles are those that two readers read. *recorded* answers each question by the second
reader's graph and scores against the first reader's, for more and more questions, the likeliest first: a second
reader who reads as well as a careful one. *chat* asks the chat model of WHYWIRE_CHAT_URL and WHYWIRE_CHAT_MODEL
what a build asks it, and compares its answers with the first reader's graph; PID names its process, whose processor
time is then counted. *merges* takes stories whose main events readers listed, and answers questions about two
mentions of main events as they did, and any other question with *unsure*.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path

from packs import scores as story_scores
from reader_links import gold

from whywire import CausalGraph, second_reader
from whywire.events.article_readings import ArticleReading
from whywire.language_models import LanguageModels
from whywire.news import Article, split_sentences, without_duplicates
from whywire.news.article_rows import read_row
from whywire.pipeline import Undecided, decide, find_stories, graph_of, read
from whywire.progress import Stages
from whywire.reading import drawing
from whywire.reading.drawing import ReadLink
from whywire.second_opinions.advising import link_questions
from whywire.second_opinions.link_questions import MOST, uncertain_links, with_opinions
from whywire.second_opinions.questions import Opinion, Questions, Verdict, cut_line
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.corpora.packs import Pack, article_rows, read_packs
from whywire_lab.corpora.packs import Place as StoryPlace
from whywire_lab.labels.files import FOLDER
from whywire_lab.labels.keys import articles_by_hash
from whywire_lab.metrics.reader_graphs import Counts, Drawn, Place, count, matches, same_place
from whywire_lab.processor_time import process_seconds
from whywire_lab.tasks.record import provenance

FIELDS = ("url", "source", "published", "title", "text")
QUESTIONS = (0, 50, 100, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 3000)

Asked = Sequence[tuple[str, ReadLink]]


class Set:
    """The articles that two readers read, with their graphs, and what the small reader says of them."""

    def __init__(self, data: Path, language: str, articles: int | None, most_doubtful: int, doubtful: float) -> None:
        first, second = (
            {row["article"]: row for row in json_lines(FOLDER / f"reader_graphs_{name}_{language}.jsonl")}
            for name in ("twice", "twice_second")
        )
        first = dict([*first.items()][:articles])
        self.first, self.second = ({name: gold(rows[name]) for name in first} for rows in (first, second))
        stream = articles_by_hash(data / "news_stream", language)
        rows = [{"id": name} | {field: stream[name].get(field) for field in FIELDS} for name in first]
        self.articles, _ = without_duplicates([read_row(row)[0] for row in rows])
        self.models = LanguageModels()
        reader = self.models.documents()
        reader.thresholds = replace(reader.thresholds, doubtful=doubtful)
        drawing.MOST_DOUBTFUL = most_doubtful
        self.readings = read(self.articles, self.models, Stages())

    def says(self, graphs: Mapping[str, Drawn], article: str, link: ReadLink) -> Verdict:
        """What a reader's graph says of a link."""
        reading = self.readings[article]
        events = [[place_of(reading, at) for at in event] for event in reading.events]
        match = matches(events, graphs[article].events)
        drawn = any(pair in graphs[article].links for pair in product(match[link.cause], match[link.effect]))
        return Verdict.YES if drawn else Verdict.NO

    def scores(self, readings: Mapping[str, ArticleReading]) -> list[float]:
        """F1, precision and recall of the links of a build, in hundredths, by the first reader."""
        stories = find_stories(self.articles, readings, Stages())
        graph = decide(Undecided(self.articles, stories, readings), self.models, Stages())
        places: dict[str, dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
        for event in graph.events:
            for mention in event.mentions:
                places[mention.article][event.id].append((mention.field, *mention.span))
        sums = Counts()
        for name, theirs in self.first.items():
            number = {event: at for at, event in enumerate(places[name])}
            causes = (link for link in graph.links if link.kind == "causes")
            ends = ((number.get(link.source), number.get(link.target)) for link in causes)
            links = {(cause, effect): "drawn" for cause, effect in ends if cause is not None and effect is not None}
            count(theirs, Drawn([*places[name].values()], links), sums)
        return hundredths(sums)

    def answered(self, asked: Asked) -> dict[str, ArticleReading]:
        """The readings with links as the second reader's graph answers."""
        by_article: defaultdict[str, list[ReadLink]] = defaultdict(list)
        for name, link in asked:
            by_article[name].append(link)
        return {
            name: with_opinions(
                reading,
                by_article[name],
                [Opinion(self.says(self.second, name, link), "the second reader") for link in by_article[name]],
            )
            for name, reading in self.readings.items()
        }


def place_of(reading: ArticleReading, mention: int) -> Place:
    """Where a mention stands."""
    found = reading.mentions[mention].mention
    return (found.field, *found.span)


def hundredths(sums: Counts) -> list[float]:
    """F1, precision and recall of links."""
    return [round(100 * own, 1) for own in (sums.f1, sums.precision, sums.recall)]


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["recorded", "chat", "merges"])
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--language", choices=["en", "ru"], required=True)
    parser.add_argument("--articles", type=int, help="how many articles; all by default")
    parser.add_argument("--server", type=int, help="the process of the chat model")
    given = parser.parse_args()
    if given.do == "recorded":
        found = recorded(Set(given.data, given.language, given.articles, most_doubtful=300, doubtful=0.001))
    elif given.do == "merges":
        found = merges(given.data, given.language, given.articles)
    else:
        built = drawing.MOST_DOUBTFUL, drawing.Thresholds().doubtful
        found = chat(Set(given.data, given.language, given.articles, *built), given.server)
    print(json.dumps(found | provenance(), indent=2))


def recorded(known: Set) -> dict[str, object]:
    """The scores by the number of questions, the likeliest first."""
    agreement = Counts()
    for name, theirs in known.first.items():
        count(theirs, known.second[name], agreement)
    listed = [
        (name, link)
        for name, reading in known.readings.items()
        for link in (*reading.links, *reading.doubtful)
        if link.probability <= MOST
    ]
    listed.sort(key=lambda one: (-one[1].probability, one[0], one[1].cause, one[1].effect))
    curve = {}
    for questions in (*(some for some in QUESTIONS if some < len(listed)), len(listed)):
        asked = listed[:questions]
        said = Counter(known.says(known.second, *one) for one in asked)
        curve[str(questions)] = {
            "F1, precision, recall": known.scores(known.answered(asked)),
            "answered yes": said[Verdict.YES],
            "least probability": round(asked[-1][1].probability, 3) if asked else None,
        }
    as_built = [(name, link) for name, reading in known.readings.items() for link in uncertain_links(reading)]
    return {
        "articles": len(known.articles),
        "the second reader by the first: F1, precision, recall": hundredths(agreement),
        "by number of questions": curve,
        "as a build asks": {"questions": len(as_built), "scores": known.scores(known.answered(as_built))},
    }


def chat(known: Set, server: int | None) -> dict[str, object]:
    """What a chat model answers, and what that costs."""
    complaints: list[str] = []
    adviser = second_reader("100m", timeout=600, say=complaints.append)
    before = process_seconds(server) if server else 0.0
    given: Counter[str] = Counter()
    readings = dict(known.readings)
    for article in known.articles:
        reading = known.readings[article.id]
        asked = uncertain_links(reading)
        said = adviser.opinions(link_questions(article, reading, asked))
        for link, opinion in zip(asked, said, strict=True):
            given[f"{opinion.verdict}, the first reader {known.says(known.first, article.id, link)}"] += 1
        readings[article.id] = with_opinions(reading, asked, said)
    return {
        "model": adviser.model,
        "articles": len(known.articles),
        "seconds of the processor": round(process_seconds(server) - before, 1) if server else None,
        "tally": asdict(adviser.tally),
        "complaints": complaints,
        "answers": dict(given),
        "alone: F1, precision, recall": known.scores(known.readings),
        "with the chat model": known.scores(readings),
    }


class Recorded:
    """A second reader that answers questions about merges as the readers of stories did.

    Args:
        event_of: the number of the main event of each mention.
    """

    def __init__(self, articles: Sequence[Article], event_of: Mapping[StoryPlace, int]) -> None:
        self.event_of: defaultdict[str, list[tuple[Place, int]]] = defaultdict(list)
        for (name, field, start, end), event in event_of.items():
            self.event_of[name].append(((field, start, end), event))
        self.articles = {cut_line(article.title): article for article in articles}
        self.given: Counter[str] = Counter()

    def opinions(self, asked: Questions) -> list[Opinion]:
        """The answers to questions about merges."""
        return [Opinion(self._verdict(question), "the readers of the stories") for question in asked.listed]

    def _verdict(self, question: Mapping[str, Mapping[str, str]]) -> Verdict:
        events = [self._event(question[side]) for side in ("first", "second")]
        said = Verdict.UNSURE if None in events else Verdict.YES if events[0] == events[1] else Verdict.NO
        self.given[said] += 1
        return said

    def _event(self, mention: Mapping[str, str]) -> int | None:
        article = self.articles[mention["title"]]
        if "sentence" in mention:
            spans = split_sentences(article.text, article.language)
            start, end = next(one for one in spans if cut_line(article.text[slice(*one)]) == mention["sentence"])
            at = start + max(0, article.text[start:end].find(mention["words"]))
            place: Place = ("text", at, at + len(mention["words"]))
        else:
            place = ("title", 0, len(article.title))
        return next((event for other, event in self.event_of[article.id] if same_place(place, other)), None)


def merges(data: Path, language: str, most: int | None) -> dict[str, object]:
    """What the readers of stories would change in the grouping of events."""
    packs, rows = read_packs(data, language), article_rows(data, language)
    while most and len({name for pack in packs for name in pack.articles}) > most:
        packs = packs[:-1]
    names = dict.fromkeys(name for pack in packs for name in pack.articles)
    named = [{"id": name} | {field: rows[name].get(field) for field in FIELDS} for name in names]
    articles, _ = without_duplicates([read_row(row)[0] for row in named])
    events = [places for pack in packs for places in pack.events]
    recorded_answers = Recorded(articles, {place: at for at, places in enumerate(events) for place in places})
    models = LanguageModels()
    readings = read(articles, models, Stages())
    stories = find_stories(articles, readings, Stages())
    work = Undecided(articles, stories, readings)
    alone, checked = (
        graph_of(articles, found.events, found.links, found.claims)
        for found in (decide(work, models, Stages()), decide(work, models, Stages(), recorded_answers))
    )
    return {
        "packs": len(packs),
        "articles": len(articles),
        "answers": dict(recorded_answers.given),
        "alone": groups_of(packs, alone),
        "with the readers' answers": groups_of(packs, checked),
    }


def groups_of(packs: Sequence[Pack], graph: CausalGraph) -> dict[str, object]:
    """The scores of a grouping of mentions."""
    wanted = ("MUC", "B³", "CEAFe", "CoNLL F1")
    return {name: score for name, score in story_scores(packs, graph).items() if name in wanted}


if __name__ == "__main__":
    main()
