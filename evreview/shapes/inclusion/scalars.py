"""Values of one plain type that meet some literals and break others."""

from __future__ import annotations

from collections.abc import Iterable

from evreview.core.vocabulary import Json
from evreview.schema.subsumption.constraint_set import Given
from evreview.schema.subsumption.interned_schema import Literal, concerns
from evreview.schema.subsumption.result import FORMAT, PATTERN, UNDECIDED, YES, Found, no, unknown
from evreview.schema.subsumption.scalars import string_between
from evreview.shapes.inclusion.forms import Pool
from evreview.shapes.inclusion.holds import holds
from evreview.shapes.inclusion.numbers import finite, number_between, written


def few(values: Iterable[Json], broken: list[Literal], pool: Pool) -> Found:
    """The first of some values that breaks all literals; yes when there is none."""
    form = [pool.of(literal) for literal in broken]
    for value in values:
        said = [holds(each, value) for each in form]
        if all(one is False for one in said):
            return no(value)
        if None in said:
            return unknown(UNDECIDED)
    return YES


def number(given: Given, broken: list[Literal]) -> Found:
    """A number that meets what is given and breaks all literals; yes when there is none."""
    demanded = [literal for literal in given.literals if concerns(literal, "number")]
    if any(literal[0] == "format" for literal in broken):
        return unknown(FORMAT)
    found = number_between(demanded, [_named(literal, "numbers") for literal in broken])
    if isinstance(found, tuple):
        return no(written(found[0]))
    return YES if found is False else unknown(UNDECIDED)


def string(given: Given, broken: list[Literal]) -> Found:
    """A string that meets what is given and breaks all literals; yes when there is none."""
    demanded = [literal for literal in given.literals if concerns(literal, "string")]
    found = string_between(demanded, [_named(literal, "words") for literal in broken])
    if isinstance(found, tuple):
        return no(found[0])
    formats = any(literal[0] == "format" for literal in (*demanded, *broken))
    return YES if found is False else unknown(FORMAT if formats else PATTERN)


def _named(literal: Literal, kind: str) -> Literal:
    """An `enum` literal as what it means for one type."""
    if literal[0] != "enum":
        return literal
    values = literal[1].by_token.values()
    return (kind, tuple(value for value in values if isinstance(value, str)) if kind == "words" else finite(values))
