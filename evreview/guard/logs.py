"""Log records pass the guard too: message, arguments and traceback."""

from __future__ import annotations

import logging

from evreview.redaction.redactor import Guard

_FORMAT = logging.Formatter()


class CleanRecords(logging.Filter):
    """Rewrites every record so that no handler sees more than the guard lets through."""

    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self._guard = guard

    def filter(self, record: logging.LogRecord) -> bool:
        """Cleans the record in place; every record is kept."""
        record.msg, record.args = str(self._guard.clean(record.getMessage())), ()
        if record.exc_info:
            record.exc_text = str(self._guard.clean(_FORMAT.formatException(record.exc_info)))
            record.exc_info = None
        if record.stack_info:
            record.stack_info = str(self._guard.clean(record.stack_info))
        return True


def guard_logs(guard: Guard, logger: logging.Logger | None = None) -> CleanRecords:
    """Puts the filter on every handler of the `evreview` logger (and on the logger itself); returns it."""
    target = logger or logging.getLogger("evreview")
    found = CleanRecords(guard)
    for holder in (target, *target.handlers):
        for old in [kept for kept in holder.filters if isinstance(kept, CleanRecords)]:
            holder.removeFilter(old)
        holder.addFilter(found)
    return found
