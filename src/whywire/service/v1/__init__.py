"""The routes under ``/v1``."""

from fastapi import APIRouter

from whywire.service.access import PROBLEM_RESPONSES
from whywire.service.v1 import articles, changes, feeds, graphs, lists, operations, questions

router = APIRouter(prefix="/v1", responses=PROBLEM_RESPONSES)
for module in (articles, lists, graphs, questions, changes, feeds, operations):
    router.include_router(module.router)
