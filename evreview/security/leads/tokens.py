"""Claims of a token that are read without a look at what signs them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import External
from evreview.core.quoted_text import text
from evreview.security.leads.cookies import carries_identity
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, says, words
from evreview.workflows.w3.access_control.request_values import LIBRARIES, Origin
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import Reading, Unit
from evreview.workflows.w3.step4_leads.injection import makes_objects
from evreview.workflows.w3.step4_leads.input_checks import reached

_UNPACKED: Final = frozenset({"b64decode", "urlsafe_b64decode", "decodebytes", "base64url_decode"})
_UNCHECKED: Final = frozenset({"get_unverified_claims", "decode_complete_unverified"})
_READ: Final = frozenset({"loads", "load"})
_CHECKING: Final = frozenset(
    {"verify", "verified", "hmac", "digest", "compare", "signature", "sign", "signed", "unsign", "check", "valid",
     "validate", "validated", "authenticate", "introspect", "decrypt"}
)  # fmt: skip


def unverified_tokens(reading: Reading) -> Iterator[Hit]:
    """One hit per place where a credential's claims are unpacked, in a function that checks no signature."""
    for unit in reading.units:
        for frame in unit.frames if unit.route else ():
            nodes = reading.nodes(frame.scope.node)
            calls = [node for node in nodes if isinstance(node, ast.Call)]
            if any(_checks(_name(call)) or _decodes(reading, frame, call) for call in calls):
                continue
            loads = [call for call in calls if _name(call) in _READ]
            made = _made_objects(reading, frame, loads)
            for call in calls:
                unpacks = (loads and _name(call) in _UNPACKED) or _name(call) in _UNCHECKED
                if unpacks and any(one not in made for one in _credentials(reading, unit, frame, call)):
                    yield hit(frame, call, unit.route, text("no check of a token's signature before its claims"))


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _checks(name: str) -> bool:
    """True for a name that tells of a check of a signature."""
    told = words(name)
    return "unverified" not in told and bool(_CHECKING.intersection(told))


def _decodes(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    """True for a library's own decoding; whether that checks is asked elsewhere."""
    found = reading.modules.called(frame.scope, call)
    return isinstance(found, External) and found.package in LIBRARIES and found.last == "decode"


def _made_objects(reading: Reading, frame: Frame, loads: list[ast.Call]) -> frozenset[Origin]:
    """What a load takes that makes any object: that is the weakness, whoever signs it."""
    unsafe = [call for call in loads if makes_objects(reading, frame, call)]
    return frozenset(one for call in unsafe for given in call.args for one in reached(reading, frame, given))


def _credentials(reading: Reading, unit: Unit, frame: Frame, call: ast.Call) -> Iterator[Origin]:
    """The credentials that a call unpacks; a cookie is one where who calls, or a decision, rests on it."""
    for one in (origin for argument in call.args[:1] for origin in reading.origins.of(frame, argument)):
        shown = one.place == "credential" or (one.place in ("header", "query") and says(one.name, CREDENTIALS))
        if shown or (one.place == "cookie" and (not one.name or carries_identity(reading, unit, one))):
            yield one
