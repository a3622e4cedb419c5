"""A control-preserving design per area, proposed where none is supplied or the supplied one is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.core.vocabulary import Area

DESIGNS: Final[Mapping[Area, str]] = {
    Area.AUTHENTICATION: "authenticate the caller on the server, before the handler and on every path to it, and "
    "refuse whoever has no valid principal; every other control stays as it is",
    Area.AUTHORIZATION: "decide on the server-side principal and the owner of the object, never on a value that the "
    "caller sends, in the dependency that guards the sibling routes; refuse by default and record the refusal",
    Area.INPUT_HANDLING: "check the value against what the handler needs before it is used, pass it as data and never "
    "as part of a statement, and refuse the rest; checks elsewhere stay",
    Area.SECRETS: "replace and revoke the value, read it from the deployment's secret store at run time, and keep it "
    "out of source, logs and responses",
    Area.LOGGING: "record who did what to which object and how it ended, without secrets and personal data; no "
    "existing record is removed or shortened",
    Area.ERROR_DISCLOSURE: "answer with a stable public code and message, keep the detail in the protected log, and "
    "leave status and refusal unchanged",
}
"""What is proposed in our words, by area; it adds or repairs a control and takes none away."""
