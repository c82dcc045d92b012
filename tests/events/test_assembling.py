"""An event of a group of mentions does not depend on the order in which its news came."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations

import numpy as np

from whywire.elements import Mention, MentionKind
from whywire.events.assembling import event_of_mentions
from whywire.events.mentions import MentionCandidate, MentionReading
from whywire.news import Article, Language, Published


def test_equally_good_names_are_chosen_between_alike_in_every_order():
    texts = ["the ferry stayed in port", "the boat did not sail", "no crossing was made"]
    news = [
        Article(f"a{hour}", f"News {hour}", text, Language.ENGLISH, Published(datetime(2026, 3, 8, hour, tzinfo=UTC)))
        for hour, text in enumerate(texts)
    ]

    def event(articles):
        return event_of_mentions([mention_of(article) for article in articles])

    events = [event(order) for order in permutations(news)]
    assert len({one.title for one in events}) == 1
    assert all(one == events[0] for one in events)


def mention_of(article):
    span = (0, len(article.text))
    reading = MentionReading(np.float32([0.6, 0.8]), 0.9, 0.1, 0.5)
    mention = Mention(article.id, "text", span, MentionKind.STATEMENT)
    return MentionCandidate(article, mention, 0, article.text, reading, span, span)
