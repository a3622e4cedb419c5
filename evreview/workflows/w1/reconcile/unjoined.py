"""What the evidence names, led to the rows of the ledger; and what of it reaches none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import pandas as pd

from evreview.contract.model import Contract, Element
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.element_mentions import field_steps
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import ClientInventory
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.workflows.w1.element_lookup import (
    Spellings,
    check_as_rows,
    checks_as_rows,
    closest,
    concerns,
    dotted,
    fields_of,
    find_operation,
)
from evreview.workflows.w1.facts import ClassifiedRow, ContractPair, W1Facts
from evreview.workflows.w1.reconcile.sources import Reconciliation, observations_of
from evreview.workflows.w1.reconcile.unmatched_uses import has_field, unmatched_uses

Kind = Literal["check", "observation", "use", "mapping"]
Why = Literal["no-such-operation", "no-such-field", "no-such-element", "no-such-difference", "no-difference", "no-name"]
COLUMNS: Final = ("kind", "id", "why", "named", "nearest", "evidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unjoined:
    """One check, observation, use or mapping that reached no difference.

    Attributes:
        kind, id: what it is, and its own name; a use has its client's.
        why: what is not there: the operation, field, element or difference that it names; or nothing differs there.
        named, nearest: what it names, and the known name most like that; "" where there is none.
        narrow: True where it names a part of an operation, not the operation alone.
        citation: where it stands.
    """

    kind: Kind
    id: str
    why: Why
    named: str
    nearest: str
    citation: Citation
    narrow: bool = False


def unjoined(
    bundle: Bundle,
    rows: Sequence[ClassifiedRow],
    sides: ContractPair,
    spellings: Spellings,
    reconciliation: Reconciliation | None,
) -> tuple[Unjoined, ...]:
    """Everything that reached no difference: checks, observations, uses, mappings, each kind in the order supplied.

    A use or an observation of what both contracts have alike joined its operation, and is left out; so is a check of
    an adoption or a rollback, which is about a path.
    """
    return (
        *_checks(records_of(bundle, TestRecord), rows, sides, spellings),
        *_observations(bundle, sides, spellings),
        *_uses(records_of(bundle, ClientInventory), sides, spellings),
        *(_mappings(reconciliation) if reconciliation else ()),
    )


def unjoined_frame(found: Iterable[Unjoined]) -> pd.DataFrame:
    """One row for each, key (`evidence`).

    Columns, all text: kind ("check", "observation", "use", "mapping"), id, why ("no-such-operation", "no-such-field",
    "no-such-element", "no-such-difference", "no-difference", "no-name"), named, nearest ("" for none), evidence.
    """
    cells = [(each.kind, each.id, each.why, each.named, each.nearest, str(each.citation)) for each in found]
    return pd.DataFrame(cells, columns=list(COLUMNS), dtype="string")


def _checks(
    tests: Sequence[Cited[TestRecord]], rows: Sequence[ClassifiedRow], sides: ContractPair, spellings: Spellings
) -> Iterator[Unjoined]:
    for cited in tests:
        for place, check in enumerate(cited.record.checks):
            named = check_as_rows(check, spellings)
            if check.path or check.boundary or any(concerns(named, row.delta) for row in rows):
                continue
            why, text, like = _why(check, rows, sides, spellings)
            at = cited.at(f"/checks/{place}")
            narrow = bool(check.field or check.aspect)
            yield Unjoined(kind="check", id=check.id, why=why, named=text, nearest=like, citation=at, narrow=narrow)


def _why(
    check: CheckResult, rows: Sequence[ClassifiedRow], sides: ContractPair, spellings: Spellings
) -> tuple[Why, str, str]:
    """What a check names that is not there, and the name most like it."""
    if check.deltas:
        return "no-such-difference", ", ".join(check.deltas), closest(check.deltas[0], (row.delta.id for row in rows))
    if not check.operation:
        return "no-name", "", ""
    keys = spellings.keys(check.operation)
    if not keys:
        return "no-such-operation", check.operation, spellings.nearest(check.operation)
    found = list(_named(sides, keys))
    steps = field_steps(dotted(check.field or ""))
    if check.field and not any(has_field(contract, each, steps) for contract, each in found):
        known = {name for contract, each in found for name in fields_of(contract, each)}
        return "no-such-field", check.field, closest(dotted(check.field), known)
    return "no-difference", " > ".join(part for part in (check.operation, check.field or check.aspect) if part), ""


def _named(sides: ContractPair, keys: tuple[str, ...]) -> Iterator[tuple[Contract, Element]]:
    for contract in (sides.released, sides.candidate):
        yield from ((contract, each) for each in contract.operations if each.key in keys)


def _observations(bundle: Bundle, sides: ContractPair, spellings: Spellings) -> Iterator[Unjoined]:
    for seen, at in observations_of(bundle):
        if not any(find_operation(contract, seen.operation) for contract in (sides.released, sides.candidate)):
            like = spellings.nearest(seen.operation)
            yield Unjoined(
                kind="observation", id=seen.id, why="no-such-operation", named=seen.operation, nearest=like, citation=at
            )


def _uses(
    inventories: Sequence[Cited[ClientInventory]], sides: ContractPair, spellings: Spellings
) -> Iterator[Unjoined]:
    for stray in unmatched_uses(inventories, sides, spellings):
        why: Why = "no-such-field" if stray.field else "no-such-operation"
        named = stray.field or stray.operation
        yield Unjoined(
            kind="use", id=stray.client, why=why, named=named, nearest=stray.nearest, citation=stray.citation
        )


def _mappings(found: Reconciliation) -> Iterator[Unjoined]:
    for fault in found.faults:
        if fault.code == "no-such-element":
            place = f"{fault.path}:{fault.lines}"
            yield Unjoined(
                kind="mapping",
                id=place,
                why="no-such-element",
                named=fault.element,
                nearest=fault.nearest,
                citation=fault.citation,
            )


# What the evidence names, led to the rows of the ledger; and what of it reaches none.


def spellings_of(facts: W1Facts) -> Spellings | None:
    """The names of operations of both contracts, None before they are read."""
    if facts.released is None or facts.candidate is None:
        return None
    return Spellings(ContractPair(facts.released, facts.candidate))


def tests_of(bundle: Bundle, facts: W1Facts) -> tuple[Cited[TestRecord], ...]:
    """The retained tests, each check under the name that rows have for its operation."""
    names, tests = spellings_of(facts), records_of(bundle, TestRecord)
    return tests if names is None else checks_as_rows(tests, names)


def unjoined_of(bundle: Bundle, facts: W1Facts) -> tuple[Unjoined, ...]:
    """What of the evidence reached no difference; nothing before the ledger of step 2."""
    if facts.released is None or facts.candidate is None or facts.comparison is None:
        return ()
    sides = ContractPair(facts.released, facts.candidate)
    return unjoined(bundle, facts.rows, sides, Spellings(sides), facts.reconciliation)
