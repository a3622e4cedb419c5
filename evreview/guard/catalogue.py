"""Every detector, in the order in which they are tried."""

from __future__ import annotations

from typing import Final

from evreview.guard.aws import AWS
from evreview.guard.blocks import BLOCKS
from evreview.guard.coded import CODED
from evreview.guard.databases import DATABASES
from evreview.guard.devices import DEVICES
from evreview.guard.exploits import EXPLOITS
from evreview.guard.forms import FORMS
from evreview.guard.given import GIVEN_ROWS
from evreview.guard.issuers import ISSUERS
from evreview.guard.keyed import KEYED
from evreview.guard.literals import LITERALS
from evreview.guard.logins import LOGINS
from evreview.guard.model import Detector
from evreview.guard.national import NATIONAL
from evreview.guard.pairs import PAIRS
from evreview.guard.personal import PERSONAL
from evreview.guard.places import PLACES
from evreview.guard.secrets import SECRETS
from evreview.guard.sessions import SESSIONS
from evreview.guard.spoken import SPOKEN
from evreview.guard.told import TOLD
from evreview.guard.traces import TRACES
from evreview.guard.vendors import VENDORS

DETECTORS: Final[tuple[Detector, ...]] = (
    VENDORS
    + ISSUERS
    + AWS
    + SECRETS
    + KEYED
    + CODED
    + SPOKEN
    + LOGINS
    + PAIRS
    + DEVICES
    + GIVEN_ROWS
    + SESSIONS
    + BLOCKS
    + LITERALS
    + TOLD
    + FORMS
    + PERSONAL
    + NATIONAL
    + TRACES
    + DATABASES
    + PLACES
    + EXPLOITS
)
