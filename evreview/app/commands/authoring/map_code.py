"""`evreview map`: drafts of the entries that a mapping lacks, added to the bundle; what stands there is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import refuse, shown, tell, typed
from evreview.core.errors import BadInput
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceType, ExitStatus, Json

if TYPE_CHECKING:
    from evreview.core.json_pointer import Step
    from evreview.evidence.item import Bundle, EvidenceItem
    from evreview.workflows.w1.reconcile.implementation_diff import Target

NO_DIFF: Final = (
    "Name the code with --code of `evreview new`, or compare from an older release since which it changed: the third "
    "step asks for the changed code behind each difference (docs/git.md)"
)
"""What to do where the contract changed and none of the code that is named."""
_SAYS: Final = "Which contract element each changed branch of {diff} implements, once a reviewer has looked."


def map_code(folder: Path) -> int:
    """Add a draft for each changed symbol that no entry names to the mapping of its diff; 0 when none is missing too.

    Raises:
        BadInput: the bundle can't be read, or a mapping can't be appended to; that mapping is as it was then.
    """
    from evreview.evidence.bundle_reader import examine_bundle
    from evreview.workflows.w1.reconcile.implementation_diff import is_diff

    found = examine_bundle(folder)
    if found.draft is None:
        raise BadInput(found.problems)
    bundle = found.draft
    diffs = [item for item in bundle.of_type(EvidenceType.IMPLEMENTATION_DIFF) if is_diff(item.content)]
    if not diffs:
        return refuse(f"{shown(folder)} holds no implementation diff, so no changed code can be mapped. {NO_DIFF}")
    stale = {problem.place for problem in found.problems}
    targets = _targets(bundle)
    lines = [line for diff in diffs for line in _mapped(folder, bundle, diff, targets, stale)]
    tell(lines)
    return ExitStatus.DONE


def _targets(bundle: Bundle) -> Sequence[Target]:
    """What entries may name: the differences of the two contracts.

    Raises:
        BadInput: the review names no contracts, or one of them can't be read.
    """
    from evreview.core.errors import bad_input
    from evreview.kinds.compare import compare
    from evreview.kinds.load import read_contract
    from evreview.workflows.w1.reconcile.implementation_diff import targets_of

    named = bundle.request.contracts
    if named is None:
        advice = "Name both contracts in review.yaml"
        raise bad_input("contracts-missing", "the review names no contracts", file="review.yaml", advice=advice)
    released, candidate = (read_contract(*bundle.source(name)) for name in (named.released, named.candidate))
    return targets_of(compare(released, candidate).rows)


def _mapped(
    folder: Path, bundle: Bundle, diff: EvidenceItem, targets: Sequence[Target], stale: set[str]
) -> Iterator[str]:
    """What was added for one diff, a line each, and where."""
    from evreview.evidence.bundle_writer import NewEvidence, retain_import
    from evreview.evidence.records.test_runs import ImplementationMapping
    from evreview.evidence.scaffold import body_text
    from evreview.workflows.w1.reconcile.carried_mapping import missing_entries
    from evreview.workflows.w1.reconcile.implementation_diff import parse_diff

    records = {
        index: item
        for index, item in enumerate(bundle.items.values())
        if isinstance(item.record, ImplementationMapping) and item.record.diff == diff.id
    }
    stated = [each for item in records.values() for each in getattr(item.record, "mappings", ())]
    new = missing_entries(stated, parse_diff(diff.content, diff.file or str(diff.id)), targets)
    if not new:
        yield f"{diff.id}: every changed symbol has an entry; none is missing"
        return
    if records:
        index, item = next(iter(records.items()))
        _append(folder, item, index, [each.entry for each in new], stale)
        place = item.file or str(item.id)
    else:
        body = body_text("implementation-mapping", {"diff": diff.id, "mappings": [each.entry for each in new]})
        says = _SAYS.format(diff=diff.id)
        made = NewEvidence(
            name="mapping", ending=".yaml", text=body, type=EvidenceType.IMPLEMENTATION_DIFF, establishes=says
        )
        place = retain_import(folder, [made], {})[1][0]
    for each in new:
        yield f"{each.path} {each.symbol or each.lines} -> {each.element}{f' ({each.why})' if each.why else ''}"
    yield f"{place}: {counted(len(new), 'draft')} added; set `reviewed: true` on those that are right"
    yield f"next       {typed('seal', folder)}"


def _append(
    folder: Path, item: EvidenceItem, index: int, entries: Sequence[Mapping[str, Json]], stale: set[str]
) -> None:
    """The entries at the end of a mapping; its digest goes with it where it held before.

    Raises:
        BadInput: the form of the file allows no appending.
    """
    from evreview.evidence.bundle_folder import folder_of
    from evreview.evidence.bundle_writer import with_entries
    from evreview.evidence.files import read_inside
    from evreview.evidence.renewed_items import renew_items, renewed_integrity

    after = with_entries(read_inside(folder_of(folder), item.file), "mappings", entries, item.file)
    place: tuple[Step, ...] = ("evidence", index, "integrity")
    held = f"#/{'/'.join(map(str, place))}" not in stale
    edits: dict[tuple[Step, ...], Json] = {place: renewed_integrity(item.integrity, after)} if held else {}
    renew_items(folder, {item.file: after}, edits)
