"""`evreview new`: a bundle to fill in, empty or with what a repository tells of two of its commits."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import clean, learn, say, shown
from evreview.core.errors import BadInput, Problem
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import ContractKind, EvidenceType, ExitStatus, Json, Verdict, WorkflowId

if TYPE_CHECKING:
    from evreview.comparison.comparison import Comparison
    from evreview.contract.model import Contract
    from evreview.evidence.repository import Commits

MARK: Final = "FILL-IN"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the evidence of a new review comes from; paths are from the repository's root.

    Attributes:
        repository: a folder of a local clone.
        released, candidate: the two commits of a comparison, by any name.
        contract, code: the contract's file or folder, and the folders of the code behind it.
        kind: of the contract, detected when left out.
    """

    repository: Path
    released: str
    candidate: str
    contract: str
    code: tuple[str, ...] = ()
    kind: ContractKind | None = None


def new(workflow: str, folder: Path) -> int:
    """Write a commented bundle for `workflow` into `folder`."""
    from evreview.evidence.scaffold import new_bundle

    new_bundle(workflow, folder)
    say(clean(f"wrote {shown(folder)}: fill in what is marked, then: evreview check {shown(folder)}"))
    return ExitStatus.DONE


def require_options(workflow: str, given: Mapping[str, str]) -> None:
    """Nothing when a review can be made of a repository from what is given.

    Raises:
        BadInput: it is no comparison, or an option is missing; each is told.
    """
    problems = [
        Problem(code="option-missing", found=f"{name} is not given", advice="Two commits and a contract are compared")
        for name, value in given.items()
        if not value
    ]
    if workflow != WorkflowId.W1.lower():
        advice = "Leave the options out: the bundle is then one to fill in"
        problems = [Problem(code="not-allowed", found="only w1 is made from a repository", advice=advice)]
    if problems:
        raise BadInput(problems)


# W1 from a repository: both contracts with all their files, the diff of the code, a draft of the mapping, a policy.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One contract as a commit holds it: `files` are the bytes of all its files by path, the entry first."""

    ref: str
    commit: str
    contract: Contract
    files: Mapping[str, bytes]


@dataclass(slots=True)
class _Draft:
    """A bundle that comes into being: its files, and the entries of its evidence list."""

    files: dict[str, str | bytes] = field(default_factory=dict)
    evidence: list[dict[str, Json]] = field(default_factory=list)

    def add(
        self, kind: EvidenceType, file: str, data: str | bytes, establishes: str, at: str = "", **more: Json
    ) -> str:
        """The id of a new item with its digest."""
        identity = f"E{len(self.evidence) + 1}"
        raw = data.encode() if isinstance(data, str) else data
        self.files[file] = data
        parts = {name: hashlib.sha256(self._bytes(name)).hexdigest() for name in _names(more.get("parts"))}
        self.evidence.append({
            "id": identity, "type": str(kind), "file": file, **more,
            "integrity": f"sha256:{_digest(file, raw, parts)}{at}", "establishes": establishes,
        })  # fmt: skip
        return identity

    def _bytes(self, name: str) -> bytes:
        data = self.files[name]
        return data.encode() if isinstance(data, str) else data


def _names(parts: Json) -> Iterator[str]:
    yield from (str(each) for each in parts) if isinstance(parts, list) else ()


def _digest(file: str, data: bytes, parts: Mapping[str, str]) -> str:
    from evreview.evidence.item import listing

    return hashlib.sha256(listing(file, data, parts)).hexdigest()


def new_comparison(folder: Path, origin: Origin) -> int:
    """Write a W1 bundle of what changed between two commits; only what nobody but a person knows stays marked."""
    from evreview.evidence.files import write_new
    from evreview.evidence.repository import Commits
    from evreview.evidence.scaffold import DECISIONS_TEXT, body_text, review_text
    from evreview.kinds.compare import compare

    commits = Commits.of(origin.repository)
    sides = [_side(commits, ref, origin) for ref in (origin.released, origin.candidate)]
    ledger = compare(sides[0].contract, sides[1].contract)
    draft = _Draft()
    _add_contracts(draft, sides)
    told = _add_code(draft, commits, sides, origin, ledger)
    surface = f"every operation of {origin.contract}"
    policy = body_text("policy", {**POLICY, "surface": surface, "owner_role": MARK})
    draft.add(EvidenceType.POLICY, "policy.yaml", policy, "The rules in force. Not any fact about this change.")
    request: dict[str, Json] = {
        "title": f"{origin.contract}, {origin.released} to {origin.candidate}",
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


def _side(commits: Commits, ref: str, origin: Origin) -> _Side:
    from evreview.kinds.load import file_of, read_at

    seen: dict[str, bytes] = {}

    def note(name: str, data: bytes) -> None:
        seen[name] = data
        learn(f"{ref}:{name}", data)

    contract, _ = read_at(commits, ref, origin.contract, origin.kind, seen=note)
    entry = file_of(contract.path)
    first = entry if entry in seen else _entry_of(seen)
    return _Side(
        ref=ref,
        commit=commits.commit(ref),
        contract=contract,
        files={first: seen[first], **{name: seen[name] for name in sorted(seen) if name != first}},
    )


def _entry_of(files: Mapping[str, bytes]) -> str:
    """The file of a folder that stands for the contract: a package's own module, else the first by name."""
    packages = [name for name in files if name.rpartition("/")[2] in ("__init__.py", "__init__.pyi")]
    return min(packages, key=lambda name: (name.count("/"), name)) if packages else min(files)


def _add_contracts(draft: _Draft, sides: Sequence[_Side]) -> None:
    for side, what in zip(sides, ("released", "proposed"), strict=True):
        place = f"contracts/{'released' if what == 'released' else 'candidate'}"
        entry, *others = [f"{place}/{name}" for name in side.files]
        draft.files |= {f"{place}/{name}": data for name, data in side.files.items()}
        said = f"The {what} wire contract. Does not establish runtime behaviour."
        more: dict[str, Json] = {"parts": list(others)} if others else {}
        draft.add(EvidenceType.CONTRACT, entry, draft.files[entry], said, f", at commit {side.commit}", **more)


def _add_code(
    draft: _Draft, commits: Commits, sides: Sequence[_Side], origin: Origin, ledger: Comparison
) -> tuple[str, ...]:
    """The diff of the code and a draft of its mapping; what is said about them."""
    from evreview.evidence.scaffold import body_text
    from evreview.workflows.w1.reconcile.implementation_diff import drafts, parse_diff, targets_of

    if not origin.code:
        return ("code       none named: step 3 asks for the diff of the implementation (--code)",)
    old, new = (side.commit for side in sides)
    contracts = sorted({name for side in sides for name in side.files})
    text = commits.diff(old, new, origin.code, contracts)
    if not text.strip():
        return (f"code       {', '.join(origin.code)}: nothing changed",)
    said = "Every changed line of the code named, between the two commits. Not that it was executed."
    at = f", from commit {old} to commit {new}"
    identity = draft.add(EvidenceType.IMPLEMENTATION_DIFF, "implementation.diff", text, said, at)
    found = drafts(parse_diff(text, "implementation.diff"), targets_of(ledger.rows))
    mappings: list[Json] = [each.entry for each in found]
    body = body_text("implementation-mapping", {"diff": identity, "mappings": mappings})
    said = f"Which contract element each changed branch of {identity} implements, once a reviewer has looked."
    draft.add(EvidenceType.IMPLEMENTATION_DIFF, "mapping.yaml", body, said)
    named = sum(1 for each in found if each.element != "none")
    return (
        f"code       {', '.join(origin.code)}: {counted(len(found), 'changed symbol')}; mapping.yaml drafts each, "
        f"{named} with an element: set `reviewed: true` on those that are right",
    )


def _tell(folder: Path, sides: Sequence[_Side], ledger: Comparison, code: Sequence[str], items: int) -> None:
    counts = [f"{sum(1 for row in ledger.rows if row.judgement.verdict is verdict)} {verdict}" for verdict in Verdict]
    files = dict.fromkeys(name for side in sides for name in side.files)
    at = " and ".join(f"{side.ref} ({side.commit[:12]})" for side in sides)
    lines = [
        f"contract   {', '.join(files)} at {at}",
        f"           {counted(len(ledger.rows), 'difference')}: {', '.join(counts)}",
        *code,
        f"wrote      {shown(folder)}: {counted(items, 'item')}, sealed; what is yours is marked {MARK}",
        f"next       evreview check {shown(folder)}",
    ]
    say(clean("\n".join(lines)))


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
