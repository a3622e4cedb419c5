"""The contract's own words about one operation, as rows: what each says, where it stands, and what it is called."""

from __future__ import annotations

from dataclasses import dataclass

from evreview.core.quoted_text import Text
from evreview.core.vocabulary import MISSING, Concern, Form
from evreview.evidence.item import Citation
from evreview.reference.claims import claim
from evreview.reference.model import ClaimKey, Operation

Citations = tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One line of the operation's own table: operation id, version, base URL shape, body presence, behaviour."""

    name: str
    value: Text
    claim: ClaimKey
    citations: Citations


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeUse:
    """One security scheme that an alternative demands.

    Attributes:
        key: as code facts name it: `http bearer`, `apiKey header x-key`, `oauth2`.
        name: the contract's name of it.
        says: kind and way, in words.
        placeholder: how a request carries it, with an invented value that nobody takes for one.
    """

    key: str
    name: str
    says: Text
    scopes: tuple[str, ...]
    placeholder: str
    citations: Citations


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentication:
    """What an operation demands: one alternative suffices, all schemes of it together; `()` needs no credentials.

    Attributes:
        stated: False when the contract says nothing about security for this operation.
    """

    stated: bool
    alternatives: tuple[tuple[SchemeUse, ...], ...]
    says: Text
    claim: ClaimKey
    citations: Citations


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRow:
    """One parameter.

    Attributes:
        validation: one text per constraint.
        style: how its value is written, "" where the format's default holds.
        fields: of an object or of a list of objects.
    """

    name: str
    location: str
    type: Text
    required: bool
    validation: tuple[Text, ...]
    claim: ClaimKey
    validation_claim: ClaimKey
    citations: Citations
    default: Form = MISSING
    style: str = ""
    description: str = ""
    deprecated: bool = False
    fields: tuple[FieldRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One field of a body.

    Attributes:
        path: dotted from the body's root: `items[].sku`, `labels.*` for the members of a map, "" for the body itself.
        required: None for the body itself, for items and for members of a map.
        allowed: one text per constraint.
        notes: what else holds: the branch it belongs to, where the listing is cut, conditions.
        branch: the alternative of a oneOf or anyOf that the field belongs to, "" for a field of all.
        codes: the texts and whole numbers that it is limited to.
        listing: True for an array.
    """

    path: str
    type: Text
    required: bool | None
    allowed: tuple[Text, ...]
    citations: Citations
    notes: tuple[Text, ...] = ()
    default: Form = MISSING
    description: str = ""
    branch: str = ""
    deprecated: bool = False
    codes: tuple[str, ...] = ()
    listing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """One media type of a request or response: the whole value and its fields, in the contract's order.

    Attributes:
        media_type: as written, "" where the contract names none.
        root: the value as a whole, None without a schema.
    """

    media_type: str
    root: FieldRow | None
    fields: tuple[FieldRow, ...]
    claim: ClaimKey
    citations: Citations

    @property
    def lists(self) -> bool:
        """True when the body is a list or carries one near its root."""
        rows = (self.root, *self.fields) if self.root is not None else ()
        return any(row.listing and row.path.count(".") < 2 and "[]" not in row.path for row in rows)

    def claim_of(self, row: FieldRow) -> ClaimKey:
        """The claim that a field of this body makes."""
        return ClaimKey(f"{self.claim} {row.path}") if row.path else self.claim


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBody:
    """The request body of an operation."""

    required: bool
    description: str
    bodies: tuple[Body, ...]
    claim: ClaimKey
    citations: Citations


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderRow:
    """One response header."""

    status: str
    name: str
    type: Text
    required: bool
    allowed: tuple[Text, ...]
    claim: ClaimKey
    citations: Citations
    description: str = ""
    rate_limit: bool = False


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """A code that the contract defines for one status, and where; `example` when only an example shows it."""

    value: str
    citations: Citations
    example: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One documented response; `status` may be a range (`4XX`) or `default`."""

    status: str
    description: str
    bodies: tuple[Body, ...]
    headers: tuple[HeaderRow, ...]
    claim: ClaimKey
    citations: Citations
    codes: tuple[tuple[str, tuple[ErrorCode, ...]], ...] = ()

    def codes_of(self, body: Body) -> tuple[ErrorCode, ...]:
        """The error codes of one media type."""
        return next((codes for name, codes in self.codes if name == body.media_type), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A statement about limits, idempotency, side effects, pagination or rate limits, by the signal that found it.

    Attributes:
        rests_on: the claims that it repeats: while one of them is withheld, so is the statement.
    """

    concern: Concern
    name: str
    says: Text
    signal: str
    claim: ClaimKey
    citations: Citations
    rests_on: tuple[ClaimKey, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Everything that the contract says about one operation."""

    operation: Operation
    properties: tuple[Property, ...]
    authentication: Authentication
    parameters: tuple[ParameterRow, ...]
    body: RequestBody | None
    success: tuple[Response, ...]
    errors: tuple[Response, ...]
    stated: tuple[Stated, ...]

    @property
    def responses(self) -> tuple[Response, ...]:
        """Success responses, then errors."""
        return (*self.success, *self.errors)

    @property
    def headers(self) -> tuple[HeaderRow, ...]:
        """The response headers of all responses."""
        return tuple(header for response in self.responses for header in response.headers)

    def about(self, concern: Concern) -> tuple[Stated, ...]:
        """The statements about one concern."""
        return tuple(row for row in self.stated if row.concern is concern)


def own_claim(operation: str, name: str) -> ClaimKey:
    """The key of a claim about the operation itself, which belongs to no concern: `GET /orders base URL shape`."""
    return ClaimKey(f"{operation} {name}")


def response_claim(operation: str, status: str, *place: str) -> ClaimKey:
    """The key of a claim about a response, under success responses or errors."""
    return claim(operation, Concern.ERRORS if is_error(status) else Concern.SUCCESS, status, *place)


def is_error(status: str) -> bool:
    """True for 4xx, 5xx and `default`."""
    return status == "default" or status[:1] in ("4", "5")
