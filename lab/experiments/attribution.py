"""Whether direct causes are told better where a cause loses credit to a nearer one that it led to.

python lab/experiments/attribution.py --data DATA

Questions of event_causes in DATA: which of four events of a story caused a fifth directly. The embedded pair model
gives the strengths; a rule turns them into credit. The threshold of an answer is chosen on the topics for training
and stopping ("seen"), and the rules are compared on the others ("dev"), by the share of questions whose first option
is right, and whose set of options is. Options have no times: of two directions between them the stronger one counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whywire.graph.attribution import mediated_shares
from whywire.pairs.model import PairModel
from whywire_lab.corpora.event_causes import Question, read_questions
from whywire_lab.corpora.splits import part_of_story

Array = NDArray[np.float64]

THRESHOLDS = np.arange(5.0, 121.0)


def through_any(direct: Array, between: Array) -> Array:
    """What goes by way of any other cause, stronger or not."""
    return between * direct[None, :] / 100**2


RULES: dict[str, Callable[[Array, Array], Array]] = {
    "strength alone": lambda direct, _: direct,
    "credit (the rule)": lambda direct, between: direct * (1 - mediated_shares(direct, between).max(axis=1)),
    "to any nearer cause": lambda direct, between: direct * (1 - through_any(direct, between).max(axis=1)),
    "half of it, to any": lambda direct, between: direct * (1 - through_any(direct, between).max(axis=1) / 2),
    "gain in place of loss": lambda direct, between: direct * (1 + through_any(direct, between).max(axis=1) / 2),
}


def main() -> None:
    """Print a table: a rule a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    rows = read_questions(parser.parse_args().data / "event_causes" / "questions.jsonl")
    questions = [question for question in rows if question.events_only]
    direct, between = strengths(questions)
    right = np.array([[number in question.answers for number in range(4)] for question in questions])
    dev = np.array([part_of_story(question.topic) == "dev" for question in questions])
    print(f"{'':22}{'threshold':>10}{'first, seen':>12}{'set, seen':>12}{'first, dev':>12}{'set, dev':>12}")
    for name, rule in RULES.items():
        credit = np.array([rule(*given) for given in zip(direct, between, strict=True)])
        first = right[np.arange(len(right)), credit.argmax(axis=1)]
        exact = np.array([(chosen(credit, threshold) == right).all(axis=1) for threshold in THRESHOLDS])
        best = int(exact[:, ~dev].mean(axis=1).argmax())
        shares = first[~dev].mean(), exact[best, ~dev].mean(), first[dev].mean(), exact[best, dev].mean()
        print(f"{name:22}{THRESHOLDS[best]:10.0f}" + "".join(f"{share:12.1%}" for share in shares))


def chosen(credit: Array, threshold: float) -> NDArray[np.bool_]:
    """The options of at least that credit, and the first one where there is none, (questions, options)."""
    enough = np.minimum(threshold, credit.max(axis=1, keepdims=True))
    result: NDArray[np.bool_] = credit >= enough
    return result


def strengths(questions: Sequence[Question]) -> tuple[Array, Array]:
    """Of each option as a cause of the effect (questions, 4), and of each other (questions, 4, 4)."""
    pairs = sorted(
        {
            (option, other)
            for question in questions
            for option in question.options
            for other in (*question.options, question.effect)
            if option != other
        }
    )
    known = dict(zip(pairs, PairModel.from_pretrained().strengths(pairs).tolist(), strict=True))
    direct = np.array([[known[option, question.effect] for option in question.options] for question in questions])
    between = np.array(
        [
            [[known.get((one, other), 0.0) for other in question.options] for one in question.options]
            for question in questions
        ]
    )
    return direct, np.where(between > between.transpose(0, 2, 1), between, 0)


if __name__ == "__main__":
    main()
