"""Routes that a reader finds in a snippet, as short tuples that tables can hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evreview.codefacts.model import CodeFacts, Route
from evreview.codefacts.names import Modules
from tests.codefacts.snippets import modules

Reader = Callable[[Modules], CodeFacts]


def read(reader: Reader, *files: str | dict[str, str]) -> CodeFacts:
    """The facts of one snippet, or of several files."""
    first = files[0]
    return reader(modules(first))


def only(reader: Reader, text: str | dict[str, str]) -> Route:
    """The one route of a snippet."""
    (route,) = read(reader, text).routes
    return route


def operations(facts: CodeFacts) -> list[str]:
    """Method and path of each route."""
    return [f"{route.method} {route.path}" for route in facts.routes]


def responses(route: Route) -> set[tuple[Any, ...]]:
    """Status, how it is sent and media type of each response."""
    return {(one.status, one.how, one.media_type) for one in route.responses}


def parameters(route: Route) -> list[tuple[Any, ...]]:
    """Name, place and whether it is required, of each parameter."""
    return [(one.name, one.location, one.required) for one in route.parameters]
