"""The one way in which secrets leave a text before anybody sees it.

Takes text and values that have learned secrets.
Gives the same text with placeholders, and how many it removed.
"""

from evreview.core.control_characters import visible
from evreview.redaction.detector import Clean, Detector, Finding, Kind
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.redactor import Guard
from evreview.redaction.scanner import WITHHELD
from evreview.redaction.sinks import CleanRecords, guard_logs

__all__ = [
    "DETECTORS",
    "WITHHELD",
    "Clean",
    "CleanRecords",
    "Detector",
    "Finding",
    "Guard",
    "Kind",
    "guard_logs",
    "visible",
]
