"""Keyword arguments of `Field`, `Query`, `conint` and their kin as JSON Schema keywords."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.modules import Scope
from evreview.core.vocabulary import MISSING, Form
from evreview.sources.shape import Schema, Work

NUMBERS: Final = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
}
LENGTHS: Final = {
    "min_length": ("minLength", "minItems", "minProperties"),
    "max_length": ("maxLength", "maxItems", "maxProperties"),
    "min_items": ("minItems", "minItems", "minItems"),
    "max_items": ("maxItems", "maxItems", "maxItems"),
}
PATTERNS: Final = ("pattern", "regex")
REFINING: Final = (
    "max_digits",
    "decimal_places",
    "strip_whitespace",
    "to_lower",
    "to_upper",
    "union_mode",
    "predicate",
)
"""Keywords that check or change more than JSON Schema says."""
FIELD_LIKE: Final = ("Field", "Query", "Path", "Header", "Cookie", "Body", "Form", "File")

METADATA: Final = {
    "Gt": ("gt",), "Ge": ("ge",), "Lt": ("lt",), "Le": ("le",), "MultipleOf": ("multiple_of",),
    "MinLen": ("min_length",), "MaxLen": ("max_length",), "Len": ("min_length", "max_length"),
    "Interval": (), "StringConstraints": (),
}  # fmt: skip


def keywords(call: ast.Call) -> dict[str, ast.expr]:
    """The keyword arguments of a call."""
    return {word.arg: word.value for word in call.keywords if word.arg}


def constrained(work: Work, scope: Scope, schema: Schema, words: Mapping[str, ast.expr]) -> Schema:
    """`schema` with what the keyword arguments demand of it."""
    for word, expression in words.items():
        value = constant(work.modules, scope, expression)
        if value is None or word not in (*NUMBERS, *LENGTHS, *PATTERNS, *REFINING):
            continue
        if value is MISSING or word in REFINING:
            if value is not False:
                work.refuses("", scope.spot(expression), word)
            continue
        schema = _with(schema, word, value)
    return schema


def from_metadata(work: Work, scope: Scope, schema: Schema, call: ast.Call, name: str) -> Schema:
    """`schema` with what one object in `Annotated[…]` demands; `name` is the last part of what is called."""
    if name in FIELD_LIKE or name in ("StringConstraints", "Interval"):
        return constrained(work, scope, schema, keywords(call))
    if name in METADATA:
        placed = dict(zip(METADATA[name], call.args, strict=False))
        return constrained(work, scope, schema, placed | keywords(call))
    return schema


def _with(schema: Schema, word: str, value: Form) -> Schema:
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        real = [branch for branch in branches if branch != {"type": "null"}]
        if len(real) == 1 and isinstance(real[0], dict):
            inner = [_with(branch, word, value) if branch is real[0] else branch for branch in branches]
            return schema | {"anyOf": inner}
    if word in NUMBERS:
        return schema | {NUMBERS[word]: value}
    if word in PATTERNS:
        return schema | {"pattern": value}
    return schema | {LENGTHS[word][_sort(schema.get("type"))]: value}


def _sort(kind: object) -> int:
    return {"array": 1, "object": 2}.get(str(kind), 0)


def any_of(schemas: Iterable[Schema]) -> Schema:
    """Values of any of `schemas`."""
    distinct: list[Schema] = []
    for schema in schemas:
        if schema not in distinct:
            distinct.append(schema)
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
