"""Until when a row of a history stands: what is told against the direct definition, over values that come and go."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.comparison.release_breaks import release_breaks
from evreview.contract.model import Contract
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Json
from evreview.kinds.compare import compare_history
from evreview.kinds.load import read_contract


@frozen
class Release:
    """A note of limited length (None: of any), perhaps a number; whether a mark must be sent; what may be answered."""

    limit: int | None = None
    is_text: bool = True
    demanded: bool = False
    answers: frozenset[str] = frozenset("a")
    offered: bool = True

    @property
    def document(self) -> Json:
        limit: dict[str, Json] = {} if self.limit is None else {"maxLength": self.limit}
        note: Json = {"type": "string", **limit} if self.is_text else {"type": "integer"}
        asked: Json = {
            "type": "object",
            "properties": {"note": note, "mark": {"type": "string"}},
            "required": ["note", *(["mark"] if self.demanded else [])],
        }
        told: Json = {
            "type": "object",
            "properties": {"state": {"type": "string", "enum": sorted(self.answers)}},
            "required": ["state"],
        }
        post: Json = {
            "requestBody": {"required": True, "content": {"application/json": {"schema": asked}}},
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": told}}}},
        }
        paths: Json = {"/other": {"get": {"responses": {"204": {"description": ""}}}}}
        paths = {**paths, "/notes": {"post": post}} if self.offered else paths
        return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths}


releases = st.builds(
    Release,
    limit=st.sampled_from([None, 100, 60, 50]),
    is_text=st.sampled_from([True, True, True, False]),
    demanded=st.booleans(),
    answers=st.frozensets(st.sampled_from("abc"), min_size=1),
    offered=st.sampled_from([True, True, True, True, False]),
)


def length(old: Release, new: Release) -> bool:
    return old.is_text and new.is_text and new.limit is not None and (old.limit is None or new.limit < old.limit)


ASPECTS: dict[str, Callable[[Release, Release], bool]] = {
    "lengths": length,
    "types": lambda old, new: old.is_text is not new.is_text,
    "requiredness": lambda old, new: new.demanded and not old.demanded,
    "enums": lambda old, new: bool(new.answers - old.answers),
}


def expected(line: Sequence[Release]) -> Iterator[tuple[str, int, int | None]]:
    """Each break with its release, and the first later one that does not break what stood before it."""
    for since in range(1, len(line)):
        old, new = line[since - 1], line[since]
        later = range(since + 1, len(line))
        if not old.offered:
            continue
        if not new.offered:
            yield "methods", since, next((at for at in later if line[at].offered), None)
            continue
        for aspect, breaks in ASPECTS.items():
            if breaks(old, new):
                # Nothing of an operation that is gone, or of a value of another type, is as it was.
                lost = (
                    at
                    for at in later
                    if line[at].offered
                    and not breaks(old, line[at])
                    and not (aspect == "lengths" and not line[at].is_text)
                )
                yield aspect, since, next(lost, None)


def read(data: bytes, name: str) -> Contract:
    return read_contract(name, lambda _: data)


@settings(deadline=None, max_examples=60)
@given(st.lists(releases, min_size=2, max_size=5))
def test_a_row_stands_exactly_while_a_later_release_breaks_the_same(line: list[Release]) -> None:
    contracts = [read(json.dumps(each.document).encode(), "a.json") for each in line]
    found = release_breaks(compare_history(contracts, witnesses=False))
    told = sorted((str(each.row.delta.aspect), each.since, each.until or 0) for each in found)
    assert told == sorted((aspect, since, until or 0) for aspect, since, until in expected(line))


OPENAPI = """\
openapi: 3.0.3
info: {{title: t, version: "1"}}
paths:
  /a: {{post: {{requestBody: {{$ref: "#/components/requestBodies/B"}}, responses: {{"204": {{description: ""}}}}}}}}
  /b: {{post: {{requestBody: {{$ref: "#/components/requestBodies/{0}"}}, responses: {{"204": {{description: ""}}}}}}}}
components:
  requestBodies:
    B: {{required: true, content: {{application/json: {{schema: {{$ref: "#/components/schemas/S"}}}}}}}}
    C: {{required: true, content: {{application/json: {{schema: {{type: string}}}}}}}}
  schemas:
    S: {{type: string, maxLength: {1}}}
"""
KINDS = {
    "protobuf": ("a.proto", 'syntax = "proto3";\nmessage A {{ {} x = 1; }}\n', ("int64", "string", "bool")),
    "graphql": ("a.graphql", "type Query {{ x: {} }}\n", ("Int", "String", "Boolean")),
    "avro": (
        "a.avsc",
        '{{"type": "record", "name": "A", "fields": [{{"name": "x", "type": "{}"}}]}}',
        ("int", "string", "boolean"),
    ),
    "jsonschema": (
        "a.json",
        '{{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string", "maxLength": {}}}',
        ("9", "2", "5"),
    ),
    "python": ("a.py", "def f(x, {}):\n    return x\n", ("y=1", "y", "y, *, z=2")),
    "shared component": ("a.yaml", OPENAPI.replace("{0}", "B").replace("{1}", "{}"), ("9", "2", "5")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_another_breaking_value_keeps_the_row_of_each_kind(kind: str) -> None:
    name, text, (first, second, third) = KINDS[kind]
    line = [read(text.format(value).encode(), name) for value in (first, second, third, first)]
    found = [each for each in release_breaks(compare_history(line)) if each.since == 1]
    assert found and {each.until for each in found} == {3}
    assert {each.until for each in release_breaks(compare_history(line[:3])) if each.since == 1} == {None}


def test_what_two_operations_share_stands_though_one_of_them_left_it() -> None:
    texts = [OPENAPI.format(*words) for words in (("B", 9), ("B", 2), ("C", 5), ("C", 9))]
    swapped = [text.replace("  /a:", "  /z:", 1) for text in texts]
    for line in (texts, swapped):
        found = release_breaks(compare_history([read(text.encode(), "a.yaml") for text in line]))
        assert [each.until for each in found if each.since == 1] == [3]
