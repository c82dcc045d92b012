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
        n_best: the number of rival relations that are returned for each sentence.
        models: loaded models; the embedded ones by default.
        progress: shows the progress of the work.

    Returns:
        One reading for each sentence, in their order, with spans into the sentence. Forms and contrapositives of
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
        of_language = [texts[index] for index in indices]
        advance = progress.start(f"reading sentences ({language})", len(of_language))
        results = models.sentences(language).read(of_language, advance, n_best=n_best)
        if language is Language.ENGLISH:
            results = with_contrapositives(of_language, results)
        readings |= zip(indices, results, strict=True)
    return [readings[index] for index in range(len(texts))]
