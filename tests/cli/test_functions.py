"""Every command has a function of ``whywire`` that says the same."""

import json

import pytest
from tests.cli.commands import rows, run

import whywire
from whywire.pairs.relations import MIRROR, Relation

SENTENCES = (
    "Fuel ran short in the north because the fire had closed the refinery.",
    "Из-за пожара на заводе в регионе не хватает топлива.",
    "Had the alarm been working, the night crew would have left in time.",
)
HEADLINES = (
    ("Storm cuts power to 40,000 homes in Calder Bay", "Calder Bay schools stay closed after power cut"),
    ("В Верхнереченске прорвало дамбу", "Жителей Верхнереченска эвакуируют после прорыва дамбы"),
)
EVENTS = (
    ("Fire shuts refinery in Port Ellery", "Fuel runs short in the north"),
    ("Actor wins prize", "Fuel runs short"),
)


@pytest.fixture
def file(tmp_path):
    """Writes rows into a file and returns its path."""

    def write(rows):
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return path

    return write


def test_read(file):
    found = rows("read", file([{"text": text} for text in SENTENCES]), "--n-best", 2)
    for row, reading in zip(found, whywire.read(SENTENCES, n_best=2), strict=True):
        assert [tuple(one["cause"]) for one in row["relations"]] == [one.cause for one in reading.relations]
        assert row["counterfactual"] == pytest.approx(reading.counterfactual, abs=1e-4)
        assert len(row["n_best"]) == len(reading.n_best)
    assert whywire.read(SENTENCES[0]) == whywire.read([SENTENCES[0]])


def test_relate(file):
    late, early = "2026-03-05T08:00:00Z", "2026-03-04T08:00:00Z"
    pairs = [{"left_title": left, "right_title": right} for left, right in HEADLINES]
    dated = [row | {"left_published": late, "right_published": early} for row in pairs]
    found = rows("relate", file([*pairs, *dated]))
    asked = [({"title": left, "published": late}, {"title": right, "published": early}) for left, right in HEADLINES]
    for row, pair in zip(found, whywire.relate([*HEADLINES, *asked]), strict=True):
        assert (row["label"], row["simple"]) == (pair.label, pair.simple)
        assert list(row["probabilities"].values()) == pytest.approx(pair.probabilities, abs=1e-4)
        assert row["same_event"] == pytest.approx(pair.same_event, abs=1e-4)
        assert tuple(row["strength"].values()) == pytest.approx(pair.strengths, abs=0.1)
        assert row.get("against_clock", False) == pair.against_clock


def test_two_reports_that_their_words_tell_apart_are_not_of_one_event():
    pairs = [
        ("Bank of Tarvik raises rates to 5%", "Bank of Tarvik cuts rates to 4%"),
        ("Fire in Boston warehouse kills two", "Fire in Chicago warehouse kills two"),
        ("Президент Тарвика скончался", "Сообщения о смерти президента Тарвика оказались ложью"),
        ("Орлен обстрелял Тарвик в понедельник", "Орлен обстрелял Тарвик в среду"),
    ]
    days = "2026-03-02T18:00:00Z", "2026-03-04T18:00:00Z"
    dated = [({"title": one, "published": days[0]}, {"title": other, "published": days[1]}) for one, other in pairs]
    for one, mirrored in zip(
        whywire.relate(dated), whywire.relate([(right, left) for left, right in dated]), strict=True
    ):
        assert one.same_event <= 0.05
        assert one.label is not Relation.SAME_EVENT
        assert sum(one.probabilities) == pytest.approx(1, abs=1e-3)
        assert mirrored.probabilities == tuple(one.probabilities[place] for place in MIRROR)


def test_label_class_and_causality_say_one_thing(file):
    for row in rows("relate", file([{"left_title": left, "right_title": right} for left, right in HEADLINES])):
        own = {
            "no_causality": ("no_relationship", "same_event", "other_relationship"),
            "left_right": ("left_right_cause", "left_right_refute"),
            "right_left": ("right_left_cause", "right_left_refute"),
        }
        assert row["label"] in own[row["simple"]]
        of_class = {name: sum(row["probabilities"][relation] for relation in names) for name, names in own.items()}
        assert row["causality"] == pytest.approx(1 - of_class["no_causality"], abs=1e-3)
        assert of_class[row["simple"]] == max(of_class.values())


def test_group_and_the_stream_of_events(file):
    news = [{"id": f"{number}{side}", "title": title} for number, pair in enumerate(HEADLINES) for side, title in
            zip("ab", pair, strict=True)]  # fmt: skip
    groups = whywire.group(news)
    assert [(row["event"], row["story"]) for row in rows("group", file(news))] == list(
        zip(groups.events, groups.stories, strict=True)
    )
    placed = whywire.EventStream().add(news)
    assert [(row["event"], row["step"]) for row in rows("group", file(news), "--stream")] == [
        (one.event, one.step) for one in placed
    ]


def test_score_and_choose(file):
    found = rows("score", file([{"cause": cause, "effect": effect} for cause, effect in EVENTS]))
    for row, score in zip(found, whywire.score(EVENTS), strict=True):
        assert row["strength"] == pytest.approx(score.strength, abs=0.1)
        assert (row["class"], row["causal"]) == (score.strength_class, score.is_causal())
    options = [cause for cause, _ in EVENTS]
    (row,) = rows("choose", file([{"effect": EVENTS[0][1], "options": options}]))
    (chosen,) = whywire.choose([(EVENTS[0][1], options)])
    assert tuple(row["answer"]) == chosen.direct_causes
    assert row["strengths"] == pytest.approx(chosen.strengths, abs=0.1)
    asked = [(EVENTS[0][1], options), (EVENTS[0][1], [options[-1], "None of the others"])]
    found = rows("choose", file([{"effect": effect, "options": own} for effect, own in asked]), "--together")
    assert [tuple(row["answer"]) for row in found] == [
        one.direct_causes for one in whywire.choose(asked, together=True)
    ]


def test_why_of_a_question(refinery):
    question = "Why did petrol run short in Calder Bay?"
    found = rows("why", question, "--news", refinery, "--json", "--limit", 50)
    answer = whywire.why(question, refinery)
    assert [row["answer"] for row in found if row["answer"]] == [one.text for one in answer.answers]
    assert [row["denied"] for row in found if row["denied"]] == [one.text for one in answer.denied]


@pytest.mark.parametrize(("command", "function"), [("why", whywire.why), ("effects", whywire.effects)])
def test_causes_and_effects_of_an_event(refinery, command, function):
    found = rows(command, "petrol shortage", "--news", refinery, "--json", "--limit", 100)
    links = function("petrol shortage", refinery).links
    assert [(row["link"]["source"], row["link"]["target"]) for row in found if row["link"]] == [
        (link.source, link.target) for link in links
    ]


def test_chain_and_roots(refinery):
    ends = "refinery fire", "petrol shortage"
    found = rows("chain", *ends, "--news", refinery, "--json")
    assert [tuple(event["id"] for event in row["events"]) for row in found if row["links"]] == [
        path.events for path in whywire.chain(*ends, refinery)
    ]
    found = rows("why", ends[1], "--news", refinery, "--roots", "--json", "--limit", 100)
    assert [tuple(event["id"] for event in row["events"]) for row in found if row["links"]] == [
        path.events for path in whywire.roots(ends[1], refinery)
    ]


@pytest.mark.parametrize("about", [None, "refinery fire"])
def test_timeline(refinery, about):
    found = rows("timeline", refinery, "--json", *(["--about", about] if about else []))
    assert [row["event"] for row in found] == [one.event.id for one in whywire.timeline(refinery, about).events]


def test_predict(refinery, file):
    headline = {"title": "Sabotage suspected at oil refinery", "published": "2030-05-01"}
    (row,) = rows("predict", file([headline]), "--graph", refinery)
    (effects,) = whywire.predict([headline], refinery)
    assert effects
    assert [effect["text"] for effect in row["effects"]] == [effect.text for effect in effects]
    (written,) = whywire.predict(
        ["Storm shuts port"], write=lambda _: ["Fuel runs short after port shuts"], min_probability=0
    )
    assert [effect.text for effect in written] == ["Fuel runs short after port shuts"]


def test_build_merge_and_diff(refinery, first_day, tmp_path):
    built = whywire.build(first_day.parent / "news.jsonl")
    built.write(tmp_path / "again", title="What led to what")
    assert not whywire.diff(first_day, tmp_path / "again")
    assert len(built.problems) == 1
    run("merge", first_day, refinery, "--out", tmp_path / "command")
    whywire.merge(first_day, refinery, out=tmp_path / "function")
    for name in ("events.jsonl", "links.jsonl", "rejected.jsonl"):
        assert (tmp_path / "function" / name).read_bytes() == (tmp_path / "command" / name).read_bytes()
