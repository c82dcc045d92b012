"""Answers of chat models, kept in a store, and what was spent on them: shared by all processes of the store."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date

from sqlalchemy import select, update

from whywire.graph.codec import Row
from whywire.store.database import Database
from whywire.store.rows import now
from whywire.store.schema import chat_answers, chat_spending
from whywire.store.statements import insert_missing, rows_among


class StoredChatAnswers:
    """The answers of chat models in a store: :class:`whywire.second_opinions.kept_answers.KeptAnswers`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def answers(self, keys: Collection[str]) -> dict[str, str]:
        """The kept answers among those with these keys."""
        with self._database.reading() as connection:
            found = rows_among(connection, select(chat_answers), chat_answers.c.key, keys)
            return {row.key: row.answer for row in found}

    def keep(self, model: str, answers: Mapping[str, str]) -> None:
        """Keep a model's answers, by key; those that are kept already, also by other processes, stay."""
        at = now()
        rows: list[Row] = [{"key": key, "model": model, "answer": answers[key], "at": at} for key in sorted(answers)]
        with self._database.writing() as connection:
            insert_missing(connection, chat_answers, rows)

    def models(self) -> list[str]:
        """The models whose answers are kept, the one that answered last first."""
        model, at = chat_answers.c.model, chat_answers.c.at
        last = others = select(model, at).order_by(model.desc(), at.desc()).limit(1)
        found = []
        with self._database.reading() as connection:
            while row := connection.execute(others).first():  # one look into an index for each, however many answers
                found.append(row)
                others = last.where(model < row.model)
        return [row.model for row in sorted(found, key=lambda row: row.at, reverse=True)]

    def reserve(self, day: date, unit: str, amount: int, limit: int) -> bool:
        """Count an amount as spent on a day, unless more than the limit would be; whether it was counted."""
        of_day = (chat_spending.c.day == day.isoformat(), chat_spending.c.unit == unit)
        fits = chat_spending.c.amount <= limit - amount
        add = update(chat_spending).where(*of_day, fits).values(amount=chat_spending.c.amount + amount)
        with self._database.writing() as connection:
            insert_missing(connection, chat_spending, [{"day": day.isoformat(), "unit": unit, "amount": 0}])
            return bool(connection.execute(add).rowcount)

    def settle(self, day: date, unit: str, amount: int) -> None:
        """Correct what is counted as spent on a day."""
        of_day = (chat_spending.c.day == day.isoformat(), chat_spending.c.unit == unit)
        correct = update(chat_spending).where(*of_day).values(amount=chat_spending.c.amount + amount)
        with self._database.writing() as connection:
            connection.execute(correct)
