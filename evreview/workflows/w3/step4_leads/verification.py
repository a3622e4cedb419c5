"""Checks of certificates, signatures and origins that the code turns off."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import External
from evreview.core.quoted_text import Subject, Text, text
from evreview.security.leads.decoding import MIXED, left_unchecked
from evreview.security.leads.tokens import unverified_tokens
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading

_CLIENTS: Final = ("requests", "httpx")
_NEVER: Final = frozenset({"OPT_X_TLS_NEVER", "OPT_X_TLS_ALLOW"})
_OTHERS: Final[Text] = ("for whom else tokens are signed with the same key",)
_WANTED: Final[Mapping[str, Text]] = {
    "a token's audience": _OTHERS,
    "a token's issuer": _OTHERS,
    "a token's begin": ("whether tokens are issued that begin later",),
    MIXED: ("what kind of key is given there, and the version of the library",),
}
"""What is left unchecked and matters only with something that the lines do not show."""
_BETWEEN: Final[Text] = ("who can stand between the service and what it calls there",)


def verification_off(reading: Reading) -> Iterator[Hit]:
    """Calls and assignments that leave a certificate or a signature unchecked."""
    yield from unverified_tokens(reading)
    for unit in reading.units:
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                what = _off(reading, frame, node)
                if what:
                    yield _told(frame, node, unit.route, what)
    for module in reading.modules.all:
        scope = reading.modules.scope(module)
        for node in _top(module.tree):
            what = _off(reading, Frame(scope), node)
            if what:
                yield _told(Frame(scope), node, "", what)


def _told(frame: Frame, node: ast.AST, route: str, what: str) -> Hit:
    """A hit; of what the service calls it is not shown who could stand there."""
    lacks = _WANTED.get(what, () if what.startswith("a token") else _BETWEEN)
    return replace(hit(frame, node, route, text("no check of ", what)), lacks=lacks)


def _top(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes outside functions."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


def _off(reading: Reading, frame: Frame, node: ast.AST) -> str:
    match node:
        case ast.Call():
            return _call(reading, frame, node)
        case ast.Assign(targets=[ast.Attribute(attr="verify", value=holder)], value=ast.Constant(value=False)):
            found = reading.modules.class_of(reading.modules.resolve(frame.scope, holder))
            return "a certificate" if isinstance(found, External) and found.package in _CLIENTS else ""
        case ast.Assign(targets=[ast.Attribute(attr="check_hostname")], value=ast.Constant(value=False)):
            return "a certificate's host name"
        case ast.Assign(targets=[ast.Attribute(attr="verify_mode")], value=value):
            found = reading.modules.resolve(frame.scope, value)
            return "a certificate" if isinstance(found, External) and found.last == "CERT_NONE" else ""
        case ast.Assign(targets=[ast.Attribute(attr="_create_default_https_context")], value=value):
            found = reading.modules.resolve(frame.scope, value)
            return "certificates" if isinstance(found, External) and found.last == "_create_unverified_context" else ""
    return ""


def _call(reading: Reading, frame: Frame, call: ast.Call) -> str:
    found = reading.modules.called(frame.scope, call)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "set_missing_host_key_policy":
        return _host_key(reading, frame, call)
    if not isinstance(found, External):
        return ""
    words = words_of(reading, frame, call)
    if found.package in _CLIENTS and words.get("verify") is False:
        return "a certificate"
    if found.name == "ssl._create_unverified_context":
        return "certificates"
    if found.package == "aiohttp" and (words.get("ssl") is False or words.get("verify_ssl") is False):
        return "a certificate"
    if found.package == "urllib3" and _is_none(reading, frame, call):
        return "a certificate"
    if found.name == "ldap.set_option" and any(_named(reading, frame, one) in _NEVER for one in call.args[1:2]):
        return "a certificate"
    return left_unchecked(reading, frame, call, found)


def words_of(reading: Reading, frame: Frame, call: ast.Call) -> dict[str, object]:
    """The constant arguments of a call by name, those of `**{…}` included."""
    found: dict[str, object] = {}
    for word in call.keywords:
        value = constant(reading.modules, frame.scope, word.value)
        if word.arg is not None:
            found[word.arg] = value
        elif isinstance(value, dict):
            found |= value
    return found


def _is_none(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    """`cert_reqs="CERT_NONE"` and `cert_reqs=ssl.CERT_NONE`."""
    for word in call.keywords:
        if word.arg == "cert_reqs":
            written = constant(reading.modules, frame.scope, word.value)
            return written in ("CERT_NONE", "NONE") or _named(reading, frame, word.value) == "CERT_NONE"
    return False


def _named(reading: Reading, frame: Frame, node: ast.expr) -> str:
    found = reading.modules.resolve(frame.scope, node)
    return found.last if isinstance(found, External) else ""


def _host_key(reading: Reading, frame: Frame, call: ast.Call) -> str:
    """`client.set_missing_host_key_policy(AutoAddPolicy())`."""
    for given in call.args[:1]:
        policy = given.func if isinstance(given, ast.Call) else given
        if _named(reading, frame, policy) in ("AutoAddPolicy", "WarningPolicy"):
            return "a host's key"
    return ""


def credentials_to_any_origin(reading: Reading) -> Iterator[Hit]:
    """Cross-origin rules that let every site act with the caller's credentials."""
    for module in reading.modules.all:
        scope = reading.modules.scope(module)
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and _open_call(reading, Frame(scope), node):
                yield hit(Frame(scope), node, ALL_ROUTES, text("every origin is let in with credentials"))
        if _open_settings(reading, Frame(scope)):
            node = scope.names["CORS_ALLOW_CREDENTIALS"][-1].statement
            says = text("every origin is let in with ", Subject("CORS_ALLOW_CREDENTIALS"))
            yield hit(Frame(scope), node, ALL_ROUTES, says)


def _open_call(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    words = {word.arg: constant(reading.modules, frame.scope, word.value) for word in call.keywords if word.arg}
    named = [call.func, *call.args[:1]]
    found = [reading.modules.resolve(frame.scope, one) for one in named]
    if any(isinstance(one, External) and one.last == "CORSMiddleware" for one in found):
        origins, pattern = words.get("allow_origins"), words.get("allow_origin_regex")
        return words.get("allow_credentials") is True and (_every(origins) or pattern in (".*", "https?://.*"))
    if any(isinstance(one, External) and one.name in ("flask_cors.CORS", "flask_cors.cross_origin") for one in found):
        origins = words.get("origins", "*" if "resources" not in words else None)
        return words.get("supports_credentials") is True and (_every(origins) or origins == ".*")
    return False


def _every(origins: object) -> bool:
    return origins == "*" or (isinstance(origins, list) and "*" in origins)


def _open_settings(reading: Reading, frame: Frame) -> bool:
    names = frame.scope.names

    def states(name: str) -> bool:
        bound = names.get(name, [])
        return bool(bound) and constant(reading.modules, frame.scope, bound[-1].node) is True

    every = states("CORS_ALLOW_ALL_ORIGINS") or states("CORS_ORIGIN_ALLOW_ALL")
    return every and states("CORS_ALLOW_CREDENTIALS")
