"""The claims of a sentence, made from its reading by the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whywire.elements import Claim, ClaimKind, short_hash
from whywire.news.article import Article, Span
from whywire.news.withdrawals import is_taken_back, is_withdrawn, says_untrue, tells_of_error
from whywire.sentences.reading import Reading


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim as it was read: the same for all articles with these words, so it has neither an id nor an event.

    Fields mean the same as those of :class:`~whywire.elements.Claim` with the same names.

    Args:
        ends: two indices into the mentions of the article: the cause and the effect of this claim; ``None`` for a
            counterfactual or a derived claim.
    """

    kind: ClaimKind
    field: str
    sentence: Span
    probability: float
    cause: Span | None = None
    effect: Span | None = None
    signals: tuple[Span, ...] = ()
    antecedent: Span | None = None
    consequent: Span | None = None
    derived: str | None = None
    ends: tuple[int, int] | None = None

    def in_article(self, article: Article, event: str) -> Claim:
        """The claim of an article with these words.

        Args:
            event: id of the event that the article's headline describes.
        """
        said: dict[str, object]
        if self.kind is ClaimKind.COUNTERFACTUAL:
            said = {"antecedent": self.antecedent, "consequent": self.consequent}
        elif self.derived:
            said = {"cause": self.cause, "effect": self.effect, "derived": self.derived}
        else:
            said = {"cause": self.cause, "effect": self.effect, "signals": self.signals}
        start, end = self.sentence
        return Claim(
            id=f"c-{short_hash(article.id, self.field, str(start), self.kind, repr(sorted(said.items())))}",
            kind=self.kind,
            article=article.id,
            event=event,
            field=self.field,
            sentence=self.sentence,
            quote=getattr(article, self.field)[start:end],
            probability=self.probability,
            cause=self.cause,
            effect=self.effect,
            signals=self.signals,
            antecedent=self.antecedent,
            consequent=self.consequent,
            derived=self.derived,
        )


def claims_of_reading(reading: Reading, article: Article, field: str, sentence: Span) -> Iterator[ReadClaim]:
    """The claims of one sentence, with offsets into its field but without ``ends``; relations first, then denials.

    What a sentence only imagines did not happen: a counterfactual is no causal claim, but its contrapositive is
    one. An article that repeats something to take it back denies it, but not if it only tells why a report was wrong.

    Args:
        field: of the article, ``title`` or ``text``.
        sentence: where in the field the sentence stands.
    """
    start, end = sentence
    quote = getattr(article, field)[start:end]

    def moved(span: Span) -> Span:
        return start + span[0], start + span[1]

    if reading.antecedent is not None:
        antecedent = moved(reading.antecedent)
        consequent = reading.consequent and moved(reading.consequent)
        probability = reading.counterfactual
        yield ReadClaim(
            ClaimKind.COUNTERFACTUAL, field, sentence, probability, antecedent=antecedent, consequent=consequent
        )
        if reading.contrapositive:
            derived = reading.contrapositive
            yield ReadClaim(ClaimKind.CAUSAL, field, sentence, probability, antecedent, consequent, derived=derived)
        return
    if field == "title":
        taken_back = is_withdrawn(article.title, article.text) or says_untrue(quote)
    else:
        taken_back = is_taken_back(article.title, quote, article.text[end:])
    for relation in (*reading.relations, *reading.denials):
        tells_why = tells_of_error(quote[slice(*relation.effect)])
        is_denial = relation.denied or (taken_back and not tells_why)
        yield ReadClaim(
            ClaimKind.DENIAL if is_denial else ClaimKind.CAUSAL,
            field,
            sentence,
            relation.probability,
            moved(relation.cause),
            moved(relation.effect),
            tuple(map(moved, relation.signals)),
        )
