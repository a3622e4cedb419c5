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
from evreview.codefacts.handlers import narrowed
from evreview.codefacts.middleware import covering, first_registered, rewriting
from evreview.codefacts.model import CodeFacts, Part, Route, SourceText, Spot, UnsupportedCode
from evreview.codefacts.names import Modules
from evreview.codefacts.tornado.read import read_tornado
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.reference import SourceFile, SourceMap

Reader = Callable[[Modules], CodeFacts]
Hook = tuple[str, UnsupportedCode]
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


def definitions(files: Sequence[SourceText]) -> dict[str, Spot]:
    """Where functions and classes stand, by name; those that several places define are left out."""
    modules = Modules(files)
    found: dict[str, list[Spot]] = {}
    for each in (*modules.functions(), *modules.classes()):
        found.setdefault(each.name, []).append(each.scope.spot(each.node))
    return {name: spots[0] for name, spots in found.items() if len(spots) == 1}


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


def _once(unread: Iterable[UnsupportedCode]) -> tuple[UnsupportedCode, ...]:
    return tuple(dict.fromkeys(unread))


# The inspected files of a bundle, by its source maps.


def mapped_sources(bundle: Bundle) -> tuple[tuple[SourceFile, Cited[SourceMap], int], ...]:
    """Every entry of every source map, with its place."""
    return tuple(
        (entry, cited, place)
        for cited in records_of(bundle, SourceMap)
        for place, entry in enumerate(cited.record.sources)
    )


def sources_of(bundle: Bundle) -> tuple[SourceText, ...]:
    """The inspected files as text, each once with every part that it plays."""
    parts: dict[tuple[EvidenceId, str], list[Part]] = {}
    firsts: dict[tuple[EvidenceId, str], int] = {}
    for entry, _, _ in mapped_sources(bundle):
        parts.setdefault((entry.item, entry.path), []).append(entry.part)
        firsts.setdefault((entry.item, entry.path), entry.first_line)
    return tuple(
        SourceText(item=item, path=path, parts=tuple(played), text=bundle.items[item].content, first_line=first)
        for (item, path), played in parts.items()
        if (first := firsts[item, path])
    )
