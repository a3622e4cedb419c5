"""One file for each family of secrets: vendor tokens, named secrets, logins, personal data.

Takes a text.
Gives the spans that must not be shown.
"""

from __future__ import annotations

from typing import Final

from evreview.redaction.detector import Detector
from evreview.redaction.detectors.contextual_secrets import BLOCKS, SPOKEN, TOLD
from evreview.redaction.detectors.exploit_payloads import EXPLOITS
from evreview.redaction.detectors.infrastructure import DATABASES, PLACES
from evreview.redaction.detectors.logins import LOGINS, PAIRS
from evreview.redaction.detectors.named_secrets import FORMS, KEYED
from evreview.redaction.detectors.personal_data import NATIONAL, PERSONAL
from evreview.redaction.detectors.secrets import AWS, LITERALS, SECRETS
from evreview.redaction.detectors.secrets_in_code import CODED, GIVEN_ROWS
from evreview.redaction.detectors.stack_traces import TRACES
from evreview.redaction.detectors.stored_credentials import DEVICES, SESSIONS
from evreview.redaction.detectors.vendor_tokens import ISSUERS, VENDORS

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
