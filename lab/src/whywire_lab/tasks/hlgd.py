"""News Headline Grouping: do two headlines tell of the same event? By the headlines, with dates, with all there is.

A system's answer is, by challenge, the probability that they do; a challenge it does not take is left out. Our model
has seen nothing of this corpus. What the baselines learn, they learn from the training cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.errors import InputError
from whywire.events.candidates import WINDOW
from whywire.models.odds import log_odds
from whywire.pairs.model import HeadlineModel
from whywire_lab.candidates.baselines import PER_DAY, best_threshold, by_letters
from whywire_lab.corpora import hlgd
from whywire_lab.corpora.hlgd import CHALLENGES, HeadlinePair, Report
from whywire_lab.metrics.consensus import SAME, triangles
from whywire_lab.metrics.metrics import accuracy, binary_score, roc_auc
from whywire_lab.tasks.baselines import SEED, random_labels
from whywire_lab.tasks.task import DEV, TRAIN, Progress, Published, Rows, Task

MODEL, FOLDER = "headlines-en", "hlgd"
PAPER = "Laban et al. 2021"
TEST = "test (published)"

HEADLINE, TIME, OTHER = CHALLENGES

DECAYS = (0.0, 0.1, 0.2, 0.4, 0.8, 1.6)
"""How many standard deviations of its similarity a baseline may take off for a day."""

LEARNT_FROM = 500
"""Training pairs that a language model reads to learn its threshold; it would read for hours to see them all."""

Pairs = Sequence[HeadlinePair]
Stories = Sequence[tuple[str, str]]
"""Headlines, and the texts under them."""
Answer = Mapping[str, float]
Floats = NDArray[np.float64]
Swap = Callable[[Stories, Stories], Floats]


def score(rows: Pairs, answers: Sequence[Answer]) -> dict[str, float]:
    """F1 of *same event*, accuracy and area under the curve, by challenge, and how consistent the decisions are.

    *transitive*: of three reports of which two pairs are held to be the same event, how often the third is, too, by
    the headlines alone and among the pairs that the corpus has.
    """
    truth = [row.same for row in rows]
    taken = {name: [answer[name] for answer in answers] for name in CHALLENGES if answers and name in answers[0]}
    decided = {name: [probability >= SAME for probability in probabilities] for name, probabilities in taken.items()}
    scores = {_named("F1", name): binary_score(labels, truth).f1 for name, labels in decided.items()}
    scores |= {_named("accuracy", name): accuracy(labels, truth) for name, labels in decided.items()}
    if len(set(truth)) == 2:
        scores |= {_named("AUC", name): roc_auc(probabilities, truth) for name, probabilities in taken.items()}
    if HEADLINE in decided:
        pairs = [(row.a, row.b) for row in rows]
        scores["transitive"] = triangles(dict(zip(pairs, decided[HEADLINE], strict=True))).transitive
    return scores


def _named(metric: str, challenge: str) -> str:
    return metric if challenge == HEADLINE else f"{metric} +{challenge}"


def days_apart(rows: Pairs) -> Floats:
    """Days between the two reports; endlessly many outside the window in which reports of one event lie."""
    days = np.array([row.days_apart for row in rows], dtype=float)
    return np.where(days > WINDOW.days, np.inf, days)


def _titles(rows: Pairs) -> list[tuple[str, str]]:
    return [(row.a.headline, row.b.headline) for row in rows]


def _answer(model: HeadlineModel, rows: Pairs, progress: Progress) -> list[Answer]:
    """A day between two reports takes half of the odds that they tell of one event, a rate that nobody fitted.

    Outlet, authors and address add nothing to headline and date: the words of the address made the similarity of
    headlines worse on a stream of news.
    """
    titles = _titles(rows)
    odds = log_odds(model.same_event(model.ask(titles, progress, both_orders=True), model.similarity(titles)))
    dated = _dated(odds, days_apart(rows), PER_DAY)
    return _answers({HEADLINE: odds, TIME: dated, OTHER: dated})


def _answers(odds: Mapping[str, Floats]) -> list[Answer]:
    """From log-odds by challenge; those of zero are a probability of one half exactly."""
    probabilities = {name: (0.5 + np.tanh(values / 2) / 2).tolist() for name, values in odds.items()}
    return [dict(zip(probabilities, row, strict=True)) for row in zip(*probabilities.values(), strict=True)]


def _by_day(train: Pairs, rows: Pairs) -> list[Answer]:  # noqa: ARG001
    """The same event where it is the same day; the nearer, the likelier."""
    return _answers({TIME: 0.5 - days_apart(rows)})


def _by_similarity(similarity: Callable[[Pairs], Floats]) -> Callable[[Pairs, Pairs], list[Answer]]:
    """Pairs alike enough are the same event; how much is enough, and what a day takes off, is learnt."""

    def answer(train: Pairs, rows: Pairs) -> list[Answer]:
        truth = np.array([row.same for row in train])
        known, asked = similarity(train), similarity(rows)
        days, asked_days = days_apart(train), days_apart(rows)
        threshold, _ = best_threshold(known, truth)
        decays = (np.array(DECAYS) * known.std()).tolist()
        found = [best_threshold(_dated(known, days, decay), truth) for decay in decays]
        (limit, _), decay = max(zip(found, decays, strict=True), key=lambda learnt: learnt[0][1])
        return _answers({HEADLINE: asked - threshold, TIME: _dated(asked, asked_days, decay) - limit})

    return answer


def generator_swap(swap: Swap, texts: Mapping[str, str]) -> Callable[[Pairs, Pairs], list[Answer]]:
    """Headline Generator Swap: pairs whose headlines would do for each other's article are the same event.

    Learnt like the other similarities, but from :data:`LEARNT_FROM` training pairs at most.

    Args:
        swap: from the headlines and texts of the left and of the right reports to a score a pair, above 0.
        texts: what each article says, by url; the corpus has only headlines.

    Raises:
        InputError: reports of the pairs asked about have no text.
    """

    def similarity(rows: Pairs) -> Floats:
        without = {side.url for row in rows for side in (row.a, row.b)} - texts.keys()
        if without:
            raise InputError(
                f"{len(without):,} articles have no text, the first of them {min(without) or 'one without a url'}",
                hint='each needs a line {"url": …, "text": …}',
            )
        left, right = (
            [(side.headline, texts[side.url]) for side in sides] for sides in zip(*map(_sides, rows), strict=True)
        )
        return np.log(swap(left, right))

    learn = _by_similarity(similarity)

    def answer(train: Pairs, rows: Pairs) -> list[Answer]:
        known = [row for row in train if row.a.url in texts and row.b.url in texts]
        chosen = np.random.default_rng(SEED).permutation(len(known))[:LEARNT_FROM]
        return learn([known[number] for number in chosen], rows)

    return answer


def _sides(row: HeadlinePair) -> tuple[Report, Report]:
    return row.a, row.b


def _dated(values: Floats, days: Floats, decay: float) -> Floats:
    """Values less so much for a day; the lowest there can be outside the window."""
    near = np.isfinite(days)
    return np.where(near, values - decay * np.where(near, days, 0), -np.inf)


def _by_letters(rows: Pairs) -> Floats:
    left, right = zip(*_titles(rows), strict=True)
    return by_letters(left, right, np.zeros(len(rows)))


def _by_meaning(rows: Pairs) -> Floats:
    """Cosines of our embedding, which was made for paraphrase and not for this corpus."""
    return HeadlineModel.from_pretrained(MODEL).similarity(_titles(rows)).astype(float)


def _at_random(train: Pairs, rows: Pairs) -> list[Answer]:
    return [{HEADLINE: float(yes)} for yes in random_labels([row.same for row in train], len(rows))]


def _read(folder: Path, split: str) -> list[HeadlinePair]:
    path = hlgd.pairs_file(folder, split)
    pairs = list(hlgd.read_pairs(path))
    chosen = [pair for pair in pairs if pair.split == split]
    if not chosen:
        there = ", ".join(sorted({pair.split for pair in pairs})) or "nothing"
        raise InputError(f"there are no pairs of the {split} cut, only of {there}", where=str(path))
    return chosen


class _OneFile(Task[HeadlinePair, Answer, HeadlineModel]):
    """A task whose splits stand in one file, whatever it is called."""

    def load(self, data: Path, split: str = DEV) -> Rows[HeadlinePair]:
        folder = self.folder_in(data)
        path = hlgd.pairs_file(folder, split)
        return Rows(f"{split} (published)", (path,), self.read(folder, split), lambda: self.read(folder, TRAIN))


PAIRS = _OneFile(
    name="hlgd",
    model=MODEL,
    open=HeadlineModel.from_pretrained,
    folder=FOLDER,
    published=(
        Published("people, each against the others", "all timelines", PAPER, {"F1": 0.9}),
        Published("best Transformer, by headlines", TEST, PAPER, {"F1": 0.75}),
        Published("best Transformer, with time", TEST, PAPER, {"F1 +time": 0.828}),
    ),
    files=lambda split: (hlgd.PAIRS_FILE,),  # noqa: ARG005
    read=_read,
    group=lambda row: row.timeline,
    answer=_answer,
    baselines={
        "same day": _by_day,
        "Levenshtein, threshold learnt": _by_similarity(_by_letters),
        "cosine of headlines-en, threshold learnt": _by_similarity(_by_meaning),
        "random": _at_random,
    },
    score=score,
    kinds=lambda rows, answers: {},  # noqa: ARG005
    read_submission=lambda path, rows: list(hlgd.read_submission(path, len(rows))),
    submission=lambda rows, answers: "".join(line + "\n" for line in hlgd.submission_lines(answers)),  # noqa: ARG005
)
"""Do two headlines tell of the same event?"""
