"""What comes out: an example with everything that it rests on, or the reason why there is none."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NewType

from evreview.contract.model import Place
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Json, Word
from evreview.messages.message import Message, Pairs

ExampleId = NewType("ExampleId", str)


class Label(Word):
    """Whether anybody saw such a message. PROPOSED: composed here. OBSERVED: the shape of a recorded one."""

    PROPOSED = "proposed"
    OBSERVED = "observed"


class Part(Word):
    REQUEST = "request"
    RESPONSE = "response"


class Why(Word):
    """Why an example is omitted.

    UNSATISFIABLE: proved, no value meets the schema. NOT_FOUND: none was found within the limits. TOO_LARGE: the
    schema demands more than an example shows. UNREAD: a part of the schema could not be read. NO_FORMAT: nothing here
    writes the media type, or the value cannot be written in it. UNDESCRIBED: the contract does not say what is sent.
    DISAGREED: the two validators did not both accept. GUARDED: every value found is one that the guard reports.
    UNAPPROVED: taken from traffic, without approval. OTHERWISE: the exchange is not one that the contract describes.
    """

    UNSATISFIABLE = "unsatisfiable"
    NOT_FOUND = "not found"
    TOO_LARGE = "too large"
    UNREAD = "unread"
    NO_FORMAT = "no format"
    UNDESCRIBED = "undescribed"
    DISAGREED = "disagreed"
    GUARDED = "guarded"
    UNAPPROVED = "unapproved"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True)
class Subject:
    """What an example is of: an operation's key, the part, the response's key ("" of a request), the media type."""

    operation: str
    part: Part
    status: str = ""
    media_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One example message.

    Attributes:
        id: the same for the same operation, part, status, media type and label, whatever the values.
        about: what it is of.
        label: proposed or observed.
        message: the whole message.
        url: of a request, with the base URL's shape; "" of a response.
        headers: as printed: content type, credentials as placeholders, cookies.
        body: as printed, "" without one.
        values: what each part carries, by part (`path id`, `query limit`, `header X-Total`, `body`).
        places: where values stand in the contract that were taken from there, by part.
        remarks: what a reader should know.
        accepted_by: the validators that accepted every value and the whole message.
    """

    id: ExampleId
    about: Subject
    label: Label
    message: Message
    url: str
    headers: Pairs
    body: str
    values: Mapping[str, Json]
    accepted_by: tuple[str, ...]
    places: Mapping[str, Place] = field(default_factory=dict)
    remarks: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
    """No example, and why. `part` names the part of the message that it fails on, "" for the whole."""

    about: Subject
    why: Why
    reason: str
    part: str = ""


def example_id(about: Subject, label: Label) -> ExampleId:
    """The id of an example: `EX-` and ten hexadecimal digits."""
    parts = (about.operation, about.part, about.status, about.media_type, label)
    digest = hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return ExampleId(f"EX-{digest[:10]}")
