"""``whywire.Client``: the functions of ``whywire``, executed by a remote service."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import quote

from whywire.answers.analogue_prediction import MAX_PREDICTIONS
from whywire.api.news_input import HeadlineInput, NewsInput, load_news, to_article
from whywire.api.relate import EVEN, PairRelation
from whywire.api.score import ChoiceInput, ChosenCauses, PairInput, Score, to_choice, to_pair
from whywire.client.campaigns import CampaignMethods
from whywire.client.connection import Connection, ServiceError
from whywire.client.watches import WatchMethods
from whywire.elements import Claim, Event, EvidenceKind, Link, LinkKind
from whywire.graph.build_folder import assemble
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import Row, article_from_row, claim_from_row, event_from_row, link_from_row
from whywire.news import Article, Problem, to_row
from whywire.output import json_text, open_output
from whywire.pairs.relations import RELATIONS
from whywire.pipeline import Groups
from whywire.sentences.counterfactual.forms import Form
from whywire.sentences.reading import Reading
from whywire.sentences.relation_rows import relation_from_row

URL = "http://127.0.0.1:8765"

AT_ONCE = 64
"""The most items of a question in one request."""

CHOICES_AT_ONCE = 8
"""The most choices in one request, when each choice has the most options allowed."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of articles that were sent.

    Args:
        rows: for each row that was sent, its ``row``, ``id``, ``outcome`` (new, known, copy, conflict or refused),
            ``reason`` and ``notes``.
        problems: rows that were not sent because they are not articles, and sent rows that were left out.
    """

    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]


class Client(CampaignMethods, WatchMethods):
    """A client of a service: names, arguments and results are those of ``import whywire`` where possible.

    >>> with whywire.Client("http://127.0.0.1:8765", key="ww_…") as news:
    ...     news.add("monday.jsonl")
    ...     graph = news.open_graph(at_least=60, evidence=["said"])
    ...     news.read("Fuel ran short after the fire.")

    While the service is busy, a request is sent again after the time that the service names.

    Args:
        url: the address of the service.
        key: a key; needed to send articles, and to read from a closed service.
        timeout: seconds that the service may be silent.

    Raises:
        InputError: the address is not one of HTTP.
        MissingExtraError: the extra *client* is not installed.
    """

    def __init__(self, url: str = URL, key: str | None = None, *, timeout: float = 60.0) -> None:
        self._service = Connection(url, key, timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._service.close()

    # Adding articles.

    def add(self, news: NewsInput) -> Sent:
        """Send articles; they are durable when this returns. Sending an article twice changes nothing.

        Args:
            news: paths, articles or rows, as for ``whywire.build``.

        Raises:
            InputError: a path cannot be read.
            ServiceError: the key is missing, or the service does not answer.
        """
        articles, problems = load_news(news)
        lines = (json_text(to_row(article)).encode("utf-8") + b"\n" for article in articles)
        rows = tuple(self._service.send_lines("/v1/articles/bulk", lines))
        for article, row in zip(articles, rows, strict=True):
            if row["outcome"] in ("conflict", "refused"):
                problems.append(Problem(article.place or article.id, str(row["reason"]), row=to_row(article)))
        return Sent(rows, tuple(problems))

    def replace(self, article: HeadlineInput) -> Row:
        """Send a new version of an article: it replaces the article with its id or url, or is added if there is none.

        Returns:
            ``id``, ``outcome`` (replaced, new, known or copy), ``reason`` and ``notes``.

        Raises:
            InputError: the row is not an article.
            ServiceError: the url is that of another article, or the key is missing.
        """
        version = to_article(article)
        return dict(self._service.put(_path("articles", version.id), to_row(version)))

    def withdraw(self, article_id: str) -> Row:
        """Take an article and its claims out of the graph; its text stays in the history.

        Args:
            article_id: the id or the url of the article.

        Returns:
            ``id``, ``outcome`` (withdrawn), ``reason`` and ``notes``.

        Raises:
            ServiceError: there is no such article, or the key is missing.
        """
        return dict(self._service.delete(_path("articles", article_id)))

    # Corrections by persons.

    def hide_link(self, source: str, target: str, kind: LinkKind | str = LinkKind.CAUSES, *, note: str = "") -> Row:
        """Hide a link between two events, for good: no link of its kind leads from the one to the other any more.

        Args:
            source, target: ids of the events.
            note: why.

        Returns:
            The row of the correction: its ``id``, ``state`` and what it is about.

        Raises:
            ServiceError: there is no such link, or the key is missing.
        """
        link = {"source": source, "target": target, "kind": str(kind)}
        return dict(self._service.post("/v1/corrections", {"hide_link": link, "note": note}))

    def tell_apart(self, event_id: str, articles: Collection[str], *, note: str = "") -> Row:
        """Divide an event, for good: what some of its articles tell, and what the others tell, are two events.

        Args:
            articles: ids of some articles of the event.
            note: why.

        Returns:
            The row of the correction.

        Raises:
            ServiceError: there is no such event, it has no such articles or no others, or the key is missing.
        """
        apart = {"event": event_id, "articles": list(articles)}
        return dict(self._service.post("/v1/corrections", {"apart": apart, "note": note}))

    def corrections(self, **parameters: object) -> Iterator[Row]:
        """Rows of corrections by persons, the latest first; takes the parameters of ``/v1/corrections``."""
        return self._service.items("/v1/corrections", **parameters)

    def take_back(self, correction_id: str) -> Row:
        """Take a correction back; returns its row.

        Raises:
            ServiceError: there is no such correction, or the key is missing.
        """
        return dict(self._service.delete(_path("corrections", correction_id)))

    # The graph.

    def open_graph(
        self,
        *,
        as_of: str | None = None,
        at_least: float = 0,
        evidence: Collection[EvidenceKind | str] = (),
        since: str | None = None,
        until: str | None = None,
    ) -> CausalGraph:
        """The graph, or a part of it; articles have only the words of claims and mentions.

        Args:
            as_of: only what was known then: a day (to its end) or a time, ISO 8601.
            at_least: only links of at least this strength (0 to 100).
            evidence: only links with evidence of one of these kinds: said, shown, implied.
            since, until: only events reported on in this period.
        """
        parameters = {"as_of": as_of, "since": since, "until": until}
        kinds = list(map(str, evidence))
        return _graph(self._service.get("/v1/graph", min_strength=at_least, evidence=kinds, **parameters))

    def story(self, story_id: str) -> CausalGraph:
        """The graph of a story.

        Raises:
            ServiceError: there is no such story.
        """
        return _graph(self._service.get(_path("stories", story_id)))

    def around(self, event_id: str, *, steps: int = 1) -> CausalGraph:
        """The graph of an event, or of the event it was merged into, with the events within ``steps`` links.

        Raises:
            ServiceError: there is no such event.
        """
        return _graph(self._service.get(_path("events", event_id) + "/graph", steps=steps))

    def event(self, event_id: str) -> Event:
        """An event, or the event it was merged into.

        Raises:
            ServiceError: there is no such event.
        """
        return event_from_row(self._service.get(_path("events", event_id)))[0]

    def article(self, article_id: str) -> Article:
        """An article with its text, even if it is not in the graph yet.

        Raises:
            ServiceError: there is no such article.
        """
        return article_from_row(self._service.get(_path("articles", article_id)))

    def articles(self, *, text: bool = False, **parameters: object) -> Iterator[Article]:
        """Articles, latest first; takes the parameters of ``/v1/articles``."""
        return map(article_from_row, self._service.items("/v1/articles", text=text, **parameters))

    def events(self, **parameters: object) -> Iterator[Event]:
        """Events, last seen first; takes the parameters of ``/v1/events``."""
        return (event_from_row(row)[0] for row in self._service.items("/v1/events", **parameters))

    def links(self, **parameters: object) -> Iterator[Link]:
        """Links, strongest first; takes the parameters of ``/v1/links``."""
        return map(link_from_row, self._service.items("/v1/links", **parameters))

    def claims(self, **parameters: object) -> Iterator[Claim]:
        """Claims; takes the parameters of ``/v1/claims``."""
        return map(claim_from_row, self._service.items("/v1/claims", **parameters))

    def stories(self, **parameters: object) -> Iterator[Row]:
        """Rows of stories, most important first; takes the parameters of ``/v1/stories``, such as ``place``."""
        return self._service.items("/v1/stories", **parameters)

    def search(self, words: str, *, limit: int = 20) -> list[Event]:
        """The events whose titles and mentions match the words best, best first."""
        return [event_from_row(row)[0] for row in self._service.get("/v1/search", q=words, limit=limit)["items"]]

    def export(
        self,
        to: str,
        out: str | Path | None = None,
        *,
        as_of: str | None = None,
        at_least: float = 0,
        evidence: Collection[EvidenceKind | str] = (),
    ) -> str | None:
        """Write the graph in another tool's format; return the text if no file is given.

        Args:
            to: a format of ``whywire.export``; for csv ``nodes.csv`` or ``edges.csv``.
        """
        kinds = list(map(str, evidence))
        text = self._service.text(_path("exports", to), min_strength=at_least, evidence=kinds, as_of=as_of)
        if out is None:
            return text
        with open_output(Path(out)) as file:
            file.write(text)
        return None

    def changes(self, after: int = 0, *, event: str | None = None) -> Iterator[Row]:
        """Rows of the history after a change; of an event, only the changes of the event and its links."""
        last: int | None = after
        while last is not None:
            page = self._service.get("/v1/changes", after=last, event=event)
            yield from page["items"]
            last = page["next"]

    def follow(self, after: int | None = None) -> Iterator[Row]:
        """Follow the history: rows of changes as they are recorded, without end, from now on or after a change.

        A row of the kind ``reset``, with the fields ``id``, ``asked`` and ``reason``, says that the history of the
        service is shorter than expected, for example because a backup was restored: read everything again. The next
        rows are those of the changes after its ``id``.
        """
        return self._service.events("/v1/changes/stream", after)

    def status(self) -> Row:
        """The numbers of articles, events and links of the service, and of articles that wait."""
        return dict(self._service.get("/v1/status"))

    # Questions.

    def why(
        self,
        question: str,
        *,
        limit: int = 10,
        as_of: str | None = None,
        at_least: float = 0,
        evidence: Collection[EvidenceKind | str] = (),
    ) -> list[Row]:
        """Rows of ``whywire why --json``: answers to a question, or the causes of an event."""
        kinds = list(map(str, evidence))
        parameters = {"limit": limit, "as_of": as_of, "min_strength": at_least, "evidence": kinds}
        return list(self._service.get("/v1/why", question=question, **parameters)["items"])

    def predict(
        self, headlines: Iterable[HeadlineInput], *, most: int = MAX_PREDICTIONS, min_probability: float | None = None
    ) -> list[list[Row]]:
        """What may follow each headline: rows of ``effects``, as ``whywire predict`` writes them."""
        rows = (_headline_row(to_article(headline)) for headline in headlines)
        more = {"most": most} | ({} if min_probability is None else {"min_probability": min_probability})
        return [row["effects"] for row in self._service.ask("/v1/predict", rows, AT_ONCE, **more)]

    def read(self, sentences: str | Iterable[str], *, n_best: int = 0) -> list[Reading]:
        """Read sentences: what each claims as cause and effect, what it denies, and what it only imagines."""
        texts = [sentences] if isinstance(sentences, str) else list(sentences)
        rows = self._service.ask("/v1/read", ({"text": text} for text in texts), AT_ONCE, n_best=n_best)
        return [_reading(row) for row in rows]

    def relate(
        self, pairs: Iterable[tuple[HeadlineInput, HeadlineInput]], *, prior: float = EVEN
    ) -> list[PairRelation]:
        """Relate pairs of headlines, each with or without its text.

        Args:
            prior: as for :func:`whywire.relate`.
        """
        ends = [(to_article(left), to_article(right)) for left, right in pairs]
        rows = self._service.ask("/v1/relate", (_pair_row(*pair) for pair in ends), AT_ONCE, prior=prior)
        return [_relation(row, *pair) for row, pair in zip(rows, ends, strict=True)]

    def group(self, news: Iterable[HeadlineInput], *, prior: float | None = None) -> Groups:
        """Group up to 64 articles by event, and by story.

        Args:
            prior: as for :func:`whywire.group`.

        Raises:
            InputError: there are more articles; send them with :meth:`add`.
        """
        articles = list(map(to_article, news))
        rows = [{**_headline_row(article), "text": article.text} for article in articles]
        grouped = self._service.post("/v1/group", {"items": rows, "prior": prior})["items"] if rows else []
        return Groups([row["event"] for row in grouped], [row["story"] for row in grouped])

    def score(self, pairs: Iterable[PairInput]) -> list[Score]:
        """Score how strongly one event caused another."""
        rows = ({"cause": pair.cause, "effect": pair.effect} for pair in map(to_pair, pairs))
        return [Score(row["strength"]) for row in self._service.ask("/v1/score", rows, AT_ONCE)]

    def choose(self, choices: Iterable[ChoiceInput], *, together: bool = False) -> list[ChosenCauses]:
        """Choose which of several events caused another directly.

        Args:
            together: as for :func:`whywire.choose`; all choices are sent in one request, which may have 64 choices
                with 256 options in all.
        """
        rows = [{"effect": choice.effect, "options": list(choice.options)} for choice in map(to_choice, choices)]
        at_once = max(len(rows), 1) if together else CHOICES_AT_ONCE
        chosen = self._service.ask("/v1/choose", rows, at_once, together=together)
        return [ChosenCauses(tuple(row["strengths"]), tuple(row["answer"])) for row in chosen]


def _path(kind: str, name: str) -> str:
    return f"/v1/{kind}/{quote(name, safe='')}"


def _graph(row: Row) -> CausalGraph:
    try:
        return assemble(
            list(map(article_from_row, row["articles"])),
            list(map(event_from_row, row["events"])),
            list(map(link_from_row, row["links"])),
            list(map(claim_from_row, row["claims"])),
        )
    except (ValueError, LookupError, TypeError) as error:
        raise ServiceError(f"the answer is not a graph of this version of Whywire: {error}") from error


def _headline_row(article: Article) -> Row:
    named = ("id", "title", "published", "published_from", "source", "language")
    return {name: value for name, value in to_row(article).items() if name in named}


def _pair_row(left: Article, right: Article) -> Row:
    return {
        f"{side}_{name}": value
        for side, article in (("left", left), ("right", right))
        for name, value in to_row(article).items()
        if name in ("title", "text", "published", "published_from")
    }


def _relation(row: Mapping[str, Any], left: Article, right: Article) -> PairRelation:
    strength: Mapping[str, float] = row["strength"]
    return PairRelation(
        tuple(row["probabilities"][str(name)] for name in RELATIONS),
        row["same_event"],
        (strength["left_right"], strength["right_left"]),
        (left.published, right.published),
    )


def _reading(row: Mapping[str, Any]) -> Reading:
    def span(name: str) -> tuple[int, int] | None:
        return row[name] and (row[name][0], row[name][1])

    return Reading(
        causal=row["causal"],
        relations=tuple(map(relation_from_row, row["relations"])),
        counterfactual=row["counterfactual"],
        antecedent=span("antecedent"),
        consequent=span("consequent"),
        denial=row["denial"],
        denials=tuple(relation_from_row(denial, denied=True) for denial in row["denials"]),
        n_best=tuple(map(relation_from_row, row.get("n_best", ()))),
        form=None if row["form"] is None else Form(row["form"]),
        contrapositive=row["contrapositive"],
    )
