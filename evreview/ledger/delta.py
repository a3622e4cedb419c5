"""The fact of a difference, before anyone judges it. One delta is one row of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evreview.contract.model import ElementKind, Place
from evreview.core.vocabulary import Address, Aspect, Change, ContractKind, DeltaId, Form, Json, Polarity, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """One wire-level difference.

    Attributes:
        id: `D-` and 12 hex digits; a function of kind, role, address, aspect, change, facet and both forms.
        operation: the operation that the address starts at, "" for document-level deltas.
        operations: every operation in both contracts that the difference reaches, sorted; holds `operation`.
        address: stable path, e.g. `GET /v1/orders/{} > response 200 > application/json > items[] > status`.
        role, polarity, in_error: of the position, see `Element`.
        element: what kind of element differs.
        aspect, change: from the closed vocabularies.
        facet: the keyword that differs (`maxLength`, `required`, `style`), "" for the element as a whole.
        released, candidate: both forms as plain JSON; MISSING on the side that has none.
        released_place, candidate_place: where each is written; for an absent one the nearest parent, or None.
        facts: what else a rule may ask, e.g. {"required": true, "has_default": false}; keys are listed in `facts.py`.
    """

    id: DeltaId
    kind: ContractKind
    operation: str
    operations: tuple[str, ...]
    address: Address
    role: Role
    polarity: Polarity | None
    in_error: bool
    element: ElementKind
    aspect: Aspect
    change: Change
    facet: str
    released: Form
    candidate: Form
    released_place: Place | None
    candidate_place: Place | None
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """A difference that never reaches the wire, with the reason why it does not."""

    delta: Delta
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """An unchanged element that a delta needs in order to be read (an unchanged success schema, say)."""

    delta_id: DeltaId
    address: Address
    form: Form
    place: Place
    why: str
