"""The tables of a reference: operations, evidence matrix, discrepancies, gaps, proposed tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from evreview.contract.model import Element
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import MISSING, Concern, Form, Word
from evreview.evidence.item import Citation

DiscrepancyId = NewType("DiscrepancyId", str)
ClaimKey = NewType("ClaimKey", str)
"""Names one thing that the reference may say, e.g. `GET /v1/orders/{id} errors 404 application/json body`."""


class Source(Word):
    """Where a cell of the matrix comes from."""

    CONTRACT = "contract"
    IMPLEMENTATION = "implementation"
    TEST = "test"


class Standing(Word):
    """What one source says about one concern of one operation.

    STATED: it says something. ABSENT: it was read whole and says nothing. NOT_APPLICABLE: with the rule why.
    UNREAD: it may say something that could not be read. UNMAPPED: nothing supplied could say it.
    """

    STATED = "stated"
    ABSENT = "absent"
    NOT_APPLICABLE = "not applicable"
    UNREAD = "unread"
    UNMAPPED = "unmapped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation in scope: `GET /v1/orders/{id}`, its operation id ("" without one), the contract's element."""

    id: str
    method: str
    path: str
    operation_id: str
    element: Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of the evidence matrix. Key: operation, concern, source.

    Attributes:
        says: what it states, in short.
        reason: why it is not applicable, unread or unmapped.
        citations: what it rests on.
    """

    operation: str
    concern: Concern
    source: Source
    standing: Standing
    says: tuple[Text, ...] = ()
    reason: str = ""
    citations: tuple[Citation, ...] = ()


class Disposal(Word):
    """What the owner's recorded word does to the claims that a discrepancy holds back."""

    OPEN = "open"
    PUBLISH_CONTRACT = "publish the contract"
    WITHHOLD = "withhold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """One point on which the sources disagree.

    Attributes:
        id: stable: the same for the same operation, concern, kind and place, whatever lines move.
        kind: the id of its rule in `reference.kinds`.
        operation, concern: what it is about.
        contract, implementation: both forms exactly, MISSING where one side has none.
        observed: what a test saw, MISSING when none did.
        impact: compatibility impact, by the kind's rule.
        witness: a value that one side accepts and the other refuses, MISSING without one.
        owner_role: who has to dispose of it.
        digest: of both exact forms, for a disposition to name what it judged.
        disposal, disposition: what is recorded, and its words ("" when open).
        withholds: the claims that stay unpublished until it is disposed of.
        citations: both sides'.
    """

    id: DiscrepancyId
    kind: str
    operation: str
    concern: Concern
    place: str
    contract: Form
    implementation: Form
    impact: str
    owner_role: str
    citations: tuple[Citation, ...]
    observed: Form = MISSING
    witness: Form = MISSING
    digest: str = ""
    disposal: Disposal = Disposal.OPEN
    disposition: str = ""
    withholds: frozenset[ClaimKey] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something that the evidence lacks and the reference therefore omits. `kind` is the id of its rule."""

    id: str
    kind: str
    operation: str
    concern: Concern
    says: Text
    citations: tuple[Citation, ...]
    blocks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedTest:
    """A named contract test that the evidence lacks, with assertions that a machine can decide."""

    id: str
    operation: str
    name: str
    asserts: tuple[str, ...]
    why: str
    citations: tuple[Citation, ...]
