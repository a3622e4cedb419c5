"""Alternatives of security, and schemes demanded together, against what the guards of the code look for."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.model import Guard, UnsupportedCode
from evreview.core.vocabulary import Json
from evreview.workflows.w2.discrepancy_kinds.kind import TEXT, parameter, paths
from tests.workflows.w2.facts import LINES, contract_of, evidence_of, reads, reconciled, route

SCHEMES: Json = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
    "basic": {"type": "http", "scheme": "basic"},
    "token": {"type": "oauth2", "flows": {}},
    "cert": {"type": "mutualTLS"},
}
DIFFERS, UNCHECKED = "scheme-differs", "scheme-unchecked"


def guard(scheme: str, *also: str, kind: Any = "authentication") -> Guard:
    return Guard(name="caller", kind=kind, spot=LINES, scheme=scheme, also=also)


KEY, BASIC, BEARER = guard("apiKey header X-Api-Key"), guard("http basic"), guard("http bearer")
UNSHOWN, ROLE = guard(""), guard("", kind="authorization")


@pytest.mark.parametrize(
    ("security", "guards", "rows"),
    [
        ([{"key": []}, {"basic": []}], (KEY,), [(DIFFERS, "http basic")]),
        ([{"key": []}, {"basic": []}], (KEY, ROLE), [(DIFFERS, "http basic")]),
        ([{"key": []}, {"basic": []}], (KEY, BASIC), []),
        ([{"key": []}, {"basic": []}], (guard("http basic", "apiKey header X-Api-Key"),), []),
        ([{"key": []}], (guard("http basic", "apiKey header X-Api-Key"),), []),
        ([{"key": []}], (BASIC,), [(DIFFERS, "")]),
        ([{"key": [], "token": []}], (KEY,), [(UNCHECKED, "http bearer")]),
        ([{"key": [], "token": []}], (KEY, BEARER), []),
        ([{"key": []}, {"key": [], "token": []}], (KEY,), []),
        ([{"key": [], "token": []}, {"basic": []}], (KEY,), [(UNCHECKED, "http bearer"), (DIFFERS, "http basic")]),
        ([{"key": [], "token": ["r"]}], (KEY,), [(UNCHECKED, "http bearer")]),
    ],
)
def test_every_alternative_is_looked_for(
    security: Json, guards: tuple[Guard, ...], rows: list[tuple[str, str]]
) -> None:
    found = reconciled(evidence_of(contract_of(paths(security=security), SCHEMES), route(guards=guards)))
    assert sorted((each.kind, each.place) for each in found.discrepancies) == sorted(rows)
    assert found.undecided == ()


@pytest.mark.parametrize(
    ("security", "parts"),
    [
        ([{"key": []}, {"basic": []}], {"guards": (KEY,), "unread": (UnsupportedCode(LINES, "a part"),)}),
        ([{"key": []}, {"basic": []}], {"guards": (KEY, UNSHOWN)}),
        ([{"key": []}, {"basic": []}], {"guards": (KEY,), "parameters": (reads("Authorization", TEXT, "header"),)}),
        ([{"basic": []}, {"key": []}], {"guards": (BASIC,), "parameters": (reads("X-Api-Key", TEXT, "header"),)}),
        ([{"key": []}, {"cert": []}], {"guards": (KEY,)}),
    ],
)
def test_what_is_not_shown_stays_open(security: Json, parts: dict[str, Any]) -> None:
    found = reconciled(evidence_of(contract_of(paths(security=security), SCHEMES), route(**parts)))
    assert found.discrepancies == ()
    assert [str(each.concern) for each in found.undecided] == ["authentication"]


@pytest.mark.parametrize(("documented", "kinds"), [(True, []), (False, ["guard-undocumented"])])
def test_a_documented_parameter_is_no_undocumented_guard(documented: bool, kinds: list[str]) -> None:
    given = [parameter("X-Signature", TEXT, "header")] if documented else []
    code = route(guards=(guard("apiKey header X-Signature"),), parameters=(reads("X-Signature", TEXT, "header"),))
    found = reconciled(evidence_of(contract_of(paths(parameters=given, security=[]), SCHEMES), code))
    assert [each.kind for each in found.discrepancies if each.kind == "guard-undocumented"] == kinds
