"""What a token's decoding leaves unchecked, or leaves to whoever sends the token."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import Definition, External
from evreview.core.vocabulary import MISSING
from evreview.workflows.w3.access_control.request_values import LIBRARIES, options_of, unverified
from evreview.workflows.w3.access_control.units import Reading

_CLAIMS: Final[Mapping[str, tuple[str, str]]] = {
    "verify_exp": ("exp", "a token's expiry"), "verify_aud": ("aud", "a token's audience"),
    "verify_iss": ("iss", "a token's issuer"), "verify_nbf": ("nbf", "a token's begin"),
}  # fmt: skip
"""Options that leave a claim unchecked: the claim, and what is left unchecked."""
_EVERY: Final = ("get_default_algorithms", "SUPPORTED")
"""What libraries call all algorithms that they know."""
MIXED: Final = "a token's kind of key"
MIXED_SHOWN: Final = "a token's kind of key, where a public key opens it"
_PUBLIC_KEY: Final = re.compile(r"public|pub_?key|certificate|jwks?\b|\.pem|\.crt", re.IGNORECASE)
_OWN_KEYS: Final = frozenset({"jwk", "jku", "x5c", "x5u"})
_SHARED: Final = ("HS",)
_PUBLIC: Final = ("RS", "ES", "PS", "Ed")


def left_unchecked(reading: Reading, frame: Frame, call: ast.Call, found: External) -> str:
    """What a decoding call does not check, "" for nothing; a second decoding that checks makes up for it."""
    if found.last != "decode" or found.package not in LIBRARIES:
        return ""
    if unverified(reading.modules, frame.scope, call, found):
        return "" if _decoded_again(reading, frame, call) else "a token's signature"
    if len(call.args) > 1 and _is_own_key(reading, frame, call.args[1]):
        return "a token's key, which the token itself holds"
    options = options_of(reading.modules, frame.scope, call)
    for option, (claim, what) in _CLAIMS.items():
        if options.get(option) is False and not _looked_at(reading, frame, claim):
            return "" if _decoded_again(reading, frame, call) else what
    return _algorithms(reading, frame, call)


def _algorithms(reading: Reading, frame: Frame, call: ast.Call) -> str:
    given = next((word.value for word in call.keywords if word.arg == "algorithms"), None)
    if given is None and len(call.args) > 2:
        given = call.args[2]
    if given is None:
        return ""
    if reading.origins.of(frame, given):
        return "a token's algorithm, which the token itself names"
    if any(isinstance(one, ast.Attribute) and one.attr in _EVERY for one in ast.walk(given)):
        return MIXED
    names = constant(reading.modules, frame.scope, given)
    default = reading.modules.default_of(frame.scope, given) if isinstance(given, ast.Attribute) else None
    if default is not None and names is MISSING:
        names = constant(reading.modules, *default)
    told = [str(name) for name in (names if isinstance(names, list) else [names]) if isinstance(name, str)]
    if any(name.lower() == "none" for name in told):
        return "a token's signature"
    key = call.args[1] if len(call.args) > 1 else None
    mixed = any(name.startswith(_SHARED) for name in told) and any(name.startswith(_PUBLIC) for name in told)
    if not mixed or not isinstance(key, ast.Name | ast.Attribute):
        return ""
    return MIXED_SHOWN if _is_public(reading, frame, key) else MIXED


def _is_public(reading: Reading, frame: Frame, key: ast.expr) -> bool:
    """True where the name of a key, or what it is read from, says that everybody may know it."""
    found = reading.modules.resolve(frame.scope, key)
    made = ast.unparse(found.node) if isinstance(found, Definition) and isinstance(found.node, ast.expr) else ""
    private = re.search("private|secret", f"{ast.unparse(key)} {made}", re.IGNORECASE)
    return private is None and _PUBLIC_KEY.search(f"{ast.unparse(key)} {made}") is not None


def _is_own_key(reading: Reading, frame: Frame, key: ast.expr) -> bool:
    """True for a key that is taken from the head of the token: `head["jwk"]`, or an address in it."""
    parts = [key, *(key.args if isinstance(key, ast.Call) else [])]
    return any(origin.name in _OWN_KEYS for part in parts for origin in reading.origins.of(frame, part))


def _looked_at(reading: Reading, frame: Frame, claim: str) -> bool:
    """True when the function reads the claim itself."""
    for node in reading.nodes(frame.scope.node):
        match node:
            case ast.Subscript(slice=ast.Constant(value=name)) if name == claim:
                return True
            case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=name), *_]) if name == claim:
                return True
    return False


def _decoded_again(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    """True when the same function decodes with a check as well: the first look is for the key's id."""
    for node in reading.nodes(frame.scope.node):
        if isinstance(node, ast.Call) and node is not call:
            found = reading.modules.called(frame.scope, node)
            decodes = isinstance(found, External) and found.last == "decode" and found.package in LIBRARIES
            if not decodes or not isinstance(found, External) or unverified(reading.modules, frame.scope, node, found):
                continue
            options = options_of(reading.modules, frame.scope, node)
            if not any(options.get(option) is False for option in _CLAIMS):
                return True
    return False
