"""Every implementation branch and every recorded response against both contracts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import orjson

from evreview.core.vocabulary import Basis, DeltaId, EvidenceType, SourceMatch
from evreview.evidence.cited_records import records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.test_runs import ImplementationMapping, Observation, Observations
from evreview.workflows.w1.facts import ClassifiedRow, ContractPair, Source
from evreview.workflows.w1.reconcile.diff_mapping import Branch, MappedDiff, MappingFault, Unmapped, map_diff
from evreview.workflows.w1.reconcile.implementation_diff import is_diff
from evreview.workflows.w1.reconcile.observations import Reader, claim_of, har_observations, is_har

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


def reconcile(bundle: Bundle, rows: Sequence[ClassifiedRow], sides: ContractPair) -> Reconciliation:
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
        faults=(*_unmatched_mappings(bundle), *(fault for diff in mapped for fault in diff.faults)),
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


def _diffs(bundle: Bundle, rows: Sequence[ClassifiedRow], sides: ContractPair) -> list[MappedDiff]:
    mappings = records_of(bundle, ImplementationMapping)
    return [map_diff(item, mappings, rows, sides) for item in implementation_diffs(bundle)]


def implementation_diffs(bundle: Bundle) -> list[EvidenceItem]:
    """The items that hold a diff of the implementation."""
    items = bundle.of_type(EvidenceType.IMPLEMENTATION_DIFF)
    return [item for item in items if item.record is None and is_diff(item.content)]


def _unmatched_mappings(bundle: Bundle) -> Iterable[MappingFault]:
    """Mappings whose diff the bundle does not hold as one."""
    known = {item.id for item in implementation_diffs(bundle)}
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
