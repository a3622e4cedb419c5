"""Step 3 in one call: every implementation branch and every recorded response against both contracts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import orjson
import pandas as pd

from evreview.contract.model import Contract, Element, ElementKind, ValueSet
from evreview.contract.references import Resolver
from evreview.core.errors import BadInput
from evreview.core.quoted_text import Subject, listed
from evreview.core.vocabulary import Basis, ClientId, ContractKind, DeltaId, EvidenceType, SourceMatch, StepState
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.element_mentions import field_steps, operation_key
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.compatibility import ClientInventory, Uses
from evreview.evidence.records.test_runs import (
    CheckResult,
    ImplementationMapping,
    Observation,
    Observations,
    TestRecord,
)
from evreview.redaction.redactor import Guard
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w1.checks import collect, contradicting
from evreview.workflows.w1.element_lookup import (
    Spellings,
    check_as_rows,
    checks_as_rows,
    closest,
    concerns,
    dotted,
    fields_of,
    find_operation,
    find_value,
    named_part,
)
from evreview.workflows.w1.facts import F2, ClassifiedRow, Sides, Source, W1Facts, sources_frame
from evreview.workflows.w1.reconcile.diff_mapping import Branch, MappedDiff, MappingFault, Unmapped, map_diff
from evreview.workflows.w1.reconcile.implementation_diff import is_diff
from evreview.workflows.w1.reconcile.observations import Reader, claim_of, har_observations, is_har
from evreview.workflows.w1.usage_evidence import OwnershipGap

RECORDED = (EvidenceType.TEST_RECORD, EvidenceType.EXECUTION_AND_APPROVAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """What the implementation and the recorded responses say.

    Attributes:
        sources: every mapped branch and every observation, in the order supplied.
        unmapped: changed branches that no valid mapping covers.
        faults: mappings that do not hold.
        uncovered: rows that no branch of a diff implements.
        runtime_only: branches whose stated runtime behaviour neither contract declares.
        untold: branches whose behaviour is neither stated nor recorded: nobody can tell whether they agree.
    """

    sources: tuple[Source, ...] = ()
    unmapped: tuple[Unmapped, ...] = ()
    faults: tuple[MappingFault, ...] = ()
    uncovered: tuple[DeltaId, ...] = ()
    runtime_only: tuple[Branch, ...] = ()
    untold: tuple[Branch, ...] = ()

    @property
    def contradictions(self) -> tuple[Source, ...]:
        """The candidate's sources that do not agree with the candidate contract (W1-F2)."""
        return tuple(source for source in self.sources if source.contradicts)

    @property
    def unplaced(self) -> tuple[Source, ...]:
        """The sources whose side is unknown; only one that matches `both` can contradict neither side."""
        return tuple(source for source in self.sources if source.claims == "unknown")

    @property
    def drifts(self) -> tuple[Source, ...]:
        """The released side's responses that do not agree with the released contract: a limitation, no W1-F2."""
        return tuple(source for source in self.sources if source.drifts)

    def unshown(self, *, runtime: bool) -> tuple[Branch, ...]:
        """The untold branches of which nothing shows that they agree with the candidate contract.

        A reviewed entry shows that its lines implement the difference that it names; that they do so as the contract
        says is a limitation, unless behaviour at runtime is part of the conclusion. Of an element that both contracts
        have alike it shows nothing: the code is changed there, and the contract isn't.

        Args:
            runtime: whether behaviour at runtime is part of the conclusion asked for.
        """
        return tuple(branch for branch in self.untold if runtime or branch.unchanged_element)


def reconcile(bundle: Bundle, rows: Sequence[ClassifiedRow], sides: Sides) -> Reconciliation:
    """What every source of the bundle agrees with.

    An implementation diff speaks for the candidate (its removed lines for the released side). An observation speaks
    for the side that it `answers` for, else for the one whose revision it names (see `claim_of`).

    Raises:
        BadInput: a diff or a HAR document can't be read.
    """
    mapped = _diffs(bundle, rows, sides)
    branches = [branch for diff in mapped for branch in diff.branches]
    implemented = {delta_id for branch in branches for delta_id in branch.delta_ids}
    reader = Reader(sides)
    revision = bundle.request.implementation_revision
    named = bundle.request.contracts
    released = bundle.items.get(named.released) if named else None
    stated = released.revision if released else None
    observed = tuple(
        reader.read(seen, at, claim_of(seen, revision, stated), rows) for seen, at in observations_of(bundle)
    )
    shown = frozenset(delta_id for source in observed if source.shows_candidate for delta_id in source.delta_ids)
    return Reconciliation(
        sources=(*(_source(branch) for branch in branches), *observed),
        unmapped=tuple(hunk for diff in mapped for hunk in diff.unmapped),
        faults=(*_stray(bundle), *(fault for diff in mapped for fault in diff.faults)),
        uncovered=tuple(row.delta.id for row in rows if row.delta.id not in implemented),
        runtime_only=tuple(branch for branch in branches if _is_runtime_only(branch)),
        untold=tuple(branch for branch in branches if _is_untold(branch, shown)),
    )


def _is_untold(branch: Branch, shown: frozenset[DeltaId]) -> bool:
    """True for a branch of some element that states no behaviour, and whose rows no response of the candidate shows."""
    if not branch.element or branch.facet:
        return False
    return not (branch.delta_ids and shown.issuperset(branch.delta_ids))


def _is_runtime_only(branch: Branch) -> bool:
    return bool(branch.facet) and bool(branch.element) and branch.match is SourceMatch.UNKNOWN


def _diffs(bundle: Bundle, rows: Sequence[ClassifiedRow], sides: Sides) -> list[MappedDiff]:
    mappings = records_of(bundle, ImplementationMapping)
    return [map_diff(item, mappings, rows, sides) for item in _diff_items(bundle)]


def _diff_items(bundle: Bundle) -> list[EvidenceItem]:
    items = bundle.of_type(EvidenceType.IMPLEMENTATION_DIFF)
    return [item for item in items if item.record is None and is_diff(item.content)]


def _stray(bundle: Bundle) -> Iterable[MappingFault]:
    """Mappings whose diff the bundle does not hold as one."""
    known = {item.id for item in _diff_items(bundle)}
    for cited in records_of(bundle, ImplementationMapping):
        if cited.record.diff not in known:
            found = f"{cited.record.diff} is no implementation diff of this bundle"
            yield MappingFault(code="no-such-diff", found=found, path="", lines="", citation=cited.at("/diff"))


def _source(branch: Branch) -> Source:
    return Source(
        id=f"{branch.path}:{branch.lines}",
        kind="implementation",
        operation=operation_key(branch.element.split(" > ")[0]) if " " in branch.element else "",
        basis=Basis.IMPLEMENTATION,
        match=branch.match,
        claims="released" if branch.old else "candidate",
        released_reasons=branch.released.reasons,
        candidate_reasons=branch.candidate.reasons,
        delta_ids=branch.delta_ids,
        citation=branch.citation,
    )


def observations_of(bundle: Bundle) -> Iterable[tuple[Observation, Citation]]:
    """Recorded responses in the order supplied, plain or HAR, each with its place in the item."""
    for item in bundle.items.values():
        if isinstance(item.record, Observations):
            for place, observation in enumerate(item.record.observations):
                yield observation, Citation(item.id, f"#/observations/{place}")
        elif item.record is None and item.type in RECORDED and is_har(item.content):
            recorded = har_observations(orjson.loads(item.content), item.file or str(item.id))
            for place, observation in enumerate(recorded.observations):
                yield observation, Citation(item.id, f"#/log/entries/{place}")


# What clients say they use, looked up in both contracts: a name that neither has maps nothing.


_NAMED = frozenset({ElementKind.PARAMETER, ElementKind.HEADER})
_STRUCTURE = frozenset({"properties", "items", "allOf", "oneOf", "anyOf", "enum", "const", "not", "$ref"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """A name of one use that neither contract has: its operation, or one of its fields; `nearest` is "" for none."""

    client: str
    operation: str
    field: str
    nearest: str
    citation: Citation


def unmapped_uses(
    inventories: Sequence[Cited[ClientInventory]], sides: Sides, spellings: Spellings | None = None
) -> tuple[OwnershipGap, ...]:
    """Every listed use that names no operation, or no field, of either contract; each is a reason for W1-F3.

    What such a client uses is not known: the misspelt name may stand for anything. Give the clients of the gaps to
    `assess` as `unmapped`. A field below a free-form object or a map can't be misspelt and is no gap.
    """
    return tuple(
        OwnershipGap(client=ClientId(each.client), missing="mapping", text=_sentence(each), citation=each.citation)
        for each in strays(inventories, sides, spellings or Spellings(sides))
    )


def strays(inventories: Sequence[Cited[ClientInventory]], sides: Sides, names: Spellings) -> Iterator[Stray]:
    """The names that map nothing, in the order listed."""
    for cited in inventories:
        for place, client in enumerate(cited.record.clients):
            for number, use in enumerate(client.uses or ()):
                for pointer, field, like in _strays(use, sides, names):
                    at = cited.at(f"/clients/{place}/uses/{number}{pointer}")
                    yield Stray(client=client.id, operation=use.operation, field=field, nearest=like, citation=at)


def _strays(use: Uses, sides: Sides, names: Spellings) -> Iterator[tuple[str, str, str]]:
    """Where a name of one use maps nothing, the field if it is one, and the name most like it."""
    keys = names.keys(use.operation)
    known = [
        (contract, found)
        for contract in (sides.released, sides.candidate)
        for found in contract.operations
        if found.key in keys
    ]
    if not known:
        yield "/operation", "", names.nearest(use.operation)
        return
    for place, field in enumerate(use.fields or ()):
        if not any(has_field(contract, operation, field_steps(field)) for contract, operation in known):
            like = closest(field, {each for contract, found in known for each in fields_of(contract, found)})
            yield f"/fields/{place}", field, like


def _sentence(stray: Stray) -> str:
    nearest = f"; the nearest name is {stray.nearest}" if stray.nearest else ""
    if stray.field:
        lists = f"Client {stray.client} lists field {stray.field} of {stray.operation}"
        return f"{lists}, which neither contract has{nearest}."
    return f"Client {stray.client} lists {stray.operation}, which is an operation of neither contract{nearest}."


def has_field(contract: Contract, operation: Element, steps: tuple[str, ...]) -> bool:
    """True when an operation has a field, argument, parameter or header that the steps spell."""
    if named_part(contract, steps) is not None:
        return True
    for element in _below(operation):
        if element.kind is ElementKind.ARGUMENT and steps == (element.key,):
            return True
        if element.value is None:
            continue
        if element.kind in _NAMED:
            name, *inner = steps
            named = name.casefold() in (element.name.casefold(), element.key.casefold().rpartition(":")[2])
            if named and _leads(contract, element.value, tuple(inner)):
                return True
        elif _leads(contract, element.value, steps):
            return True
    return False


def _leads(contract: Contract, value: ValueSet, steps: tuple[str, ...]) -> bool:
    """True when the steps lead to a value, or into an object whose members are not enumerated."""
    if find_value(contract, value, steps) is not None:
        return True
    for length in range(len(steps)):
        around = find_value(contract, value, steps[:length])
        if around is not None and _is_free(contract, around):
            return True
    return False


def _is_free(contract: Contract, value: ValueSet) -> bool:
    target = Resolver(contract.documents).follow(value.place, value.node)
    if target is None:
        return True
    node = target[1]
    if not isinstance(node, Mapping):
        return node is not False
    if node.get("additionalProperties") is True or isinstance(node.get("additionalProperties"), Mapping):
        return True
    kinds = node.get("type", "object")
    return ("object" in kinds if isinstance(kinds, str | list) else True) and not _STRUCTURE & set(node)


def _below(element: Element) -> Iterator[Element]:
    for child in element.children:
        yield child
        yield from _below(child)


# What of the evidence reached no difference: it names nothing that the contracts have, or nothing that differs.
#
# Such a check supports no row, such a use says nothing of a client. Each is told with the name that is most like its
# own.


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
        citation: where it stands.
    """

    kind: Kind
    id: str
    why: Why
    named: str
    nearest: str
    citation: Citation


def unjoined(
    bundle: Bundle,
    rows: Sequence[ClassifiedRow],
    sides: Sides,
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
    tests: Sequence[Cited[TestRecord]], rows: Sequence[ClassifiedRow], sides: Sides, spellings: Spellings
) -> Iterator[Unjoined]:
    for cited in tests:
        for place, check in enumerate(cited.record.checks):
            named = check_as_rows(check, spellings)
            if check.path or check.boundary or any(concerns(named, row.delta) for row in rows):
                continue
            why, text, like = _why(check, rows, sides, spellings)
            at = cited.at(f"/checks/{place}")
            yield Unjoined(kind="check", id=check.id, why=why, named=text, nearest=like, citation=at)


def _why(check: CheckResult, rows: Sequence[ClassifiedRow], sides: Sides, spellings: Spellings) -> tuple[Why, str, str]:
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


def _named(sides: Sides, keys: tuple[str, ...]) -> Iterator[tuple[Contract, Element]]:
    for contract in (sides.released, sides.candidate):
        yield from ((contract, each) for each in contract.operations if each.key in keys)


def _observations(bundle: Bundle, sides: Sides, spellings: Spellings) -> Iterator[Unjoined]:
    for seen, at in observations_of(bundle):
        if not any(find_operation(contract, seen.operation) for contract in (sides.released, sides.candidate)):
            like = spellings.nearest(seen.operation)
            yield Unjoined(
                kind="observation", id=seen.id, why="no-such-operation", named=seen.operation, nearest=like, citation=at
            )


def _uses(inventories: Sequence[Cited[ClientInventory]], sides: Sides, spellings: Spellings) -> Iterator[Unjoined]:
    for stray in strays(inventories, sides, spellings):
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
    return Spellings(Sides(facts.released, facts.candidate))


def tests_of(bundle: Bundle, facts: W1Facts) -> tuple[Cited[TestRecord], ...]:
    """The retained tests, each check under the name that rows have for its operation."""
    names, tests = spellings_of(facts), records_of(bundle, TestRecord)
    return tests if names is None else checks_as_rows(tests, names)


def unjoined_of(bundle: Bundle, facts: W1Facts) -> tuple[Unjoined, ...]:
    """What of the evidence reached no difference; nothing before the ledger of step 2."""
    if facts.released is None or facts.candidate is None or facts.comparison is None:
        return ()
    sides = Sides(facts.released, facts.candidate)
    return unjoined(bundle, facts.rows, sides, Spellings(sides), facts.reconciliation)


# Step 3: reconcile the implementation and what was observed with both contracts.


STATED_KINDS = frozenset({ContractKind.OPENAPI})
"""Kinds of contract whose elements a mapping's facets, or a recorded response, can tell. Where that is not asked the
artifact says that agreement rests on the mapping."""
PAYLOAD_TYPES = frozenset({EvidenceType.EXECUTION_AND_APPROVAL, EvidenceType.TEST_RECORD})


def reconcile_sources(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """Per source what it matches; F2 on a contradiction, remains while something is unmapped or unsanitized."""
    if facts.released is None or facts.candidate is None or facts.comparison is None:
        raise ValueError("step 3 needs the ledger of step 2")
    try:
        found = reconcile(bundle, facts.rows, Sides(facts.released, facts.candidate))
    except BadInput as error:
        on = _contracts(bundle)
        unreadable = tuple(observed("A source can't be read: ", Subject(str(each)), on=on) for each in error.problems)
        return Outcome(state=StepState.REMAIN, facts=facts, reasons=unreadable)
    known = replace(facts, reconciliation=found, implementation=_implementation(found))
    strays = (each for each in unjoined_of(bundle, known) if each.kind in ("observation", "mapping"))
    known = replace(known, unjoined=tuple(strays))  # uses and checks are later steps' to tell
    tables = {"Sources": sources_frame(found.sources)}
    contradictions = (*(_contradiction(source) for source in found.contradictions), *_failed_producer(bundle, facts))
    if contradictions:
        return Outcome(state=StepState.STOP, code=F2.code, facts=known, reasons=contradictions, tables=tables)
    missing = tuple(_missing(bundle, known, found))
    if missing:
        return Outcome(state=StepState.REMAIN, facts=known, reasons=missing, tables=tables)
    if not facts.rows and not found.runtime_only:
        return Outcome(state=StepState.STOP, facts=known, reasons=(_no_effect(bundle, found),), tables=tables)
    return Outcome(state=StepState.ADVANCE, facts=known, tables=tables)


def _failed_producer(bundle: Bundle, facts: W1Facts) -> Iterable[Statement]:
    """Retained producer checks of the candidate that failed where the contracts say they pass (W1 decision rule 2)."""
    executed = collect(tests_of(bundle, facts), facts.rows).executed
    for check in contradicting(executed, bundle.request.implementation_revision, facts.rows):
        what = (Subject(check.id), f" {check.result}: ", Subject(check.what))
        yield observed("The producer check ", *what, on=(check.citation,))


def _implementation(found: Reconciliation) -> Mapping[DeltaId, tuple[Citation, ...]]:
    cited: dict[DeltaId, dict[Citation, None]] = {}
    for source in found.sources:
        for delta_id in source.delta_ids:
            cited.setdefault(delta_id, {})[source.citation] = None
    return {delta_id: tuple(citations) for delta_id, citations in cited.items()}


def _contradiction(source: Source) -> Statement:
    reasons = listed(source.candidate_reasons) or ("it matches the released contract only",)
    head = f"The {source.kind} "
    return observed(head, Subject(source.id), " contradicts the candidate contract: ", *reasons, on=(source.citation,))


def _missing(bundle: Bundle, facts: W1Facts, found: Reconciliation) -> Iterable[Statement]:
    for fault in found.faults:
        yield _fault(fault)
    for hunk in found.unmapped:
        place = Subject(f"{hunk.path} {hunk.lines}")
        yield observed("This changed branch is mapped to no contract element: ", place, on=(hunk.citation,))
    for delta_id in found.uncovered:
        yield observed("No implementation evidence is mapped to ", Subject(delta_id), ".", on=_contracts(bundle))
    for source in found.unplaced:
        if source.match is not SourceMatch.BOTH:
            what = (Subject(source.id), f" matches {source.match}, and nothing says which revision answered.")
            yield observed("The observation ", *what, on=(source.citation,))
    if facts.candidate is not None and facts.candidate.kind in STATED_KINDS:
        for branch in found.unshown(runtime=bundle.request.runtime_conclusion):
            place = Subject(f"{branch.path}:{branch.lines}")
            yield observed("What this changed branch does is neither stated nor recorded: ", place,
                           on=(branch.citation, branch.mapping_citation))  # fmt: skip
    yield from _unsanitized(bundle, facts.guard)
    if bundle.request.runtime_conclusion and not any(source.shows_candidate for source in found.sources):
        yield limited(
            "Runtime behaviour is part of the conclusion asked for; no executed response of the candidate is supplied.",
            on=_contracts(bundle),
        )
    if not found.sources and not facts.rows:
        yield limited("The contracts do not differ, and no implementation evidence shows that nothing else does.")


def _fault(fault: MappingFault) -> Statement:
    place = Subject(f"{fault.path} {fault.lines}")
    like = ("; the nearest name is ", Subject(fault.nearest)) if fault.nearest else ()
    return observed("The mapping of ", place, " does not hold: ", Subject(fault.found), *like, on=(fault.citation,))


def _unsanitized(bundle: Bundle, guard: Guard) -> Iterable[Statement]:
    payloads = {item.id for kind in PAYLOAD_TYPES for item in bundle.of_type(kind)}
    kinds: dict[str, set[str]] = {}
    for finding in guard.findings:
        item = finding.location.split("#")[0].split(":")[0]
        if item in payloads:
            kinds.setdefault(item, set()).add(finding.kind)
    for item, found in sorted(kinds.items()):
        citation = Citation(bundle.items[item].id)  # type: ignore[index]
        yield observed("Payload examples are not sanitized; found: ", ", ".join(sorted(found)), ".", on=(citation,))


def _no_effect(bundle: Bundle, found: Reconciliation) -> Statement:
    citations = (*_contracts(bundle), *(source.citation for source in found.sources))
    return observed("No observable contract effect: the contracts do not differ on the wire.", on=citations)


def _contracts(bundle: Bundle) -> tuple[Citation, ...]:
    named = bundle.request.contracts
    return (Citation(named.released), Citation(named.candidate)) if named else ()
