"""Typed bodies: which `kind:` means which record, and in which evidence types it may stand.

Plain text is accepted everywhere and nothing is derived from it. What starts like a typed body must be a valid one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, get_args

from evreview.documents.pointer import Step, place
from evreview.documents.text import parse_text
from evreview.errors import BadInput, Problem
from evreview.evidence.reading import read_model, suggestion
from evreview.evidence.records.base import Record
from evreview.evidence.records.clients import ClientInventory
from evreview.evidence.records.code import DeclaredCode, SourceMap
from evreview.evidence.records.execution import ImplementationMapping, Observations, TestRecord
from evreview.evidence.records.plan import ExecutionPlan
from evreview.evidence.records.policy import Policy
from evreview.evidence.records.rollout import RolloutRecord, UsageMetrics
from evreview.evidence.records.runs import TestRun
from evreview.evidence.records.scope import ContractApproval, PublicationScope
from evreview.vocab import EvidenceId, EvidenceType, Json

_RUNS: Final = frozenset({EvidenceType.TEST_RECORD, EvidenceType.EXECUTION_AND_APPROVAL})
_APPROVALS: Final = frozenset({EvidenceType.EXECUTION_AND_APPROVAL})
_INSPECTED: Final = frozenset({EvidenceType.SOURCE_EXCERPT, EvidenceType.TEST_INVENTORY})


@dataclass(frozen=True, slots=True)
class Body:
    """One kind of typed body and the evidence types whose content it may be."""

    record: type[Record]
    types: frozenset[EvidenceType]


BODIES: Final[Mapping[str, Body]] = {
    "policy": Body(Policy, frozenset({EvidenceType.POLICY})),
    "client-inventory": Body(ClientInventory, frozenset({EvidenceType.CLIENT_INVENTORY})),
    "rollout-record": Body(RolloutRecord, frozenset({EvidenceType.ROLLOUT_RECORD})),
    "usage-metrics": Body(
        UsageMetrics,
        frozenset({EvidenceType.CLIENT_INVENTORY, EvidenceType.ROLLOUT_RECORD, EvidenceType.EXECUTION_AND_APPROVAL}),
    ),
    "test-record": Body(TestRecord, _RUNS),
    "observations": Body(Observations, _RUNS),
    "implementation-mapping": Body(ImplementationMapping, frozenset({EvidenceType.IMPLEMENTATION_DIFF})),
    "publication-scope": Body(PublicationScope, _APPROVALS),
    "contract-approval": Body(ContractApproval, _APPROVALS),
    "source-map": Body(SourceMap, _INSPECTED | _APPROVALS),
    "code-facts": Body(DeclaredCode, _INSPECTED),
    "test-run": Body(TestRun, _RUNS),
    "execution-plan": Body(ExecutionPlan, _APPROVALS),
}
TYPED: Final = frozenset(kind for body in BODIES.values() for kind in body.types)
_LOOKS_TYPED: Final = re.compile(r"""\A(?:\s|#[^\n]*\n|---\n)*\{|^["']?kind["']?\s*:""", re.MULTILINE)
_STATES_KIND: Final = re.compile(r"""^\s*\{?\s*["']?kind["']?\s*:""", re.MULTILINE)


def read_body(kind: EvidenceType | str, content: str, file: str) -> tuple[Record | None, tuple[Problem, ...]]:
    """The typed record of an item's content, None for plain text, and what is wrong with a typed body.

    Args:
        kind: the item's evidence type.
        content: its text.
        file: named in the problems.
    """
    if kind not in TYPED or not _LOOKS_TYPED.search(content):
        return None, ()
    try:
        value = parse_text(content.encode(), file)
    except BadInput as error:
        return None, error.problems if _STATES_KIND.search(content) else ()
    if not isinstance(value, Mapping) or "kind" not in value:
        return None, ()
    return _read_kind(EvidenceType(kind), value, file)


def is_recording(content: str) -> bool:
    """True for a HAR document, a mapping with `log.entries`, which is read as a recording and not as a typed body."""
    return re.match(r'\s*\{\s*"log"\s*:', content) is not None


def _read_kind(kind: EvidenceType, value: Mapping[str, Json], file: str) -> tuple[Record | None, tuple[Problem, ...]]:
    named = str(value["kind"])
    body = BODIES.get(named)
    fitting = sorted(name for name, known in BODIES.items() if kind in known.types)
    if body is None or kind not in body.types:
        code = "unknown-kind" if body is None else "kind-does-not-fit"
        found = f"`kind: {named}` " + ("is not known" if body is None else f"does not belong in a {kind}")
        return None, (
            Problem(code=code, found=found, file=file, place="#/kind", advice=suggestion(named, fitting, "kinds")),
        )
    record, problems = read_model(body.record, value, file=file)
    if record is None:
        return None, problems
    problems = (*repeated_ids(record, file), *_contradictions(record, file))
    return (None if problems else record), problems


def repeated_ids(record: Record, file: str) -> Iterator[Problem]:
    """Entries of one list that share an id: a locator could not tell them apart."""
    for steps, part in _parts(record):
        seen: set[str] = set()
        for index, entry in enumerate(part):
            name = getattr(entry, "id", None)
            if not isinstance(name, str):
                continue
            if name in seen:
                at = place((*steps, index, "id"))
                yield Problem(code="duplicate-id", found=f"`{name}` stands twice", file=file, place=at)
            seen.add(name)


def named_items(record: Record, at: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], EvidenceId]]:
    """Every evidence id that a record names, with its place."""
    for name, field in type(record).model_fields.items():
        value = getattr(record, name)
        if _is_id(field.annotation):
            ids = value if isinstance(value, tuple) else (value,)
            for index, found in enumerate(ids):
                if found is not None:
                    yield ((*at, name, index) if isinstance(value, tuple) else (*at, name)), found
        elif isinstance(value, Record):
            yield from named_items(value, (*at, name))
        elif isinstance(value, tuple):
            for index, entry in enumerate(value):
                if isinstance(entry, Record):
                    yield from named_items(entry, (*at, name, index))


def _is_id(annotation: object) -> bool:
    return annotation is EvidenceId or any(_is_id(part) for part in get_args(annotation))


def _parts(record: Record, at: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Sequence[object]]]:
    """Every list in a record, with its place."""
    for name in type(record).model_fields:
        value = getattr(record, name)
        if isinstance(value, tuple):
            yield (*at, name), value
            for index, entry in enumerate(value):
                if isinstance(entry, Record):
                    yield from _parts(entry, (*at, name, index))
        elif isinstance(value, Record):
            yield from _parts(value, (*at, name))


def _contradictions(record: Record, file: str) -> Iterator[Problem]:
    if isinstance(record, Policy):
        yield from _unknown_severities(record, file)
    if isinstance(record, UsageMetrics):
        for index, count in enumerate(record.counts):
            if count.until < count.since:
                at = place(("counts", index, "until"))
                yield Problem(code="bad-period", found="the period ends before it starts", file=file, place=at)


def _unknown_severities(policy: Policy, file: str) -> Iterator[Problem]:
    used: list[tuple[tuple[Step, ...], str]] = [
        (("rules", index, "severity"), rule.severity) for index, rule in enumerate(policy.rules) if rule.severity
    ]
    used += [(("disposition_per_severity", word), word) for word in policy.disposition_per_severity]
    for steps, word in used:
        if word not in policy.severities:
            yield Problem(
                code="unknown-severity",
                found=f"`{word}` is none of the policy's severities",
                file=file,
                place=place(steps),
                advice=suggestion(word, policy.severities, "severities"),
            )
