"""Measure the embedded judge on pairs of main events, in the words of the readers who listed and graded them.

python lab/experiments/pack_judge.py --data DATA --language en [--labels STORIES]

*By words*: the pair model alone. *Alone*: ``whywire.score`` without documents. *With documents*: with all articles of
the pack as context. Of each the correlation with the readers' scores, the share of pairs graded 20 and more whose
reverse is lower, mean strengths, macro F1 of CRAB's four classes (by fixed bounds, and by bounds chosen on the other
half of the packs) and of yes or no, and CRAB's multiple choice: which of four earlier events is graded highest.
"""

from __future__ import annotations

import argparse
import json
from functools import cache
from pathlib import Path

import numpy as np
from pack_strengths import BOUNDS, best_bounds
from packs import article_rows, read_packs
from sklearn.metrics import f1_score

from whywire import Language
from whywire.language_models import LanguageModels
from whywire.links.judges.choosing import CAUSAL_THRESHOLD
from whywire.links.judges.embedded import EmbeddedJudge
from whywire.links.judges.judge import EventPair
from whywire_lab.corpora.crab import CausalPair, StoryEvent
from whywire_lab.metrics.crab import make_choices
from whywire_lab.tasks.record import provenance


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--language", choices=["en", "ru"], required=True)
    parser.add_argument("--labels", type=Path, help="a file of stories, instead of all that there are")
    arguments = parser.parse_args()
    told, language = article_rows(arguments.data, arguments.language), Language(arguments.language)
    packs = read_packs(arguments.data, arguments.language, arguments.labels)
    models = LanguageModels()
    models.documents().logits = cache(models.documents().logits)  # type: ignore[method-assign]
    half: list[int] = []
    graded: list[CausalPair] = []
    alone: list[EventPair] = []
    documented: list[EventPair] = []
    for number, pack in enumerate(packs):
        context = tuple(f"{told[name]['title']}\n\n{told[name]['text']}" for name in pack.articles)
        for cause, effect, score in pack.pairs:
            ends = pack.texts[cause], pack.texts[effect]
            half.append(number % 2)
            graded.append(CausalPair(*(StoryEvent(text, text) for text in ends), float(score), str(number), None, ()))
            alone.append(EventPair(*ends, (), language))
            documented.append(EventPair(*ends, context, language))
    judge = EmbeddedJudge(models)
    systems = {"alone": judge_of(judge, alone), "with documents": judge_of(judge, documented)}
    pairs = [pair.texts for pair in graded]
    strengths = models.pairs(language).strengths
    by_words = strengths(pairs), strengths([pair[::-1] for pair in pairs])
    found = {name: scores(np.array(half), graded, *both) for name, both in ({"by words": by_words} | systems).items()}
    counts = {"packs": len(packs), "pairs": len(graded), "questions": len(make_choices(graded))}
    print(json.dumps({"scores": counts | found} | provenance(), indent=2))


def judge_of(judge: EmbeddedJudge, pairs: list[EventPair]) -> tuple[np.ndarray, np.ndarray]:
    """The strengths (pairs,) of pairs, forward and backward."""
    reverse = [EventPair(pair.effect, pair.cause, pair.context, pair.language) for pair in pairs]
    return np.array(judge.score(pairs)), np.array(judge.score(reverse))


def scores(half: np.ndarray, graded: list[CausalPair], forward: np.ndarray, back: np.ndarray) -> dict[str, object]:
    """The scores of strengths."""
    score = np.array([pair.score for pair in graded])
    related, truth = score >= BOUNDS[0], np.digitize(score, BOUNDS)
    chosen = [best_bounds(forward[half != own], truth[half != own]) for own in (0, 1)]
    classes = np.where(half == 0, np.digitize(forward, chosen[0]), np.digitize(forward, chosen[1]))
    questions = make_choices(graded)
    answers = [int(forward[list(question.pairs)].argmax()) for question in questions]
    right = [question.answer for question in questions]

    def f1(estimate: object, known: object) -> float:
        return round(float(f1_score(known, estimate, average="macro")), 4)

    return {
        "r": round(float(np.corrcoef(score, forward)[0, 1]), 4),
        "reverse lower": round(float((back < forward)[related].mean()), 4),
        "means: forward, reverse, unrelated": [
            round(float(own.mean()), 1) for own in (forward[related], back[related], forward[~related])
        ],
        "four classes": f1(np.digitize(forward, BOUNDS), truth),
        "four classes, bounds of the other half": f1(classes, truth),
        "binary F1": f1(forward > CAUSAL_THRESHOLD, score > CAUSAL_THRESHOLD),
        "choice EM": round(float(np.mean(np.array(answers) == right)), 4),
        "choice F1": f1(answers, right),
    }


if __name__ == "__main__":
    main()
