"""All code facts of the supplied source files, framework by framework."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.aiohttp.read import read_aiohttp
from evreview.codefacts.asgi.fastapi import read_fastapi
from evreview.codefacts.asgi.starlette import read_starlette
from evreview.codefacts.django.read import read_django
from evreview.codefacts.flask.read import read_flask
from evreview.codefacts.model import CodeFacts, Route, SourceText, UnreadCode
from evreview.codefacts.names import Modules
from evreview.codefacts.tornado.read import read_tornado
from evreview.sources.covering import covering
from evreview.sources.narrowed import narrowed
from evreview.sources.registered import first_registered
from evreview.sources.rewriting import rewriting

Reader = Callable[[Modules], CodeFacts]
Hook = tuple[str, UnreadCode]
"""A family of frameworks, and what runs around its handlers."""

READERS: Final[tuple[Reader, ...]] = (read_fastapi, read_starlette, read_flask, read_django, read_aiohttp, read_tornado)
"""One per framework; each finds its own routes and says what it could not read. A new framework is one line here."""
_FAMILIES: Final = {"fastapi": "asgi", "starlette": "asgi", "drf": "django"}
"""Whose hooks run around a framework's handlers, where it is not the framework itself."""


def read_sources(files: Sequence[SourceText]) -> CodeFacts:
    """What the files show: routes in the order written, and what could not be read. Nothing is executed."""
    modules = Modules(files)
    found = [reader(modules) for reader in READERS]
    order = {file.item: place for place, file in enumerate(files)}

    def written(route: Route) -> tuple[int, int]:
        return order.get(route.spot.item, 0), route.spot.first

    hooks, around = rewriting(modules), covering(modules)
    routes = sorted((_hooked(narrowed(route), hooks, around) for facts in found for route in facts.routes), key=written)
    unread = [*modules.unread, *(one for facts in found for one in facts.unread)]
    return CodeFacts(routes=first_registered(routes), unread=_once(unread))


def _hooked(route: Route, hooks: Iterable[Hook], around: Iterable[Hook]) -> Route:
    """The route with the hooks around it that change statuses, and with what around it was not followed."""
    framework = _FAMILIES.get(route.framework, route.framework)
    changing = [one for family, one in hooks if family == framework]
    open_ones = [one for family, one in around if family == framework]
    return replace(
        route,
        rewritten=_once([*route.rewritten, *changing, *open_ones]),
        unread=_once([*route.unread, *open_ones]),
    )


def _once(unread: Iterable[UnreadCode]) -> tuple[UnreadCode, ...]:
    return tuple(dict.fromkeys(unread))
