"""Graphs of articles by prompting a chat model, one engine a run; it runs in that engine's own environment.

python -m lab.experiments.peers.prompted ENGINE ARTICLES.jsonl OUT.jsonl --chat http://127.0.0.1:8790 [--first 5]

Each article has a store of its own. An engine has its defaults, but for what its documentation offers to say what is
wanted: here events, named by words of the article, and which of them caused which. OUT gets the names of the nodes of
each article, its edges as pairs of names, and the seconds of the processor that the engine itself took, without the
model and imports; articles that it has are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MODEL = "qwen2.5-coder-1.5b-instruct"
"""The name by which the server is asked."""

VECTOR_SIZE = 768
"""Elements of the vectors that the server gives."""

WANTED = (
    "something that the article reports to have happened, to happen now or to be planned; its name is the shortest "
    "words that tell it, copied exactly from the article, such as 'the explosion at the plant'"
)
"""What a node is."""

EDGES = "A relationship is drawn from one event to another only if the first brought about the second."
"""What an edge is."""

Graph = tuple[Sequence[str], Sequence[tuple[str, str]]]
"""The names of nodes, and edges."""


async def lightrag(text: str, address: str, folder: str) -> Graph:
    """Types of entities are what its documentation lets one say."""
    import networkx
    from lightrag import LightRAG
    from lightrag.llm.openai import openai_complete_if_cache, openai_embed
    from lightrag.utils import EmbeddingFunc

    async def complete(prompt: str, system_prompt: str | None = None, **options: Any) -> str:
        return await openai_complete_if_cache(
            MODEL, prompt, system_prompt=system_prompt, base_url=address, api_key="none", **options
        )

    async def embed(texts: list[str]) -> Any:
        return await openai_embed.func(texts, model="pairs", base_url=address, api_key="none")

    engine = LightRAG(
        working_dir=folder,
        llm_model_func=complete,
        llm_model_name=MODEL,
        llm_model_max_async=1,
        default_llm_timeout=1800,
        embedding_func=EmbeddingFunc(embedding_dim=VECTOR_SIZE, max_token_size=512, func=embed),
        addon_params={"entity_types_guidance": f"- Event: {WANTED}\n\n{EDGES}"},
    )
    await engine.initialize_storages()
    await engine.ainsert(text)
    await engine.finalize_storages()
    graph = networkx.read_graphml(Path(folder) / "graph_chunk_entity_relation.graphml")
    return [*graph.nodes], [*graph.edges]


async def nano(text: str, address: str, folder: str) -> Graph:
    """Types of entities are a list that one may set; the descriptions of communities belong to indexing."""
    import networkx
    import numpy as np
    import openai
    from nano_graphrag import GraphRAG
    from nano_graphrag._utils import wrap_embedding_func_with_attrs
    from nano_graphrag.prompt import PROMPTS

    client = openai.AsyncOpenAI(base_url=address, api_key="none", timeout=1800)

    async def complete(
        prompt: str, system_prompt: str | None = None, history_messages: Any = (), **options: Any
    ) -> str:
        options.pop("hashing_kv", None)
        said = [{"role": "system", "content": system_prompt}] if system_prompt else []
        said += [*history_messages, {"role": "user", "content": prompt}]
        answer = await client.chat.completions.create(model=MODEL, messages=said, **options)
        return answer.choices[0].message.content

    @wrap_embedding_func_with_attrs(embedding_dim=VECTOR_SIZE, max_token_size=512)
    async def embed(texts: list[str]) -> Any:
        answer = await client.embeddings.create(model="pairs", input=texts, encoding_format="float")
        return np.array([row.embedding for row in answer.data])

    PROMPTS["DEFAULT_ENTITY_TYPES"] = [f"event ({WANTED}. {EDGES})"]
    engine = GraphRAG(
        working_dir=folder,
        best_model_func=complete,
        cheap_model_func=complete,
        best_model_max_async=1,
        cheap_model_max_async=1,
        embedding_func=embed,
    )
    await engine.ainsert(text)
    graph = networkx.read_graphml(Path(folder) / "graph_chunk_entity_relation.graphml")
    names = {node: node.strip('"') for node in graph.nodes}
    return [*names.values()], [(names[source], names[target]) for source, target in graph.edges]


async def graphiti(text: str, address: str, folder: str) -> Graph:
    """Types of nodes and edges are models of pydantic; the store is in the process."""
    from graphiti_core import Graphiti
    from graphiti_core.cross_encoder.openai_reranker_client import OpenAIRerankerClient
    from graphiti_core.driver.kuzu_driver import KuzuDriver
    from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig
    from graphiti_core.llm_client.config import LLMConfig
    from graphiti_core.llm_client.openai_generic_client import OpenAIGenericClient
    from graphiti_core.nodes import EpisodeType
    from pydantic import BaseModel

    class Event(BaseModel):
        __doc__ = WANTED

    class Causes(BaseModel):
        __doc__ = EDGES

    model = LLMConfig(api_key="none", model=MODEL, small_model=MODEL, base_url=address)
    vectors = OpenAIEmbedderConfig(
        api_key="none", base_url=address, embedding_model="pairs", embedding_dim=VECTOR_SIZE
    )
    client = OpenAIGenericClient(config=model)
    client.client = client.client.with_options(timeout=1800)
    store = KuzuDriver(db=str(Path(folder) / "graph.kuzu"))
    await store.graph_ops.build_indices_and_constraints(store)  # Graphiti.build… makes none (getzep/graphiti#1258)
    engine = Graphiti(
        graph_driver=store,
        llm_client=client,
        embedder=OpenAIEmbedder(config=vectors),
        cross_encoder=OpenAIRerankerClient(client=client, config=model),
        max_coroutines=1,
    )
    found = await engine.add_episode(
        name="article",
        episode_body=text,
        source=EpisodeType.text,
        source_description="news article",
        reference_time=datetime(2026, 1, 1, tzinfo=UTC),
        entity_types={"Event": Event},
        edge_types={"Causes": Causes},
        edge_type_map={("Event", "Event"): ["Causes"]},
        custom_extraction_instructions=f"Nodes are events: {WANTED}. {EDGES}",
    )
    names = {node.uuid: node.name for node in found.nodes}
    edges = [(names.get(edge.source_node_uuid, ""), names.get(edge.target_node_uuid, "")) for edge in found.edges]
    return [*names.values()], edges


ENGINES: dict[str, tuple[str, Callable[[str, str, str], Awaitable[Graph]]]] = {
    "lightrag": ("lightrag.llm.openai", lightrag),
    "nano": ("nano_graphrag", nano),
    "graphiti": ("graphiti_core.driver.kuzu_driver", graphiti),
}
"""The module that is imported before the time counts, and the function, by the name of an engine."""


def main() -> None:
    """Draw the graphs of the articles that are still missing, and write each when it is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("articles", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--chat", required=True, help="address of recorded_chat")
    parser.add_argument("--first", type=int, help="so many articles, the first of the file")
    arguments = parser.parse_args()
    os.environ |= {"OPENAI_API_KEY": "none", "GRAPHITI_TELEMETRY_ENABLED": "false"}
    done = {row["article"] for row in rows(arguments.out)} if arguments.out.exists() else set()
    module, draw = ENGINES[arguments.engine]
    importlib.import_module(module)
    for article in [*rows(arguments.articles)][: arguments.first]:
        if article["id"] in done:
            continue
        started = time.process_time()
        address = f"{arguments.chat}/{arguments.engine}/{article['id']}/v1"
        with tempfile.TemporaryDirectory() as folder:
            text = f"{article['title']}\n\n{article['text']}"
            try:
                events, links = asyncio.run(draw(text, address, folder))
                failed = ""
            except Exception as error:  # an engine that gives up on an article has no graph of it, which is a result
                events, links, failed = [], [], f"{type(error).__name__}: {error}"[:300]
        row = {"article": article["id"], "events": events, "links": links, "failed": failed}
        with arguments.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row | {"seconds": time.process_time() - started}, ensure_ascii=False) + "\n")


def rows(path: Path) -> Iterable[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    main()
