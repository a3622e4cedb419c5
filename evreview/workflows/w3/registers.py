"""Registers of a W3 review as frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import pandas as pd

from evreview.core.quoted_text import Text, plain
from evreview.evidence.item import Citation
from evreview.workflows.w3.facts import ProposedCheck
from evreview.workflows.w3.model import (
    AbuseCase,
    BoundaryBacking,
    Candidate,
    ControlCell,
    InventoryGap,
    Lead,
    MiddlewareRow,
    RemediationRow,
    SecurityFinding,
    TestRow,
    TrustMap,
)

if TYPE_CHECKING:
    from evreview.workflows.w3.validation import LocalResult


CONTROL_COLUMNS: Final[Mapping[str, str]] = {
    "area": "the kind of control",
    "control": "id of the control, or the area's name where none is listed for the route",
    "route": "method and path; `*` for an area that is not in scope, or where no route is known",
    "standing": "`present`, `absent`, `unread`, `unknown`, `not applicable` or `not in scope`",
    "odd": "`yes` for an unguarded route beside guarded ones",
    "why": "what shows it",
    "evidence": "citations",
}
"""The columns of `controls_frame`."""
INVENTORY_GAP_COLUMNS: Final[Mapping[str, str]] = {
    "area": "the kind of control",
    "control": "id of the control, the area's name, or `*` for what concerns all",
    "lacks": "what is not there",
    "decides": "`yes` when nothing can be concluded without it",
    "request": "the artifact to ask for",
    "evidence": "citations",
}
"""The columns of `gaps_frame`."""
MIDDLEWARE_COLUMNS: Final[Mapping[str, str]] = {
    "application": "how the code calls it, and its file",
    "kind": "`middleware`, `before request`, `dependency` or `error handler`",
    "place": "1 runs first; 0 where there is no order",
    "name": "in the code's own words",
    "area": "the kind of control that it is, empty where the code does not tell",
    "evidence": "citations",
}
"""The columns of `middleware_frame`."""
TEST_COLUMNS: Final[Mapping[str, str]] = {
    "control": "id of the control",
    "test": "id of the test, as listed",
    "listed_as": "`positive` or `negative`",
    "shown": "how it was found, empty when it was not",
    "asserts": "route and status of each assertion",
    "outcome": "of a retained run, empty when none is retained",
    "evidence": "citations",
}
"""The columns of `tests_frame`."""


def controls_frame(cells: Iterable[ControlCell]) -> pd.DataFrame:
    """One row per cell with the columns of `CONTROL_COLUMNS`, all of them text. Key: `control`, `route`."""
    rows = [
        (
            str(cell.area),
            cell.control,
            cell.route,
            str(cell.standing),
            _yes(cell.odd),
            plain(cell.why),
            evidence(cell.citations),
        )
        for cell in cells
    ]
    return _frame(rows, CONTROL_COLUMNS)


def gaps_frame(gaps: Iterable[InventoryGap]) -> pd.DataFrame:
    """One row per gap with the columns of `GAP_COLUMNS`, all of them text."""
    rows = [
        (str(gap.area), gap.control, str(gap.lacks), _yes(gap.decides), plain(gap.request), evidence(gap.citations))
        for gap in gaps
    ]
    return _frame(rows, INVENTORY_GAP_COLUMNS)


def middleware_frame(rows: Iterable[MiddlewareRow]) -> pd.DataFrame:
    """One row per thing around the handlers with the columns of `MIDDLEWARE_COLUMNS`, all of them text."""
    lines = [
        (row.application, str(row.kind), str(row.place), row.name, str(row.area or ""), evidence(row.citations))
        for row in rows
    ]
    return _frame(lines, MIDDLEWARE_COLUMNS)


def tests_frame(rows: Iterable[TestRow]) -> pd.DataFrame:
    """One row per listed test with the columns of `TEST_COLUMNS`, all of them text."""
    lines = [
        (
            row.control,
            row.test,
            "negative" if row.negative else "positive",
            str(row.shown),
            "; ".join(f"{operation} {status}" for operation, status in row.asserts),
            row.outcome,
            evidence(row.citations),
        )
        for row in rows
    ]
    return _frame(lines, TEST_COLUMNS)


def _frame(rows: Sequence[tuple[str, ...]], columns: Mapping[str, str]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=list(columns)).astype("string")


def _yes(value: bool) -> str:
    return "yes" if value else "no"


# The trust map as tables.


PATH_COLUMNS: Final[Mapping[str, str]] = {
    "actor": "id of the actor, empty when the entry point names none",
    "entry_point": "id of the entry point",
    "route": "method and path as the code registers it, empty for none",
    "boundaries": "ids in the order crossed, separated by ` > `",
    "asset": "id of the asset, empty when the entry point names none",
    "in_reach": "`yes` when an attacker may be assumed in the actor's position",
    "gaps": "why the path can't be traced; empty for a traceable one",
    "evidence": "citations",
}
"""The columns of the frame of paths."""
BACKING_COLUMNS: Final[Mapping[str, str]] = {
    "id": "id of the boundary or identity transition",
    "what": "`boundary` or `identity transition`",
    "name": "as the model names it",
    "backing": "`validated`, `assumption` or `unknown`",
    "why": "what shows it, or what is missing",
    "evidence": "citations",
}
"""The columns of the frame of boundaries and transitions."""
TRUST_GAP_COLUMNS: Final[Mapping[str, str]] = {
    "kind": "id of the rule, or `missing-field`",
    "decides": "`yes` for one that keeps step 2 from advancing",
    "says": "what, and what to supply",
    "evidence": "citations",
}
"""The columns of the frame of gaps."""


def trust_frames(found: TrustMap) -> dict[str, pd.DataFrame]:
    """The frames `paths`, `backings` and `gaps`, with the columns above, all of them text."""
    rows: dict[str, tuple[Mapping[str, str], list[tuple[str, ...]]]] = {
        "paths": (PATH_COLUMNS, [*_paths(found)]),
        "backings": (BACKING_COLUMNS, [*_backings("boundary", found.backings)]),
        "gaps": (TRUST_GAP_COLUMNS, [*_gaps(found)]),
    }
    rows["backings"][1].extend(_backings("identity transition", found.transitions))
    return {
        name: pd.DataFrame(list(lines), columns=list(columns)).astype("string")
        for name, (columns, lines) in rows.items()
    }


def _paths(found: TrustMap) -> Iterable[tuple[str, ...]]:
    for path in found.paths:
        gaps = "; ".join(map(plain, path.gaps))
        reach = "yes" if path.in_reach else "no"
        ways = " > ".join(path.boundaries)
        yield path.actor, path.entry_point, path.route, ways, path.asset, reach, gaps, evidence(path.citations)


def _backings(what: str, rows: Iterable[BoundaryBacking]) -> Iterable[tuple[str, ...]]:
    for row in rows:
        yield row.id, what, plain(row.name), str(row.backing), plain(row.why), evidence(row.citations)


def _gaps(found: TrustMap) -> Iterable[tuple[str, ...]]:
    for words in found.missing:
        yield "missing-field", "yes", words, ""
    for gap in found.gaps:
        yield gap.kind, "yes" if gap.decides else "no", plain(gap.says), evidence(gap.citations)


def evidence(citations: Iterable[Citation]) -> str:
    """Citations as one text."""
    return ", ".join(map(str, citations))


# The registers of W3 that no step of the review makes itself.


def leads_frame(leads: Iterable[Lead]) -> pd.DataFrame:
    """Leads. Key: `lead`. Columns: lead, rule, tool, area, says, path, symbol, route, evidence; none is proof."""
    rows = [
        (
            *(each.id, each.rule, each.tool, str(each.area), plain(each.says), each.path, each.symbol, each.route),
            ", ".join(map(str, each.citations)),
        )
        for each in leads
    ]
    return pd.DataFrame(rows, columns=["lead", "rule", "tool", "area", "says", "path", "symbol", "route", "evidence"])


def cases_frame(cases: Iterable[AbuseCase]) -> pd.DataFrame:
    """Abuse cases. Key: `case`. Columns: case, boundary, attacker, route, controlled_input, preconditions, bypass,
    consequence, state, candidates, evidence."""
    columns = ["case", "boundary", "attacker", "route", "controlled_input", "preconditions", "bypass", "consequence"]
    rows = [
        (
            *(each.id, each.boundary, each.attacker, each.route, plain(each.controlled_input)),
            *(_joined(each.preconditions), plain(each.bypass), plain(each.consequence), str(each.state)),
            *(", ".join(each.candidates), ", ".join(map(str, each.citations))),
        )
        for each in cases
    ]
    return pd.DataFrame(rows, columns=[*columns, "state", "candidates", "evidence"])


def candidates_frame(candidates: Iterable[Candidate]) -> pd.DataFrame:
    """Challenged candidates, refuted ones included. Key: `candidate`. Columns: candidate, kind, area, title, route,
    control, asset, attacker, reach, state, challenges, missing, evidence."""
    columns = ["candidate", "kind", "area", "title", "route", "control", "asset", "attacker", "reach", "state"]
    rows = [
        (
            *(each.id, each.kind, str(each.area), plain(each.title), ", ".join(each.routes), each.control, each.asset),
            *(each.attacker, str(each.reach), str(each.state)),
            "\n".join(f"{plain(one.place)}: {one.standing}, {plain(one.why)}" for one in each.challenges),
            *(_joined(each.missing), ", ".join(map(str, each.citations))),
        )
        for each in candidates
    ]
    return pd.DataFrame(rows, columns=[*columns, "challenges", "missing", "evidence"])


def results_frame(results: Iterable[LocalResult]) -> pd.DataFrame:
    """Executed checks. Columns: check, what, command, revision, environment, result, operations, evidence."""
    rows = [
        (
            *(each.id, plain(each.what), each.command, each.revision, each.environment, each.result),
            *(", ".join(each.operations), ", ".join(map(str, each.citations))),
        )
        for each in results
    ]
    names = ["check", "what", "command", "revision", "environment", "result", "operations", "evidence"]
    return pd.DataFrame(rows, columns=names)


def proposed_frame(checks: Iterable[ProposedCheck]) -> pd.DataFrame:
    """Proposed checks. Columns: check, verifies, missing, leaves, evidence."""
    rows = [
        (*map(plain, (each.check, each.verifies, each.missing, each.leaves)), ", ".join(map(str, each.citations)))
        for each in checks
    ]
    return pd.DataFrame(rows, columns=["check", "verifies", "missing", "leaves", "evidence"])


def _joined(texts: Iterable[Text]) -> str:
    return "; ".join(map(plain, texts))


FINDING_COLUMNS: Final = (
    *("finding", "severity", "confidence", "disposition", "blocks", "state", "kind", "area", "title", "asset"),
    *("control", "route", "attacker", "preconditions", "reach", "observed", "inferred", "recommendation"),
    *("verification", "severity_why", "confidence_why", "disposition_why", "slice", "evidence"),
)


def findings_frame(findings: Sequence[SecurityFinding]) -> pd.DataFrame:
    """The finding register. Key: `finding`. Columns: `COLUMNS`; `slice` is the digest that a disposition names."""
    rows = [
        (
            *(each.candidate.id, each.severity, str(each.confidence), str(each.disposition), each.blocks),
            *(str(each.candidate.state), each.candidate.kind, str(each.candidate.area), plain(each.candidate.title)),
            *(each.candidate.asset, each.candidate.control, ", ".join(each.candidate.routes), each.candidate.attacker),
            "; ".join(map(plain, each.candidate.preconditions)),
            f"{each.candidate.reach}: {plain(each.candidate.reach_why)}",
            *(plain(each.candidate.impact_observed), plain(each.candidate.impact_inferred)),
            *(plain(each.recommendation), plain(each.candidate.safe_verification)),
            *(plain(each.severity_why), each.confidence_why, plain(each.disposition_why)),
            *(each.candidate.slice, ", ".join(map(str, each.citations))),
        )
        for each in findings
    ]
    return pd.DataFrame(rows, columns=list(FINDING_COLUMNS))


REMEDIATION_COLUMNS: Final = (
    *("finding", "control_change", "owner_role", "positive_tests", "negative_tests", "deployment", "exit_evidence"),
    *("rollback", "refused", "complete", "evidence"),
)


def remediation_frame(rows: Iterable[RemediationRow]) -> pd.DataFrame:
    """The remediation order. Key: `finding`. Columns: `COLUMNS`; `refused` says why the supplied change is refused."""
    values = [
        (
            each.finding,
            *map(plain, (each.control_change, each.owner_role, each.positive_tests, each.negative_tests)),
            *map(plain, (each.deployment, each.exit_evidence, each.rollback, each.refused)),
            each.complete,
            ", ".join(map(str, each.citations)),
        )
        for each in rows
    ]
    return pd.DataFrame(values, columns=list(REMEDIATION_COLUMNS))
