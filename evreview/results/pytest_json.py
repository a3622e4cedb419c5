"""The JSON report of pytest-json-report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.core.vocabulary import Json
from evreview.evidence.test_results.model import Case, Outcome, Results, Unreadable
from evreview.evidence.test_results.operation_names import pairs, told
from evreview.results.parts import MAX_CASES, listed, mapping, merged, message_of, where, word

_OUTCOMES: Final[Mapping[str, Outcome]] = {
    "passed": "passed",
    "failed": "failed",
    "error": "error",
    "skipped": "skipped",
    "xfailed": "skipped",
    "xpassed": "passed",
}
"""An expected failure shows nothing that works: it counts as skipped."""
_STAGES: Final = ("setup", "call", "teardown")
_ADVICE: Final = "retain the report as pytest wrote it"


def read_pytest_json(data: Json) -> Results:
    """Every entry of `tests`; a collector that failed is named as unread, its tests are not in the report."""
    report = mapping(data)
    entries = listed(report.get("tests"))
    cases: list[Case] = []
    unread = _collectors(report)
    for number, entry in enumerate(entries[:MAX_CASES]):
        case, faults = _case(mapping(entry), where("tests", number))
        unread.extend(faults)
        cases.extend([case] if case is not None else [])
    total = mapping(report.get("summary")).get("total")
    if type(total) is int and total != len(cases):
        unread.append(
            Unreadable(where("summary"), f"it states {total} tests, {len(cases)} were read", _ADVICE, lost=True)
        )
    return Results(format="pytest-json", cases=merged(cases), unread=tuple(unread))


def _collectors(report: Mapping[str, Json]) -> list[Unreadable]:
    found: list[Unreadable] = []
    for number, one in enumerate(listed(report.get("collectors"))):
        if mapping(one).get("outcome") not in ("passed", None):
            locator = where("collectors", number)
            found.append(
                Unreadable(
                    locator, "tests were not collected here", "correct what stopped pytest and run it again", lost=True
                )
            )
    return found


def _case(entry: Mapping[str, Json], locator: str) -> tuple[Case | None, tuple[Unreadable, ...]]:
    name, outcome = word(entry.get("nodeid")), _OUTCOMES.get(word(entry.get("outcome")))
    if not name or outcome is None:
        return None, (Unreadable(locator, "a test without a node id or a known outcome", _ADVICE, lost=True),)
    assertions, unread = told(name, _properties(entry), outcome, locator)
    case = Case(
        id=name,
        what=name.rpartition("::")[2] if "[" not in name else name.partition("[")[0].rpartition("::")[2],
        outcome=outcome,
        locator=locator,
        message=_message(entry) if outcome != "passed" else "",
        assertions=assertions,
    )
    return case, unread


def _properties(entry: Mapping[str, Json]) -> tuple[tuple[str, Json], ...]:
    """What `record_property` recorded, and what the `json_metadata` fixture holds."""
    metadata = mapping(entry.get("metadata"))
    return (*pairs(listed(entry.get("user_properties"))), *metadata.items())


def _message(entry: Mapping[str, Json]) -> str:
    stages = [mapping(entry.get(stage)) for stage in _STAGES]
    return message_of(*(mapping(stage.get("crash")).get("message") or _skipped(stage) for stage in stages))


def _skipped(stage: Mapping[str, Json]) -> str:
    return word(stage.get("longrepr")) if stage.get("outcome") in ("skipped", "failed") else ""
