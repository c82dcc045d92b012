"""The pairs that invented stories and contrast sets give, and the relations that may hold between them."""

import msgspec
import pytest

from whywire.pairs.relations import Relation
from whywire_lab.labels.files import LANGUAGES, read_labels
from whywire_lab.labels.rows import (
    ContrastSet,
    EventLink,
    FollowUpEffect,
    FollowUpStory,
    HeadlineStory,
    PossibleCause,
)
from whywire_lab.recipes.label_pairs import (
    graded_story_pairs,
    headline_story_pairs,
    invented_pairs,
    pairs_of_contrast_set,
    pairs_of_follow_ups,
    pairs_of_headline_story,
)
from whywire_lab.recipes.pair_rows import CAUSED, NOT_CAUSAL, SAME


def test_a_report_leads_to_its_follow_ups_and_they_do_not_lead_to_one_another():
    story = FollowUpStory(
        reports=["mayor resigns", "town loses its mayor"],
        follow_ups=["mayor tells why", "deputy takes over"],
        follow_up_effect=FollowUpEffect(1, "deputy's first day"),
        cause="mayor accused",
        other_effect="auditors praised",
        denial="mayor has not resigned",
        look_alike="mayor opens fair",
    )
    pairs = list(pairs_of_follow_ups(story, story.reports))
    allowed = {(left, right): relations for left, right, relations in pairs}
    first, why, deputy = "mayor resigns", "mayor tells why", "deputy takes over"
    assert allowed[first, "town loses its mayor"] == SAME
    assert allowed[first, why] == allowed["town loses its mayor", deputy] == CAUSED
    assert allowed[deputy, "deputy's first day"] == allowed["mayor accused", first] == CAUSED
    assert allowed["mayor accused", "auditors praised"] == CAUSED
    assert allowed[why, deputy] == allowed[why, "deputy's first day"] == NOT_CAUSAL
    assert allowed["auditors praised", first] == allowed["mayor opens fair", first] == NOT_CAUSAL
    assert allowed[first, "mayor has not resigned"] == {Relation.LEFT_RIGHT_REFUTE}
    assert Relation.LEFT_RIGHT_CAUSE in allowed["mayor accused", why]
    plain = FollowUpStory(story.reports, story.follow_ups, look_alike=story.look_alike)
    assert len(list(pairs_of_follow_ups(plain, plain.reports))) == 1 + 4 + 1 + 4
    plain = FollowUpStory(story.reports, story.follow_ups)
    assert len(list(pairs_of_follow_ups(plain, plain.reports))) == 1 + 4 + 1


def test_a_headline_story_says_what_is_linked_and_leaves_near_misses_without_a_cause():
    story = HeadlineStory(
        events=[["strike off", "talks fail"], ["ferries stop"], ["port opens museum"], ["strike still on"]],
        links=[EventLink(0, 1, Relation.LEFT_RIGHT_CAUSE), EventLink(0, 3, Relation.LEFT_RIGHT_REFUTE)],
        possible_causes=[PossibleCause(3, 1)],
    )
    allowed = {(left, right): relations for left, right, relations in pairs_of_headline_story(story)}
    assert allowed["strike off", "talks fail"] == SAME
    assert allowed["strike off", "ferries stop"] == allowed["talks fail", "ferries stop"] == CAUSED
    assert allowed["talks fail", "strike still on"] == {Relation.LEFT_RIGHT_REFUTE}
    assert allowed["strike still on", "ferries stop"] == NOT_CAUSAL | CAUSED
    assert allowed["ferries stop", "port opens museum"] == NOT_CAUSAL
    assert ("ferries stop", "strike off") not in allowed


def test_a_contrast_set_relates_every_headline_to_the_first():
    own = ContrastSet("mayor of A resigns", ["A's mayor quits"], other_place="mayor of B resigns", effect="A votes")
    allowed = {(left, right): (relations, weight) for left, right, relations, weight in pairs_of_contrast_set(own)}
    assert allowed["mayor of A resigns", "A's mayor quits"][0] == SAME
    assert allowed["A's mayor quits", "mayor of B resigns"][0] == NOT_CAUSAL
    assert allowed["A's mayor quits", "A votes"][0] == CAUSED
    assert allowed["mayor of B resigns", "A votes"][0] == NOT_CAUSAL
    assert len(allowed) == 1 + 2 + 2 + 1
    number = msgspec.structs.replace(own, other_place=None, other_number="2 mayors resign")
    weights = {right: weight for _, right, _, weight in pairs_of_contrast_set(number)}
    assert weights["2 mayors resign"] < weights["A's mayor quits"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_headline_of_a_follow_up_story_is_paired_with_itself(language):
    for story in read_labels(FollowUpStory, f"invented_follow_ups_{language}"):
        reports = [*(["a real headline"] if story.article else []), *story.reports]
        for left, right, allowed in pairs_of_follow_ups(story, reports):
            assert left != right
            assert allowed


def test_the_invented_pairs_hold_causes_and_others_in_both_languages():
    rows = [row for pairs in (invented_pairs(), headline_story_pairs(), graded_story_pairs()) for _, row in pairs]
    assert {row.language for row in rows} == {"en", "ru"}
    assert all(row.left.strip() and row.right.strip() and row.allowed for row in rows)
    assert sum(row.allowed == CAUSED for row in rows) > 1000
    assert sum(row.allowed == NOT_CAUSAL for row in rows) > 1000
