"""Evidence as all else sees it, frozen: items, citations, the bundle; and what an `integrity` text ties an item to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from evreview.core.errors import Problem, bad_input
from evreview.core.frozen import frozen
from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity, WorkflowId

if TYPE_CHECKING:
    from evreview.evidence.records.review import Approval, Decisions, Record, ReviewRequest


@frozen(kw_only=True)
class EvidenceItem:
    """One supplied evidence item: the five fields of the specification, and what intake found out.

    Attributes:
        id: `E<n>`.
        type: one of the twelve kinds, or the supplied text of another kind (accepted, with a warning).
        content: the body as text.
        integrity: the statement that ties it to an immutable revision, as supplied.
        establishes: what it proves and, by omission, does not prove.
        file: its file relative to the bundle, "" for inline content.
        sha256: of the content's bytes, always recorded.
        integrity_state: verified where something here could recompute it, else declared.
        revision: the commit or digest named by `integrity`, "" when it names none.
        record: the typed body when the type has one and the content is one; None for plain text.
        parts: sha256 of the further files of a split contract, named in it or listed, by path in the bundle.
    """

    id: EvidenceId
    type: EvidenceType | str
    content: str = field(repr=False)
    integrity: str
    establishes: str = field(repr=False)
    file: str
    sha256: str
    integrity_state: Integrity
    revision: str
    record: Record | None = field(default=None, repr=False)
    parts: Mapping[str, str] = field(default_factory=dict)

    @property
    def standing(self) -> str:
        """How far the integrity is known, in words: a digest that fits verifies no commit named beside it."""
        if self.integrity_state is not Integrity.VERIFIED:
            return "declared, not verified"
        named = parse_integrity(self.integrity, sha256=self.sha256)
        both = isinstance(named, Reference) and named.digest is not None and named.commit
        return "digest verified, commit declared" if both else "verified"


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """A claim's reference to an item: `E3`, `E3#/pointer`, `E3:L10-L20`, `E3:id=<check>` (grammar: `citation`)."""

    id: EvidenceId
    locator: str = ""

    def __str__(self) -> str:
        return f"{self.id}{self.locator}"

    @property
    def readable(self) -> str:
        """The citation where nothing has to find its end: the locator without percent escapes."""
        return f"{self.id}{unquote(self.locator)}"


def _refuse(name: str) -> bytes:
    raise bad_input("file-missing", "this bundle was not opened from a folder", file=name)


@frozen
class Remark:
    """What intake accepted of an item but wants said: the item, the problem's code, and the sentence."""

    item: EvidenceId
    code: str
    found: str


@frozen(kw_only=True)
class Bundle:
    """A verified evidence folder.

    Attributes:
        workflow, title: which review this is.
        request: what is asked, the roles, scope and plan (`review.yaml` without the evidence list).
        items: in the order supplied, by id.
        decisions: what people recorded in `decisions.yaml` up to the review's date; empty when there is no file.
        later: what they recorded after it; it counts for nothing here.
        warnings: what intake accepted but wants said (an unknown evidence type, a declared digest).
        root: the folder as the user named it; only I/O modules use it.
        digest: sha256 over the request, every item with its parts, and the decisions.
        load: bytes of a file of the bundle by its POSIX path; refuses names that leave the folder.
        sealed: True for a security review of which only the request and the authorization were read. The other items
            have no content and no record then, and there are no decisions.
        unbound: of a security review, the items whose bytes or integrity do not hold, with the problem's code.
        reopen: reads the rest of a sealed bundle.
    """

    workflow: WorkflowId
    title: str
    request: ReviewRequest
    items: Mapping[EvidenceId, EvidenceItem]
    decisions: Decisions
    warnings: tuple[Remark, ...]
    root: str
    digest: str
    load: Callable[[str], bytes] = field(default=_refuse, repr=False, compare=False)
    sealed: bool = False
    unbound: Mapping[EvidenceId, str] = field(default_factory=dict)
    reopen: Callable[[], Bundle] | None = field(default=None, repr=False, compare=False)
    later: Decisions | None = None

    def __repr__(self) -> str:
        """Nothing of the evidence: a notebook that shows it saves it."""
        return f"Bundle({self.workflow}, {len(self.items)} items, sha256:{self.digest})"

    @property
    def answers(self) -> tuple[Approval, ...]:
        """Every answer to a gate by time, those after the review's date too: a gate says why they don't count."""
        return (*self.decisions.approvals, *(self.later.approvals if self.later else ()))

    def unsealed(self) -> Bundle:
        """The whole bundle. Only for one whose authorization has passed.

        Raises:
            BadInput: with every problem of what had not been read.
        """
        return self.reopen() if self.sealed and self.reopen is not None else self

    def source(self, evidence_id: EvidenceId) -> tuple[str, Callable[[str], bytes], tuple[str, ...]]:
        """Entry name, loader and listed parts of an item's content, as `read_contract` takes them."""
        item = self.items[evidence_id]
        if item.file:
            return item.file, self.load, tuple(item.parts)
        inline = item.content.encode()
        return str(item.id), (lambda name: inline if name == item.id else self.load(name)), tuple(item.parts)

    def of_type(self, kind: EvidenceType) -> tuple[EvidenceItem, ...]:
        """The items of one kind, in the order supplied."""
        return tuple(item for item in self.items.values() if item.type == kind)


# What an item's `integrity` text ties it to, and whether that can be recomputed from the bytes.
#
# Accepted is a digest of the content, a full commit, a git blob id, or a tag with one of these. A name that can move
# (a branch, `HEAD`, `latest`, a tag alone) is refused. Looking a commit up in a repository is `repository`'s.


_DIGEST: Final = re.compile(r"\b(?P<name>sha256|sha512|sha384)[:=]\s*(?P<hex>[0-9A-Za-z+/=]*)", re.IGNORECASE)
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])([0-9a-f]{64}|[0-9a-f]{40})(?![0-9A-Za-z])", re.IGNORECASE)
_PATH: Final = re.compile(
    r"(?P<commit>\b[0-9a-f]{40}(?:[0-9a-f]{24})?)(?::|\s+path[: ]\s*)(?P<path>[^\s:,;()]+)", re.IGNORECASE
)
_BLOB: Final = re.compile(r"\bblob[: ]\s*(?P<hex>[0-9a-f]{64}|[0-9a-f]{40})\b", re.IGNORECASE)
_MOVING: Final = re.compile(
    r"\brefs/(?:heads|remotes)/\S+|\b(?:origin|upstream)/\S+|\bbranch\b"
    r"|(?<![\w.-])(?:main|master|trunk|develop|dev|staging|production|head|tip|latest|current|newest|nightly|edge|stable)"
    r"(?![\w/-])",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r"\brefs/tags/\S+|\btag\b|\brelease\b|(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?:[-+][\w.]+)?(?![\w.])", re.I
)
_SHORT: Final = re.compile(r"(?<![0-9A-Za-z])(?=[0-9a-f]*[0-9])[0-9a-f]{7,39}(?![0-9A-Za-z])", re.IGNORECASE)
_SIZES: Final = {"sha256": 64, "sha384": 96, "sha512": 128}


@frozen(kw_only=True)
class Reference:
    """The immutable thing that an `integrity` text names.

    Attributes:
        revision: the commit, blob id or digest, as printed.
        digest: algorithm and lower-case hexadecimal digest of the content, None when none is given.
        commit: the full commit, "" when none is given.
        path: the content's path at that commit, "" when the text names none.
        blob: the git blob id, "" when none is given.
    """

    revision: str
    digest: tuple[str, str] | None = None
    commit: str = ""
    path: str = ""
    blob: str = ""


def parse_integrity(text: str, *, sha256: str) -> Reference | Problem:
    """What the text ties the item to, or why that is not immutable (a problem without file and place).

    Args:
        text: the item's `integrity`.
        sha256: of the content as it was read, for the advice.
    """
    digest = _DIGEST.search(text)
    if digest and not _well_formed(digest):
        size = _SIZES[digest["name"].lower()]
        return Problem(
            code="bad-digest",
            found=f"`{digest[0]}` is not a {digest['name'].lower()} digest of {size} hexadecimal digits",
            advice=f"The content as read has sha256:{sha256}",
        )
    rest = _DIGEST.sub(" ", text)
    blob, path, named = _BLOB.search(rest), _PATH.search(rest), _commit(_BLOB.sub(" ", rest))
    if not (digest or blob or named):
        return _not_immutable(text, sha256)
    pair = (digest["name"].lower(), digest["hex"].lower()) if digest else None
    blob_id = blob["hex"].lower() if blob else ""
    return Reference(
        revision=named or (f"{pair[0]}:{pair[1]}" if pair else f"blob {blob_id}"),
        digest=pair,
        commit=named,
        path=path["path"] if path and path["commit"].lower() == named else "",
        blob=blob_id,
    )


def _commit(text: str) -> str:
    """The commit that the text names, of a range (`a..b`, `from a to b`) its end, "" when it names none."""
    found = list(_HEX.finditer(text))
    if len(found) > 1 and re.fullmatch(
        r"\s*\.\.\.?\s*|\s+to\s+(?:commit\s+)?", text[found[0].end() : found[1].start()]
    ):
        return found[1][0].lower()
    return found[0][0].lower() if found else ""


def _well_formed(digest: re.Match[str]) -> bool:
    size = _SIZES[digest["name"].lower()]
    return re.fullmatch(rf"[0-9a-fA-F]{{{size}}}", digest["hex"]) is not None


def moves(revision: str) -> bool:
    """True for a revision that names a branch, HEAD or a word such as latest, and no full commit or digest."""
    return _MOVING.search(revision) is not None and _HEX.search(revision) is None


def _not_immutable(text: str, sha256: str) -> Problem:
    use = f"Name a full commit, or the digest of the content as read: sha256:{sha256}"
    for code, pattern, words in (
        ("moving-reference", _MOVING, "can move: it is a branch, HEAD or a word such as latest"),
        ("abbreviated-commit", _SHORT, "is an abbreviated commit"),
        ("tag-without-digest", _TAG, "is a tag or version without a digest, and tags can be moved"),
    ):
        found = pattern.search(text)
        if found:
            return Problem(code=code, found=f"`{found[0]}` {words}", advice=use)
    return Problem(code="no-immutable-reference", found="the text names no immutable revision", advice=use)


def verify(reference: Reference, data: bytes) -> Integrity | Problem:
    """VERIFIED when a digest in the reference equals the content's, DECLARED when it has none, else the problem."""
    if reference.digest:
        name, stated = reference.digest
        actual = hashlib.new(name, data).hexdigest()
        if actual != stated:
            return Problem(
                code="digest-mismatch",
                found=f"the content has {name}:{actual}, the integrity says {name}:{stated}",
                advice="The content or the digest is not the reviewed one; do not just replace the digest"
                if reference.commit
                else "If you edited it, renew the digest with `evreview seal`; else it is not what was reviewed",
            )
        return Integrity.VERIFIED
    if reference.blob:
        if git_blob(data, len(reference.blob)) != reference.blob:
            return Problem(
                code="digest-mismatch",
                found=f"the content has the git blob id {git_blob(data, len(reference.blob))}",
                advice="The content or the blob id is not the reviewed one; do not just replace the id",
            )
        return Integrity.VERIFIED
    return Integrity.DECLARED


def listing(name: str, data: bytes, parts: Mapping[str, str]) -> bytes:
    """What a digest has to be of: the bytes of one file; of several, one line `<sha256>  <name>` each, by name.

    Args:
        name, data: the first file.
        parts: sha256 of the others by name.
    """
    if not parts:
        return data
    files = {**parts, name: hashlib.sha256(data).hexdigest()}
    return "".join(f"{digest}  {each}\n" for each, digest in sorted(files.items())).encode()


def git_blob(data: bytes, digits: int = 40) -> str:
    """The git blob id of the bytes, SHA-1 with 40 digits and SHA-256 with 64."""
    whole = b"blob %d\0" % len(data) + data
    return (hashlib.sha256(whole) if digits == 64 else hashlib.sha1(whole, usedforsecurity=False)).hexdigest()
