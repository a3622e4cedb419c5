"""What every typed evidence body shares: unknown keys are refused, values are frozen."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from evreview.core.vocabulary import EvidenceId

EvidenceIdText = Annotated[EvidenceId, StringConstraints(pattern=r"^E[1-9][0-9]*$")]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


def _iso_day(text: str) -> str:
    """The same text when it is a calendar day."""
    if re.fullmatch(_DAY, text) is None:
        raise PydanticCustomError("bad_day", "this is not written as a day; write year, month and day as 2027-01-31")
    try:
        date.fromisoformat(text)
    except ValueError:
        raise PydanticCustomError("no_day", "the calendar has no such day; correct the month or the day") from None
    return text


_DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
Day = Annotated[str, AfterValidator(_iso_day), Field(json_schema_extra={"pattern": _DAY})]


_ABBREVIATED = re.compile(r"[0-9a-f]{7,}")


def same_revision(left: str | None, right: str | None) -> bool:
    """True when both name one revision: equal in any case, or one abbreviates the other to 7 or more hex digits."""
    short, long = sorted(((left or "").strip().lower(), (right or "").strip().lower()), key=len)
    if not short:
        return False
    hexadecimal = bool(_ABBREVIATED.fullmatch(short) and _ABBREVIATED.fullmatch(long))
    return short == long or (hexadecimal and long.startswith(short))


def same_words(left: str, right: str) -> bool:
    """True for the same words, in any case and with any spaces."""
    return " ".join(left.split()).casefold() == " ".join(right.split()).casefold()


class Record(BaseModel):
    """Base of the typed bodies. Field descriptions are the bundle documentation."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
