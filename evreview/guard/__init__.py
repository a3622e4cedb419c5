"""Redaction: detect, learn, remove everywhere. The one choke point before any sink."""

from evreview.core.control_characters import visible
from evreview.guard.catalogue import DETECTORS
from evreview.guard.guard import Guard
from evreview.guard.logs import CleanRecords, guard_logs
from evreview.guard.model import Clean, Detector, Finding, Kind
from evreview.guard.withholding import WITHHELD

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
