"""The label files by name, and the one way to read them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from whywire.errors import InputError
from whywire_lab.labels import rows
from whywire_lab.labels.rows import Row

FOLDER = Path(__file__).parent

LANGUAGES = ("en", "ru")
PARTS = ("train", "valid", "dev")

AnyRow = TypeVar("AnyRow", bound=Row)


def _by_language(name: str, row_type: type[Row]) -> dict[str, type[Row]]:
    return {name.format(language=language): row_type for language in LANGUAGES}


def _by_part_and_language(name: str, row_type: type[Row]) -> dict[str, type[Row]]:
    return {name.format(language=language, part=part): row_type for language in LANGUAGES for part in PARTS}


FILES: Mapping[str, type[Row]] = {
    **_by_part_and_language("stream_pairs_{language}_{part}", rows.HashedPair),
    **_by_part_and_language("stream_pairs_annotator_style_{language}_{part}", rows.AnnotatorStylePair),
    "topic_pairs_en": rows.HashedPair,
    **_by_language("invented_pairs_{language}", rows.InventedPair),
    **_by_language("invented_headline_stories_{language}", rows.HeadlineStory),
    **_by_language("invented_follow_ups_{language}", rows.FollowUpStory),
    **_by_language("invented_contrast_sets_{language}", rows.ContrastSet),
    **_by_language("graded_stories_invented_{language}", rows.GradedStory),
    "graded_stories_historical_en": rows.GradedStory,
    "graded_stories_main_event_en": rows.GradedStory,
    **_by_language("invented_causal_sentences_{language}", rows.CausalSentence),
    "invented_counterfactuals_en": rows.CounterfactualSentence,
    **_by_language("invented_denials_{language}", rows.DenialSentence),
    **_by_language("stream_sentences_{language}", rows.StreamSentence),
    **_by_language("stream_claims_{language}", rows.JudgedClaim),
    **_by_language("reader_graphs_{language}", rows.ReaderGraph),
    **_by_language("reader_graphs_kept_{language}", rows.ReaderGraph),
    **_by_language("reader_graphs_twice_{language}", rows.ReaderGraph),
    **_by_language("reader_graphs_twice_second_{language}", rows.ReaderGraph),
    **_by_language("reader_stories_{language}", rows.ReaderStory),
    "reader_stories_second_ru": rows.ReaderStory,
    **_by_language("same_events_{language}", rows.SameEvents),
    **_by_language("judged_links_{language}", rows.JudgedLink),
    **_by_language("invented_titles_{language}", rows.InventedTitle),
    **_by_language("stream_titles_{language}_train", rows.StreamTitle),
    **_by_language("stream_titles_{language}_dev", rows.StreamTitle),
}
"""The type of row in each file, by the file's name without ``.jsonl``."""


def read_labels(row_type: type[AnyRow], name: str, folder: Path = FOLDER) -> list[AnyRow]:
    """The rows of a label file, checked.

    Args:
        name: one of :data:`FILES`.

    Raises:
        InputError: a line is no valid row of that type; names file, line and field.
    """
    path = folder / f"{name}.jsonl"
    decoder = msgspec.json.Decoder(row_type)
    found: list[AnyRow] = []
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                found.append(decoder.decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise InputError(str(error), where=f"{path}:{number}") from error
    return found
