"""The table of fact keys: what a delta says beside its two forms. Rules ask these, nothing else may be asked.

A key that does not concern a delta is absent. `FACTS` is the single list; a test refuses deltas with other keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from evreview.contract.model import ElementKind, Place
from evreview.core.frozen import frozen
from evreview.core.vocabulary import (
    ABSENT,
    Absent,
    Address,
    Aspect,
    Change,
    ContractKind,
    DeltaId,
    Direction,
    Form,
    Json,
    Role,
)

BASE_ASPECT: Final = "base_aspect"
REQUIRED: Final = "required"
HAS_DEFAULT: Final = "has_default"
IN: Final = "in"
DEPRECATED: Final = "deprecated"
SUNSET: Final = "sunset"
READ_ONLY: Final = "read_only"
WRITE_ONLY: Final = "write_only"
OUTSIDE_DIRECTION: Final = "outside_direction"
RELEASED_CLOSED: Final = "released_closed"
CANDIDATE_CLOSED: Final = "candidate_closed"
ENUM_WHOLE: Final = "enum_whole"
ADDED_VALUES: Final = "added_values"
REMOVED_VALUES: Final = "removed_values"
EXTENSIBLE: Final = "extensible"
COVERED_BY: Final = "covered_by"
COVERS: Final = "covers"
ONLY_ONE: Final = "only_one"
UNDER_NOT: Final = "under_not"
TYPE: Final = "type"
SHARED: Final = "shared"
ALTERNATIVES_ADDED: Final = "alternatives_added"
ALTERNATIVES_REMOVED: Final = "alternatives_removed"
COMPONENT: Final = "component"
MARKER: Final = "marker"
SAME_BRANCHES: Final = "same_branches"
PART_TYPE: Final = "part_type"
DEMANDED: Final = "demanded"
SAME_VALUES: Final = "same_values"
SAME_TEXT: Final = "same_text"
LEFT_TO_DEFAULT: Final = "left_to_default"
TAKES_OVER: Final = "takes_over"
HOLDS: Final = "holds"
SENT_AS: Final = "sent_as"
SENT_BEFORE: Final = "sent_before"
SENT_IN: Final = "sent_in"
MAYBE_UNREAD: Final = "maybe_unread"
WITHOUT_EFFECT: Final = "without_effect"

FACTS: Final[Mapping[str, str]] = {
    BASE_ASPECT: "the aspect that the delta has without its marker name or error position; present only when it "
    "differs from `aspect` (a field of an error body has aspect `errors` and base aspect `fields`)",
    REQUIRED: "whether the added or removed parameter, header, body or field is required where it stands; for a change "
    "of a field's schema, whether the released field is required (absent when the uses of a shared schema disagree; "
    "for `readOnly` and `writeOnly` it is enough that one of them demands it); "
    "for a default, whether the released field, parameter or header is",
    HAS_DEFAULT: "whether the added, removed or newly required element has a default (candidate's, else released's)",
    IN: "where a parameter stands: path, query, header, cookie, body, formData",
    DEPRECATED: "whether the element was marked deprecated in the released contract",
    SUNSET: "the released contract's `x-sunset` date of the element",
    READ_ONLY: "whether the field is marked readOnly where it stands (both sides for a changed one)",
    WRITE_ONLY: "whether the field is marked writeOnly where it stands (both sides for a changed one)",
    OUTSIDE_DIRECTION: "true: its sender keeps the value back (readOnly in a request, writeOnly in a response)",
    RELEASED_CLOSED: "whether the released object that holds the field refuses unknown members",
    CANDIDATE_CLOSED: "whether the candidate object that holds the field refuses unknown members",
    ENUM_WHOLE: "true: the enumeration as a constraint was introduced or dropped, not one of its values",
    ADDED_VALUES: "the enum values that only the candidate has",
    REMOVED_VALUES: "the enum values that only the released contract has",
    EXTENSIBLE: "true: the released contract calls the enumeration extensible (`x-extensible-enum`)",
    COVERED_BY: "key of a range on the other side that covers the removed, added or renamed key (`application/*`, "
    "`2XX`, `default`; a default beside other statuses covers errors only), or of a template that holds its address",
    PART_TYPE: "content type of a form's field that has no encoding, by its schema; empty where the standard leaves it "
    "open",
    LEFT_TO_DEFAULT: "true: the candidate has a `default`, which by the letter describes the rest of the removed "
    "range; of an added status, or one that became a range: the released contract has one, which described the status",
    SAME_VALUES: "for a value that went from `schema` to `content` or back: whether both describe the same values",
    SAME_TEXT: "for such a value: whether style and content type write a number as the same text; absent where the "
    "content type leaves it open",
    DEMANDED: "whether some operation of either contract demands the security scheme",
    TAKES_OVER: "key of the released operation whose path template answered requests to the more concrete path of the "
    "added operation",
    MAYBE_UNREAD: "true: a part of the candidate that may hold the removed operation or message could not be read",
    HOLDS: "digest of what the added body, response, parameter, header, media type or callback holds, schemas two "
    "levels deep; the id hangs on it",
    SENT_AS: "the security scheme whose credentials are the text of the parameter: for an added parameter of any text "
    "one that released calls always prove, for a removed one any that the candidate names",
    SENT_BEFORE: "the security schemes of the candidate's demand whose credentials released calls send as required "
    "parameters, or any key in the header `Authorization` where it may pass for one of them",
    SENT_IN: "key of the other side's parameter, an exploded object, whose members could bear the name of the added or "
    "removed one",
    COVERS: "keys of the other side that the added, removed or renamed range covers",
    ONLY_ONE: "true: the removed, added or renamed element was the only one of its kind there",
    UNDER_NOT: "true: the schema stands under an odd number of `not`, which reverses its direction",
    TYPE: "the JSON types of the value at that place in the released contract (candidate's when added), sorted",
    SHARED: "true: several operations or places reach the same written element",
    ALTERNATIVES_ADDED: "security alternatives that only the candidate offers, each as {scheme: scopes}",
    ALTERNATIVES_REMOVED: "security alternatives that only the released contract offers",
    COMPONENT: "pointer of the written element that several places share, for display only",
    SAME_BRANCHES: "true: `anyOf` became `oneOf` or back, and every branch has its counterpart; what differs below the "
    "branches has rows of its own",
    WITHOUT_EFFECT: "true: `nullable` stands where OpenAPI 3.0.3 gives it no effect, or in OpenAPI 3.1, which has no "
    "such keyword, and null is refused by the letter on both sides; authors and generators mostly mean that null may "
    "come",
    MARKER: "the list of `markers.py` that the name stands in",
}


# The fact of a difference, before anyone judges it. One delta is one row of the ledger.


@frozen(kw_only=True)
class Delta:
    """One wire-level difference.

    Attributes:
        id: `D-` and 12 hex digits; a function of kind, role, address, aspect, change, facet and both forms.
        operation: the operation that the address starts at, "" for document-level deltas.
        operations: every operation in both contracts that the difference reaches, sorted; holds `operation`.
        address: stable path, e.g. `GET /v1/orders/{} > response 200 > application/json > items[] > status`.
        role, direction, in_error: of the position, see `Element`.
        element: what kind of element differs.
        aspect, change: from the closed vocabularies.
        facet: the keyword that differs (`maxLength`, `required`, `style`), "" for the element as a whole.
        released, candidate: both forms as plain JSON; ABSENT on the side that has none.
        released_place, candidate_place: where each is written; for an absent one the nearest parent, or None.
        facts: what else a rule may ask, e.g. {"required": true, "has_default": false}; keys are listed in `facts.py`.
    """

    id: DeltaId
    kind: ContractKind
    operation: str
    operations: tuple[str, ...]
    address: Address
    role: Role
    direction: Direction | None
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


@frozen(kw_only=True)
class Noise:
    """A difference that never reaches the wire, with the reason why it does not."""

    delta: Delta
    reason: str


@frozen(kw_only=True)
class Context:
    """An unchanged element that a delta needs in order to be read (an unchanged success schema, say)."""

    delta_id: DeltaId
    address: Address
    form: Form
    place: Place
    why: str


# What a comparison of one pair finds, before it has an operation, an address and an id.


@frozen(kw_only=True)
class RawDifference:
    """One difference inside a pair of schema nodes or elements.

    Attributes:
        steps: the way from the pair to what differs, as addresses show it; mostly empty or one field.
        name: the field, parameter or header concerned, for markers; "" for the node itself.
        reason: why it never reaches the wire; "" for a real difference.
        The rest: see `Delta`.
    """

    aspect: Aspect
    facet: str
    released: Form = ABSENT
    candidate: Form = ABSENT
    released_place: Place | None = None
    candidate_place: Place | None = None
    element: ElementKind = ElementKind.SCHEMA
    steps: tuple[str, ...] = ()
    name: str = ""
    change: Change | None = None
    reason: str = ""
    facts: Mapping[str, Json] = field(default_factory=dict)

    @property
    def direction(self) -> Change:
        """The change as stated, or as the forms show it."""
        if self.change is not None:
            return self.change
        if isinstance(self.released, Absent):
            return Change.ADDED
        return Change.REMOVED if isinstance(self.candidate, Absent) else Change.CHANGED
