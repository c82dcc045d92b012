"""``whywire.read``: what sentences claim, deny and imagine."""

from __future__ import annotations

from collections.abc import Iterable

from whywire.errors import InputError
from whywire.language_models import LanguageModels, indices_by_language
from whywire.news import Language
from whywire.progress import NoProgress, Progress
from whywire.sentences.counterfactual.contrapositive import with_contrapositives
from whywire.sentences.reading import Reading


def read(
    sentences: str | Iterable[str],
    *,
    n_best: int = 0,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> list[Reading]:
    """Read sentences: what each claims as cause and effect, what it denies, and what it only imagines.

    >>> (reading,) = whywire.read("Fuel ran short after the fire.")
    >>> reading.relations[0].cause

    Args:
        sentences: one or several, in English or Russian.
        n_best: the number of rival relations given for each sentence besides.
        models: loaded models, to be used again; the embedded ones by default.
        progress: shows how far the work has come.

    Returns:
        One reading a sentence, in their order, with spans into the sentence. Forms and contrapositives of
        counterfactuals are for English and need the extra *grammar*.

    Raises:
        InputError: a sentence is blank.
    """
    models, progress = models or LanguageModels(), progress or NoProgress()
    texts = [sentences] if isinstance(sentences, str) else list(sentences)
    for index, text in enumerate(texts):
        if not text.strip():
            raise InputError("the text is empty", where=f"sentence {index}")
    readings: dict[int, Reading] = {}
    for language, indices in indices_by_language(texts).items():
        own = [texts[index] for index in indices]
        advance = progress.start(f"reading sentences ({language})", len(own))
        found = models.sentences(language).read(own, advance, n_best=n_best)
        if language is Language.ENGLISH:
            found = with_contrapositives(own, found)
        readings |= zip(indices, found, strict=True)
    return [readings[index] for index in range(len(texts))]
