"""Routes that are read from a snippet of an application."""

from __future__ import annotations

from evreview.codefacts.model import CodeFacts, Route
from evreview.codefacts.read import read_sources
from tests.codefacts.asgi.services import one
from tests.codefacts.snippets import sources

APP = "app = FastAPI()\n"


def facts(text: str) -> CodeFacts:
    return read_sources(sources(one(text)))


def only(text: str) -> Route:
    (route,) = facts(text).routes
    return route


def answers(route: Route) -> list[tuple[int | None, str]]:
    return [(response.status, response.how) for response in route.responses]
