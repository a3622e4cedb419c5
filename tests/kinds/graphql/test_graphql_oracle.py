"""graphql-core's own differ beside ours: each of its findings is a row; where verdicts differ, the class says why.

Its words for a change: breaking, dangerous or safe. Ours are about what old clients send and see, so that some of its
breaking changes break nobody, and some of its dangerous and safe ones do.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from graphql import build_schema
from graphql.utilities import find_breaking_changes, find_dangerous_changes, find_schema_changes
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.kinds.graphql.graphql_space import EDITS, made
from tests.pipeline import written

ROOTS = {"Query": "query", "Mutation": "mutation"}
_FIELD = r"(?P<owner>@?\w+)\.(?P<field>\w+)"
_PLACES = {
    "TYPE_REMOVED": r"(?P<owner>\w+) was removed",
    "TYPE_CHANGED_KIND": r"(?P<owner>\w+) changed",
    "TYPE_REMOVED_FROM_UNION": r"(?P<member>\w+) was removed from union type (?P<owner>\w+)",
    "TYPE_ADDED_TO_UNION": r"(?P<member>\w+) was added to union type (?P<owner>\w+)",
    "VALUE_REMOVED_FROM_ENUM": r"Enum value (?P<owner>\w+)\.(?P<value>\w+)",
    "VALUE_ADDED_TO_ENUM": r"Enum value (?P<owner>\w+)\.(?P<value>\w+)",
    "REQUIRED_INPUT_FIELD_ADDED": rf"field {_FIELD}|input type (?P<owner2>\w+)",
    "IMPLEMENTED_INTERFACE_REMOVED": r"(?P<owner>\w+) no longer implements interface (?P<member>\w+)",
    "IMPLEMENTED_INTERFACE_ADDED": r"(?P<member>\w+) added to interfaces implemented by (?P<owner>\w+)",
    "FIELD_REMOVED": rf"ield {_FIELD}",
    "FIELD_CHANGED_KIND": rf"ield {_FIELD}",
    "DIRECTIVE_REMOVED": r"Directive @(?P<directive>\w+)",
    "DIRECTIVE_ARG_REMOVED": r"@(?P<directive>\w+)\((?P<argument>\w+):",
    "REQUIRED_DIRECTIVE_ARG_ADDED": r"@(?P<directive>\w+)\((?P<argument>\w+):",
    "DIRECTIVE_REPEATABLE_REMOVED": r"from @(?P<directive>\w+)",
    "DIRECTIVE_LOCATION_REMOVED": r"from @(?P<directive>\w+)",
}
_ARGUMENT = (
    rf"(?:{_FIELD}|@(?P<directive>\w+))\((?P<argument>\w+):|{_FIELD.replace('owner', 'o3').replace('field', 'f3')}"
)
BREAKING_YET_COMPATIBLE = {
    "VALUE_REMOVED_FROM_ENUM": "clients never send it, and may only receive less",
    "TYPE_REMOVED": "no operation reaches it, or no document can name it",
    "FIELD_REMOVED": "no operation reaches it",
    "FIELD_CHANGED_KIND": "no operation reaches it",
    "DIRECTIVE_REMOVED": "only schemas use it",
    "DIRECTIVE_LOCATION_REMOVED": "only schemas use it there",
    "TYPE_CHANGED_KIND": "no operation reaches it",
}
YET_UNKNOWN = {
    "FIELD_CHANGED_KIND": "nobody tells which values a scalar of the schema's own has",
    "TYPE_CHANGED_KIND": "nobody tells which values a scalar of the schema's own has",
}
DANGEROUS_YET_COMPATIBLE = {
    "OPTIONAL_ARG_ADDED": "no old document names it",
    "OPTIONAL_INPUT_FIELD_ADDED": "no old document names it",
    "VALUE_ADDED_TO_ENUM": "clients only send it, or nothing reaches it",
    "IMPLEMENTED_INTERFACE_ADDED": "no response can hold it where the interface is promised",
}


def addresses(kind: str, said: str) -> set[str]:
    """Where the ledger has what graphql-core says."""
    found = re.search(_PLACES.get(kind, _ARGUMENT), said)
    assert found is not None, (kind, said)
    part = {name: text for name, text in found.groupdict().items() if text}
    if "directive" in part:
        argument = part.get("argument")
        return {f"directive {part['directive']}" + (f" > argument {argument}" if argument else "")}
    owner = part.get("owner") or part.get("owner2") or part["o3"]
    field = part.get("field") or part.get("f3", "")
    last = next((f" > {word} {part[word]}" for word in ("member", "value", "argument") if word in part), "")
    if owner in ROOTS and field:
        return {f"{ROOTS[owner]} {field}{last}", f"{ROOTS[owner]} {field} > response"}
    return {f"type {owner}{f' > field {field}' if field else ''}{last}"}


def rows_for(found: Comparison, kind: str, said: str) -> list[JudgedRow]:
    wanted = addresses(kind, said)
    return [row for row in found.rows if row.delta.address in wanted]


def both(released: str, candidate: str) -> Comparison:
    return compare(*(written("schema.graphql", text.encode()) for text in (released, candidate)))


def judge_pair(released: str, candidate: str, table: Counter[tuple[str, str, str]]) -> None:
    found = both(released, candidate)
    old, new = build_schema(released), build_schema(candidate)
    for theirs, changes, exceptions in (
        ("breaking", find_breaking_changes(old, new), BREAKING_YET_COMPATIBLE),
        ("dangerous", find_dangerous_changes(old, new), DANGEROUS_YET_COMPATIBLE),
    ):
        for change in changes:
            if "Standard scalar" in change.description:
                continue  # A scalar of the language that no definition mentions: no document can mention it either.
            kind = change.type.name
            rows = rows_for(found, kind, change.description)
            assert rows, (kind, change.description)
            verdicts = {row.judgement.verdict for row in rows}
            ours = next(each for each in (Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE) if each in verdicts)
            table[theirs, kind, ours.value] += 1
            allowed = {Verdict.BREAKING: True, Verdict.UNKNOWN: kind in YET_UNKNOWN}.get(ours, kind in exceptions)
            assert allowed, (kind, change.description)
    require_witnesses(found)


def require_witnesses(found: Comparison) -> None:
    for row in found.breaking:
        said = (row.delta.address, row.judgement.rule, row.proof.reason)
        assert row.proof.status is ProofStatus.WITNESSED, said


@pytest.mark.parametrize("index", range(len(EDITS)))
def test_each_edit_both_ways(index: int) -> None:
    released, candidate = made(()), made((index,))
    assert released != candidate
    for old, new in pairwise((released, candidate, released)):
        judge_pair(old, new, Counter())
        if find_schema_changes(build_schema(old), build_schema(new)):
            assert both(old, new).rows or both(old, new).noise


EDITED = st.sets(st.integers(0, len(EDITS) - 1), max_size=12)


@settings(max_examples=60, deadline=None)
@given(EDITED, EDITED)
def test_many_edits_at_once(before: set[int], after: set[int]) -> None:
    released, candidate = made(before), made(after)
    found = both(released, candidate)
    old, new = build_schema(released), build_schema(candidate)
    for change in (*find_breaking_changes(old, new), *find_dangerous_changes(old, new)):
        if "Standard scalar" not in change.description:
            assert rows_for(found, change.type.name, change.description), change
    require_witnesses(found)


@settings(max_examples=25, deadline=None)
@given(EDITED)
def test_no_schema_differs_from_itself(chosen: set[int]) -> None:
    text = made(chosen)
    assert both(text, text).rows == ()
