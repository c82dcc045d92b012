"""News Headline Grouping: do two headlines report the same event? By headlines, with dates, with all fields.

An answer gives, for each challenge that the system takes, the probability that the two report one event. With all
fields the embedded model reads the beginnings of the articles, too, whose texts are not in the release. It was not
trained on this corpus; the baselines are, on its training cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.errors import InputError
from whywire.events.candidates import WINDOW
from whywire.models.odds import log_odds
from whywire.pairs.model import PairModel
from whywire.pairs.reports import AskedPair
from whywire.pairs.reports import Report as TitleAndLead
from whywire.progress import share_of
from whywire_lab.candidates.same_event_baselines import DECAY_PER_DAY, best_threshold, by_edit_distance
from whywire_lab.corpora import hlgd
from whywire_lab.corpora.hlgd import CHALLENGES, HeadlinePair, Report
from whywire_lab.metrics.classification import accuracy, binary_score, roc_auc
from whywire_lab.metrics.consistency import SAME, triangles
from whywire_lab.tasks.sentence_baselines import SEED, random_labels
from whywire_lab.tasks.task import DEV, TRAIN, Progress, PublishedResult, Task, TaskRows

MODEL, FOLDER = "pairs", "hlgd"
PAPER = "Laban et al. 2021"
PUBLISHED_DEV, PUBLISHED_TEST = "dev (published)", "test (published)"

PEOPLE = "annotators, each against the others"

HEADLINE, TIME, OTHER = CHALLENGES

DECAYS = (0.0, 0.1, 0.2, 0.4, 0.8, 1.6)
"""Standard deviations of its similarity that a baseline may subtract for each day between two reports."""

PRIOR = 1 / (1 + hlgd.NEGATIVES)
"""The share of pairs of one event, as the corpus was made (section 3.5)."""

MAX_SWAP_TRAINING_PAIRS = 500
"""Most training pairs a language model scores to learn its threshold; all of them would take hours."""

Pairs = Sequence[HeadlinePair]
HeadlinesAndTexts = Sequence[tuple[str, str]]
"""Headlines, each with its article's text."""
SameEventByChallenge = Mapping[str, float]
"""The probability of *same event*, by challenge."""
Floats = NDArray[np.float64]
PairScorer = Callable[[HeadlinesAndTexts, HeadlinesAndTexts], Floats]


def score(rows: Pairs, answers: Sequence[SameEventByChallenge]) -> dict[str, float]:
    """F1 of *same event*, accuracy and area under the ROC curve, by challenge."""
    truth = [row.same for row in rows]
    taken = {name: [answer[name] for answer in answers] for name in CHALLENGES if answers and name in answers[0]}
    decided = {name: [probability >= SAME for probability in probabilities] for name, probabilities in taken.items()}
    scores = {_score_name("F1", name): binary_score(labels, truth).f1 for name, labels in decided.items()}
    scores |= {_score_name("accuracy", name): accuracy(labels, truth) for name, labels in decided.items()}
    if len(set(truth)) == 2:
        scores |= {_score_name("AUC", name): roc_auc(probabilities, truth) for name, probabilities in taken.items()}
    return scores


def consistency(model: PairModel, rows: Pairs, progress: Progress = None) -> dict[str, float]:
    """How transitive the decisions with dates are, on all pairs of the rows' reports (section 5.2).

    The pairs of the corpus are a sample and close few triangles, so every two reports of a timeline are compared.

    Returns:
        *transitive +time*: where two of the three pairs of three reports are called the same event, how often the
        third is, too.
    """
    reports: dict[str, dict[Report, None]] = {}
    for row in rows:
        reports.setdefault(row.timeline, {}).update({row.a: None, row.b: None})
    pairs = [
        HeadlinePair(a, b, same=False, timeline=timeline, split="")
        for timeline, own in reports.items()
        for a, b in combinations(own, 2)
    ]
    near = [pair for pair in pairs if pair.days_apart <= WINDOW.days]
    dated = _probabilities(_dated(_odds(model, _titles(near), share_of(progress, 1 / max(1, len(near)))), near))
    same = dict.fromkeys(map(_ends, pairs), False)  # reports that are further apart are of two events
    same |= {_ends(pair): probability >= SAME for pair, probability in zip(near, dated, strict=True)}
    return {f"transitive +{TIME}": triangles(same).transitive}


def _ends(pair: HeadlinePair) -> tuple[tuple[str, Report], tuple[str, Report]]:
    return (pair.timeline, pair.a), (pair.timeline, pair.b)


def _score_name(metric: str, challenge: str) -> str:
    return metric if challenge == HEADLINE else f"{metric} +{challenge}"


def days_apart(rows: Pairs) -> Floats:
    """Days between the two reports; infinity beyond the window in which reports of one event lie."""
    days = np.array([row.days_apart for row in rows], dtype=float)
    return np.where(days > WINDOW.days, np.inf, days)


def _titles(rows: Pairs) -> list[tuple[str, str]]:
    return [(row.a.headline, row.b.headline) for row in rows]


def _with_leads(rows: Pairs) -> list[tuple[TitleAndLead, TitleAndLead]]:
    return [
        (TitleAndLead.of(row.a.headline, row.a.text), TitleAndLead.of(row.b.headline, row.b.text)) for row in rows
    ]


def _answer(model: PairModel, rows: Pairs, progress: Progress) -> list[SameEventByChallenge]:
    """By headlines; with dates; and, where the articles' texts are known, with dates and leads.

    Each day between two reports halves the odds of *same event*; the rate was not fitted. Outlet, authors and URL add
    nothing: the words of the URL made the similarity of headlines worse on a news stream.
    """
    told = any(side.text for side in _reports(rows))
    part = share_of(progress, 1 / 2) if told else progress
    odds = _odds(model, _titles(rows), part)
    found = {HEADLINE: odds, TIME: _dated(odds, rows)}
    return _answers(found | ({OTHER: _dated(_odds(model, _with_leads(rows), part), rows)} if told else {}))


def _odds(model: PairModel, pairs: Sequence[AskedPair], progress: Progress) -> Floats:
    """The log-odds (pairs,) of *same event* among pairs as the corpus has them."""
    return log_odds(model.same_event_probabilities(pairs, advance=progress, prior=PRIOR))


def _dated(odds: Floats, rows: Pairs) -> Floats:
    return _discount_by_day(odds, days_apart(rows), DECAY_PER_DAY)


def _answers(odds: Mapping[str, Floats]) -> list[SameEventByChallenge]:
    probabilities = {name: _probabilities(values) for name, values in odds.items()}
    return [dict(zip(probabilities, row, strict=True)) for row in zip(*probabilities.values(), strict=True)]


def _probabilities(odds: Floats) -> list[float]:
    """Probabilities from log-odds; log-odds of zero give exactly one half."""
    found: list[float] = (0.5 + np.tanh(odds / 2) / 2).tolist()
    return found


def _by_day(train: Pairs, rows: Pairs) -> list[SameEventByChallenge]:  # noqa: ARG001
    """Same event if it is the same day; the nearer the days, the more probable."""
    return _answers({TIME: 0.5 - days_apart(rows)})


def _learn_threshold(similarity: Callable[[Pairs], Floats]) -> Callable[[Pairs, Pairs], list[SameEventByChallenge]]:
    """A baseline that learns a threshold of a similarity, and how much to subtract for each day."""

    def answer(train: Pairs, rows: Pairs) -> list[SameEventByChallenge]:
        truth = np.array([row.same for row in train])
        known, asked = similarity(train), similarity(rows)
        days, asked_days = days_apart(train), days_apart(rows)
        threshold, _ = best_threshold(known, truth)
        decays = (np.array(DECAYS) * known.std()).tolist()
        found = [best_threshold(_discount_by_day(known, days, decay), truth) for decay in decays]
        (limit, _), decay = max(zip(found, decays, strict=True), key=lambda learnt: learnt[0][1])
        return _answers({HEADLINE: asked - threshold, TIME: _discount_by_day(asked, asked_days, decay) - limit})

    return answer


def generator_swap(swap: PairScorer) -> Callable[[Pairs, Pairs], list[SameEventByChallenge]]:
    """Headline Generator Swap: two headlines report the same event if each is likely for the other's article.

    The threshold is learnt from at most :data:`MAX_SWAP_TRAINING_PAIRS` training pairs.

    Args:
        swap: the score, above 0, of each pair, from headlines and texts of the left and of the right reports.

    Raises:
        InputError: a report of the measured pairs has no text.
    """

    def similarity(rows: Pairs) -> Floats:
        if without := {side.url for side in _reports(rows) if not side.text}:
            raise InputError(
                f"{len(without):,} articles have no text, the first of them {min(without) or 'one without a url'}",
                hint='each needs a line {"url": …, "text": …}',
            )
        left, right = (
            [(side.headline, side.text) for side in sides]
            for sides in zip(*((row.a, row.b) for row in rows), strict=True)
        )
        return np.log(swap(left, right))

    learn = _learn_threshold(similarity)

    def answer(train: Pairs, rows: Pairs) -> list[SameEventByChallenge]:
        known = [row for row in train if row.a.text and row.b.text]
        chosen = np.random.default_rng(SEED).permutation(len(known))[:MAX_SWAP_TRAINING_PAIRS]
        return learn([known[number] for number in chosen], rows)

    return answer


def _reports(rows: Pairs) -> Iterable[Report]:
    return (side for row in rows for side in (row.a, row.b))


def _discount_by_day(values: Floats, days: Floats, decay: float) -> Floats:
    """Values minus ``decay`` for each day; minus infinity outside the window."""
    near = np.isfinite(days)
    return np.where(near, values - decay * np.where(near, days, 0), -np.inf)


def _edit_similarity(rows: Pairs) -> Floats:
    left, right = zip(*_titles(rows), strict=True)
    return by_edit_distance(left, right, np.zeros(len(rows)))


def _cosine(rows: Pairs) -> Floats:
    """Cosines of the embedded model's vectors, which were not trained on this corpus."""
    return PairModel.from_pretrained(MODEL).similarity(_titles(rows)).astype(float)


def _random(train: Pairs, rows: Pairs) -> list[SameEventByChallenge]:
    return [{HEADLINE: float(yes)} for yes in random_labels([row.same for row in train], len(rows))]


def _read(folder: Path, split: str) -> list[HeadlinePair]:
    path = hlgd.pairs_file(folder, split)
    pairs = list(hlgd.read_pairs(path))
    chosen = [pair for pair in pairs if pair.split == split]
    if not chosen:
        there = ", ".join(sorted({pair.split for pair in pairs})) or "nothing"
        raise InputError(f"there are no pairs of the {split} cut, only of {there}", where=str(path))
    return chosen


@dataclass(frozen=True, slots=True)
class SingleFileTask(Task[HeadlinePair, SameEventByChallenge, PairModel]):
    """HLGD's rows: all splits are in one file, whatever its name.

    Args:
        texts: of the articles, by URL.
    """

    texts: Mapping[str, str] = field(default_factory=dict)

    def load(self, data: Path, split: str = DEV) -> TaskRows[HeadlinePair]:
        """Rows of a split of the one file, with the texts of their articles."""
        folder = self.folder_in(data)
        path = hlgd.pairs_file(folder, split)
        rows = self._with_texts(self.read(folder, split))
        return TaskRows(
            f"{split} (published)",
            (path,),
            rows,
            lambda: self._with_texts(self.read(folder, TRAIN)),
            notes=_notes(rows),
        )

    def _with_texts(self, rows: list[HeadlinePair]) -> list[HeadlinePair]:
        def told(report: Report) -> Report:
            return replace(report, text=self.texts.get(report.url, ""))

        return [replace(row, a=told(row.a), b=told(row.b)) for row in rows] if self.texts else rows


def _notes(rows: Pairs) -> tuple[str, ...]:
    """What is missing for the challenge with all fields."""
    articles = {(side.headline, side.url): bool(side.text) for side in _reports(rows)}
    without = len(articles) - sum(articles.values())
    if without == len(articles):
        return (f"+{OTHER} (all fields) is not measured: the release has no texts of articles; give them by --texts",)
    return (
        (f"{without:,} of {len(articles):,} articles have no text; +{OTHER} reads their headlines",)
        if without
        else ()
    )


PAIRS = SingleFileTask(
    name="hlgd",
    model=MODEL,
    open=PairModel.from_pretrained,
    folder=FOLDER,
    published=(
        PublishedResult(PEOPLE, PUBLISHED_DEV, PAPER, {"F1": 0.884}),
        PublishedResult(PEOPLE, PUBLISHED_TEST, PAPER, {"F1": 0.9}),
        PublishedResult("best Transformer, by headlines", PUBLISHED_DEV, PAPER, {"F1": 0.753}),
        PublishedResult("best Transformer, by headlines", PUBLISHED_TEST, PAPER, {"F1": 0.796}),
        PublishedResult("best Transformer, with time", PUBLISHED_TEST, PAPER, {"F1 +time": 0.828}),
    ),
    files=lambda split: (hlgd.PAIRS_FILE,),  # noqa: ARG005
    read=_read,
    group=lambda row: row.timeline,
    answer=_answer,
    baselines={
        "same day": _by_day,
        "Levenshtein, threshold learnt": _learn_threshold(_edit_similarity),
        "cosine of reports, threshold learnt": _learn_threshold(_cosine),
        "random": _random,
    },
    score=score,
    kinds=lambda rows, answers: {},  # noqa: ARG005
    read_submission=lambda path, rows: list(hlgd.read_submission(path, len(rows))),
    submission=lambda rows, answers: "".join(line + "\n" for line in hlgd.submission_lines(answers)),  # noqa: ARG005
    consistency=consistency,
)
"""Do two headlines report the same event?"""
