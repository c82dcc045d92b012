"""A cluster of two nodes on this machine."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from whywire.engines import LocalEngine
from whywire.engines.cluster import offline

NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
"""Small, so that several fit beside each other."""

os.environ["RAY_AUTH_MODE"] = "disabled"  # Ray would turn it on for clusters of some kinds, and refuse the others


@pytest.fixture(scope="package")
def cluster() -> Iterator[Any]:
    """Two nodes with one processor each, which this process has joined."""
    pytest.importorskip("ray")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Ray opens files that it does not close
        import ray
        from ray.cluster_utils import Cluster

        with offline():
            made = Cluster(initialize_head=True, head_node_args=NODE)
            made.add_node(**NODE)
        ray.init(made.address, log_to_driver=False, logging_level="ERROR")
        yield made
        ray.shutdown()
        made.shutdown()


@pytest.fixture
def engine_with(request, cluster):
    """Makes an engine of the cluster with models of a kind, and ends its processes after the test."""
    from whywire.engines.ray_engine import RayEngine

    made = []

    def make(load):
        made.append(RayEngine(load=load))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture(params=["local", pytest.param("ray", marks=pytest.mark.slow)])
def engine(request, fake_models):
    """An engine of each kind."""
    if request.param == "local":
        return LocalEngine(fake_models)
    return request.getfixturevalue("ray_engine")


@pytest.fixture(scope="module")
def ray_engine(cluster):
    from tests.fake_models import FakeLanguageModels

    from whywire.engines.ray_engine import RayEngine

    with RayEngine(load=FakeLanguageModels) as made:
        yield made
