"""`evreview update`: a contract review moved to another candidate, as far as the repository tells it.

What people decided stays as it is recorded; each gate judges it against the new candidate. A reviewed entry of the
mapping is carried only where the very same lines changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from evreview.app.commands.authoring.drafted_bundle import (
    CANDIDATE,
    ORIGIN,
    RELEASED,
    Draft,
    Origin,
    Side,
    collecting,
    origin_text,
    read_origin,
    require_paths,
    side_of,
)
from evreview.app.commands.authoring.new_review import diff_bound, diff_of, title_of
from evreview.app.commands.shell import clean, say, shown, tell, typed
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.quoted_text import command_line, counted
from evreview.core.vocabulary import ExitStatus, Json, WorkflowId
from evreview.evidence.imports.model import some

if TYPE_CHECKING:
    from evreview.comparison.comparison import Comparison
    from evreview.core.json_pointer import Step
    from evreview.evidence.item import Bundle, EvidenceItem
    from evreview.workflows.engine.gates import Gate
    from evreview.workflows.w1.reconcile.carried_mapping import Carried

_DIFF, _MAPPING = "implementation.diff", "mapping.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    """A review and the three sides: what clients rely on, the candidate so far, and the one that it moves to.

    Attributes:
        origin: where the review was made from.
        diffs: of the code, to the candidate so far and to the new one; "" for none.
        ledgers: the comparisons with both candidates.
    """

    bundle: Bundle
    origin: Origin
    released: Side
    old: Side
    new: Side
    diffs: tuple[str, str]
    ledgers: tuple[Comparison, Comparison]

    def item(self, file: str) -> EvidenceItem | None:
        """The item whose content is a file of the bundle."""
        return next((item for item in self.bundle.items.values() if item.file == file), None)


def update(folder: Path, repository: Path, ref: str) -> int:
    """Renew contract, diff, mapping and commits of a review for another candidate; decisions are left to their gates.

    Raises:
        BadInput: with everything that keeps the review from being moved; nothing was written then.
    """
    from evreview.evidence.bundle_reader import examine_bundle
    from evreview.evidence.renewed_items import renew_items

    move = _move(folder, repository, ref)
    if move.new.commit == move.old.commit:
        say(clean(f"{shown(folder)}: the candidate is {ref} ({move.new.commit[:12]}) already"))
        return ExitStatus.DONE
    fates = tuple(_fates(move))
    files, edits = _renewed(move, fates)
    before = _gates(move.bundle)
    renew_items(folder, files, edits)
    after = examine_bundle(folder).draft
    assert after is not None
    lines = [
        f"candidate  {move.origin.candidate} ({move.old.commit[:12]}) becomes {ref} ({move.new.commit[:12]})",
        *_told_of_ledgers(move),
        *_told_of_mapping(fates),
        *_told_of_answers(before, _gates(after)),
        *_told_of_older(after, move.old.commit),
        f"next       {typed('check', folder)}",
    ]
    tell(lines)
    return ExitStatus.DONE


def _move(folder: Path, repository: Path, ref: str) -> _Move:
    from evreview.evidence.repository import Commits
    from evreview.kinds.compare import compare

    _require_comparison(folder)
    made = read_origin(folder)
    origin, commits = made.origin, Commits.of(repository)
    problems: list[Problem] = []
    sides: list[Side] = []
    for named in (made.released, made.candidate, ref):
        with collecting(problems):
            sides.append(side_of(commits, named, origin.contract, origin.kind))
    with collecting(problems):
        bundle = _sealed_draft(folder)
    if problems:
        raise BadInput(problems)
    released, old, new = sides
    with collecting(problems):
        require_paths(commits, (made.released, made.candidate, ref), origin.code)
    with collecting(problems):
        diffs = (diff_of(commits, (released, old), origin.code), diff_of(commits, (released, new), origin.code))
    if problems:
        raise BadInput(problems)
    ledgers = (compare(released.contract, old.contract), compare(released.contract, new.contract))
    move = _Move(bundle=bundle, origin=origin, released=released, old=old, new=new, diffs=diffs, ledgers=ledgers)
    problems += _differing(move)
    if problems:
        raise BadInput(problems)
    return move


def _require_comparison(folder: Path) -> None:
    """Nothing for a contract review.

    Raises:
        BadInput: it is another one, which has no candidate that could move.
    """
    from evreview.evidence.bundle_folder import workflow_of

    workflow = workflow_of(folder)
    if workflow != WorkflowId.W1.lower():
        anew = command_line(["evreview", "new", workflow, "DIR", "--repo", ".", "--at", "REF"])
        advice = f"Make it anew: {anew} …; take what you filled in from this one"
        raise bad_input("not-allowed", "update moves contract reviews (w1) only", file=shown(folder), advice=advice)


def _sealed_draft(folder: Path) -> Bundle:
    """A contract review in which nothing is wrong but that values are still marked.

    Raises:
        BadInput: something else is wrong.
    """
    from evreview.evidence.bundle_reader import examine_bundle
    from evreview.evidence.typed_reader import UNANSWERED, UNFILLED

    found = examine_bundle(folder)
    wrong = [problem for problem in found.problems if problem.code not in (UNFILLED, UNANSWERED)]
    if wrong or found.draft is None:
        raise BadInput(wrong or found.problems)
    return found.draft


def _differing(move: _Move) -> Iterator[Problem]:
    """What is not in the review as its repository has it, so that nobody can tell what would be renewed."""
    expected: dict[str, bytes] = {}
    for place, side in ((RELEASED, move.released), (CANDIDATE, move.old)):
        expected |= {f"{place}{name}": data for name, data in side.files.items()}
    if move.diffs[0]:
        expected[_DIFF] = move.diffs[0].encode()
    held = {item.file for item in move.bundle.items.values()}
    held |= {name for item in move.bundle.items.values() for name in item.parts}
    for name, data in expected.items():
        wrong = "the review does not hold this file" if name not in held else ""
        if not wrong and move.bundle.load(name) != data:
            wrong = "the file is not as the commits have it that the review was made from"
        if wrong:
            yield Problem(code="origin-differs", found=wrong, file=name, advice="Make the review anew: evreview new")
    if bool(move.diffs[0]) != bool(move.diffs[1]):
        found = "the code changed between one pair of commits and not between the other"
        yield Problem(code="diff-comes-or-goes", found=found, file=_DIFF, advice="Make the review anew: evreview new")


# What is written: the candidate's files, the diff, its mapping, and every place of review.yaml that states them.


def _fates(move: _Move) -> Iterator[Carried]:
    from evreview.evidence.records.test_runs import ImplementationMapping
    from evreview.workflows.w1.reconcile.carried_mapping import carried
    from evreview.workflows.w1.reconcile.implementation_diff import parse_diff, targets_of

    item = move.item(_MAPPING)
    if item is None or not isinstance(item.record, ImplementationMapping):
        return
    old, new = (parse_diff(text, _DIFF) for text in move.diffs)
    before = {target.address for target in targets_of(move.ledgers[0].rows)}
    yield from carried(item.record.mappings, (old, new), before, targets_of(move.ledgers[1].rows))


def _renewed(move: _Move, fates: tuple[Carried, ...]) -> tuple[dict[str, bytes | None], dict[tuple[Step, ...], Json]]:
    from evreview.evidence.scaffold import body_text

    draft = Draft()
    draft.add_contract(move.new, CANDIDATE, "")
    places = {item.file: index for index, item in enumerate(move.bundle.items.values())}
    was = next(item for item in move.bundle.items.values() if item.file.startswith(CANDIDATE))
    files: dict[str, bytes | None] = {f"{CANDIDATE}{name}": None for name in move.old.files}
    files |= {f"{CANDIDATE}{name}": data for name, data in move.new.files.items()}
    made, index = draft.evidence[0], places[was.file]
    edits: dict[tuple[Step, ...], Json] = {("evidence", index, "integrity"): made["integrity"]}
    if made["file"] != was.file:
        edits["evidence", index, "file"] = made["file"]
    if made.get("parts", []) != list(was.parts):
        edits["evidence", index, "parts"] = made.get("parts", [])
    if move.diffs[1]:
        files[_DIFF] = move.diffs[1].encode()
        bound = diff_bound(move.released.commit, move.new.commit)
        edits["evidence", places[_DIFF], "integrity"] = f"sha256:{_sha256(files[_DIFF])}{bound}"
    mapping = move.item(_MAPPING)
    if mapping is not None and fates:
        diff = getattr(mapping.record, "diff", "")
        entries: list[Json] = [one.entry for one in fates if one.entry is not None]
        files[_MAPPING] = body_text("implementation-mapping", {"diff": diff, "mappings": entries}).encode()
        edits["evidence", places[_MAPPING], "integrity"] = f"sha256:{_sha256(files[_MAPPING])}"
    request = move.bundle.request
    if request.implementation_revision == move.old.commit:
        edits["implementation_revision",] = move.new.commit
    moved = replace(move.origin, candidate=move.new.ref)
    if request.title == title_of(move.origin):
        edits["title",] = title_of(moved)
    files[ORIGIN] = origin_text(moved, move.released.commit, move.new.commit).encode()
    return files, edits


def _sha256(data: bytes | None) -> str:
    return hashlib.sha256(data or b"").hexdigest()


# What is told.


def _told_of_ledgers(move: _Move) -> Iterator[str]:
    old, new = ({row.delta.id for row in ledger.rows} for ledger in move.ledgers)
    words = f"{len(old & new)} as before, {len(new - old)} new, {len(old - new)} no longer"
    yield f"contract   {counted(len(new), 'difference')}: {words}"


def _told_of_mapping(fates: tuple[Carried, ...]) -> Iterator[str]:
    by_fate: dict[str, list[str]] = {}
    for one in fates:
        by_fate.setdefault(str(one.fate), []).append(one.name)
    for fate, names in by_fate.items():
        yield f"mapping    {len(names)} {fate}: {some(names)}"


def _gates(bundle: Bundle) -> Mapping[str, Gate]:
    from evreview.workflows.session import Run

    return {gate.spec.id: gate for gate in Run(bundle).survey()[1]}


def _told_of_answers(before: Mapping[str, Gate], after: Mapping[str, Gate]) -> Iterator[str]:
    """Which recorded answers counted and count no longer, each with why, as the gate says it."""
    from evreview.workflows.engine.gates import Seat

    for name, gate in before.items():
        now = after.get(name)
        for answer in gate.approvals:
            if answer.of != gate.about or (now is not None and now.about == answer.of and answer in now.approvals):
                continue
            seat = Seat(answer.stands_for, answer.role, answer.client or "")
            own = now.lacks_of(seat) if now else ()
            who = f"{answer.role}{f' for client {answer.client}' if answer.client else ''}"
            yield f"lapsed     {name} by {who}: {'; '.join(own) or 'the gate asks for nothing now'}"


def _told_of_older(bundle: Bundle, commit: str) -> Iterator[str]:
    """Evidence that still speaks of the candidate so far; it stays what it is."""
    older = [f"{item.file or item.id} ({item.id})" for item in bundle.items.values() if commit in item.content]
    if older:
        yield f"older      still about {commit[:12]}: {some(older)}"
