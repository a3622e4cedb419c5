"""Evidence as the core sees it: frozen, verified or declared, cited by id and locator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evreview.core.errors import bad_input
from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity, WorkflowId
from evreview.evidence.integrity import Reference, parse_integrity

if TYPE_CHECKING:
    from evreview.evidence.records.base import Record
    from evreview.evidence.records.decisions import Approval, Decisions
    from evreview.evidence.records.review import ReviewRequest


@dataclass(frozen=True, slots=True, kw_only=True)
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


def _refuse(name: str) -> bytes:
    raise bad_input("file-missing", "this bundle was not opened from a folder", file=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A verified evidence folder.

    Attributes:
        workflow, title: which review this is.
        request: what is asked, the roles, scope and plan (`review.yaml` without the evidence list).
        items: in the order supplied, by id.
        decisions: what people recorded in `decisions.yaml` up to the review's date; empty when there is no file.
        later: what they recorded after it; it counts for nothing here.
        warnings: what intake accepted but wants said (an unknown evidence type, a declared digest).
        root: the folder as the user named it; only doors use it.
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
    warnings: tuple[str, ...]
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
