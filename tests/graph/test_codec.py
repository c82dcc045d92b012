from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.golden import check_text

from whywire.elements import ClaimEvidence, ClaimKind, ImpliedEvidence
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import claim_rows, event_rows, link_from_row, link_rows
from whywire.output import json_text

GOLDEN = Path(__file__).parent / "golden"


def test_rows_are_as_on_file(graph: CausalGraph) -> None:
    """Users read these files with programs of their own: a change here is a change for them."""
    for name, rows in (("events", event_rows), ("links", link_rows), ("claims", claim_rows)):
        lines = "".join(json_text(row) + "\n" for row in rows(graph))
        check_text(lines, GOLDEN / f"{name}.jsonl")


def test_evidence_has_offsets_of_its_words(graph: CausalGraph) -> None:
    claims = [row for link in link_rows(graph) for row in link["evidence"] if row["kind"] == "said"]
    assert len(claims) == 4
    for row in claims:
        text = getattr(graph.articles[row["article"]], row["field"])
        start, end = row["sentence"]
        assert text[start:end] == row["quote"]
        for inner in (row["cause"], row["effect"], *row["signals"]):
            assert text[inner[0] : inner[1]] in row["quote"]


def test_a_link_names_the_sentences_that_deny_it_and_a_claim_what_it_was_derived_from(graph: CausalGraph) -> None:
    denied = next(link for link in graph.links if any(isinstance(item, ClaimEvidence) for item in link.evidence))
    said = next(item for item in denied.evidence if isinstance(item, ClaimEvidence))
    denial = replace(graph.claim(said.claim), id="d1", kind=ClaimKind.DENIAL)
    imagined = next(claim for claim in graph.claims if claim.consequent)
    derived = replace(
        imagined,
        id="d2",
        kind=ClaimKind.CAUSAL,
        cause=imagined.antecedent,
        effect=imagined.consequent,
        antecedent=None,
        consequent=None,
        derived="Since the one was not so, the other was not.",
    )
    links = tuple(
        replace(link, denied_by=(ClaimEvidence("d1", 0.7),)) if link is denied else link for link in graph.links
    )
    changed = replace(graph, claims=(*graph.claims, denial, derived), links=links)
    rows = {row["id"]: row for row in claim_rows(changed)}
    assert rows["d1"]["kind"] == "denial"
    assert rows["d1"]["cause"] == list(denial.cause)
    assert (rows["d2"]["kind"], rows["d2"]["derived"]) == ("causal", derived.derived)
    assert "derived" not in rows["d1"]
    against = [row["denied_by"] for row in link_rows(changed) if "denied_by" in row]
    assert [(item["claim"], item["quote"], item["probability"]) for (item,) in against] == [("d1", denial.quote, 0.7)]
    with pytest.raises(InputError, match="not in the graph"):
        replace(graph, links=links)


def test_implied_evidence_is_also_read_by_the_name_that_version_0_2_gave_it(graph: CausalGraph) -> None:
    place = next(n for n, link in enumerate(graph.links) if isinstance(link.evidence[0], ImpliedEvidence))
    row = list(link_rows(graph))[place]
    assert row["evidence"][0]["kind"] == "implied"
    old = {**row, "evidence": [{**row["evidence"][0], "kind": "judged"}]}
    assert link_from_row(old) == link_from_row(row)
    with pytest.raises(ValueError, match="evidence"):
        link_from_row({**row, "evidence": [{**row["evidence"][0], "kind": "guessed"}]})


def test_probabilities_and_strengths_are_rounded(graph: CausalGraph) -> None:
    for row in link_rows(graph):
        assert row["probability"] == round(row["probability"], 4)
        assert row["strength"] == round(row["strength"], 1)


def test_rows_are_plain_json(graph: CausalGraph) -> None:
    for row in [*event_rows(graph), *link_rows(graph), *claim_rows(graph)]:
        assert json.loads(json_text(row)) == row


def test_a_day_stays_a_day(graph: CausalGraph) -> None:
    times = {row["id"]: row["first_seen"] for row in event_rows(graph)}
    assert times["e5"] == "2026-03-04"
    assert times["e1"] == "2026-03-01T06:00:00Z"
    assert times["e24"] is None
