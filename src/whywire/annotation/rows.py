"""Rows of what comes out of a campaign, the same in files and answers of the service (docs/formats.md)."""

from __future__ import annotations

from typing import Any

import msgspec

from whywire.annotation.campaigns import PersonReport, Vote
from whywire.annotation.results import Agreement, Result
from whywire.news.times import utc_text


def vote_row(vote: Vote) -> dict[str, Any]:
    """The row of a vote."""
    return {
        "item": vote.item,
        "person": vote.person,
        "answer": msgspec.to_builtins(vote.answer),
        "seconds": vote.seconds,
        "at": utc_text(vote.at),
        "counted": vote.counted,
    }


def result_row(result: Result) -> dict[str, Any]:
    """The row of a result."""
    return {
        "item": result.item,
        "answer": None if result.answer is None else msgspec.to_builtins(result.answer),
        "share": round(result.share, 4),
        "agreed": result.agreed,
        "answers": result.answers,
        "curated": result.curated,
        "strength_class": result.strength_class and result.strength_class.value,
        "deviation": None if result.deviation is None else round(result.deviation, 2),
        "for_expert": result.for_expert,
    }


def person_row(report: PersonReport) -> dict[str, Any]:
    """The row of a person."""
    row = msgspec.to_builtins(report)
    agreement = None if report.agreement is None else round(report.agreement, 4)
    return {**row, "agreement": agreement, "last": report.last and utc_text(report.last)}


def agreement_row(agreement: Agreement) -> dict[str, Any]:
    """The row of how far people agree."""

    def rounded(values: dict[str, float]) -> dict[str, float]:
        return {name: round(value, 4) for name, value in values.items()}

    return {
        "alpha": None if agreement.alpha is None else round(agreement.alpha, 4),
        "pairwise": None if agreement.pairwise is None else round(agreement.pairwise, 4),
        "by_item": rounded(agreement.by_item),
        "by_person": rounded(agreement.by_person),
        "leave_one_out": rounded(agreement.leave_one_out),
    }
