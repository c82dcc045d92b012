"""What the Ray engine costs beside the local one: processor time of both, in one run.

    python lab/experiments/engine_cost.py NEWS [--language en] [--articles 40]

Each engine builds two articles and their near copies first, so that its processes run and have loaded their models.
Processor time is that of this process and of all that descend from it: those of the cluster are started for this run.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from dataclasses import replace

from whywire import RayEngine
from whywire.api.news_input import load_news
from whywire.building import build
from whywire.engines import Engine, LocalEngine
from whywire.news import Article
from whywire_lab.processor_time import family_seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("news")
    parser.add_argument("--language", default="en")
    parser.add_argument("--articles", type=int, default=40)
    arguments = parser.parse_args()
    found, _ = load_news([arguments.news])
    articles = [article for article in found if article.language == arguments.language][: arguments.articles]
    with RayEngine() as engine:
        processes = engine.processes
        ray, of_ray = measured(engine, articles)
    local, of_local = measured(LocalEngine(), articles)
    if of_ray != of_local:
        raise SystemExit("the graphs differ")
    print(
        json.dumps(
            {
                "articles": len(articles),
                "language": arguments.language,
                "processes": processes,
                "local": local,
                "ray": ray,
                "ratio": round(ray["build"] / local["build"], 3),
                "machine": platform.processor() or platform.machine(),
                "day": time.strftime("%Y-%m-%d"),
            },
            indent=1,
        )
    )


def measured(engine: Engine, articles: list[Article]) -> tuple[dict[str, float], object]:
    """Seconds of the processor to start and to build, and the graph."""
    begun = family_seconds()
    build(
        [
            replace(one, id=f"{one.id}-{n}", url=None, text=f"{one.text} {n}.")
            for one in articles[:2]
            for n in range(2)
        ],
        models=engine,
    )
    started = family_seconds()
    graph = build(articles, models=engine).graph
    return {"start": round(started - begun, 2), "build": round(family_seconds() - started, 2)}, graph


if __name__ == "__main__":
    main()
