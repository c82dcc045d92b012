"""Invented articles with their graphs, and a base of two layers, for the recipes of the document reader."""

from collections.abc import Iterable
from typing import Any

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

TITLE = "Dam fails after storm"
TEXT = "A storm filled the reservoir. The dam failed at night.\nTwo villages were flooded."

THINGS = ("dam", "mine", "bridge", "tower")
PLACES = ("Northam", "Easton", "Weston", "Southby")


def tokenizer_of(texts: Iterable[str]) -> Tokenizer:
    """A piece a word or a sign."""
    split = Whitespace()
    words = sorted({word for text in texts for word, _ in split.pre_tokenize_str(text)})
    numbers = {word: number for number, word in enumerate(["<s>", "</s>", "<unk>", *words])}
    tokenizer = Tokenizer(WordLevel(numbers, unk_token="<unk>"))
    tokenizer.pre_tokenizer = split
    tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    return tokenizer


def articles() -> list[tuple[dict[str, str], dict[str, Any]]]:
    """Articles, each with the graph that a reader drew: a storm broke something, and then people left."""
    found = []
    for number, (thing, place) in enumerate((thing, place) for thing in THINGS for place in PLACES):
        title = f"The {thing} of {place} breaks"
        text = (
            f"A storm hit {place}. The {thing} broke because of the storm. Forty families left {place} at night. "
            f"The mayor of {place} was born in a village."
        )
        names = (("storm", f"A storm hit {place}"), ("break", f"The {thing} broke"), ("leave", "Forty families left"))
        events = [{"id": name, "status": "fact", "mentions": [_place("text", text, words)]} for name, words in names]
        events[1]["mentions"].append(_place("title", title, title))
        links = [
            {"cause": "storm", "effect": "break", "how": "said", "sure": True},
            {"cause": "break", "effect": "leave", "how": "implied", "sure": True},
        ]
        language = "ru" if number % 3 == 0 else "en"
        found.append(
            (
                {"id": f"a{number}", "title": title, "text": text, "language": language},
                {"events": events, "links": links},
            )
        )
    return found


def _place(field: str, text: str, words: str) -> dict[str, Any]:
    start = text.index(words)
    return {"field": field, "span": [start, start + len(words)]}
