"""Clusterings that people would use instead, each as its documentation says; it runs in the peers' environment.

python -m lab.experiments.peers.clusterings NAME FILE.npz [SETTING]

The file holds ``vectors`` (documents, size) and ``documents``. Printed are the label of each document, -1 where it is
in no cluster, and the seconds of the processor that clustering took, without imports and what is compiled at first
use.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Unit vectors (documents, size)."""

BATCH = 1000
"""Documents that BERTopic takes at a time where it learns as they come."""


WARM = 200
"""Documents that are clustered first, unmeasured: imports and what is compiled at first use take seconds."""


def agglomerative(vectors: Vectors, documents: Sequence[str], distance: float) -> NDArray[np.int64]:  # noqa: ARG001
    """Average linkage of cosines; there is no default distance."""
    from sklearn.cluster import AgglomerativeClustering

    clustering = AgglomerativeClustering(
        n_clusters=None, metric="cosine", linkage="average", distance_threshold=distance
    )
    return clustering.fit_predict(vectors)


def hdbscan(vectors: Vectors, documents: Sequence[str], smallest: float) -> NDArray[np.int64]:  # noqa: ARG001
    """The default, but for the smallest cluster (its default is 5)."""
    from hdbscan import HDBSCAN

    return HDBSCAN(min_cluster_size=int(smallest)).fit_predict(vectors)


def bertopic(vectors: Vectors, documents: Sequence[str], smallest: float) -> NDArray[np.int64]:
    """The default, with a fixed seed, but for the smallest topic (its default is 10)."""
    from bertopic import BERTopic
    from umap import UMAP

    reduced = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=0)
    topics, _ = BERTopic(umap_model=reduced, min_topic_size=int(smallest)).fit_transform(documents, vectors)
    return np.array(topics)


def bertopic_online(vectors: Vectors, documents: Sequence[str], clusters: float) -> NDArray[np.int64]:
    """As the page on online topic modelling has it, in batches, with so many clusters (there: 50)."""
    from bertopic import BERTopic
    from bertopic.vectorizers import OnlineCountVectorizer
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.decomposition import IncrementalPCA

    model = BERTopic(
        umap_model=IncrementalPCA(n_components=5),
        hdbscan_model=MiniBatchKMeans(n_clusters=min(int(clusters), len(vectors)), random_state=0),
        vectorizer_model=OnlineCountVectorizer(stop_words="english", decay=0.01),
    )
    topics, doubles = (
        [],
        vectors.astype(np.float64),
    )  # it takes the type of its first batch, and floats become doubles
    for number in np.array_split(np.arange(len(vectors)), max(1, len(vectors) // BATCH)):
        model.partial_fit([documents[at] for at in number], doubles[number])
        topics.extend(model.topics_)
    return np.array(topics)


CLUSTERINGS: dict[str, Callable[[Vectors, Sequence[str], float], NDArray[np.int64]]] = {
    "agglomerative": agglomerative,
    "hdbscan": hdbscan,
    "bertopic": bertopic,
    "bertopic-online": bertopic_online,
}


def main(name: str, file: str, settings: Sequence[str]) -> None:
    """Cluster with each of the settings in turn."""
    given = np.load(file)
    vectors, documents = given["vectors"], given["documents"].tolist()
    CLUSTERINGS[name](vectors[:WARM], documents[:WARM], float(settings[0]))
    for setting in map(float, settings):
        started = time.process_time()
        labels = CLUSTERINGS[name](vectors, documents, setting)
        row = {"setting": setting, "seconds": time.process_time() - started, "labels": labels.tolist()}
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
