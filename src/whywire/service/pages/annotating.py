"""Pages of annotation: campaigns, guidelines, the work on items, and what the owner of a campaign sees.

What people answered is fetched by scripts, with the token of the person or the key of the owner; the pages themselves
hold only what every reader may know.
"""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from whywire.annotation.campaigns import OVERLAP
from whywire.annotation.items import Kind
from whywire.annotation.results import LABELLED, Method
from whywire.service.context import Context, Service
from whywire.service.pages.rendering import html_router, not_found, render

router = html_router()


@router.get("/annotate")
def campaigns(request: Request, service: Service) -> Response:
    """List the campaigns, with a form to make one from a file."""
    return render(request, "annotate.html", campaigns=service.store.campaigns(), kinds=list(Kind), overlap=OVERLAP)


@router.get("/annotate/{campaign_id}")
def guidelines(request: Request, service: Service, campaign_id: str) -> Response:
    """Show the guidelines of a campaign, and let people join it."""
    return _page(request, service, campaign_id, "annotate_guide.html")


@router.get("/annotate/{campaign_id}/work")
def work(request: Request, service: Service, campaign_id: str) -> Response:
    """Ask one item after the other."""
    return _page(request, service, campaign_id, "annotate_work.html")


@router.get("/annotate/{campaign_id}/results")
def results(request: Request, service: Service, campaign_id: str) -> Response:
    """Show the owner the people of a campaign and what they agree on."""
    return _page(request, service, campaign_id, "annotate_results.html")


@router.get("/annotate/{campaign_id}/curate/{item:path}")
def curate(request: Request, service: Service, campaign_id: str, item: str) -> Response:
    """Show the owner all answers to an item side by side, and let them decide."""
    return _page(request, service, campaign_id, "annotate_curate.html", item=item)


def _page(request: Request, service: Context, campaign_id: str, template: str, item: str = "") -> Response:
    listed = service.store.campaign(campaign_id)
    if listed is None:
        return not_found(request)
    campaign = listed.campaign
    return render(
        request,
        template,
        listed=listed,
        campaign=campaign,
        view=f"annotate_{campaign.kind.value}.js",
        methods=list(Method) if campaign.kind in LABELLED else [Method.MAJORITY],
        item=item,
    )
