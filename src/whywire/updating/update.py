"""Updates the graph with articles that come: decides what changes, and touches nothing."""

from __future__ import annotations

from collections.abc import Iterable

from whywire.language_models import LanguageModels
from whywire.news import Article
from whywire.news.duplicates import in_canonical_order
from whywire.pipeline import decide, read
from whywire.progress import Progress, Stages
from whywire.updating.arrivals import sort_arrivals
from whywire.updating.changes import Change, ChangeKind, Changes, link_key
from whywire.updating.comparing import Decided, event_history, link_history, with_kept_ids
from whywire.updating.known_answers import KnowingModels
from whywire.updating.model_answers import text_key
from whywire.updating.state import State


def update(
    state: State,
    articles: Iterable[Article],
    *,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> Changes:
    """Decide what articles that come change; the state stays as it is.

    Args:
        articles: in any order, also late ones and ones that came before.
        models: the embedded ones by default.
    """
    arrivals = sort_arrivals(articles, state.articles, state.by_url, state.by_copy)
    if not arrivals.new:
        return Changes(
            articles=tuple(arrivals.copied),
            history=tuple(_copied(arrivals.copied)),
            problems=tuple(arrivals.problems),
        )
    knowing = KnowingModels(models or LanguageModels(), state.answers)
    stages = Stages(progress)
    known = {
        article.id: state.answers.readings[text_key(article)].bound_to(article)
        for article in arrivals.new
        if text_key(article) in state.answers.readings
    }
    unread = [article for article in arrivals.new if article.id not in known]
    readings = read(unread, knowing, stages)
    knowing.new.readings |= {text_key(article): readings[article.id] for article in unread if article.id in readings}
    everything = in_canonical_order(
        [*(state.articles | {one.id: one for one in arrivals.copied}).values(), *arrivals.new]
    )
    graph = decide(everything, state.readings | known | readings, knowing, stages)
    decided, ended = with_kept_ids(
        Decided(graph.events, graph.links, graph.claims), [*state.events.values()], {*state.events, *state.ended}
    )
    events = tuple(event for event in decided.events if state.events.get(event.id) != event)
    links = tuple(link for link in decided.links if state.links.get(link_key(link)) != link)
    dropped = tuple(key for key in state.links if key not in {link_key(link) for link in decided.links})
    titles = {event.id: event.title for event in (*state.events.values(), *decided.events)}
    return Changes(
        articles=(*arrivals.copied, *arrivals.new),
        answers=knowing.new,
        claims=tuple(claim for claim in decided.claims if state.claims.get(claim.id) != claim),
        events=events,
        ended=ended,
        links=links,
        dropped=dropped,
        history=(
            *_copied(arrivals.copied),
            *(Change(ChangeKind.ARTICLE_ADDED, one.id, details={"title": one.title}) for one in arrivals.new),
            *event_history(state.events, events, ended),
            *link_history(state.links, links, dropped, titles),
        ),
        problems=tuple(arrivals.problems),
    )


def _copied(articles: Iterable[Article]) -> Iterable[Change]:
    return (Change(ChangeKind.ARTICLE_COPIED, one.id, details={"also": list(one.also)}) for one in articles)
