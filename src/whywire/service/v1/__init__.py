"""The routes under ``/v1``."""

from fastapi import APIRouter

from whywire.service.access import PROBLEM_RESPONSES
from whywire.service.v1 import (
    articles,
    campaigns,
    changes,
    corrections,
    feeds,
    graphs,
    lists,
    operations,
    questions,
    watches,
)

router = APIRouter(prefix="/v1", responses=PROBLEM_RESPONSES)
for module in (articles, lists, graphs, questions, corrections, changes, watches, feeds, campaigns, operations):
    router.include_router(module.router)
