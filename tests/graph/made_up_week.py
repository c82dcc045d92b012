"""A made-up week of news as a graph: three stories in English and Russian, with everything a graph can hold.

None of it happened. Some titles are hostile on purpose.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from whywire.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Event,
    EventTime,
    Evidence,
    HeadlineEvidence,
    ImpliedEvidence,
    Link,
    LinkKind,
    Mention,
    MentionKind,
    Order,
    Precision,
)
from whywire.graph.causal_graph import CausalGraph
from whywire.news.article import Article, Published, Span
from whywire.news.language import Language

HOSTILE_TITLE = (
    "<script>window.hacked = true</script> port <b>\"queue\"</b> & <img src=x onerror='window.hacked = true'>"
)
HEBREW_TITLE = "הנמל נפתח מחדש אחרי עשרה ימים!"
REFUTED = "Operator says sabotage brought the crane down"

DAM_SENTENCE = "The embankment gave way because three days of rain had soaked its clay core."
DENIAL_SENTENCE = "If the spillway had been cleared in February, the village would have stayed dry, engineers said."
RUSSIAN_SENTENCE = "Из-за остановки плавильного цеха завод «Северолит» сократил отгрузку алюминия вдвое."
EMOJI_SENTENCE = "😀 The quay closure led to empty shelves across the islands."


def made_up_graph() -> CausalGraph:
    """Return the graph: 25 events in three stories, and four events on their own."""
    week = _Week()
    for tell in (_flood, _port, _smelter):
        begun = len(week.events)
        tell(week)
        week.events[begun:] = [replace(event, story=f"e{begun + 1}") for event in week.events[begun:]]
    _singles(week)
    days = EventTime(date(2026, 2, 27), date(2026, 3, 2), Precision.DAY, "e1-1", "title", (0, 10), "Three days")
    week.events[0] = replace(week.events[0], when=days)
    return week.graph()


def link_between(graph: CausalGraph, source: str, target: str) -> int:
    """Return the place of the link between the events whose titles begin so."""
    for place, link in enumerate(graph.links):
        titles = graph.event(link.source).title, graph.event(link.target).title
        if titles[0].startswith(source) and titles[1].startswith(target):
            return place
    raise LookupError(f"no link from {source!r} to {target!r}")


class _Week:
    """Collects events, links and claims, and works out ids and offsets."""

    def __init__(self) -> None:
        self.articles: dict[str, Article] = {}
        self.events: list[Event] = []
        self.links: list[Link] = []
        self.claims: list[Claim] = []

    def graph(self) -> CausalGraph:
        return CausalGraph(self.articles, tuple(self.events), tuple(self.links), tuple(self.claims))

    def event(
        self,
        titles: str | list[str],
        *times: str,
        text: str = "",
        outlets: tuple[str, ...] = ("Coast Courier", "Valley Gazette", "Meridian Wire"),
        language: Language = Language.ENGLISH,
        url: str | None = None,
    ) -> str:
        """Add an event with an article a title (the last time serves for those that remain)."""
        event_id = f"e{len(self.events) + 1}"
        titles = [titles] if isinstance(titles, str) else titles
        published = [_time(time) for time in times] or [None]
        ids = []
        for place, title in enumerate(titles):
            article_id = f"{event_id}-{place + 1}"
            outlet = outlets[place % len(outlets)]
            address = f"https://{outlet.split()[0].lower()}.example/{article_id}" if outlet.isascii() else None
            self.articles[article_id] = Article(
                id=article_id,
                title=title,
                text=text if place == 0 else "",
                language=language,
                url=url if url is not None and place == 0 else address,
                source=outlet,
                published=published[min(place, len(published) - 1)],
            )
            ids.append(article_id)
        known = [time for time in published if time is not None]
        self.events.append(
            Event(
                id=event_id,
                title=titles[0],
                language=language,
                first_seen=min(known, key=lambda time: time.at) if known else None,
                last_seen=max(known, key=lambda time: time.at) if known else None,
                articles=tuple(ids),
                mentions=tuple(self._mention(name) for name in ids),
            )
        )
        return event_id

    def _mention(self, article: str) -> Mention:
        return Mention(article, "title", (0, len(self.articles[article].title)), MentionKind.HEADLINE)

    def link(
        self,
        source: str,
        target: str,
        strength: float,
        *claims: str,
        kind: LinkKind = LinkKind.CAUSES,
        order: Order = Order.FORWARD,
        closed_by: str | None = None,
        implied: bool = False,
    ) -> None:
        """Add a link that rests on the claims and on the two events' first headlines, which show it or imply it."""
        evidence: list[Evidence] = [ClaimEvidence(claim, 0.91) for claim in claims]
        probability = 0.4 + strength / 200
        if implied:
            cause, effect = (self._mention(f"{event}-1") for event in (source, target))
            evidence.append(ImpliedEvidence(cause, effect, probability))
        else:
            evidence.append(HeadlineEvidence(f"{source}-1", f"{target}-1", probability))
        self.links.append(
            Link(source, target, kind, 0.35 + strength / 160, strength, order, tuple(evidence), closed_by)
        )

    def causal(self, event: str, quote: str, cause: str, effect: str, *signals: str) -> str:
        """Add a causal claim found in the text of the event's first article."""
        return self._claim(
            event,
            quote,
            ClaimKind.CAUSAL,
            {"cause": cause, "effect": effect},
            tuple(self._span(event, quote, signal) for signal in signals),
        )

    def counterfactual(self, event: str, quote: str, antecedent: str, consequent: str | None) -> str:
        """Add a counterfactual found in the text of the event's first article."""
        words = {"antecedent": antecedent} | ({"consequent": consequent} if consequent else {})
        return self._claim(event, quote, ClaimKind.COUNTERFACTUAL, words, ())

    def _claim(
        self, event: str, quote: str, kind: ClaimKind, words: dict[str, str], signals: tuple[Span, ...]
    ) -> str:
        claim_id = f"c{len(self.claims) + 1}"
        spans = {role: self._span(event, quote, part) for role, part in words.items()}
        self.claims.append(
            Claim(
                id=claim_id,
                kind=kind,
                article=f"{event}-1",
                event=event,
                field="text",
                sentence=self._span(event, quote, quote),
                quote=quote,
                probability=0.95 - len(self.claims) / 100,
                signals=signals,
                **spans,
            )
        )
        return claim_id

    def _span(self, event: str, quote: str, part: str) -> Span:
        start = self.articles[f"{event}-1"].text.index(quote) + quote.index(part)
        return start, start + len(part)


def _time(words: str) -> Published | None:
    if words == "?":
        return None
    return Published(datetime.fromisoformat(words).replace(tzinfo=UTC), day_only=len(words) == len("2026-03-04"))


def _flood(week: _Week) -> None:
    rain = week.event(
        ["Three days of rain soak the Orlen valley", "Record rain over the Orlen valley"],
        "2026-03-01T06:00",
        "2026-03-02T18:00",
    )
    dam = week.event(
        [
            "Embankment above Lower Orlen gives way",
            "Orlen embankment collapses after rain",
            "Dam breach floods Lower Orlen",
            "Water pours through broken Orlen dam",
        ],
        "2026-03-03T04:10",
        "2026-03-03T05:00",
        "2026-03-03T09:30",
        "2026-03-04T08:00",
        text=f"Lower Orlen woke to sirens. {DAM_SENTENCE} {DENIAL_SENTENCE}",
    )
    evacuated = week.event(
        ["Some 4,000 people leave their homes in Lower Orlen", "Lower Orlen evacuated"],
        "2026-03-03T07:00",
        "2026-03-03T12:00",
        text="Families were moved to the school gym after the breach sent water into the lower streets.",
    )
    rail = week.event("Rail line between Orlen and Castra cut by flood water", "2026-03-03T11:00")
    schools = week.event("Schools in four districts stay closed until Monday", "2026-03-04")
    inquiry = week.event(
        ["Regional assembly opens an inquiry into the Orlen dam", "Inquiry into dam breach announced"],
        "2026-03-05T15:00",
    )
    minister = week.event("Water minister resigns over neglected spillways", "2026-03-08T17:45")
    freight = week.event("Freight operators reroute grain trains through the Hask pass", "2026-03-04T13:00")
    prices = week.event("Bread prices edge up in Castra markets", "2026-03-07")
    rumour = week.event("Social media posts claim the upper dam is failing too", "2026-03-03T20:00")
    denial = week.event(
        ["Upper dam is sound, engineers say after inspection", "No danger from upper dam, inspectors find"],
        "2026-03-04T16:20",
    )
    panic = week.event("Drivers queue for fuel in Castra overnight", "2026-03-03T23:30")

    because = week.causal(
        dam,
        DAM_SENTENCE,
        "three days of rain had soaked its clay core",
        "The embankment gave way",
        "because",
    )
    week.counterfactual(
        dam, DENIAL_SENTENCE, "the spillway had been cleared in February", "the village would have stayed dry"
    )
    moved = week.causal(
        evacuated,
        "Families were moved to the school gym after the breach sent water into the lower streets.",
        "the breach sent water into the lower streets",
        "Families were moved to the school gym",
        "after",
    )
    week.link(rain, dam, 92, because)
    week.link(dam, evacuated, 88, moved)
    week.link(dam, rail, 81)
    week.link(evacuated, schools, 44, order=Order.SAME_TIME)
    week.link(dam, inquiry, 76)
    week.link(inquiry, minister, 63)
    week.link(dam, minister, 38)
    week.link(rail, freight, 71)
    week.link(freight, prices, 34)
    week.link(rain, prices, 12, implied=True)
    week.link(dam, rumour, 48)
    week.link(rumour, panic, 67, closed_by=denial)
    week.link(rumour, denial, 85, kind=LinkKind.REFUTES)


def _port(week: _Week) -> None:
    crane = week.event(
        ["Crane topples onto the main quay at Port Sollis", "Port Sollis crane collapse blocks quay"],
        "2026-03-02T09:00",
        "2026-03-02T10:15",
    )
    sabotage = week.event(REFUTED, "2026-03-02T21:00")
    wind = week.event(
        [
            "Investigators: gusts and a worn brake, not sabotage, felled the crane",
            "No sabotage at Port Sollis",
        ],
        "2026-03-05T10:00",
        "2026-03-05T12:30",
    )
    closed = week.event(
        HOSTILE_TITLE,
        "2026-03-02T14:00",
        text=f"{EMOJI_SENTENCE} Ferries were turned away.",
        url="javascript:window.hacked=true",
    )
    shelves = week.event("Island shops run short of flour and medicine", "2026-03-06")
    army = week.event("Air force flies insulin to the Sollis islands", "2026-03-07T08:00")
    guard = week.event("Security doubled at every northern port", "2026-03-03T08:00")
    reopened = week.event(HEBREW_TITLE, "2026-03-12T06:00", language=Language.OTHER, outlets=("קול החוף",))

    shortage = week.causal(closed, EMOJI_SENTENCE, "The quay closure", "empty shelves across the islands", "led to")
    week.link(crane, closed, 95)
    week.link(crane, sabotage, 41)
    week.link(sabotage, wind, 90, kind=LinkKind.REFUTES)
    week.link(sabotage, guard, 72, closed_by=wind)
    week.link(closed, shelves, 83, shortage)
    week.link(shelves, army, 78)
    week.link(closed, reopened, 22, order=Order.SAME_TIME)


def _smelter(week: _Week) -> None:
    russian = {"language": Language.RUSSIAN, "outlets": ("Северный вестник", "Деловой день")}
    halt = week.event(
        ["На заводе «Северолит» остановлен плавильный цех", "Плавильный цех «Северолита» встал"],
        "2026-03-04T05:00",
        "2026-03-04T07:00",
        **russian,  # type: ignore[arg-type]
    )
    supply = week.event(
        "Отгрузка алюминия с «Северолита» упала вдвое",
        "2026-03-06T09:00",
        text=RUSSIAN_SENTENCE,
        **russian,  # type: ignore[arg-type]
    )
    price = week.event("Aluminium climbs to a three-year high in Meridian trading", "2026-03-06T15:00")
    cans = week.event("Drinks maker Brask warns of dearer cans", "?")
    workers = week.event(
        "Рабочие цеха отправлены в оплачиваемый отпуск",
        "2026-03-05",
        **russian,  # type: ignore[arg-type]
    )
    halved = week.causal(
        supply,
        RUSSIAN_SENTENCE,
        "остановки плавильного цеха",
        "завод «Северолит» сократил отгрузку алюминия вдвое",
        "Из-за",
    )
    week.link(halt, supply, 89, halved)
    week.link(supply, price, 74)
    week.link(price, cans, 55, order=Order.UNKNOWN)
    week.link(halt, workers, 80)


def _singles(week: _Week) -> None:
    week.event("Meridian orchestra names its first principal guest conductor", "2026-03-02")
    week.event("В Заречье открылась выставка старинных карт", "2026-03-05T11:00", language=Language.RUSSIAN)
    week.event('Line\nbreak, "quotes" and a control\x07character', "2026-03-06")
    week.event("A report that carries no time at all", "?")
