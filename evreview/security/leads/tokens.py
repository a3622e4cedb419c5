"""Claims of a token that are read without a look at what signs them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.prose import text
from evreview.security.leads.origins import LIBRARIES
from evreview.security.leads.rule import Hit, hit
from evreview.security.leads.units import Reading
from evreview.security.leads.words import CREDENTIALS, says, words
from evreview.sources.flow import Frame
from evreview.sources.resolved import External

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
            reads = any(_name(call) in _READ for call in calls)
            for call in calls:
                name = _name(call)
                if (name in _UNCHECKED or (reads and name in _UNPACKED)) and _is_credential(reading, frame, call):
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


def _is_credential(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    found = [origin for argument in call.args[:1] for origin in reading.origins.of(frame, argument)]
    return any(
        one.place in ("credential", "cookie") or (one.place in ("header", "query") and says(one.name, CREDENTIALS))
        for one in found
    )
