"""Facts about code that a reviewer declares, for languages whose syntax is not read. Every quote is checked.

A fact whose quote does not stand where it says is left out and is a problem with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.declared import declared_route, missing
from evreview.codefacts.model import CodeFacts, Route, SourceText, Spot
from evreview.core.errors import Problem
from evreview.core.vocabulary import Json
from evreview.evidence.citation import at_id
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import METHODS, operation_key
from evreview.evidence.quotes import Quoted, check_quote
from evreview.evidence.records.reference import DeclaredCode, DeclaredFact

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
