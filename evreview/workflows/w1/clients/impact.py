"""What each difference means for each known client, by what the client declares about its parser."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

import pandas as pd

from evreview.comparison.delta import Delta
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Aspect, Change, ClientId, DeltaId, Direction, Role, Tristate, Verdict
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import field_path, field_steps, is_within
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import ClientInventory, KnownClient
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.kinds.python.signatures import NAME
from evreview.kinds.registry import spec_of
from evreview.workflows.w1.element_lookup import base_aspect, concerns, touched
from evreview.workflows.w1.facts import ClassifiedRow

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
    contract_incompatible: Tristate
    contract_why: str
    executed: ParserResult
    executed_checks: tuple[Citation, ...]
    inferred: str
    touched: Tristate
    released: bool
    adopted: bool
    citations: tuple[Citation, ...]

    @property
    def breaking(self) -> bool:
        """True when the client rejects the candidate form: shown by execution, or declared and not disproved."""
        declared = self.contract_incompatible is Tristate.YES and self.executed != "passed"
        return self.executed == "failed" or declared


def assess(
    rows: Sequence[ClassifiedRow],
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


INFERENCES: Final[Mapping[tuple[ParserResult, Tristate], str]] = MappingProxyType(
    {
        ("failed", Tristate.YES): "its released parser fails on the candidate form when it meets it",
        ("failed", Tristate.NO): "its parser fails on the candidate form, against its own declaration",
        ("failed", Tristate.UNKNOWN): "its parser fails on the candidate form when it meets it",
        ("passed", Tristate.YES): "no failure: the executed parser read what its declaration excludes",
        ("passed", Tristate.NO): "no failure for the form that was executed",
        ("passed", Tristate.UNKNOWN): "no failure for the form that was executed",
        ("none", Tristate.YES): "it may fail on the candidate form; nothing was executed",
        ("none", Tristate.NO): "none expected from its declaration; nothing was executed",
        ("none", Tristate.UNKNOWN): "unknown; neither its declaration nor an execution tells",
    }
)
"""The runtime impact that follows from the executed result and the declared incompatibility. Always an inference."""


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands beside one client and one row: sibling rows, and the client's executed checks."""

    siblings: tuple[ClassifiedRow, ...]
    checks: Sequence[tuple[CheckResult, Citation]]


def _impact(client: KnownClient, at: Citation, row: ClassifiedRow, around: _Around) -> Impact:
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
    touched_ = Tristate.UNKNOWN if impact.touched is Tristate.NO else impact.touched
    if impact.contract_incompatible is not Tristate.NO:
        return replace(impact, touched=touched_)
    return replace(
        impact,
        touched=touched_,
        contract_incompatible=Tristate.UNKNOWN,
        contract_why="it lists a use that neither contract has, so what it uses is not known",
        inferred=INFERENCES[impact.executed, Tristate.UNKNOWN],
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


def _counts(check: CheckResult, row: ClassifiedRow) -> bool:
    on_candidate = check.parses == "candidate" or (check.parses is None and bool(check.deltas))
    return on_candidate and concerns(check, row.delta)


def formless(
    rows: Sequence[ClassifiedRow], tests: Sequence[Cited[TestRecord]]
) -> Iterator[tuple[CheckResult, Citation]]:
    """Failed checks of clients about a difference that count as no run: which form the client was given is unstated."""
    for checks in _by_client(tests).values():
        for check, at in checks:
            unstated = check.result == "failed" and check.parses is None and not check.deltas
            if unstated and any(concerns(check, row.delta) for row in rows):
                yield check, at


def _result(checks: Iterable[CheckResult]) -> ParserResult:
    """A failure outweighs any pass; an error or a skipped check is no parser result."""
    results = {check.result for check in checks}
    if "failed" in results:
        return "failed"
    return "passed" if "passed" in results else "none"


def _families(rows: Iterable[ClassifiedRow]) -> Mapping[str, tuple[ClassifiedRow, ...]]:
    found: dict[str, list[ClassifiedRow]] = defaultdict(list)
    for row in rows:
        found[_parent(row)].append(row)
    return {parent: tuple(members) for parent, members in found.items()}


def _parent(row: ClassifiedRow) -> str:
    return row.delta.address.rpartition(" > ")[0]


# Contract-level incompatibility: what a client declares about its parser against one difference.
#
# One function per aspect that a parser contract speaks about. An answer needs a declaration; what the client does not
# declare is unknown, and a difference that changes nothing it may receive or send is compatible for it.


Opinion = tuple[Tristate, str]


@dataclass(frozen=True, slots=True)
class Case:
    """One client, one row, and the rows beside it."""

    client: KnownClient
    row: ClassifiedRow
    siblings: tuple[ClassifiedRow, ...] = ()

    @property
    def delta(self) -> Delta:
        return self.row.delta


def incompatible(client: KnownClient, row: ClassifiedRow, siblings: Iterable[ClassifiedRow] = ()) -> Opinion:
    """Whether the declared parser contract of `client` excludes what the row changes, and why.

    Args:
        client: the declaration.
        row: the row.
        siblings: the other rows under the same parent; a replaced content type is two rows.
    """
    case = Case(client, row, tuple(siblings))
    use = touched(client, row.delta)
    if use is Tristate.NO:
        return Tristate.NO, "it declares no use of the changed element"
    written = row.delta.direction is Direction.WRITTEN or _only_received(row)
    if not written and (row.delta.direction is Direction.READ or row.delta.role is not Role.RESPONSE):
        return _sent(case, use)
    answer, why = _BY_ASPECT.get(base_aspect(row.delta), _undeclared)(case)
    if answer is Tristate.YES and use is Tristate.UNKNOWN:
        return Tristate.UNKNOWN, f"whether it uses the changed element is not known; if so, {why}"
    return answer, why


def _only_received(row: ClassifiedRow) -> bool:
    """True for what goes both ways and changes only what comes, as a value added to an enum that is also sent."""
    answers = row.judgement.accepts_old_requests, row.judgement.emits_old_compatible
    return row.delta.direction is None and answers == (Tristate.YES, Tristate.NO)


def _sent(case: Case, use: Tristate) -> Opinion:
    """For what the producer reads, or what has no direction: the producer's own answers decide."""
    judged = case.row.judgement
    if judged.verdict is Verdict.COMPATIBLE and judged.emits_old_compatible is not Tristate.NO:
        return Tristate.NO, "what it sends today stays accepted"
    if spec_of(case.delta.kind).data_only and judged.emits_old_compatible is not Tristate.NO:
        return Tristate.UNKNOWN, "whether it writes with the released schema is not declared"
    if base_aspect(case.delta) is Aspect.DEFAULTS:
        return Tristate.UNKNOWN, "it does not declare whether it relies on the default"
    if judged.verdict is Verdict.UNKNOWN or use is not Tristate.YES:
        return Tristate.UNKNOWN, "whether it depends on the released form is not known"
    if _lists(case) and base_aspect(case.delta) in (Aspect.REQUIREDNESS, Aspect.PARAMETERS, Aspect.FIELDS):
        if case.delta.change is Change.REMOVED:
            return Tristate.YES, "it lists the element that is removed"
        if case.delta.element is ElementKind.ARGUMENT and case.delta.facet == NAME:
            return Tristate.YES, "it lists the name that the argument no longer has"
        return Tristate.UNKNOWN, "it lists the element, but not that every request carries it"
    if base_aspect(case.delta) in _DEMANDS:
        return Tristate.YES, "the candidate refuses or no longer serves what it declares to use"
    return Tristate.UNKNOWN, "it does not declare which values it sends"


def _content_type(case: Case) -> Opinion:
    accepted = case.client.accepted_content_types
    delta = case.delta
    offered = _offered(case)
    if delta.change is Change.ADDED and not _removed_types(case):
        return Tristate.NO, "the released content type stays available beside the added one"
    if accepted is None:
        return Tristate.UNKNOWN, "the content types that it accepts are not known"
    if any(_accepts(accepted, name) for name in offered):
        return Tristate.NO, "it accepts the candidate's content type"
    if offered:
        return Tristate.YES, f"it does not accept {', '.join(offered)}"
    gone = _removed_types(case) or (_form(delta.released),)
    if all(name in gone for name in accepted):
        return Tristate.YES, "it accepts only a content type that is removed"
    return Tristate.UNKNOWN, "which of the content types it accepts remains is not known"


def _nullability(case: Case) -> Opinion:
    if _stays_inside(case):
        return Tristate.NO, "no value is emitted that the released contract excludes"
    accepted = case.client.accepts_null
    if accepted is None:
        return Tristate.UNKNOWN, "whether it accepts null there is not known"
    if accepted == "all" or (accepted != "none" and _names(accepted, case)):
        return Tristate.NO, "it accepts null there"
    return Tristate.YES, "it does not accept null there"


def _enum(case: Case) -> Opinion:
    if _stays_inside(case):
        return Tristate.NO, "no value is emitted that the released contract excludes"
    policy = case.client.unknown_enum_values
    if policy is None:
        return Tristate.UNKNOWN, "what it does with an unknown enum value is not known"
    if policy == "tolerated":
        return Tristate.NO, "it tolerates unknown enum values"
    return Tristate.YES, "it rejects unknown enum values"


def _field(case: Case) -> Opinion:
    if case.delta.change is Change.REMOVED:
        return Tristate.YES, "it reads the field that is removed"
    if case.delta.change is Change.CHANGED:
        return _undeclared(case)
    if case.row.judgement.emits_old_compatible is Tristate.NOT_APPLICABLE:
        return Tristate.NO, "no message holds the field unless somebody asks for it"
    policy = case.client.unknown_fields
    if policy is None:
        return Tristate.UNKNOWN, "what it does with an unknown field is not known"
    if policy == "ignored":
        return Tristate.NO, "it ignores unknown fields"
    return Tristate.YES, "it rejects unknown fields"


def _requiredness(case: Case) -> Opinion:
    if _stays_inside(case):
        return Tristate.NO, "no value is emitted that the released contract excludes"
    return Tristate.UNKNOWN, "what it does when the field is absent is not declared"


def _status(case: Case) -> Opinion:
    if case.row.judgement.verdict is Verdict.COMPATIBLE:
        return Tristate.NO, "no status that it relies on changes"
    handled = [use.statuses for use in case.client.uses or ()]
    if not handled or None in handled:
        return Tristate.UNKNOWN, "the statuses that it handles are not known"
    if case.delta.change is Change.REMOVED:
        return Tristate.YES, "it handles the status that is removed"
    return Tristate.YES, "it does not list the added status among those that it handles"


def _type(case: Case) -> Opinion:
    if _stays_inside(case):
        return Tristate.NO, "no value is emitted that the released contract excludes"
    if case.row.judgement.verdict is Verdict.UNKNOWN:
        return Tristate.UNKNOWN, "whether the candidate emits other values is not known"
    return Tristate.YES, "it reads a value whose type changes"


def _undeclared(case: Case) -> Opinion:
    if _stays_inside(case) or case.row.judgement.verdict is Verdict.COMPATIBLE:
        return Tristate.NO, "no value is emitted that the released contract excludes"
    return Tristate.UNKNOWN, f"its parser contract says nothing about {base_aspect(case.delta)}"


_DEMANDS: Final = frozenset(
    {
        Aspect.METHODS,
        Aspect.PARAMETERS,
        Aspect.FIELDS,
        Aspect.REQUIREDNESS,
        Aspect.CONTENT_TYPES,
        Aspect.HEADERS,
        Aspect.SERVERS,
        Aspect.VERSION_SELECTORS,
    }
)
_BY_ASPECT: Final[Mapping[Aspect, Callable[[Case], Opinion]]] = MappingProxyType(
    {
        Aspect.CONTENT_TYPES: _content_type,
        Aspect.NULLABILITY: _nullability,
        Aspect.ENUMS: _enum,
        Aspect.FIELDS: _field,
        Aspect.REQUIREDNESS: _requiredness,
        Aspect.STATUS_CODES: _status,
        Aspect.TYPES: _type,
    }
)


def _stays_inside(case: Case) -> bool:
    return case.row.judgement.emits_old_compatible is Tristate.YES


def _lists(case: Case) -> bool:
    steps = field_path(case.delta.address)
    fields = (name for use in case.client.uses or () for name in use.fields or ())
    return bool(steps) and any(is_within(field_steps(name), steps) for name in fields)


def _names(accepted: Iterable[str], case: Case) -> bool:
    """True when a dotted field is the changed one: its path, or the end of it (`status` for `items[].status`)."""
    steps = field_path(case.delta.address)
    return any(steps[-len(wanted) :] == wanted for name in accepted if (wanted := field_steps(name)))


def _offered(case: Case) -> tuple[str, ...]:
    """The content types that stand in place of the released one."""
    delta = case.delta
    if delta.change is Change.CHANGED:
        return (_form(delta.candidate),)
    own = (delta,) if delta.change is Change.ADDED else ()
    added = (row.delta for row in case.siblings if row.delta.change is Change.ADDED and _is_type(row.delta))
    return tuple(dict.fromkeys(_key(found) for found in (*own, *added)))


def _removed_types(case: Case) -> tuple[str, ...]:
    rows = [case.delta, *(row.delta for row in case.siblings)]
    return tuple(_key(delta) for delta in rows if delta.change is Change.REMOVED and _is_type(delta))


def _is_type(delta: Delta) -> bool:
    return delta.element is ElementKind.MEDIA_TYPE


def _key(delta: Delta) -> str:
    return delta.address.rsplit(" > ", 1)[-1]


def _form(form: object) -> str:
    return form if isinstance(form, str) else ""


def _accepts(accepted: Iterable[str], offered: str) -> bool:
    """True when a listed type, or a range such as `application/*`, covers the offered one; parameters are left out."""
    bare = offered.split(";")[0].strip().lower()
    ranges = {bare, "*/*", f"{bare.split('/')[0]}/*"}
    return any(name.split(";")[0].strip().lower() in ranges for name in accepted)
