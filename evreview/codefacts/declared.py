"""A declared fact as the fact that a reader of code would give."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.answers import names_code
from evreview.codefacts.model import (
    CodeBody,
    CodeFacts,
    CodeNote,
    CodeParameter,
    CodeResponse,
    Guard,
    Location,
    Route,
    SourceText,
    Spot,
)
from evreview.core.errors import Problem
from evreview.core.vocabulary import ABSENT, Concern, Form, Json
from evreview.evidence.citation import Quoted, at_id, check_quote
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import METHODS, field_steps, operation_key
from evreview.evidence.records.reference import DeclaredCode, DeclaredFact

_PLACES: Final[dict[str, Location]] = {"path": "path", "query": "query", "header": "header", "cookie": "cookie"}
_INPUT: Final = (Concern.PARAMETERS, Concern.VALIDATION, Concern.HEADERS, Concern.REQUEST_BODY)
_OUTPUT: Final = (Concern.SUCCESS, Concern.ERRORS)
DeclaredSpots = Sequence[tuple[DeclaredFact, Spot]]


def missing(fact: DeclaredFact) -> tuple[str, str] | None:
    """The field that a fact of its concern needs and lacks, with why; None when it is complete."""
    if _is_parameter(fact) or fact.concern is Concern.HEADERS:
        return None if fact.name else ("name", "the fact does not name its parameter or header")
    if fact.concern in (Concern.PARAMETERS, Concern.VALIDATION) and fact.location != "body":
        return "location", "the fact does not say where the value stands"
    if fact.concern in _OUTPUT and fact.status is None:
        return "status", "the fact does not say which status it is about"
    return None


def declared_route(method: str, path: str, facts: DeclaredSpots) -> Route:
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


def _body(facts: DeclaredSpots) -> CodeBody | None:
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
    return ABSENT if fact.states is None else fact.states


# Facts about code that a reviewer declares, for languages whose syntax is not read. Every quote is checked.
#
# A fact whose quote does not stand where it says is left out and is a problem with its place.


ALL: Final = "*"


@dataclass(frozen=True, slots=True)
class Shown:
    """A declared fact whose quote stands in the source, and where."""

    fact: DeclaredFact
    spot: Spot


def _any_schema(_: Json) -> bool:
    return True


def declared_facts(
    records: Sequence[Cited[DeclaredCode]],
    sources: Sequence[SourceText],
    routes: Sequence[Route] = (),
    is_schema: Callable[[Json], bool] = _any_schema,
) -> tuple[CodeFacts, tuple[Problem, ...]]:
    """One route of framework `declared` per operation that facts name, and every fact that does not hold.

    A fact about `*` joins every declared operation, and every one of `routes`, which come from the code itself.

    Args:
        records: what reviewers declare.
        sources: the inspected sources.
        routes: those read from code.
        is_schema: whether a value is JSON Schema 2020-12.

    Problems: `declared-source`, `declared-lines`, `declared-quote`, `declared-operation`, `declared-incomplete`,
    `declared-schema`.
    """
    texts: dict[str, SourceText] = {}
    for source in sources:
        texts.setdefault(source.item, source)
    shown: list[Shown] = []
    problems: list[Problem] = []
    for cited in records:
        for number, fact in enumerate(cited.record.facts):
            found = _checked(fact, texts)
            if isinstance(found, Shown) and fact.accepts is not None and not is_schema(fact.accepts):
                found = _NO_SCHEMA
            if isinstance(found, Shown):
                declaring = at_id(cited.citation.id, fact.id)
                shown.append(replace(found, spot=replace(found.spot, declared=declaring)))
            else:
                field, code, why, advice = found
                place = f"#/facts/{number}/{field}"
                file = str(cited.citation.id)
                problems.append(Problem(code=code, found=why, file=file, place=place, advice=advice))
    named = _named(shown, routes)
    if shown and not named:
        advice = "declare at least one fact that names its operation"
        problems.append(Problem(code="declared-operation", found="`*` stands for no known operation", advice=advice))
    return CodeFacts(routes=tuple(_route(name, shown) for name in named)), tuple(problems)


Fault = tuple[str, str, str, str]
"""Field, code, what was found, advice."""
_NO_SCHEMA: Final = ("accepts", "declared-schema", "what it accepts is no JSON Schema", "write it as of draft 2020-12")


def _checked(fact: DeclaredFact, texts: Mapping[str, SourceText]) -> Shown | Fault:
    source = texts.get(fact.item)
    if source is None:
        return "item", "declared-source", f"{fact.item} is none of the inspected sources", "list it in the source map"
    found = check_quote(source.text, fact.lines, fact.quote)
    if found.fault:
        return _misquoted(fact, found)
    if fact.operation != ALL and _operation(fact.operation) is None:
        advice = "write method and path, `GET /v1/orders/{id}`, or `*`"
        return "operation", "declared-operation", "the operation is no method and path", advice
    lacks = missing(fact)
    if lacks is not None:
        return lacks[0], "declared-incomplete", lacks[1], "complete the fact, or choose another concern"
    return Shown(fact, Spot(source.item, found.first, found.last, source.path))


def _misquoted(fact: DeclaredFact, found: Quoted) -> Fault:
    if found.fault == "lines":
        advice = "write `12` or `12-20`, counted within the item"
        return "lines", "declared-lines", f"{fact.item} has no lines {fact.lines}", advice
    if found.fault == "wordless":
        return "quote", "declared-quote", "the quote holds no word", "quote the code that shows the fact"
    advice = f"it stands on {found.found}; correct the lines" if found.found else "quote the code as it stands there"
    return "quote", "declared-quote", f"the quote does not stand on lines {fact.lines} of {fact.item}", advice


def _operation(text: str) -> tuple[str, str] | None:
    """Method and path of `get /v1/orders/{id}`."""
    method, _, path = text.strip().partition(" ")
    path = path.strip()
    return (method.upper(), path) if method.upper() in METHODS and re.fullmatch(r"/\S*", path) else None


def _named(shown: Iterable[Shown], routes: Sequence[Route]) -> dict[str, tuple[str, str]]:
    """Every operation that gets a declared route, by its key; spelled as it was named first."""
    found: dict[str, tuple[str, str]] = {}
    any_star = False
    for one in shown:
        named = _operation(one.fact.operation)
        any_star = any_star or one.fact.operation == ALL
        if named is not None:
            found.setdefault(operation_key(" ".join(named)), named)
    for route in routes if any_star else ():
        found.setdefault(operation_key(f"{route.method} {route.path}"), (route.method, route.path))
    return found


def _route(key: str, shown: Sequence[Shown]) -> Route:
    about = [one for one in shown if one.fact.operation == ALL or operation_key(one.fact.operation) == key]
    named = next((named for one in about if (named := _operation(one.fact.operation))), None)
    method, path = named or tuple(key.split(" ", 1))
    return declared_route(method, path, [(one.fact, one.spot) for one in about])
