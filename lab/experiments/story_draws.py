"""Measure how well stories are found in much news and in little: draws from the second afternoon of the news streams.

python lab/experiments/story_draws.py --data DATA > draws.json

No model has learnt from that afternoon. The true groups are those of an older system. Draws are grouped as
`whywire group` does it; each number is a mean over draws and their deviation, in per cent. Of large draws it is
pairwise F1; of small ones, where often no two reports are of one group, the share of pairs that are rightly together
or rightly apart.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from datetime import datetime
from pathlib import Path
from statistics import mean, stdev

from whywire.language_models import LanguageModels
from whywire.news import Article, Language, read_row
from whywire.pipeline import group
from whywire_lab.corpora import news_stream
from whywire_lab.metrics.classification import pairwise_score
from whywire_lab.recipes.corpus_pairs import HELD_OUT_FROM
from whywire_lab.tasks.record import provenance

Groups = list[list[Article]]
"""The afternoon's articles, by the older system's groups."""

Measure = Callable[[Sequence[Hashable], Sequence[Hashable]], float]
"""How well the groups found for articles agree with the true ones, 0 to 1."""


def main() -> None:
    """Print one JSON object: under ``scores``, mean and deviation over draws, by language and kind of draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--seed", type=int, default=1, help="of the draws")
    arguments = parser.parse_args()
    models = LanguageModels()
    found = {
        str(language): scores(afternoon(arguments.data, language), models, arguments.seed)
        for language in (Language.ENGLISH, Language.RUSSIAN)
    }
    print(json.dumps({"scores": found} | provenance(), indent=2))


def afternoon(data: Path, language: Language) -> Groups:
    """Read the articles that were held out, in groups."""
    groups: dict[str, list[Article]] = defaultdict(list)
    for row in news_stream.read_articles(data / "news_stream", str(language)):
        if datetime.fromisoformat(row["published"]) >= HELD_OUT_FROM:
            groups[row["system_group"]].append(read_row({**row, "language": str(language)})[0])
    return list(groups.values())


def scores(groups: Groups, models: LanguageModels, seed: int) -> dict[str, list[float]]:
    """Mean and deviation in per cent, by the name of the draw."""
    everything = [article for one in groups for article in one]
    true = {article.id: number for number, one in enumerate(groups) for article in one}
    several = [one for one in groups if len(one) > 2]
    draws: dict[str, tuple[int, Callable[[random.Random], Sequence[Article]], Measure]] = {
        "all": (1, lambda _: everything, pairwise_f1),
        "500 articles": (6, lambda rng: rng.sample(everything, 500), pairwise_f1),
        "28 groups": (6, lambda rng: drawn(several, 28, 100, rng), pairwise_f1),
        "12 articles, half of them alone": (40, lambda rng: half_alone(groups, 12, rng), pairs_right),
        "one group, up to ten reports": (60, lambda rng: drawn(several, 1, 10, rng), pairs_right),
        "two reports of two groups": (60, lambda rng: drawn(groups, 2, 1, rng), pairs_right),
    }
    result = {}
    for name, (count, draw, measure) in draws.items():
        values = []
        for number in range(count):
            articles = draw(random.Random(f"{seed} {name} {number}"))
            values.append(
                100 * measure(group(articles, models=models).stories, [true[article.id] for article in articles])
            )
        result[name] = [round(mean(values), 1), round(stdev(values), 1) if count > 1 else 0.0]
    return result


def pairwise_f1(found: Sequence[Hashable], true: Sequence[Hashable]) -> float:
    """Of pairs that are together."""
    return pairwise_score(found, true).f1


def pairs_right(found: Sequence[Hashable], true: Sequence[Hashable]) -> float:
    """Share of the pairs that are rightly together or rightly apart."""
    pairs = [(one, other) for one in range(len(true)) for other in range(one)]
    return mean((found[one] == found[other]) == (true[one] == true[other]) for one, other in pairs)


def drawn(groups: Groups, count: int, most: int, rng: random.Random) -> list[Article]:
    """So many groups, and at most so many reports of each."""
    return [article for one in rng.sample(groups, count) for article in rng.sample(one, min(most, len(one)))]


def half_alone(groups: Groups, count: int, rng: random.Random) -> list[Article]:
    """Reports of a few groups, and as many that are the only one of theirs."""
    mixed = rng.sample(groups, len(groups))
    several = [article for one in mixed if len(one) > 1 for article in rng.sample(one, min(3, len(one)))]
    alone = [one[0] for one in mixed if len(one) == 1]
    return several[: count // 2] + alone[: count // 2]


if __name__ == "__main__":
    main()
