"""Ask a build why the main events of packs happened, and look whether the first answer is what readers say.

python lab/experiments/packs.py articles --data DATA --language en > articles.jsonl
whywire build articles.jsonl --out out
python lab/experiments/why_questions.py --data DATA --language en --built out

A question is asked for every main event of which another is a decisive cause (graded 80 and more), in the words of
the reader who listed it. An answer is right if one of its mentions is a mention of a cause graded 50 and more. An
answer may be right that readers did not list, so the shares are lower bounds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from whywire import LanguageModels, answer
from whywire.answers.search import Answer
from whywire.graph.build_folder import read_graph
from whywire_lab.corpora.packs import Pack, Place, read_packs
from whywire_lab.metrics.reader_graphs import same_place
from whywire_lab.tasks.record import provenance

DECISIVE, CLEAR = 80, 50

WORDS = {"en": "Why {}?", "ru": "Почему {}?"}


def main() -> None:
    """Print what share of the questions is answered, and rightly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--language", choices=["en", "ru"], required=True)
    parser.add_argument("--labels", type=Path, help="a file of stories, instead of all that there are")
    parser.add_argument("--built", type=Path, required=True, help="the folder that `whywire build` wrote")
    parser.add_argument("--show", action="store_true", help="print each question and its first answer")
    arguments = parser.parse_args()
    graph, models = read_graph(arguments.built), LanguageModels()
    packs = read_packs(arguments.data, arguments.language, arguments.labels)
    answered, first, among, seconds = 0, 0, 0, 0.0
    asked = [question for pack in packs for question in questions(pack, arguments.language)]
    for question, causes in asked:
        begun = time.perf_counter()
        found = answer(question, graph, models=models).answers
        seconds += time.perf_counter() - begun
        right = [is_right(given, causes) for given in found[:5]]
        answered, first, among = answered + bool(found), first + (right[:1] == [True]), among + any(right)
        if arguments.show:
            shown = f"{found[0].probability:.2f} {found[0].text}" if found else "-"
            print("+" if right[:1] == [True] else " ", question, "\n      ", shown)
    share = {"answered": answered, "first answer right": first, "one of five right": among}
    scores = {name: round(number / len(asked), 4) for name, number in share.items()}
    scores = {"questions": len(asked), **scores, "seconds": round(seconds, 1)}
    print(json.dumps({"scores": scores} | provenance(), indent=2))


def questions(pack: Pack, language: str) -> Iterator[tuple[str, Sequence[Place]]]:
    """Questions, each with the places of the mentions of its clear causes."""
    for number, text in enumerate(pack.texts):
        scores = {cause: score for cause, effect, score in pack.pairs if effect == number}
        if max(scores.values(), default=0) >= DECISIVE:
            words = text.rstrip(".")
            causes = [place for cause, score in scores.items() if score >= CLEAR for place in pack.events[cause]]
            yield WORDS[language].format(words[:1].lower() + words[1:]), causes


def is_right(given: Answer, causes: Sequence[Place]) -> bool:
    """Whether a mention of a cause is one of the answer."""
    claims = [source.origin.claim for source in given.sources]
    places = [(claim.article, (claim.field, *claim.cause)) for claim in claims if claim.cause]
    if given.event:
        places += [(mention.article, (mention.field, *mention.span)) for mention in given.event.mentions]
    return any(
        name == article and same_place(own, tuple(place)) for name, own in places for article, *place in causes
    )


if __name__ == "__main__":
    main()
