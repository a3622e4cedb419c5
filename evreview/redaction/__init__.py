"""The one way in which secrets leave a text before anybody sees it.

Takes text and values that have learned secrets.
Gives the same text with placeholders, and how many it removed.
"""

from evreview.core.control_characters import visible
from evreview.redaction.detector import Clean, Detector, Kind, RedactionFinding
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.redactor import Redactor
from evreview.redaction.scanner import WITHHELD

__all__ = [
    "DETECTORS",
    "WITHHELD",
    "Clean",
    "Detector",
    "Kind",
    "RedactionFinding",
    "Redactor",
    "visible",
]
