"""The routes under ``/v1``."""

from fastapi import APIRouter

router = APIRouter(prefix="/v1")
