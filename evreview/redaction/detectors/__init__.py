"""Every detector, in the order in which they are tried."""

from __future__ import annotations

from typing import Final

from evreview.guard.aws import AWS
from evreview.guard.databases import DATABASES
from evreview.guard.devices import DEVICES
from evreview.guard.forms import FORMS
from evreview.guard.given import GIVEN_ROWS
from evreview.guard.literals import LITERALS
from evreview.guard.pairs import PAIRS
from evreview.guard.personal import PERSONAL
from evreview.guard.spoken import SPOKEN
from evreview.guard.told import TOLD
from evreview.guard.vendors import VENDORS
from evreview.redaction.detector import Detector
from evreview.redaction.detectors.contextual_secrets import BLOCKS
from evreview.redaction.detectors.exploit_payloads import EXPLOITS
from evreview.redaction.detectors.infrastructure import PLACES
from evreview.redaction.detectors.logins import LOGINS
from evreview.redaction.detectors.named_secrets import KEYED
from evreview.redaction.detectors.personal_data import NATIONAL
from evreview.redaction.detectors.secrets import SECRETS
from evreview.redaction.detectors.secrets_in_code import CODED
from evreview.redaction.detectors.stack_traces import TRACES
from evreview.redaction.detectors.stored_credentials import SESSIONS
from evreview.redaction.detectors.vendor_tokens import ISSUERS

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
