"""What the evidence lacks, operation by operation: the reference omits it, and says so."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evreview.core.quoted_text import plain
from evreview.reference import gap_inputs
from evreview.reference.entry import Entries
from evreview.reference.gap_rules import GapRule, Lack, Looked
from evreview.reference.model import Gap, Operation
from evreview.schema.validators import Validators
from evreview.workflows.w2 import gap_rules
from evreview.workflows.w2.evidence_matrix import is_whole
from evreview.workflows.w2.step2_routes import Matching

if TYPE_CHECKING:
    from pandas import DataFrame

RULES: Final[tuple[GapRule, ...]] = (*gap_inputs.RULES, *gap_rules.RESPONSE_GAP_RULES)
"""Every rule, in the order of the page."""

RULE: Final[Mapping[str, GapRule]] = {rule.id: rule for rule in RULES}


def gaps(operations: Sequence[Operation], entries: Entries, matching: Matching) -> tuple[Gap, ...]:
    """What is lacking of each operation, in the order of operations and rules.

    A gap of an absence rule states that something does not exist; all others state that it is not defined.
    """
    validators = Validators(entries.contract)
    return tuple(gap for operation in operations for gap in _of(operation, entries, matching, validators))


def unusable(found: Iterable[Gap]) -> frozenset[str]:
    """The operations that can't be used by what the contract says of them."""
    return frozenset(gap.operation for gap in found if gap.blocks)


def _of(operation: Operation, entries: Entries, matching: Matching, validators: Validators) -> Iterator[Gap]:
    route = matching.route(operation)
    read_whole = route if route is not None and is_whole(route) else None
    looked = Looked(entry=entries.entry(operation), route=read_whole, entries=entries, validators=validators)
    for rule in RULES:
        for lack in rule.find(looked):
            yield _gap(rule, operation, lack)


def _gap(rule: GapRule, operation: Operation, lack: Lack) -> Gap:
    key = "\n".join((rule.id, operation.id, lack.place))
    return Gap(
        id="G-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12],
        kind=rule.id,
        operation=operation.id,
        concern=lack.concern or rule.concern,
        says=lack.says,
        citations=lack.citations,
        blocks=rule.blocks,
    )


COLUMNS: Final[Mapping[str, str]] = {
    "gap_id": "stable id of the gap",
    "kind": "the rule that found it",
    "operation": "the operation, as method and path",
    "concern": "what of the operation it is about",
    "says": "what is not defined, or stated absent",
    "absence": "true when it is stated absent, because neither contract nor implementation defines it",
    "blocks": "true when the operation can't be used without it",
    "evidence": "where it would stand, citations with commas between them",
}
"""The columns of `gaps_frame`, each with its meaning."""


def gaps_frame(found: Iterable[Gap]) -> DataFrame:
    """The gaps as a frame with grain one gap, key `gap_id`, and the columns of `COLUMNS` in that order."""
    import pandas as pd

    rows = [
        (
            gap.id,
            gap.kind,
            gap.operation,
            gap.concern.value,
            plain(gap.says),
            RULE[gap.kind].absence,
            gap.blocks,
            ", ".join(map(str, gap.citations)),
        )
        for gap in found
    ]
    flags = {"absence": "bool", "blocks": "bool"}
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({name: flags.get(name, "string") for name in COLUMNS})
