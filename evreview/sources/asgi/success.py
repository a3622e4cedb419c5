"""What a FastAPI route answers when its handler returns a plain value, and what is declared for documentation only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.annotations import shape_of
from evreview.codefacts.asgi.apps import Reach
from evreview.codefacts.asgi.outcomes import value_of
from evreview.codefacts.asgi.responses import MEDIA, NO_BODY, response_class
from evreview.codefacts.constants import constant, whole
from evreview.codefacts.control_flow import Event, falls_through
from evreview.codefacts.model import CodeResponse, Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.codefacts.schema_reading import any_of
from evreview.core.vocabulary import MISSING, Json
from evreview.sources.asgi.header_paths import sometimes
from evreview.sources.asgi.registrations import Registration
from evreview.sources.asgi.requests import hands_response, statuses_set
from evreview.sources.asgi.types import sort_of
from evreview.sources.resolved import Definition
from evreview.sources.shape import Schema, Shape

_SPARSE: Final = ("response_model_exclude_unset", "response_model_exclude_defaults", "response_model_exclude_none")
_EXCLUDE: Final = "response_model_exclude"
_CHOOSING: Final = ("response_model_include", _EXCLUDE, "response_model_by_alias")


def success(
    modules: Modules,
    one: Registration,
    reach: Reach,
    happens: tuple[Sequence[Event], Sequence[Event], Sequence[Event]],
    headers: tuple[str, ...],
) -> tuple[CodeResponse, ...]:
    """The default answer, unless the handler provably never returns a plain value.

    `happens` is all that happens, the returns of plain values, and what happens in dependencies before.
    """
    events, plain, before = happens
    body: list[ast.stmt] = getattr(one.handler.node, "body", [])
    if not plain and not falls_through(body):
        return ()
    media = _media(modules, one, reach)
    shape = _shape(modules, one, plain)
    found = []
    statuses = list(_statuses(modules, one, events, before))
    # Where the status depends on the way as well, nobody knows which of them goes with which header.
    some = sometimes(modules, body, events, plain) if len(statuses) == 1 else ()
    for status, spot in statuses:
        bare = status in NO_BODY
        found.append(
            CodeResponse(
                status=status, how="returned", spot=spot, media_type="" if bare else media,
                schema=None if bare or media != "application/json" else shape.schema,
                exact=bare or (media == "application/json" and shape.exact),
                headers=tuple(dict.fromkeys(headers)), models=() if bare else shape.spots,
                sometimes=some,
            )
        )  # fmt: skip
    return tuple(found)


def _statuses(
    modules: Modules, one: Registration, events: Sequence[Event], before: Sequence[Event]
) -> Iterator[tuple[int | None, Spot]]:
    """The decorator's status, and those assigned to a response; an assignment that is always made replaces it.

    A dependency sets it too, unless the handler does; what gets the response and stands in no supplied file may.
    """
    own = list(statuses_set(modules, events))
    always = [event for _, event in own if _is_always(event)]
    assigned = own if always else [*statuses_set(modules, before), *own]
    always = [event for _, event in assigned if _is_always(event)]
    for event in (*before, *events):
        if hands_response(modules, event):
            yield None, event.spot
    if not always:
        given = one.words.get("status_code")
        status = whole(constant(modules, one.use.scope, given)) if given is not None else 200
        yield status, one.spot
    for value, event in assigned:
        yield whole(value), event.spot


def _is_always(event: Event) -> bool:
    """True for a statement of a function's own first level."""
    return event.own and event.statement in getattr(event.frame.scope.node, "body", [])


def _media(modules: Modules, one: Registration, reach: Reach) -> str:
    """The media type of the response class of the decorator, the routers, or FastAPI's default."""
    places: list[tuple[Scope, ast.expr | None]] = [(one.use.scope, one.words.get("response_class"))]
    for holder in reversed(reach.outer):
        places.append((holder.scope, holder.words.get("default_response_class")))
    for scope, given in places:
        if given is None:
            continue
        found = modules.resolve(scope, given)
        name = response_class(modules, found)
        if isinstance(found, Definition):
            stated = modules.member(found, "media_type")
            value = constant(modules, stated.scope, stated.node) if isinstance(stated, Definition) else None
            return str(value) if isinstance(value, str) else ""
        return MEDIA.get(name, "")
    return "application/json"


def _shape(modules: Modules, one: Registration, plain: Sequence[Event]) -> Shape:
    """The values of the response model, else of the return annotation, else of what is returned."""
    sparse = any(constant(modules, one.use.scope, one.words.get(word)) is True for word in _SPARSE)
    choosing = [word for word in _CHOOSING if word in one.words]
    gone = _excluded(modules, one) if choosing == [_EXCLUDE] else None
    direction = "sparse" if sparse or (choosing and gone is None) else "written"
    given = one.words.get("response_model")
    if given is not None and not _is_none(given):
        found = shape_of(modules, one.use.scope, given, direction)  # type: ignore[arg-type]
        return found if not choosing else _without(found, gone)
    returned = getattr(one.handler.node, "returns", None)
    if given is None and returned is not None and sort_of(modules, one.handler.scope, returned) != "Response":
        return shape_of(modules, one.handler.scope, returned, direction)  # type: ignore[arg-type]
    found_values = [value_of(modules, event) for event in plain]
    if not found_values or any(schema is None for schema, _, _ in found_values):
        return Shape(None, False)
    schemas: list[Schema] = [schema for schema, _, _ in found_values if isinstance(schema, dict)]
    return Shape(any_of(schemas), all(exact for _, exact, _ in found_values))


def _excluded(modules: Modules, one: Registration) -> tuple[str, ...] | None:
    """The names in `response_model_exclude={"a", "b"}`, None when they can't be told."""
    given = one.words.get(_EXCLUDE)
    parts = given.elts if isinstance(given, ast.Set | ast.List | ast.Tuple) else ()
    names = [constant(modules, one.use.scope, part) for part in parts]
    told = [name for name in names if isinstance(name, str) and name is not MISSING]
    return tuple(told) if told and len(told) == len(names) else None


def _without(shape: Shape, names: tuple[str, ...] | None) -> Shape:
    """A model's values without some of its members; anything where the members can't be told."""
    schema = shape.schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if names is None or not isinstance(schema, dict) or not isinstance(properties, dict) or {*names} - {*properties}:
        return Shape({}, False, spots=shape.spots)
    required = schema.get("required")
    kept: list[Json] = [name for name in required if name not in names] if isinstance(required, list) else []
    left: Json = {name: part for name, part in properties.items() if name not in names}
    return replace(shape, schema={**schema, "properties": left, "required": kept})


def _is_none(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and given.value is None


def declared(modules: Modules, one: Registration, known: set[int | None]) -> Iterator[CodeResponse]:
    """Statuses of the decorator's `responses=` that nothing in the code sends."""
    given = one.words.get("responses")
    found = modules.resolve(one.use.scope, given)
    node, scope = (found.node, found.scope) if isinstance(found, Definition) else (given, one.use.scope)
    if not isinstance(node, ast.Dict):
        return
    for key, value in zip(node.keys, node.values, strict=True):
        status = whole(constant(modules, scope, key))
        if status is None or status in known or key is None:
            continue
        model = _model(modules, scope, value)
        shape = shape_of(modules, scope, model, "written") if model is not None else Shape(None, False)
        media = "application/json" if model is not None else ""
        spot = scope.spot(key)
        last = scope.spot(value).last
        schema: Json = shape.schema
        yield CodeResponse(
            status=status, how="declared", spot=Spot(spot.item, spot.first, last, spot.path), media_type=media,
            schema=schema, exact=False, models=shape.spots,
        )  # fmt: skip


def _model(modules: Modules, scope: Scope, value: ast.expr) -> ast.expr | None:
    found = modules.resolve(scope, value)
    node = found.node if isinstance(found, Definition) else value
    if not isinstance(node, ast.Dict):
        return None
    for key, part in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == "model":
            return part
    return None
