"""Every detector, in the order in which they are tried."""

from __future__ import annotations

from typing import Final

from evreview.guard.aws import AWS
from evreview.guard.exploits import EXPLOITS
from evreview.guard.forms import FORMS
from evreview.guard.internals import INTERNALS
from evreview.guard.model import Detector
from evreview.guard.personal import PERSONAL
from evreview.guard.secrets import SECRETS
from evreview.guard.vendors import VENDORS

DETECTORS: Final[tuple[Detector, ...]] = VENDORS + AWS + SECRETS + FORMS + PERSONAL + INTERNALS + EXPLOITS
