"""Typed bodies: which `kind:` means which record, and in which evidence types it may stand.

Plain text is accepted everywhere and nothing is derived from it. What starts like a typed body must be a valid one;
source code and test outputs that merely hold `kind:` are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, get_args

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem
from evreview.core.json_pointer import Step, place
from evreview.core.vocabulary import EvidenceId, EvidenceType, Json
from evreview.evidence.reading import read_model, suggestion
from evreview.evidence.records.authorization import Authorization
from evreview.evidence.records.base import Record
from evreview.evidence.records.candidates import Acceptance, Candidates, RemediationPlan
from evreview.evidence.records.clients import ClientInventory
from evreview.evidence.records.compatibility import Policy
from evreview.evidence.records.controls import SecurityInventory
from evreview.evidence.records.events import AdoptionRecord, DeprecationNotice, RollbackDrill
from evreview.evidence.records.examples import ClientExamples
from evreview.evidence.records.plan import ExecutionPlan
from evreview.evidence.records.reference import DeclaredCode, SourceMap
from evreview.evidence.records.rollout import RolloutRecord, UsageMetrics
from evreview.evidence.records.routes import RouteTable
from evreview.evidence.records.rubric import SeverityRubric
from evreview.evidence.records.runs import TestRun
from evreview.evidence.records.scope import ContractApproval, PublicationScope
from evreview.evidence.records.security import DeploymentRecord, TrustModel
from evreview.evidence.records.test_runs import ImplementationMapping, Observations, TestRecord

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
    "client-examples": Body(ClientExamples, frozenset({EvidenceType.CLIENT_INVENTORY})),
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
    "deprecation-notice": Body(DeprecationNotice, _APPROVALS),
    "adoption-record": Body(AdoptionRecord, _APPROVALS),
    "rollback-drill": Body(RollbackDrill, _APPROVALS),
    "source-map": Body(SourceMap, _INSPECTED | _APPROVALS),
    "code-facts": Body(DeclaredCode, _INSPECTED),
    "test-run": Body(TestRun, _RUNS),
    "route-table": Body(RouteTable, _RUNS),
    "execution-plan": Body(ExecutionPlan, _APPROVALS),
    "authorization": Body(Authorization, frozenset({EvidenceType.AUTHORIZATION_RECORD})),
    "trust-model": Body(TrustModel, frozenset({EvidenceType.DATA_FLOW})),
    "deployment-record": Body(
        DeploymentRecord, frozenset({EvidenceType.ROLLOUT_RECORD, EvidenceType.CONFIGURATION_EXCERPT})
    ),
    "security-inventory": Body(SecurityInventory, _INSPECTED | _APPROVALS),
    "security-candidates": Body(Candidates, _INSPECTED | _APPROVALS),
    "severity-rubric": Body(SeverityRubric, frozenset({EvidenceType.POLICY})),
    "remediation-plan": Body(RemediationPlan, _APPROVALS),
    "risk-acceptance": Body(Acceptance, _APPROVALS),
}
TYPED: Final = frozenset(kind for body in BODIES.values() for kind in body.types)
_LOOKS_TYPED: Final = re.compile(r"""\A(?:\s|#[^\n]*\n|---\n)*\{|^["']?kind["']?\s*:""", re.MULTILINE)
_FIRST_KIND: Final = re.compile(r"""\A(?:\s|#[^\n]*\n|---\n)*\{?\s*["']?kind["']?\s*:\s*["']?(?P<kind>[\w-]+)""")
_HAR: Final = re.compile(r'\s*\{\s*"log"\s*:')
_SCAN: Final = re.compile(r'\s*\{\s*[^{}\[\]]{0,400}?"runs"\s*:\s*\[')
_ALIKE: Final = 0.8
"""How alike (difflib's ratio) a misspelt kind is to the known one."""
_MANIFEST: Final = re.compile(r"^apiVersion:", re.MULTILINE)
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
        return None, error.problems if _is_meant(kind, content) else ()
    if not isinstance(value, Mapping) or "kind" not in value or _is_manifest(value):
        return None, ()
    if kind in _INSPECTED and not _near(str(value["kind"])):
        return None, ()
    return _read_kind(EvidenceType(kind), value, file)


def _is_manifest(value: Mapping[str, Json]) -> bool:
    """True for a manifest of Kubernetes and its kin, which has a `kind:` of its own."""
    return "apiVersion" in value and str(value["kind"]) not in BODIES


def _is_meant(kind: EvidenceType | str, content: str) -> bool:
    """True when a text that can't be parsed was meant as a typed body: it says so, and is no code and no log."""
    if kind in _INSPECTED:
        first = _FIRST_KIND.match(content)
        return first is not None and _near(first["kind"])
    several = _MANIFEST.search(content) is not None
    return _STATES_KIND.search(content) is not None and not several and not _is_stream(content)


def _near(word: str) -> bool:
    """True for a kind of body, well or badly spelt."""
    return bool(get_close_matches(word, BODIES, n=1, cutoff=_ALIKE))


def _is_stream(content: str) -> bool:
    """True for XML, and for JSON objects one per line, as loggers and test runners write them."""
    if content.lstrip().startswith("<"):
        return True
    first, _, rest = content.strip().partition("\n")
    if not first.startswith("{") or not rest.strip():
        return False
    try:
        return isinstance(parse_text(first.encode(), ""), Mapping)
    except BadInput:
        return False


def retained_outputs(records: Iterable[Record | None]) -> frozenset[EvidenceId]:
    """The items whose text is read as the output of a test run."""
    return frozenset(record.output for record in records if isinstance(record, TestRun))


def is_recording(content: str) -> bool:
    """True for a HAR document or a scanner's SARIF log, which are read as recordings and not as typed bodies."""
    return is_har(content) or _SCAN.match(content) is not None


def is_har(content: str) -> bool:
    """True for a HAR document, a mapping with `log.entries`."""
    return _HAR.match(content) is not None


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
    if isinstance(record, Policy | SeverityRubric):
        yield from _unknown_severities(record, file)
    if isinstance(record, UsageMetrics):
        for index, count in enumerate(record.counts):
            if count.until < count.since:
                at = place(("counts", index, "until"))
                yield Problem(code="bad-period", found="the period ends before it starts", file=file, place=at)


def _holding_nothing(rubric: SeverityRubric, file: str) -> Iterator[Problem]:
    """A rubric of which no severity holds the deployment."""
    if rubric.severities and not rubric.holding:
        found = "none of the severities is called High or Critical, and `holds_deployment` names none"
        advice = "Name the severities of which an unresolved finding holds the deployment"
        yield Problem(
            code="holds-deployment-unnamed", found=found, file=file, place=place(("holds_deployment",)), advice=advice
        )


def _unknown_severities(policy: Policy | SeverityRubric, file: str) -> Iterator[Problem]:
    words = [rule.severity for rule in policy.rules]
    used: list[tuple[tuple[Step, ...], str]] = [
        (("rules", index, "severity"), word) for index, word in enumerate(words) if word
    ]
    if isinstance(policy, Policy):
        used += [(("disposition_per_severity", word), word) for word in policy.disposition_per_severity]
    else:
        used += [(("holds_deployment", at), word) for at, word in enumerate(policy.holds_deployment)]
        yield from _holding_nothing(policy, file)
    for steps, word in used:
        if word not in policy.severities:
            yield Problem(
                code="unknown-severity",
                found=f"`{word}` is none of the policy's severities",
                file=file,
                place=place(steps),
                advice=suggestion(word, policy.severities, "severities"),
            )
