"""What each difference means for each known client, as three separate facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

import pandas as pd

from evreview.clients.touch import concerns, touched
from evreview.core.vocabulary import Answer, ClientId, DeltaId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import ClientInventory, KnownClient
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.policy.row import Row
from evreview.workflows.w1.step5_client_impact import incompatible

ParserResult = Literal["failed", "passed", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """One known client and one difference.

    Attributes:
        client, delta_id: the pair.
        contract_incompatible, contract_why: first fact: whether the declared parser contract excludes the candidate.
        executed, executed_checks: second fact: the retained result of its parser on the candidate form.
        inferred: third fact: the runtime impact that follows, an inference and never more.
        touched: whether the client uses the changed element.
        released: whether the client is a released one.
        adopted: whether its owner's adoption of another path is shown.
        citations: the declaration, then the executed checks.
    """

    client: ClientId
    delta_id: DeltaId
    contract_incompatible: Answer
    contract_why: str
    executed: ParserResult
    executed_checks: tuple[Citation, ...]
    inferred: str
    touched: Answer
    released: bool
    adopted: bool
    citations: tuple[Citation, ...]

    @property
    def breaking(self) -> bool:
        """True when the client rejects the candidate form: shown by execution, or declared and not disproved."""
        declared = self.contract_incompatible is Answer.YES and self.executed != "passed"
        return self.executed == "failed" or declared


def assess(
    rows: Sequence[Row],
    inventories: Sequence[Cited[ClientInventory]],
    tests: Sequence[Cited[TestRecord]],
    unmapped: Collection[ClientId] = (),
    adopted: Collection[ClientId] | None = None,
) -> tuple[Impact, ...]:
    """One impact per known client and row: clients in the order listed, rows in theirs.

    Args:
        rows: all rows of the comparison.
        inventories: the known clients.
        tests: retained results; only those with command, revision, fixture and result count, and only on the
            candidate form: a check says so by `parses: candidate` or by naming the delta.
        unmapped: clients that list a use which neither contract has (`reconcile.uses.unmapped_uses`). What they use
            is not known, so nothing about them is answered with no.
        adopted: the clients whose adoption is shown (`clients.migration`); None takes the inventory at its word.
    """
    families = _families(rows)
    executed = _by_client(tests)
    impacts = (
        _impact(client, at, row, _Around(families[_parent(row)], executed.get(client.id, ())))
        for cited in inventories
        for client, at in _clients(cited)
        for row in rows
    )
    doubted = (_unmapped(impact) if impact.client in unmapped else impact for impact in impacts)
    if adopted is None:
        return tuple(doubted)
    return tuple(replace(impact, adopted=impact.client in adopted) for impact in doubted)


def impacts_frame(impacts: Iterable[Impact]) -> pd.DataFrame:
    """One row per known client and difference, key (`client`, `delta_id`).

    Columns: client, delta_id, touched, contract_incompatible ("yes", "no", "unknown"), contract_why, executed
    ("failed", "passed", "none"), inferred (text), breaking (bool), evidence (citations, ", " between them).
    """
    columns = ["client", "delta_id", "touched", "contract_incompatible", "contract_why", "executed", "inferred"]
    columns += ["breaking", "evidence"]
    cells = [
        (
            impact.client,
            impact.delta_id,
            str(impact.touched),
            str(impact.contract_incompatible),
            impact.contract_why,
            impact.executed,
            impact.inferred,
            impact.breaking,
            ", ".join(str(citation) for citation in impact.citations),
        )
        for impact in impacts
    ]
    frame = pd.DataFrame(cells, columns=columns)
    return frame.astype({name: "bool" if name == "breaking" else "string" for name in columns})


INFERENCES: Final[Mapping[tuple[ParserResult, Answer], str]] = MappingProxyType(
    {
        ("failed", Answer.YES): "its released parser fails on the candidate form when it meets it",
        ("failed", Answer.NO): "its parser fails on the candidate form, against its own declaration",
        ("failed", Answer.UNKNOWN): "its parser fails on the candidate form when it meets it",
        ("passed", Answer.YES): "no failure: the executed parser read what its declaration excludes",
        ("passed", Answer.NO): "no failure for the form that was executed",
        ("passed", Answer.UNKNOWN): "no failure for the form that was executed",
        ("none", Answer.YES): "it may fail on the candidate form; nothing was executed",
        ("none", Answer.NO): "none expected from its declaration; nothing was executed",
        ("none", Answer.UNKNOWN): "unknown; neither its declaration nor an execution tells",
    }
)
"""The runtime impact that follows from the executed result and the declared incompatibility. Always an inference."""


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands beside one client and one row: sibling rows, and the client's executed checks."""

    siblings: tuple[Row, ...]
    checks: Sequence[tuple[CheckResult, Citation]]


def _impact(client: KnownClient, at: Citation, row: Row, around: _Around) -> Impact:
    siblings = (other for other in around.siblings if other.delta.id != row.delta.id)
    answer, why = incompatible(client, row, siblings)
    ran = [(check, place) for check, place in around.checks if _counts(check, row)]
    result = _result(check for check, _ in ran)
    places = tuple(place for check, place in ran if check.result == result)
    return Impact(
        client=ClientId(client.id),
        delta_id=row.delta.id,
        contract_incompatible=answer,
        contract_why=why,
        executed=result,
        executed_checks=places,
        inferred=INFERENCES[result, answer],
        touched=touched(client, row.delta),
        released=client.released,
        adopted=bool(client.adopted_path and client.adoption_evidence),
        citations=(at, *places),
    )


def _unmapped(impact: Impact) -> Impact:
    """The same impact without any no: a use that maps nothing may stand for what the row is about."""
    touched_ = Answer.UNKNOWN if impact.touched is Answer.NO else impact.touched
    if impact.contract_incompatible is not Answer.NO:
        return replace(impact, touched=touched_)
    return replace(
        impact,
        touched=touched_,
        contract_incompatible=Answer.UNKNOWN,
        contract_why="it lists a use that neither contract has, so what it uses is not known",
        inferred=INFERENCES[impact.executed, Answer.UNKNOWN],
    )


def _clients(cited: Cited[ClientInventory]) -> Iterable[tuple[KnownClient, Citation]]:
    return ((client, cited.at(f"/clients/{place}")) for place, client in enumerate(cited.record.clients))


def _by_client(tests: Sequence[Cited[TestRecord]]) -> Mapping[str, Sequence[tuple[CheckResult, Citation]]]:
    found: dict[str, list[tuple[CheckResult, Citation]]] = defaultdict(list)
    for cited in tests:
        for place, check in enumerate(cited.record.checks):
            if check.client and not check.lacking:
                found[check.client].append((check, cited.at(f"/checks/{place}")))
    return found


def _counts(check: CheckResult, row: Row) -> bool:
    on_candidate = check.parses == "candidate" or (check.parses is None and bool(check.deltas))
    return on_candidate and concerns(check, row.delta)


def _result(checks: Iterable[CheckResult]) -> ParserResult:
    """A failure outweighs any pass; an error or a skipped check is no parser result."""
    results = {check.result for check in checks}
    if "failed" in results:
        return "failed"
    return "passed" if "passed" in results else "none"


def _families(rows: Iterable[Row]) -> Mapping[str, tuple[Row, ...]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[_parent(row)].append(row)
    return {parent: tuple(members) for parent, members in found.items()}


def _parent(row: Row) -> str:
    return row.delta.address.rpartition(" > ")[0]
