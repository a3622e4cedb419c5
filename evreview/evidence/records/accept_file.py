"""The accept file: differences that a team has accepted, each by its id, for a time."""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from evreview.core.vocabulary import DeltaId, Json
from evreview.evidence.records.review import Day, Record, Text

DELTA_ID: Final = r"^D-[0-9a-f]{12}(?:[0-9a-f]{4})*$"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SCHEMA_NAME: Final = "accept.yaml"


def _delta_id(text: str) -> DeltaId:
    """The same text when it has the shape of a row's id."""
    if re.fullmatch(DELTA_ID, text) is None:
        said = (
            "it is not the id of a row, which is D- and at least 12 hexadecimal digits; `evreview diff` prints the ids"
        )
        raise PydanticCustomError("bad_delta_id", said)
    return DeltaId(text)


class AcceptedDelta(Record):
    """One difference that is accepted until a day."""

    id: Annotated[str, AfterValidator(_delta_id), Field(json_schema_extra={"pattern": DELTA_ID})]
    """The row's id, as `evreview diff` prints it. A difference that changes has another id and is not covered."""
    reason: Text
    """Why it is accepted. Printed wherever the row is."""
    owner: Text
    """Who answers for it, as a role or a team."""
    expires: Day
    """The last day on which it holds, in UTC, e.g. `2027-01-31`. From the next day on the row counts again."""
    operations: tuple[Text, ...] | None = None
    """The operations that the row may reach, as it lists them; a row that reaches another one is not covered. Without
    the list the id alone decides."""
    content: Text | None = None
    """What stood below the row, as `--format accept` writes it where the row takes in a whole schema; with another
    content it is not covered. Without it the id alone decides."""
    note: str = ""
    """The row's rule and address, for readers of the file; nothing is decided by it."""


class AcceptFile(Record):
    """A file that `evreview diff --accept` reads."""

    accept: tuple[AcceptedDelta, ...]
    """The accepted differences, in any order; an id stands once."""


def accept_schema() -> dict[str, Json]:
    """The JSON Schema of an accept file."""
    return {"$schema": DIALECT, **AcceptFile.model_json_schema()}
