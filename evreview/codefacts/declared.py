"""A declared fact as the fact that a reader of code would give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import CodeBody, CodeNote, CodeParameter, CodeResponse, Guard, Location, Route, Spot
from evreview.core.vocabulary import MISSING, Concern, Form, Json
from evreview.evidence.element_mentions import field_steps
from evreview.evidence.records.reference import DeclaredFact
from evreview.sources.error_words import names_code

_PLACES: Final[dict[str, Location]] = {"path": "path", "query": "query", "header": "header", "cookie": "cookie"}
_INPUT: Final = (Concern.PARAMETERS, Concern.VALIDATION, Concern.HEADERS, Concern.REQUEST_BODY)
_OUTPUT: Final = (Concern.SUCCESS, Concern.ERRORS)
Found = Sequence[tuple[DeclaredFact, Spot]]


def missing(fact: DeclaredFact) -> tuple[str, str] | None:
    """The field that a fact of its concern needs and lacks, with why; None when it is complete."""
    if _is_parameter(fact) or fact.concern is Concern.HEADERS:
        return None if fact.name else ("name", "the fact does not name its parameter or header")
    if fact.concern in (Concern.PARAMETERS, Concern.VALIDATION) and fact.location != "body":
        return "location", "the fact does not say where the value stands"
    if fact.concern in _OUTPUT and fact.status is None:
        return "status", "the fact does not say which status it is about"
    return None


def declared_route(method: str, path: str, facts: Found) -> Route:
    """The route that the facts about one operation make."""
    return Route(
        method=method,
        path=path,
        handler="",
        framework="declared",
        spot=min(spot for _, spot in facts),
        parameters=tuple(_parameter(fact, spot) for fact, spot in facts if _is_parameter(fact)),
        body=_body([(fact, spot) for fact, spot in facts if _is_body(fact)]),
        responses=tuple(_response(fact, spot) for fact, spot in facts if _is_response(fact)),
        guards=tuple(_guard(fact, spot) for fact, spot in facts if fact.concern is Concern.AUTHENTICATION),
        notes=tuple(_note(fact, spot) for fact, spot in facts if _is_note(fact)),
    )


def _is_parameter(fact: DeclaredFact) -> bool:
    return fact.concern in _INPUT and fact.location in _PLACES


def _is_body(fact: DeclaredFact) -> bool:
    return fact.concern is Concern.REQUEST_BODY or (fact.concern is Concern.VALIDATION and fact.location == "body")


def _is_response(fact: DeclaredFact) -> bool:
    return fact.concern in _OUTPUT or (fact.concern is Concern.HEADERS and not _is_parameter(fact))


def _is_note(fact: DeclaredFact) -> bool:
    return fact.concern not in (*_INPUT, *_OUTPUT, Concern.AUTHENTICATION)


def _parameter(fact: DeclaredFact, spot: Spot) -> CodeParameter:
    return CodeParameter(
        name=fact.name,
        location=_PLACES[fact.location or ""],
        spot=spot,
        required=True if fact.location == "path" else fact.required,
        schema=fact.accepts if fact.accepts is not None else {},
        exact=fact.accepts is not None,
        default=_stated(fact),
    )


def _body(facts: Found) -> CodeBody | None:
    """One body of all that is declared about it: the whole, and single fields."""
    if not facts:
        return None
    spot = facts[0][1]
    whole = [fact for fact, _ in facts if not fact.name]
    schemas: list[Json] = [fact.accepts for fact in whole if fact.accepts is not None]
    exact = bool(schemas)
    for fact in (fact for fact, _ in facts if fact.name):
        schemas.append(_within(field_steps(fact.name), fact.accepts or {}, fact.required is True))
        exact = exact and fact.accepts is not None
    return CodeBody(
        media_type=next((fact.media_type for fact, _ in facts if fact.media_type), ""),
        spot=spot,
        required=next((fact.required for fact in whole if fact.required is not None), None),
        schema={} if not schemas else schemas[0] if len(schemas) == 1 else {"allOf": schemas},
        exact=exact,
    )


def _within(steps: Sequence[str], schema: Json, required: bool) -> Json:
    """A schema of the values whose part at `steps`, where there is one, is one of `schema`."""
    for place, step in reversed(list(enumerate(steps))):
        if step == "[]":
            schema = {"items": schema}
            continue
        needed: Json = {"required": [step]} if required and place == len(steps) - 1 else {}
        schema = {"properties": {step: schema}, **needed}  # type: ignore[dict-item]
    return schema


def _response(fact: DeclaredFact, spot: Spot) -> CodeResponse:
    found = CodeResponse(
        status=fact.status,
        how="raised" if fact.concern is Concern.ERRORS else "returned",
        spot=spot,
        media_type=fact.media_type or "",
    )
    if fact.concern is Concern.HEADERS:
        return replace(found, headers=(fact.name,))
    if fact.name:
        schema = _within(field_steps(fact.name), fact.accepts or {}, fact.required is True)
        return replace(found, schema=schema, codes=_codes(fact))
    return replace(found, schema=fact.accepts, exact=fact.accepts is not None, codes=_codes(fact))


def _codes(fact: DeclaredFact) -> tuple[str, ...]:
    """What a fact about an error states: its codes, unless it names a member that holds none."""
    steps = [step for step in field_steps(fact.name) if step != "[]"]
    return _texts(fact.states) if not steps or names_code(steps[-1]) else ()


def _texts(states: Json) -> tuple[str, ...]:
    values: Iterable[Json] = states if isinstance(states, list) else (states,)
    return tuple(value for value in values if isinstance(value, str))


def _guard(fact: DeclaredFact, spot: Spot) -> Guard:
    """A guard; what it states is its scheme, as OpenAPI names it, or its scopes in a list."""
    scheme = fact.states if isinstance(fact.states, str) else ""
    scopes = _texts(fact.states) if isinstance(fact.states, list) else ()
    return Guard(name=fact.name or fact.id, kind="authentication", spot=spot, scheme=scheme, scopes=scopes)


def _note(fact: DeclaredFact, spot: Spot) -> CodeNote:
    return CodeNote(concern=fact.concern, name=fact.name, spot=spot, value=_stated(fact))


def _stated(fact: DeclaredFact) -> Form:
    return MISSING if fact.states is None else fact.states
