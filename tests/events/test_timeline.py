"""A timeline lists the events of a graph: in an order without cycles, and of them what is worth reading."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import Event, EventTime, Mention, MentionKind, Precision
from whywire.events.phrasing import rephrase, ungrounded
from whywire.events.timeline import DatedEvent, TemporalRelation, in_order, is_worth_listing, timeline_step
from whywire.news import Article, Language, Published, parse_time
from whywire.news.article import InferredFrom


def named(start, end, precision=Precision.DAY):
    return EventTime(start, end, precision, "s", "text", (3, 9), "Monday")


def timed(number, start=None, length=1, reported=None, planned=False, inferred=None):
    time = start and named(start, start + timedelta(length))
    seen = reported and Published(
        datetime.fromisoformat(reported).replace(tzinfo=UTC), day_only=True, inferred_from=inferred
    )
    event = Event(f"e-{number}", f"event {number}", Language.ENGLISH, seen, seen, ("a",), planned=planned)
    return DatedEvent(event, time)


def test_events_may_share_a_time_have_a_report_only_or_nothing():
    old, day, same = timed(1, date(2026, 3, 1)), timed(2, date(2026, 3, 4)), timed(3, date(2026, 3, 4))
    told, lost = timed(4, reported="2026-03-02"), timed(5)
    found = in_order([lost, same, told, day, old])
    assert [one.event.id for one in found.events] == ["e-1", "e-4", "e-2", "e-3", "e-5"]
    assert [item.relation for item in found.steps] == [
        TemporalRelation.AFTER,
        TemporalRelation.AFTER,
        TemporalRelation.SAME_TIME,
        TemporalRelation.UNKNOWN,
    ]
    certain, likely = timeline_step(told, day), timeline_step(old, told)
    assert (
        certain.confidence
        > timeline_step(old, day).confidence
        > likely.confidence
        > timeline_step(day, lost).confidence
        == 0.5
    )


def test_what_happened_ended_by_its_report_and_what_is_planned_did_not():
    done, announced = timed(1, reported="2026-03-04"), timed(2, reported="2026-03-04", planned=True)
    assert done.bounds == (date.min, date(2026, 3, 5))
    assert announced.bounds == (date(2026, 3, 4), date.max)
    assert timed(3, date(2026, 1, 1), 365, "2026-03-04").bounds == (date(2026, 1, 1), date(2026, 3, 5))
    assert timed(4, reported="2026-03-04", inferred=InferredFrom.URL).bounds == (date.min, date(2026, 3, 6))
    estimated = timed(5, reported="2026-03-04", planned=True, inferred=InferredFrom.URL)
    assert (estimated.bounds[0], estimated.likely) == (date(2026, 3, 3), date(2026, 3, 4))


days = st.dates(date(2026, 1, 1), date(2026, 1, 20))
events = st.builds(
    timed,
    st.integers(0, 10**6),
    st.one_of(st.none(), days),
    st.sampled_from([1, 7, 31]),
    st.one_of(st.none(), days.map(str)),
    st.booleans(),
    st.sampled_from([None, InferredFrom.URL]),
)


@given(st.lists(events, max_size=8, unique_by=lambda one: one.event.id), st.randoms())
def test_the_list_extends_a_partial_order_and_does_not_depend_on_the_input(found, rng):
    listed = in_order(found).events
    for place, later in enumerate(listed):
        assert later.bounds[0] <= later.likely < later.bounds[1]
        assert not later.before(later)
        for earlier in listed[:place]:
            assert not later.before(earlier)
    for one in listed:
        for two in listed:
            for three in listed:
                assert one.before(three) or not (one.before(two) and two.before(three))
    mixed = list(found)
    rng.shuffle(mixed)
    assert in_order(mixed).events == listed


STORM = Article(
    "s",
    "Night of the storm",
    "On Monday, a storm felled trees in Stonelow. Power failed on Tuesday because the storm had felled trees.",
    Language.ENGLISH,
    published=parse_time("2026-03-04T10:00:00Z"),
)


def told(*spoken, articles=("s",)):
    """An event that these words of the article mention, named by the first."""
    mentions = []
    for kind, words in spoken:
        start = STORM.text.index(words)
        mentions.append(Mention("s", "text", (start, start + len(words)), kind))
    return Event("e", spoken[0][1], Language.ENGLISH, None, None, articles, mentions=tuple(mentions))


def test_what_has_no_headline_must_read_alone_tell_of_more_than_words_and_be_dated_or_linked():
    monday = named(date(2026, 3, 2), date(2026, 3, 3))
    year = named(date(2026, 1, 1), date(2027, 1, 1), Precision.YEAR)

    def listed(words, time=None, articles_of=("s",), linked=False, title=None):
        event = told((MentionKind.EFFECT, words), articles=articles_of)
        if title:
            event = Event(*("e", title, Language.ENGLISH, None, None, articles_of, None, event.mentions))
        return is_worth_listing(DatedEvent(event, time), linked=linked)

    felled = "the storm had felled trees"
    assert listed(felled, monday)
    assert listed(felled, articles_of=("s", "t"), linked=True)
    assert not listed(felled, articles_of=("s", "t"))
    assert not listed(felled, linked=True)
    assert not listed(felled, year)
    assert not listed("Stonelow", monday), "no verb"
    assert not listed(felled, monday, title="the mayor said on Monday")
    assert listed(felled, monday, title="the mayor said the storm had felled trees on Monday")
    headline = Event("e", "Night of the storm", Language.ENGLISH, None, None, ("s",))
    assert is_worth_listing(DatedEvent(headline, None), linked=False)


def test_a_phrasing_is_taken_only_where_the_article_vouches_for_it():
    source = "Ellery council closed two schools near the refinery"
    assert rephrase("two schools closed", source, lambda words: "Ellery council closes  two schools") == (
        "Ellery council closes two schools"
    )
    assert ungrounded("Ellery council closes three schools", source) == ["3", "three"]
    for invented in (
        "Ellery council closes five schools",
        "Oslo council closes schools",
        "Schools closed, UN says",
        "",
    ):
        assert rephrase("two schools closed", source, lambda words, said=invented: said) == "two schools closed"
