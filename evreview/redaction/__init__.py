"""Redaction: detect, learn, remove everywhere. The one choke point before any sink."""

from evreview.core.control_characters import visible
from evreview.guard.logs import CleanRecords, guard_logs
from evreview.guard.withholding import WITHHELD
from evreview.redaction.detector import Clean, Detector, Finding, Kind
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.redactor import Guard

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
