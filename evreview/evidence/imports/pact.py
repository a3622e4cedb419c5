"""A Pact of version 2, 3 or 4 as a client of an inventory: operations, statuses, and the fields that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_text import listed, mapping, read_json, word
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceType, Json
from evreview.evidence.element_mentions import METHODS
from evreview.evidence.imports.model import Imported, Supplied, document_of, some, wrong_format
from evreview.evidence.test_results.model import status_of

_STEP: Final = re.compile(r"\.([^.\[\]'\"*]+)|\['([^'\]]+)'\]|\[\"([^\"\]]+)\"\]|(\[\*\]|\[[0-9]+\])|(\.\*)")
_VERSIONS: Final = ("1", "2", "3", "4")
_HTTP: Final = ("", "Synchronous/HTTP")
_DEEPEST: Final = 60


@dataclass(slots=True)
class _Use:
    """What the interactions of one operation tell."""

    fields: dict[str, None] = field(default_factory=dict)
    statuses: dict[str, None] = field(default_factory=dict)


def read(supplied: Supplied) -> Imported:
    """The client of a Pact.

    Raises:
        BadInput: the file is no Pact of a known version, has no HTTP interaction, or its client is listed already.
    """
    pact = document_of(supplied)
    consumer = word(mapping(pact.get("consumer")).get("name")).strip()
    if not consumer or "provider" not in pact or not ("interactions" in pact or "messages" in pact):
        advice = "Name a Pact file, with consumer, provider and interactions"
        raise wrong_format(supplied, "Pact", advice)
    version = _version(pact, supplied)
    if consumer in supplied.reviewed.clients:
        found = f"client {consumer} is listed in the bundle already, and nothing would say which entry holds"
        advice = "Take the older entry out of the bundle first, or name the consumer otherwise in its Pact"
        raise bad_input("client-twice", found, file=supplied.name, place="#/consumer/name", advice=advice)
    uses, places, told = _uses(pact, supplied)
    client: Json = {"id": consumer, "name": consumer, "uses": [_stated(name, use) for name, use in uses.items()]}
    return Imported(
        name="imports/pact",
        type=EvidenceType.CLIENT_INVENTORY,
        record={"kind": "client-inventory", "clients": [client]},
        places=[places],
        establishes=f"What client {consumer} expects, as its Pact with sha256:{supplied.digest} states it. "
        "Not that it was verified.",
        told=(f"client      {consumer} (Pact {version}): {counted(len(uses), 'operation')}", *_lines(uses), *told),
    )


def _version(pact: Mapping[str, Json], supplied: Supplied) -> str:
    """The version of the format that the file states, "2" where it states none, as its readers have it."""
    metadata = mapping(pact.get("metadata"))
    stated = next(
        (
            mapping(metadata[name]).get("version")
            for name in ("pactSpecification", "pact-specification")
            if name in metadata
        ),
        metadata.get("pactSpecificationVersion"),
    )
    version = str(stated) if stated is not None else "2"
    if version.partition(".")[0] not in _VERSIONS:
        advice = f"Supply it in version {', '.join(_VERSIONS[:-1])} or {_VERSIONS[-1]}"
        found = f"Pact of version {version[:40]}, which is not known here"
        raise bad_input("import-format", found, file=supplied.name, place="#/metadata", advice=advice)
    return version


def _uses(pact: Mapping[str, Json], supplied: Supplied) -> tuple[dict[str, _Use], list[str], list[str]]:
    """The uses by operation, the place of each interaction, and what is told."""
    uses: dict[str, _Use] = {}
    places: list[str] = []
    problems: list[Problem] = []
    unknown: dict[str, None] = {}
    unread: list[str] = []
    messages = len(listed(pact.get("messages")))
    for number, value in enumerate(listed(pact.get("interactions"))):
        interaction, place = mapping(value), f"#/interactions/{number}"
        if word(interaction.get("type")) not in _HTTP:
            messages += 1
            continue
        request, response = mapping(interaction.get("request")), mapping(interaction.get("response"))
        method, path = word(request.get("method")).upper(), word(request.get("path"))
        if method not in METHODS or not path.startswith("/") or " " in path:
            found = "an interaction without a readable method and path"
            advice = "Supply the file as the Pact library wrote it"
            problems.append(Problem(code="bad-pact", found=found, file=supplied.name, place=place, advice=advice))
            continue
        known = supplied.reviewed.operation(f"{method} {path}")
        if known is None:
            unknown[f"{method} {path}"] = None
        use = uses.setdefault(known or f"{method} {path}", _Use())
        places.append(f"{supplied.name}{place}")
        status = status_of(response.get("status", 200))
        use.statuses.update({str(status): None} if status else {})
        for name in (*_query(request), *_fields(request, unread, f"{place}/request")):
            use.fields[name] = None
        for name in _fields(response, unread, f"{place}/response"):
            use.fields[name] = None
    if problems:
        raise BadInput(problems)
    if not uses:
        found = f"no HTTP interaction in it, {counted(messages, 'message')}"
        raise bad_input("import-empty", found, file=supplied.name, advice="Only HTTP interactions are read")
    told = [f"not read    {counted(messages, 'message')}: only HTTP interactions are"] if messages else []
    told += [f"not read    {some(unread)}: a body or rule of a form that names no fields"] if unread else []
    told += [f"neither contract has {some(unknown)}"] if unknown else []
    return uses, places, told


def _stated(operation: str, use: _Use) -> Json:
    """One use; what no interaction names is not known, and left out."""
    stated: dict[str, Json] = {"operation": operation}
    if use.fields:
        stated["fields"] = list(use.fields)
    if use.statuses:
        stated["statuses"] = list(use.statuses)
    return stated


def _lines(uses: Mapping[str, _Use]) -> Iterator[str]:
    for operation, use in uses.items():
        fields = f"fields {some(use.fields)}" if use.fields else "names no field"
        yield f"            {operation}: {fields}; statuses {some(use.statuses) or 'not told'}"


def _query(request: Mapping[str, Json]) -> Iterable[str]:
    """Names of query parameters: a mapping from version 3 on, a query string before."""
    query = request.get("query")
    if isinstance(query, str):
        return [name for name, _ in parse_qsl(query[:10_000], keep_blank_values=True)]
    return list(mapping(query))


def _fields(message: Mapping[str, Json], unread: list[str], place: str) -> list[str]:
    """The fields that a body and the matching rules about it name, dotted; what can't be read is added to `unread`."""
    found = dict.fromkeys(_paths(_content(message.get("body"), unread, place), (), 0))
    for expression in _rules(mapping(message.get("matchingRules"))):
        steps = _steps(expression)
        if steps is None:
            unread.append(f"{place}/matchingRules")
        elif steps and not any(each == dotted(steps) or each.startswith(f"{dotted(steps)}.") for each in found):
            found[dotted(steps)] = None
    return [each for each in found if each]


def _content(body: Json, unread: list[str], place: str) -> Json:
    """The body as JSON: from version 4 on it stands in `content`, maybe as a text."""
    if isinstance(body, Mapping) and "content" in body and ("contentType" in body or "encoded" in body):
        kind, content = word(body.get("contentType")).lower(), body["content"]
        if isinstance(content, str) and "json" in kind and body.get("encoded") in (None, False, "JSON", "json"):
            try:
                return read_json(content.encode(), "")
            except BadInput:
                content = body["content"]
        body = content
    if isinstance(body, str) and body:
        unread.append(f"{place}/body")
    return body


def _paths(value: Json, steps: tuple[str, ...], depth: int) -> Iterator[str]:
    """Every field of a body that holds no further one, dotted."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping) and value:
        for name, part in value.items():
            yield from _paths(part, (*steps, name), depth + 1)
    elif isinstance(value, list) and value:
        for part in value:
            yield from _paths(part, (*steps, "[]"), depth + 1)
    elif steps:
        yield dotted(steps)


def dotted(steps: tuple[str, ...]) -> str:
    """Steps as people write a field: `items[].sku`."""
    return ".".join(steps).replace(".[]", "[]").strip()


def _rules(rules: Mapping[str, Json]) -> Iterator[str]:
    """The expressions of rules about a body: below `body` from version 3 on, `$.body…` before."""
    for name, value in rules.items():
        if name == "body":
            yield from mapping(value)
        elif name.startswith("$.body"):
            yield f"${name.removeprefix('$.body')}"


def _steps(expression: str) -> tuple[str, ...] | None:
    """The steps of a path expression up to a wildcard, None where it is none that is read."""
    if not expression.startswith("$"):
        return None
    at, steps = 1, list[str]()
    while at < len(expression):
        found = _STEP.match(expression, at)
        if found is None:
            return None
        if found[5]:
            return tuple(steps)
        steps.append("[]" if found[4] else found[1] or found[2] or found[3])
        at = found.end()
    while steps and steps[-1] == "[]":
        steps.pop()
    return tuple(steps)
