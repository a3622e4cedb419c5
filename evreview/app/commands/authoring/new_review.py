"""`evreview new`: a bundle to fill in, empty or with what a repository tells of two of its commits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.authoring.drafted_bundle import (
    CANDIDATE,
    MARK,
    ORIGIN,
    RELEASED,
    Draft,
    Origin,
    Side,
    collecting,
    conflicts,
    origin_text,
    refuse_conflicts,
    require_paths,
    side_of,
)
from evreview.app.commands.authoring.map_code import NO_DIFF
from evreview.app.commands.shell import clean, labelled, say, shown, tell, typed
from evreview.core.errors import BadInput, Problem
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceType, ExitStatus, Json, Verdict, WorkflowId

if TYPE_CHECKING:
    from evreview.comparison.comparison import Comparison
    from evreview.evidence.repository import Commits
    from evreview.workflows.w1.reconcile.implementation_diff import FileDiff


def new(workflow: str, folder: Path) -> int:
    """Write a commented bundle for `workflow` into `folder`."""
    from evreview.evidence.scaffold import new_bundle

    new_bundle(workflow, folder)
    say(clean(f"wrote {shown(folder)}: fill in what is marked, then: {typed('check', folder)}"))
    return ExitStatus.DONE


def new_from(workflow: WorkflowId, folder: Path, origin: Origin) -> int:
    """Write a bundle for `workflow` of what a repository tells of one or two of its commits."""
    if workflow is WorkflowId.W1:
        return new_comparison(folder, origin)
    if workflow is WorkflowId.W2:
        from evreview.app.commands.authoring.new_reference import new_reference

        return new_reference(folder, origin)
    from evreview.app.commands.authoring.new_security_review import new_security_review

    return new_security_review(folder, origin)


# W1 from a repository: both contracts with all their files, the diff of the code, a draft of the mapping, a policy.


def new_comparison(folder: Path, origin: Origin) -> int:
    """Write a W1 bundle of what changed between two commits; only what nobody but a person knows stays marked."""
    from evreview.evidence.files import write_new
    from evreview.evidence.repository import Commits
    from evreview.evidence.scaffold import DECISIONS_TEXT, body_text, review_text
    from evreview.kinds.compare import compare

    commits = Commits.of(origin.repository)
    sides = _sides(commits, origin)
    ledger = compare(sides[0].contract, sides[1].contract)
    draft = Draft()
    _add_contracts(draft, sides)
    told = _add_code(draft, commits, sides, origin, ledger)
    draft.files[ORIGIN] = origin_text(origin, *(side.commit for side in sides))
    surface = f"every operation of {origin.contract}"
    policy = body_text("policy", {**POLICY, "surface": surface, "owner_role": MARK})
    draft.add(EvidenceType.POLICY, "policy.yaml", policy, "The rules in force. Not any fact about this change.")
    request: dict[str, Json] = {
        "title": title_of(origin),
        "as_of": datetime.now(UTC).date().isoformat(),
        "asks": ["assess", "ship"],
        "contracts": {"released": "E1", "candidate": "E2"},
        "protocol": f"{sides[1].contract.kind} {sides[1].contract.version}",
        "surface": surface,
        "implementation_revision": sides[1].commit,
        "roles": {"api_owner": MARK, "release_manager": MARK},
    }
    texts = {"review.yaml": review_text(WorkflowId.W1, request, draft.evidence), "decisions.yaml": DECISIONS_TEXT}
    write_new(folder, {**texts, **draft.files})
    _tell(folder, sides, ledger, told, len(draft.evidence))
    return ExitStatus.DONE


def title_of(origin: Origin) -> str:
    """The title of a comparison that nobody has named."""
    return f"{origin.contract}, {origin.released} to {origin.candidate}"


def _sides(commits: Commits, origin: Origin) -> list[Side]:
    """Both contracts.

    Raises:
        BadInput: with everything that is wrong with either, and with the paths of the code.
    """
    problems: list[Problem] = []
    sides: list[Side] = []
    for ref in (origin.released, origin.candidate):
        with collecting(problems):
            sides.append(side_of(commits, ref, origin.contract, origin.kind))
    refs: list[str] = []
    for ref in (origin.released, origin.candidate):
        with suppress(BadInput):
            commits.commit(ref)
            refs.append(ref)
    with collecting(problems):
        require_paths(commits, refs, origin.code)
    if problems:
        raise BadInput(problems)
    return sides


def _add_contracts(draft: Draft, sides: Sequence[Side]) -> None:
    for side, place, what in zip(sides, (RELEASED, CANDIDATE), ("released", "proposed"), strict=True):
        draft.add_contract(side, place, f"The {what} wire contract. Does not establish runtime behaviour.")


def _add_code(
    draft: Draft, commits: Commits, sides: Sequence[Side], origin: Origin, ledger: Comparison
) -> tuple[str, ...]:
    """The diff of the code and a draft of its mapping; what is said about them."""
    from evreview.evidence.scaffold import body_text
    from evreview.workflows.w1.reconcile.implementation_diff import NO_ELEMENT, drafts, parse_diff, targets_of

    if not origin.code:
        return tuple(labelled("code", "none named: step 3 asks for the diff of the implementation (--code)"))
    old, new = (side.commit for side in sides)
    text = diff_of(commits, sides, origin.code)
    if not text:
        return (
            *labelled("code", f"{', '.join(origin.code)}: nothing changed"),
            *(labelled("", NO_DIFF) if ledger.rows else ()),
        )
    said = "Every changed line of the code named, between the two commits. Not that it was executed."
    identity = draft.add(EvidenceType.IMPLEMENTATION_DIFF, "implementation.diff", text, said, diff_bound(old, new))
    files = parse_diff(text, "implementation.diff")
    found = drafts(files, targets_of(ledger.rows))
    mappings: list[Json] = [each.entry for each in found]
    body = body_text("implementation-mapping", {"diff": identity, "mappings": mappings})
    said = f"Which contract element each changed branch of {identity} implements, once a reviewer has looked."
    draft.add(EvidenceType.IMPLEMENTATION_DIFF, "mapping.yaml", body, said)
    symbols = {(each.path, each.symbol or each.lines) for each in found}
    named = sum(1 for each in found if each.element != NO_ELEMENT)
    told = f"{', '.join(origin.code)}: {counted(len(symbols), 'changed symbol')}; mapping.yaml holds "
    told += f"{counted(len(found), 'draft')}, {named} with an element: set `reviewed: true` on those that are right"
    return tuple(labelled("code", told))


def diff_of(commits: Commits, sides: Sequence[Side], code: Sequence[str]) -> str:
    """The diff of the code between two sides, without contracts that are no code; "" where nothing changed.

    Raises:
        BadInput: it can't be told, or it brings a merge conflict into a file.
    """
    from evreview.kinds.registry import spec_of
    from evreview.workflows.w1.reconcile.implementation_diff import parse_diff

    if not code:
        return ""
    is_code = spec_of(sides[-1].contract.kind).is_code
    contracts = [] if is_code else sorted({name for side in sides for name in side.files})
    text = commits.diff(sides[0].commit, sides[-1].commit, code, contracts)
    if not text.strip():
        return ""
    _refuse_unfinished(commits, sides[-1], parse_diff(text, "implementation.diff"))
    return text


def diff_bound(old: str, new: str) -> str:
    """The end of an integrity text that ties a diff to two commits."""
    return f", from commit {old} to commit {new}"


def _refuse_unfinished(commits: Commits, side: Side, files: Sequence[FileDiff]) -> None:
    """Nothing when the diff brings no merge conflict into a file.

    Raises:
        BadInput: with every file that it brings one into.
    """
    added = {
        file.path: b"\n".join(line.text.encode() for hunk in file.hunks for line in hunk.lines if line.mark == "+")
        for file in files
    }
    suspect = {each.file.partition(":")[2] for each in conflicts(side.ref, added)}
    refuse_conflicts(side.ref, {name: commits.read(side.commit, name) for name in suspect})


def _tell(folder: Path, sides: Sequence[Side], ledger: Comparison, code: Sequence[str], items: int) -> None:
    counts = [f"{sum(1 for row in ledger.rows if row.judgement.verdict is verdict)} {verdict}" for verdict in Verdict]
    files = dict.fromkeys(name for side in sides for name in side.files)
    at = " and ".join(f"{side.ref} ({side.commit[:12]})" for side in sides)
    lines = [
        *labelled("contract", f"{', '.join(files)} at {at}"),
        f"           {counted(len(ledger.rows), 'difference')}: {', '.join(counts)}",
        *code,
        *labelled("wrote", f"{shown(folder)}: {counted(items, 'item')}, sealed; what is yours is marked {MARK}"),
        f"next       {typed('check', folder)}",
    ]
    tell(lines)


POLICY: Final[Mapping[str, Json]] = {
    "policy_version": "proposed by evreview",
    "producer_rules": ["A candidate accepts every request and emits only answers that the released contract allows."],
    "consumer_rules": ["A client that keeps to the released contract is not broken without its owner's consent."],
    "severities": ["High", "Medium", "Low"],
    "disposition_per_severity": {
        "High": "blocks in-place release",
        "Medium": "the API owner decides before release",
        "Low": "noted",
    },
    "rules": [
        {
            "id": "client-failed",
            "text": "A difference on which a released client failed is High and blocks in-place release.",
            "when": {"client_evidence": "executed-failure"},
            "severity": "High",
            "blocks": ["in-place release"],
            "closes_by": ["removed", "safely versioned"],
        },
        {
            "id": "breaks-old-clients",
            "text": "A difference that breaks an old client is Medium and blocks in-place release.",
            "when": {"verdicts": ["breaking"]},
            "severity": "Medium",
            "blocks": ["in-place release"],
            "closes_by": ["removed", "safely versioned", "migration evidence"],
        },
        {
            "id": "undecided",
            "text": "A difference that nothing decides is Medium until it is decided.",
            "when": {"verdicts": ["unknown"]},
            "severity": "Medium",
            "closes_by": ["removed", "retained parser execution"],
        },
    ],
    "support_window_days": 90,
}
"""Three plain rules. They are the tool's proposal and no policy until its owner's role is filled in."""
