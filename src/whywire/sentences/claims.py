"""The claims of a sentence, made from its reading by the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from whywire.elements import Claim, ClaimKind, short_hash
from whywire.news.article import Article, Span
from whywire.news.withdrawals import is_taken_back, is_withdrawn, says_untrue, takes_back, tells_of_error
from whywire.sentences.contrast import contrasts
from whywire.sentences.reading import CausalRelation, Reading


def claims_of_reading(reading: Reading, article: Article, field: str, sentence: Span) -> Iterator[Claim]:
    """Yield the claims of one sentence, with offsets into its field; relations first, then denials.

    What a sentence only imagines did not happen: a counterfactual is not a causal claim, but its contrapositive is.
    An article that repeats a report in order to take it back denies it.

    Args:
        field: of the article, ``title`` or ``text``.
        sentence: the sentence's span in the field.

    Yields:
        Claims with an empty ``event``, which will be that of the article's headline.
    """
    start, end = sentence
    quote = getattr(article, field)[start:end]

    def moved(span: Span | None) -> Span | None:
        return None if span is None else (start + span[0], start + span[1])

    def claim(kind: ClaimKind, probability: float, **said: object) -> Claim:
        made = Claim("", kind, article.id, "", field, sentence, quote, probability, **said)  # type: ignore[arg-type]
        return replace(made, id=claim_id(made))

    if reading.antecedent is not None:
        yield claim(
            ClaimKind.COUNTERFACTUAL,
            reading.counterfactual,
            antecedent=moved(reading.antecedent),
            consequent=moved(reading.consequent),
        )
        if reading.contrapositive:
            yield claim(
                ClaimKind.CAUSAL,
                reading.counterfactual,
                cause=moved(reading.antecedent),
                effect=moved(reading.consequent),
                derived=reading.contrapositive,
            )
        return
    if field == "title":
        taken_back = is_withdrawn(article.title, article.text) or says_untrue(quote)
    else:
        taken_back = is_taken_back(article.title, quote, article.text[end:])
    for relation in (*reading.relations, *reading.denials):
        repeated = taken_back and not tells_of_error(quote[slice(*relation.effect)])
        yield claim(
            ClaimKind.DENIAL if relation.denied or repeated else ClaimKind.CAUSAL,
            relation.probability,
            cause=moved(relation.cause),
            effect=moved(relation.effect),
            signals=tuple(moved(signal) for signal in relation.signals),
        )


def claim_worth(claim: Claim, relation: CausalRelation, article: Article) -> float:
    """Return the probability (0 to 1) that a claim can support, or deny, a link.

    It is 0 for a withdrawn article, for the title of a correction that does not say what is true instead, and for a
    claim that only explains why a report was wrong.
    """
    repeated = claim.field == "title" and takes_back(article.title) and not contrasts(article.title)
    withdrawn = (
        repeated or is_withdrawn(article.title, article.text) or tells_of_error(claim.quote[slice(*relation.effect)])
    )
    return 0.0 if withdrawn and claim.kind is ClaimKind.CAUSAL else relation.edge or 0.0


def claim_id(claim: Claim) -> str:
    """Return the id of a claim, derived from its article, its place and its parts."""
    said: dict[str, object]
    if claim.kind is ClaimKind.COUNTERFACTUAL:
        said = {"antecedent": claim.antecedent, "consequent": claim.consequent}
    elif claim.derived:
        said = {"cause": claim.cause, "effect": claim.effect, "derived": claim.derived}
    else:
        said = {"cause": claim.cause, "effect": claim.effect, "signals": claim.signals}
    start, _ = claim.sentence
    return f"c-{short_hash(claim.article, claim.field, str(start), claim.kind, repr(sorted(said.items())))}"
