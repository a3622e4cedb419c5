"""Every changed branch of an implementation diff, tied to the contract by the reviewer's mapping, or reported.

A mapping counts only when it holds: path and lines are in the diff, the quoted text stands there, and the element is
a row of the ledger or an element of a contract, or `none` with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

from evreview.comparison.component_identity import candidate_address
from evreview.contract.model import Contract, Element, ElementKind, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import ABSENT, DeltaId, Direction, EvidenceId, Form, Json, SourceMatch
from evreview.evidence.citation import at_lines
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import field_steps, is_suffix, operation_key
from evreview.evidence.item import Citation, EvidenceItem
from evreview.evidence.records.test_runs import DiffMapping, ImplementationMapping
from evreview.schema.validators import violations
from evreview.workflows.w1.element_lookup import (
    closest,
    find_element,
    find_media_type,
    find_operation,
    find_response,
    find_value,
    required_in,
)
from evreview.workflows.w1.facts import ClassifiedRow, ContractAgreement, ContractPair, match_of
from evreview.workflows.w1.reconcile.implementation_diff import (
    DiffLine,
    FileDiff,
    Hunk,
    names,
    owner,
    parse_diff,
    parts,
    symbols,
)

_ASIDE: Final = re.compile(r"(?:^|/)(?:tests?|docs?)/|(?:^|/)(?:test_|conftest)[^/]*$|_test\.\w+$|\.(?:md|rst|txt)$")
_LINES: Final = re.compile(r"^(?P<old>-)?(?P<first>[1-9]\d*)(-(?P<last>[1-9]\d*))?$")
FaultCode = Literal[
    "no-such-file",
    "no-such-lines",
    "bad-lines",
    "quote-not-there",
    "no-such-element",
    "no-reason",
    "no-such-diff",
    "no-such-symbol",
    "several-symbols",
    "not-reviewed",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """One changed branch with a mapping that holds.

    Attributes:
        diff, path, lines: where it stands; `lines` as the reviewer wrote them.
        quote: the text that stands there.
        element: the contract element, "" when the reviewer says that there is none.
        delta_ids: the rows that it implements.
        unchanged_element: True when the element is in a contract and no row of the ledger.
        reason: why it concerns no element.
        facet: what kind of runtime behaviour is stated, "" when none is.
        match, released, candidate: which contract the stated runtime behaviour agrees with, and why not.
        old: True when it stands in the old file only (removed code).
        citation, mapping_citation: the diff, and the mapping's entry.
    """

    diff: EvidenceId
    path: str
    lines: str
    quote: str
    element: str
    delta_ids: tuple[DeltaId, ...]
    unchanged_element: bool
    reason: str
    facet: str
    match: SourceMatch
    released: ContractAgreement
    candidate: ContractAgreement
    old: bool
    citation: Citation
    mapping_citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmapped:
    """One changed branch that no valid mapping covers; `lines` are of the new file, or `-` and those of the old."""

    diff: EvidenceId
    hunk_id: str
    path: str
    lines: str
    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class MappingFault:
    """Why one mapping does not count; `nearest` is the row's address most like an `element` that neither side has."""

    code: FaultCode
    found: str
    path: str
    lines: str
    citation: Citation
    element: str = ""
    nearest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedDiff:
    """One diff item with its branches."""

    branches: tuple[Branch, ...] = ()
    unmapped: tuple[Unmapped, ...] = ()
    faults: tuple[MappingFault, ...] = ()


def map_diff(
    item: EvidenceItem,
    mappings: Sequence[Cited[ImplementationMapping]],
    rows: Sequence[ClassifiedRow],
    sides: ContractPair,
) -> MappedDiff:
    """The branches of one diff item, mapped or not.

    A branch is a run of changed lines in one symbol. It is mapped when a valid mapping names at least one of its lines;
    one that reaches over changed lines of several symbols holds for none of them.

    Args:
        item: the evidence item whose content is a unified diff.
        mappings: all mappings; those of other diffs are ignored.
        rows: the ledger.
        sides: both contracts.

    Raises:
        BadInput: `bad-diff`.
    """
    files = parse_diff(item.content, item.file or str(item.id))
    branches: list[Branch] = []
    faults: list[MappingFault] = []
    for cited in mappings:
        if cited.record.diff != item.id:
            continue
        for place, mapping in enumerate(cited.record.mappings):
            at = cited.at(f"/mappings/{place}")
            fault = _fault(mapping, files, rows, sides)
            if fault is None:
                branches += [
                    _branch(_place(item, each, files), each, at, rows, sides) for each in _by_lines(mapping, files)
                ]
            else:
                code, found = fault
                lines = mapping.lines or mapping.symbol or ""
                fault_at = MappingFault(code=code, found=found, path=mapping.path, lines=lines, citation=at)
                faults.append(_with_nearest(fault_at, mapping, rows) if code == "no-such-element" else fault_at)
    return MappedDiff(branches=tuple(branches), unmapped=tuple(_unmapped(item, files, branches)), faults=tuple(faults))


def _with_nearest(fault: MappingFault, mapping: DiffMapping, rows: Sequence[ClassifiedRow]) -> MappingFault:
    like = closest(mapping.element, (row.delta.address for row in rows))
    return replace(fault, element=mapping.element, nearest=like)


_OF_A_TYPE: Final = (ElementKind.ENUM_VALUE, ElementKind.MEMBER)


def covered(element: str, row: ClassifiedRow) -> bool:
    """True when a mapped element is the row's, or encloses it below the operation.

    A named type encloses its values and members, which code lists together; its fields are named one by one.
    A component that several operations share is one row under one address; at another operation that it reaches, the
    last name decides.
    """
    delta = row.delta
    if is_suffix(element, delta.address) or is_suffix(element, candidate_address(delta)):
        return True
    if delta.element in _OF_A_TYPE and delta.address.startswith(f"{element} > "):
        return True
    segments = element.split(" > ")
    own = operation_key(segments[0])
    if own == operation_key(delta.operation):
        wanted = f"{own} > {' > '.join(segments[1:])}"
        return len(segments) > 1 and f"{delta.address} > ".startswith(f"{wanted} > ")
    reached = own in map(operation_key, delta.operations)
    return reached and bool(leaf_name(element)) and leaf_name(element) == leaf_name(delta.address)


def _fault(
    mapping: DiffMapping, files: Sequence[FileDiff], rows: Sequence[ClassifiedRow], sides: ContractPair
) -> tuple[FaultCode, str] | None:
    """The first reason why a mapping does not hold."""
    if not mapping.reviewed:
        return "not-reviewed", "it is a draft that nobody has reviewed"
    if mapping.symbol is not None:
        return _symbol_fault(mapping, files) or _element_fault(mapping, rows, sides)
    asked = _asked(mapping.lines or "")
    if asked is None:
        return "bad-lines", "the lines are neither a number nor a range"
    old, first, last = asked
    names = [(file, file.old_path if old else file.path) for file in files]
    file = next((found for found, name in names if name == mapping.path), None)
    if file is None:
        return "no-such-file", "the diff does not hold this file"
    numbered = {number: line for line in _all_lines(file) if (number := line.old if old else line.new) is not None}
    if any(number not in numbered for number in range(first, last + 1)):
        return "no-such-lines", "the diff does not hold all of these lines"
    text = "\n".join(numbered[number].text for number in range(first, last + 1))
    if not mapping.quote or _flat(mapping.quote) not in _flat(text):
        return "quote-not-there", "the quoted text does not stand in these lines"
    reached = _reached(file, range(first, last + 1), old=old)
    if len(reached) > 1 and not _is_aside(mapping):
        return "several-symbols", f"the lines reach over changes in {', '.join(sorted(reached))}: map each"
    return _element_fault(mapping, rows, sides)


def _reached(file: FileDiff, lines: range, *, old: bool) -> set[str]:
    """The symbols whose changed lines stand in these lines."""
    found: set[str] = set()
    for hunk in file.hunks:
        of = symbols(hunk)
        for run in hunk.branches:
            for part in parts(run, of):
                if any((line.old if old else line.new) in lines for line in part if line.text.strip()):
                    found.add(
                        owner(of[next(line.at for line in part if line.text.strip())]).removeprefix("=")
                        or "the top of the file"
                    )
    return found


def _is_aside(mapping: DiffMapping) -> bool:
    """True for a test or a document that is said as a whole to concern no element."""
    return mapping.element.strip().lower() == "none" and _ASIDE.search(mapping.path) is not None


def _symbol_fault(mapping: DiffMapping, files: Sequence[FileDiff]) -> tuple[FaultCode, str] | None:
    if all(mapping.path not in (file.path, file.old_path) for file in files):
        return "no-such-file", "the diff does not hold this file"
    if not _by_lines(mapping, files):
        return "no-such-symbol", "the diff changes nothing in a symbol of this name"
    return None


def _by_lines(mapping: DiffMapping, files: Sequence[FileDiff]) -> list[DiffMapping]:
    """The mapping, by lines; one by symbol once for each of its changed parts."""
    if mapping.symbol is None:
        return [mapping]
    found = []
    for file in files:
        for hunk in file.hunks if mapping.path in (file.path, file.old_path) else ():
            of = symbols(hunk)
            for run in hunk.branches:
                for part in parts(run, of):
                    said = [line for line in part if line.text.strip()] or list(part)
                    if any(names(of[line.at], mapping.symbol) for line in said):
                        path = file.path if any(line.new is not None for line in part) else file.old_path
                        told = {"lines": _span(part), "quote": said[0].text.strip(), "path": path}
                        found.append(mapping.model_copy(update=told))
    return found


def _element_fault(
    mapping: DiffMapping, rows: Sequence[ClassifiedRow], sides: ContractPair
) -> tuple[FaultCode, str] | None:
    if mapping.element.strip().lower() == "none":
        return None if mapping.why.strip() else ("no-reason", "no element is named, and no reason why there is none")
    return None if _known(mapping.element, rows, sides) else ("no-such-element", "neither contract holds this element")


def _branch(
    place: Citation, mapping: DiffMapping, at: Citation, rows: Sequence[ClassifiedRow], sides: ContractPair
) -> Branch:
    none = mapping.element.strip().lower() == "none"
    released, candidate = (_NOTHING, _NOTHING) if none else _fits(mapping, rows, sides)
    deltas = () if none else tuple(row.delta.id for row in rows if covered(mapping.element, row))
    return Branch(
        diff=place.id,
        path=mapping.path,
        lines=mapping.lines or "",
        quote=mapping.quote or "",
        element="" if none else mapping.element,
        delta_ids=deltas,
        unchanged_element=not none and not deltas,
        reason=mapping.why,
        facet=(mapping.facet or "") if "runtime" in mapping.model_fields_set else "",
        match=match_of(released, candidate),
        released=released,
        candidate=candidate,
        old=(mapping.lines or "").startswith("-"),
        citation=place,
        mapping_citation=at,
    )


def _place(item: EvidenceItem, mapping: DiffMapping, files: Sequence[FileDiff]) -> Citation:
    """The mapped lines as lines of the diff itself."""
    old, first, last = _asked(mapping.lines or "") or (False, 0, 0)
    wanted = range(first, last + 1)
    found = [
        line.at
        for file in files
        if mapping.path == (file.old_path if old else file.path)
        for line in _all_lines(file)
        if (line.old if old else line.new) in wanted
    ]
    return at_lines(item.id, min(found), max(found)) if found else Citation(item.id)


_NOTHING: Final = ContractAgreement(None, ("the branch concerns no contract element",))
_UNLOCATED: Final = ContractAgreement(None, ("the element could not be located in either contract",))


def _fits(
    mapping: DiffMapping, rows: Sequence[ClassifiedRow], sides: ContractPair
) -> tuple[ContractAgreement, ContractAgreement]:
    """What the stated behaviour is in both contracts; the end of an address is completed from the ledger first."""
    whole = next((row.delta.address for row in rows if is_suffix(mapping.element, row.delta.address)), mapping.element)
    asked = mapping.model_copy(update={"element": str(whole)})
    released, candidate = runtime_fit(asked, sides.released), runtime_fit(asked, sides.candidate)
    if released is NO_SUCH_ELEMENT and candidate is NO_SUCH_ELEMENT:
        return _UNLOCATED, _UNLOCATED
    return released, candidate


def _known(element: str, rows: Sequence[ClassifiedRow], sides: ContractPair) -> bool:
    if any(is_suffix(element, row.delta.address) for row in rows):
        return True
    return any(find_element(contract, element) is not None for contract in (sides.released, sides.candidate))


def _unmapped(item: EvidenceItem, files: Sequence[FileDiff], branches: Sequence[Branch]) -> list[Unmapped]:
    found = []
    for file in files:
        for hunk in file.hunks:
            of = symbols(hunk)
            for run in (part for whole in hunk.branches for part in parts(whole, of)):
                if not any(_names(branch, hunk, run) for branch in branches):
                    lines = _span(run)
                    at = at_lines(item.id, run[0].at, run[-1].at)
                    found.append(Unmapped(diff=item.id, hunk_id=hunk.id, path=hunk.path, lines=lines, citation=at))
    return found


def _names(branch: Branch, hunk: Hunk, run: Sequence[DiffLine]) -> bool:
    asked = _asked(branch.lines)
    if asked is None or branch.path != (hunk.old_path if branch.old else hunk.path):
        return False
    old, first, last = asked
    numbers = (line.old if old else line.new for line in run)
    return any(number is not None and first <= number <= last for number in numbers)


def _asked(lines: str) -> tuple[bool, int, int] | None:
    """Side and range of the lines as written: `12`, `12-20`, `-12-20`."""
    found = _LINES.match(lines.replace(" ", ""))
    if not found:
        return None
    first = int(found["first"])
    last = int(found["last"] or first)
    return (bool(found["old"]), first, last) if first <= last else None


def _all_lines(file: FileDiff) -> list[DiffLine]:
    return [line for hunk in file.hunks for line in hunk.lines]


def _span(run: Sequence[DiffLine]) -> str:
    new = [line.new for line in run if line.new is not None]
    if new:
        return f"{new[0]}-{new[-1]}"
    old = [line.old for line in run if line.old is not None]
    return f"-{old[0]}-{old[-1]}"


def _flat(text: str) -> str:
    return " ".join(text.split())


# What the reviewer says that a changed branch does at runtime, against one contract.


SILENT: Final = "the contract does not say"
NO_SUCH_ELEMENT: Final = ContractAgreement(False, ("the contract has no such element",))


@dataclass(frozen=True, slots=True)
class _Spot:
    """The mapped element in one contract: the element, the steps inside its value set, and that value set."""

    contract: Contract
    element: Element
    steps: tuple[str, ...]
    value: ValueSet | None

    @property
    def read(self) -> bool:
        return self.element.direction is Direction.READ


def runtime_fit(mapping: DiffMapping, contract: Contract) -> ContractAgreement:
    """Whether the stated runtime behaviour agrees with `contract`.

    A mapping without `facet` and `runtime` states no behaviour, and a facet that is none of the six can't be compared.
    """
    if mapping.facet is None or "runtime" not in mapping.model_fields_set:
        return ContractAgreement(None, ("the mapping states no runtime behaviour",))
    facet = mapping.facet.strip().lower()
    if facet in _ANSWERS:
        return _ANSWERS[facet](mapping, contract)
    compare = _FACETS.get(facet)
    if compare is None:
        return ContractAgreement(None, (f"the facet {mapping.facet} can't be compared",))
    spot = _spot(contract, mapping.element)
    return NO_SUCH_ELEMENT if spot is None else compare(spot, mapping.runtime)


def _status(mapping: DiffMapping, contract: Contract) -> ContractAgreement:
    operation = find_operation(contract, mapping.element.split(" > ")[0])
    if operation is None:
        return NO_SUCH_ELEMENT
    found = find_response(operation, str(mapping.runtime))
    return (
        ContractAgreement(True)
        if found
        else ContractAgreement(False, ("the contract has no response for this status",))
    )


def _content_type(mapping: DiffMapping, contract: Contract) -> ContractAgreement:
    """The element is a response or body, or one of its media types."""
    address = mapping.element
    if "/" in address.rpartition(" > ")[2] and " > " in address:
        address = address.rpartition(" > ")[0]
    found = find_element(contract, address)
    if found is None:
        return NO_SUCH_ELEMENT
    media = find_media_type(found[0], str(mapping.runtime))
    return (
        ContractAgreement(True)
        if media
        else ContractAgreement(False, ("the contract does not declare this content type there",))
    )


def _default(spot: _Spot, runtime: Json) -> ContractAgreement:
    declared = _declared_default(spot)
    if declared is ABSENT:
        return ContractAgreement(None, (f"{SILENT} which default applies",))
    same = declared == runtime and isinstance(declared, bool) is isinstance(runtime, bool)
    return ContractAgreement(True) if same else ContractAgreement(False, ("the contract declares another default",))


def _nullable(spot: _Spot, runtime: Json) -> ContractAgreement:
    """A producer that never writes null keeps a contract that allows it."""
    told = spot.element.facet("non-null")
    if isinstance(told, list):
        null = "value" not in told
        fits = null is (runtime is True) or (runtime is not True and not spot.read)
        return (
            ContractAgreement(True)
            if fits
            else ContractAgreement(False, (f"null is {'' if null else 'not '}admitted",))
        )
    if spot.value is None:
        return ContractAgreement(None, (f"{SILENT} which values stand there",))
    if runtime is not True and not spot.read:
        return ContractAgreement(True)
    admits = _admits(spot, None)
    if admits is None:
        return ContractAgreement(None, ("the schema could not be used",))
    return (
        ContractAgreement(True)
        if admits is (runtime is True)
        else ContractAgreement(False, (f"null is {'' if admits else 'not '}admitted",))
    )


def _enum(spot: _Spot, runtime: Json) -> ContractAgreement:
    """What is written has to be admitted; what is read has to be understood, which only the listed values show."""
    values = [child.key for child in spot.element.children if child.kind is ElementKind.ENUM_VALUE]
    if values and isinstance(runtime, list):
        return _listed(spot, values, runtime)
    if spot.value is None or not isinstance(runtime, list):
        return ContractAgreement(None, (f"{SILENT} which values stand there",))
    if spot.read:
        listed = _keyword(spot, "enum")
        if not isinstance(listed, list):
            return ContractAgreement(None, (f"{SILENT} which values it lists",))
        lost = sum(value not in runtime for value in listed)
        return (
            ContractAgreement(True)
            if not lost
            else ContractAgreement(False, (f"{lost} of the listed values are not accepted at runtime",))
        )
    answers = [_admits(spot, value) for value in runtime]
    if None in answers:
        return ContractAgreement(None, ("the schema could not be used",))
    refused = answers.count(False)
    return (
        ContractAgreement(True)
        if not refused
        else ContractAgreement(False, (f"runtime values that are not admitted: {refused}",))
    )


def _listed(spot: _Spot, values: list[str], runtime: list[Json]) -> ContractAgreement:
    """The values of a named enum: what comes at runtime has to be listed, what is listed has to be taken."""
    unlisted = sum(value not in values for value in runtime)
    if unlisted and spot.element.direction is not Direction.READ:
        return ContractAgreement(False, (f"runtime values that are not admitted: {unlisted}",))
    lost = sum(value not in runtime for value in values)
    if lost and spot.element.direction is not Direction.WRITTEN:
        return ContractAgreement(False, (f"{lost} of the listed values are not accepted at runtime",))
    return ContractAgreement(True)


def _required(spot: _Spot, runtime: Json) -> ContractAgreement:
    """A writer may always send what is optional, a reader may always do without what is required; not the reverse."""
    if spot.steps and spot.element.value is not None:
        declared = required_in(spot.contract, spot.element.value, spot.steps)
    else:
        declared = spot.element.facet("required") is True or spot.element.required is True
    if (runtime is True) is declared or (runtime is True) is not spot.read:
        return ContractAgreement(True)
    return ContractAgreement(False, (f"the contract calls it {'required' if declared else 'optional'}",))


_ANSWERS: Final[Mapping[str, Callable[[DiffMapping, Contract], ContractAgreement]]] = MappingProxyType(
    {"status": _status, "content-type": _content_type}
)
_FACETS: Final[Mapping[str, Callable[[_Spot, Json], ContractAgreement]]] = MappingProxyType(
    {"default": _default, "nullable": _nullable, "enum": _enum, "required": _required}
)


def _spot(contract: Contract, address: str) -> _Spot | None:
    found = find_element(contract, address)
    if found is None:
        return None
    element, steps = found
    value = find_value(contract, element.value, steps) if element.value and steps else element.value
    return _Spot(contract, element, steps, value)


def _admits(spot: _Spot, instance: Json) -> bool | None:
    """Whether the value set admits the instance; None when no validator can be built."""
    if spot.value is None:
        return None
    broken = violations(spot.value, spot.contract, instance, spot.element.direction)
    return None if broken is None else not broken


def _declared_default(spot: _Spot) -> Form:
    """The default at the value set, or the element's own; ABSENT when none is declared."""
    written = _keyword(spot, "default")
    if written is not ABSENT:
        return written
    own = None if spot.steps else spot.element.facet("default")
    return ABSENT if own is None else own


def _keyword(spot: _Spot, name: str) -> Form:
    """A keyword beside the reference or behind it; ABSENT when neither has it."""
    if spot.value is None:
        return ABSENT
    target = Resolver(spot.contract.documents).follow(spot.value.place, spot.value.node)
    for node in (spot.value.node, target[1] if target else None):
        if isinstance(node, Mapping) and name in node:
            return node[name]
    return ABSENT


def leaf_name(address: str) -> str:
    """The last step that an address names, "" for an operation."""
    last = address.rpartition(" > ")[2] if " > " in address else ""
    steps = [step for step in field_steps(last) if step != "[]"]
    return steps[-1] if steps else ""
