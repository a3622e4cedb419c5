"""What a written authorization must say, in the words of W3-F1's recovery."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evreview.evidence.records.security import Authorization


@dataclass(frozen=True, slots=True)
class Needed:
    """One thing that must be written.

    Attributes:
        field: of the record.
        words: how it is named when it is missing.
        empty_says: True where an empty list is an answer of its own.
    """

    field: str
    words: str
    empty_says: bool = False

    def is_written(self, record: Authorization) -> bool:
        """True when the record says it."""
        value = getattr(record, self.field)
        return value is not None and (self.empty_says or value != ())


NEEDED: Final = (
    Needed("approving_role", "approving role"),
    Needed("decision", "explicit decision"),
    Needed("at", "time of the decision"),
    Needed("channel", "approved channel"),
    Needed("revision", "immutable revision"),
    Needed("owns", "ownership"),
    Needed("environment", "environment"),
    Needed("paths", "allowed paths"),
    Needed("techniques", "techniques"),
    Needed("period", "review period"),
    Needed("prohibited_targets", "excluded targets"),
    Needed("prohibited_actions", "excluded actions"),
    Needed("exclusions", "exclusions", empty_says=True),
    Needed("active_testing", "active-test permission"),
    Needed("recipients", "disclosure recipients"),
    Needed("stop_conditions", "stop conditions"),
    Needed("cleanup", "cleanup requirements"),
    Needed("rollback", "rollback requirements"),
)
ISOLATED: Final = "isolated environment of active tests"
WRITTEN: Final = "written form, which active tests need"


def missing_from(record: Authorization | None) -> tuple[str, ...]:
    """What is not written, in the order of the table; all of it without a record."""
    if record is None:
        return tuple(needed.words for needed in NEEDED)
    missing = [needed.words for needed in NEEDED if not needed.is_written(record)]
    active = record.active_testing
    if active is not None and active.permitted:
        missing += [ISOLATED] if active.environment is None else []
        missing += [WRITTEN] if record.form is None else []
    return tuple(missing)
