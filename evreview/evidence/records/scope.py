"""What a reference is about, and that its contract was approved."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime

from evreview.evidence.records.base import EvidenceIdText, Record, Text


class ExcludedOperation(Record):
    """An operation of the contract that the reference leaves out."""

    operation: Text
    """Its method and path, or its operation id."""
    why: Text
    """The reason."""


class PublicationScope(Record):
    """Content of an evidence item of type `execution and approval record`: what is published, and for whom.

    A field that is left out stops the review at step 1, which names it.
    """

    kind: Literal["publication-scope"] = "publication-scope"
    contract: EvidenceIdText | None = None
    """The item that holds the contract; without it the bundle's only contract."""
    revision: Text | None = None
    """The one immutable revision of contract, handlers, validators and tests."""
    api_version: Text | None = None
    """The supported API version."""
    base_url: Text | None = None
    """The shape of the base URL, e.g. `https://{tenant}.api.example.com/v1`."""
    audience: Text | None = None
    """Whom the reference is for."""
    operations: tuple[Text, ...] | None = None
    """Included operations, each as method and path (`GET /v1/orders/{id}`) or as operation id."""
    exclusions: tuple[ExcludedOperation, ...] | None = None
    """Operations left out; an empty list says that none is."""
    contract_is_changing: bool = False
    """True when a change of the contract or a breaking-compatibility decision is open: then W1 runs first."""


class ContractApproval(Record):
    """Content of an evidence item of type `execution and approval record`: the API owner's word on the contract."""

    kind: Literal["contract-approval"] = "contract-approval"
    contract: EvidenceIdText
    """The item that holds the contract."""
    sha256: Text | None = None
    """The digest of the contract that was approved."""
    revision: Text | None = None
    """The revision of the contract that was approved; one of digest and revision is given."""
    operations: tuple[Text, ...] | None = None
    """The operations that the approval covers; without it all of them."""
    role: Text
    """The approving role."""
    decision: Literal["approved", "rejected"]
    """The answer."""
    at: AwareDatetime
    """When it was given; a time zone is required."""
