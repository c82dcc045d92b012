"""Campaigns of each kind: one written by hand, and any number made up by Hypothesis."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st
from lab.tests.exchange.made_up import LETTERS, annotated

from whywire.annotation.answers import (
    CounterfactualAnswer,
    GraphAnswer,
    GroupingAnswer,
    MarkedEvent,
    MarkedLink,
    MarkedMention,
    RelationAnswer,
    SpanRelation,
    SpansAnswer,
    StrengthAnswer,
)
from whywire.annotation.campaigns import Vote
from whywire.annotation.items import (
    CausalSentence,
    EventPair,
    HeadlinePair,
    Kind,
    ReadArticle,
    Reading,
    Role,
    Sentence,
    TimedHeadline,
    Timeline,
)
from whywire.annotation.results import Result
from whywire.pairs.relations import Relation
from whywire_lab.exchange.labelled_items import LabelledItems

MORNING = datetime(2026, 3, 1, 8, tzinfo=UTC)


def pair(number, left, right, **more):
    times = {
        "left_published": MORNING + timedelta(hours=number),
        "right_published": MORNING + timedelta(hours=number + 1),
    }
    return HeadlinePair(id=f"pair-{number}", left_title=left, right_title=right, **times, **more)


def vote(item, person, answer, *, number=0, **more):
    return Vote(item=item, person=person, answer=answer, at=MORNING + timedelta(minutes=number), seconds=12.5, **more)


def result(item, answer, share=1.0, *, agreed=True):
    return Result(item=item, answer=answer, share=share, agreed=agreed, answers=3)


CAUSE, REFUTED, NONE = (
    RelationAnswer(relation)
    for relation in (Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE, Relation.NO_RELATIONSHIP)
)

PAIRS = LabelledItems(
    Kind.RELATION,
    (
        pair(1, "Dam above Arle breaks 🌊", "Streets of Arle flooded", left_url="https://one.example/dam"),
        pair(2, "Радио: министр ушёл в отставку", "Министр не уходил, сообщил «Дом»"),
        pair(3, 'Bakers of Borr win "prize"', "Mayor of Cusk visits a school"),
        pair(4, "Ferry sinks off Dorn", "Minister opens a mill"),
        pair(5, "Fire shuts the mill", "Mill shut", role=Role.TRAINING, gold=CAUSE, hint="The fire\tis the cause"),
    ),
    (
        vote("pair-1", "anna", CAUSE),
        vote("pair-1", "boris", CAUSE, number=1),
        vote("pair-1", "чара", REFUTED, number=2),
        vote("pair-2", "anna", REFUTED, number=3),
        vote("pair-2", "boris", NONE, number=4, counted=False),
        vote("pair-4", "anna", CAUSE, number=5),
        vote("pair-4", "boris", REFUTED, number=6),
        vote("pair-5", "anna", CAUSE, number=7),
    ),
    (
        result("pair-1", CAUSE, 0.6667),
        result("pair-2", REFUTED),
        result("pair-3", NONE),
        result("pair-4", CAUSE, 0.5, agreed=False),
    ),
)


def headline(name, title, day=0):
    return TimedHeadline(id=name, title=title, published=MORNING.replace(hour=0) + timedelta(days=day))


TIMELINES = LabelledItems(
    Kind.GROUPING,
    (
        Timeline(
            id="ferry/1",
            headlines=[
                headline("a", "Ferry terminal of Esk burns 🔥"),
                headline("b", 'Fire at "Esk" terminal'),
                headline("c", "Mayor of Esk resigns", 1),
                headline("d", "What we know so far", 2),
            ],
        ),
    ),
    (
        vote("ferry/1", "annot_1", GroupingAnswer([["a", "b"], ["c"], ["d"]])),
        vote("ferry/1", "annot_2", GroupingAnswer([["a", "b", "d"], ["c"]])),
    ),
    (result("ferry/1", GroupingAnswer([["a", "b"], ["c"], ["d"]])),),
)


def span(text, words):
    assert text.count(words) == 1, words
    return text.index(words), text.index(words) + len(words)


DAM = "🌊 Had the dam held, the mill would stand."
COUNTERFACTUALS = LabelledItems(
    Kind.COUNTERFACTUAL,
    (
        Sentence(id="s1", text=DAM),
        Sentence(id="s2", text="The mill stands, and that is all."),
        Sentence(id="s3", text="If only the dam had held!"),
    ),
    (),
    (
        result("s1", CounterfactualAnswer(True, span(DAM, "Had the dam held"), span(DAM, "the mill would stand"))),
        result("s2", CounterfactualAnswer(False)),
        result("s3", CounterfactualAnswer(True, (0, 24))),
    ),
)

RAIN = "Rain 🌧 fell so heavily that the road closed. The ferry sailed because the wind fell."
SPANS = LabelledItems(
    Kind.SPANS,
    (
        CausalSentence(id="doc_1", text=RAIN),
        CausalSentence(id="doc_2", text="The bakers of Borr baked."),
    ),
    (),
    (
        result(
            "doc_1",
            SpansAnswer(
                [
                    SpanRelation(
                        span(RAIN, "Rain 🌧 fell so heavily"),
                        span(RAIN, "the road closed"),
                        [span(RAIN, "so"), span(RAIN, "that")],
                    ),
                    SpanRelation(
                        span(RAIN, "the wind fell"), span(RAIN, "The ferry sailed"), [span(RAIN, "because")]
                    ),
                ]
            ),
        ),
        result("doc_2", SpansAnswer([])),
    ),
)

STRENGTHS = LabelledItems(
    Kind.STRENGTH,
    (
        EventPair(id="p1", cause="The dam broke 🌊", effect="The mill was flooded", documents=["One long report."]),
        EventPair(
            id="p2", cause="The mill burned", effect="The mayor resigned", documents=["One report.", "A 2nd one."]
        ),
    ),
    (vote("p1", "anna", StrengthAnswer(90)), vote("p1", "boris", StrengthAnswer(80))),
    (result("p1", StrengthAnswer(85, "no")), result("p2", StrengthAnswer(0))),
)

TEXT = "The dam broke 🌊. The mill was flooded, and the mayor resigned."
GRAPHS = LabelledItems(
    Kind.GRAPH,
    (
        Reading(
            id="story-1",
            articles=[
                ReadArticle("a1", "Dam breaks", TEXT, MORNING, "https://one.example/dam"),
                ReadArticle("a2", "Mayor of Arle resigns", ""),
            ],
        ),
    ),
    (),
    (
        result(
            "story-1",
            GraphAnswer(
                [
                    MarkedEvent(
                        "e1",
                        [
                            MarkedMention("a1", "text", span(TEXT, "The dam broke 🌊")),
                            MarkedMention("a1", "title", (0, 10)),
                        ],
                        main=True,
                    ),
                    MarkedEvent("e2", [MarkedMention("a1", "text", span(TEXT, "The mill was flooded"))]),
                    MarkedEvent(
                        "e3",
                        [
                            MarkedMention("a1", "text", span(TEXT, "the mayor resigned")),
                            MarkedMention("a2", "title", (0, 21)),
                        ],
                        status="claimed",
                    ),
                ],
                [MarkedLink("e1", "e2", "implied", sure=False), MarkedLink("e2", "e3")],
            ),
        ),
    ),
)

CAMPAIGNS = {data.kind: data for data in (PAIRS, TIMELINES, COUNTERFACTUALS, SPANS, STRENGTHS, GRAPHS)}

words = st.text(st.sampled_from(LETTERS + "\r"), min_size=1, max_size=30).filter(
    lambda text: text == text.strip() != ""
)
names = st.text(st.sampled_from("ab7я-💧"), min_size=1, max_size=6)
times = st.none() | st.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1)).map(
    lambda at: at.replace(microsecond=0, tzinfo=UTC)
)


def spans(text):
    """Spans of a text that are not blank."""
    ends = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted).map(tuple)
    return ends.filter(lambda own: text[slice(*own)].strip() != "")


@st.composite
def pairs(draw):
    item = HeadlinePair(
        id=draw(names),
        left_title=draw(words),
        right_title=draw(words),
        left_published=draw(times),
        right_published=draw(times),
        left_url=draw(st.just("") | words),
    )
    allowed = [relation for relation in Relation if relation not in item.impossible]
    return item, RelationAnswer(draw(st.sampled_from(allowed)))


@st.composite
def timelines(draw):
    days = st.integers(0, 9).map(lambda day: MORNING.replace(hour=0) + timedelta(days=day))
    ids = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    dates = sorted(draw(st.lists(days, min_size=len(ids), max_size=len(ids))))
    headlines = [
        TimedHeadline(name, draw(words), at, draw(st.just("") | words)) for name, at in zip(ids, dates, strict=True)
    ]
    groups = {}
    for name in ids:
        groups.setdefault(draw(st.integers(0, 3)), []).append(name)
    return Timeline(id=draw(names), headlines=headlines), GroupingAnswer(list(groups.values()))


@st.composite
def counterfactuals(draw):
    text = draw(words)
    if draw(st.booleans()):
        return Sentence(id=draw(names), text=text), CounterfactualAnswer(False)
    answer = CounterfactualAnswer(True, draw(spans(text)), draw(st.none() | spans(text)))
    return Sentence(id=draw(names), text=text), answer


@st.composite
def causal_sentences(draw):
    own = draw(annotated(LETTERS).filter(lambda one: not one.text.isspace()))
    relations = [SpanRelation(one.cause, one.effect, list(one.signals)) for one in own.relations]
    return CausalSentence(id=draw(names), text=own.text), SpansAnswer(relations)


@st.composite
def event_pairs(draw):
    documents = draw(st.lists(words.filter(lambda text: len(text.split()) > 1), max_size=2, unique=True))
    item = EventPair(id=draw(names), cause=draw(words), effect=draw(words), documents=documents)
    return item, StrengthAnswer(draw(st.integers(0, 100)), draw(st.sampled_from([None, "no", "partly", "yes"])))


@st.composite
def readings(draw):
    ids = draw(st.lists(names, min_size=1, max_size=2, unique=True))
    articles = [ReadArticle(name, draw(words), draw(st.just("") | words), draw(times)) for name in ids]
    events = []
    for number in range(draw(st.integers(0, 4))):
        mentions = []
        for article in articles:
            for field in ("title", "text"):
                text = getattr(article, field)
                if text and draw(st.booleans()):
                    mentions.append(MarkedMention(article.id, field, draw(spans(text))))
        if mentions:
            status = draw(st.sampled_from(["fact", "plan", "claimed", "denied"]))
            events.append(MarkedEvent(f"e{number}", mentions, status, draw(st.booleans())))
    links = [
        MarkedLink(one.id, other.id, draw(st.sampled_from(["said", "implied", "claimed"])), draw(st.booleans()))
        for place, one in enumerate(events)
        for other in events[place + 1 :]
        if {own.article for own in one.mentions} & {own.article for own in other.mentions} and draw(st.booleans())
    ]
    return Reading(id=draw(names), articles=articles), GraphAnswer(events, links)


ITEMS = {
    Kind.RELATION: pairs,
    Kind.GROUPING: timelines,
    Kind.COUNTERFACTUAL: counterfactuals,
    Kind.SPANS: causal_sentences,
    Kind.STRENGTH: event_pairs,
    Kind.GRAPH: readings,
}


def campaigns(kind, *, people=False):
    """Items with a result each, and votes of two people who say the same."""

    def made(labelled):
        results = tuple(result(item.id, answer) for item, answer in labelled)
        votes = [vote(item.id, person, answer) for item, answer in labelled for person in ("anna", "boris")]
        return LabelledItems(kind, tuple(item for item, _ in labelled), tuple(votes) if people else (), results)

    return st.lists(ITEMS[kind](), min_size=1, max_size=4, unique_by=lambda labelled: labelled[0].id).map(made)
