"""Checks of certificates, signatures and origins that the code turns off."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import last_name
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import ABSENT, Sentence
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, says, words
from evreview.workflows.w3.access_control.caller_decisions import carries_identity
from evreview.workflows.w3.access_control.request_values import LIBRARIES, RequestSource, options_of, unverified
from evreview.workflows.w3.access_control.units import ALL_ROUTES, CodeUnit, Hit, RuleInput, hit
from evreview.workflows.w3.leads.injection import makes_objects
from evreview.workflows.w3.leads.input_checks import reached

# What a token's decoding leaves unchecked, or leaves to whoever sends the token.


class Unchecked(Sentence):
    """What is left unchecked."""

    NOTHING = ""
    SIGNATURE = "a token's signature"
    OWN_KEY = "a token's key, which the token itself holds"
    ALGORITHM = "a token's algorithm, which the token itself names"
    KIND_OF_KEY = "a token's kind of key"
    PUBLIC_KEY = "a token's kind of key, where a public key opens it"
    EXPIRY = "a token's expiry"
    AUDIENCE = "a token's audience"
    ISSUER = "a token's issuer"
    BEGIN = "a token's begin"
    CERTIFICATE = "a certificate"
    CERTIFICATES = "certificates"
    HOST_NAME = "a certificate's host name"
    HOST_KEY = "a host's key"


_CLAIMS: Final[Mapping[str, tuple[str, Unchecked]]] = {
    "verify_exp": ("exp", Unchecked.EXPIRY), "verify_aud": ("aud", Unchecked.AUDIENCE),
    "verify_iss": ("iss", Unchecked.ISSUER), "verify_nbf": ("nbf", Unchecked.BEGIN),
}  # fmt: skip
"""Options that leave a claim unchecked: the claim, and what is left unchecked."""
_EVERY: Final = ("get_default_algorithms", "SUPPORTED")
"""What libraries call all algorithms that they know."""
_PUBLIC_KEY: Final = re.compile(r"public|pub_?key|certificate|jwks?\b|\.pem|\.crt", re.IGNORECASE)
_OWN_KEYS: Final = frozenset({"jwk", "jku", "x5c", "x5u"})
_SHARED: Final = ("HS",)
_PUBLIC: Final = ("RS", "ES", "PS", "Ed")


def left_unchecked(reading: RuleInput, frame: Frame, call: ast.Call, found: External) -> Unchecked:
    """What a decoding call does not check; a second decoding that checks makes up for it."""
    if found.last != "decode" or found.package not in LIBRARIES:
        return Unchecked.NOTHING
    if unverified(reading.modules, frame.scope, call, found):
        return Unchecked.NOTHING if _decoded_again(reading, frame, call) else Unchecked.SIGNATURE
    if len(call.args) > 1 and _is_own_key(reading, frame, call.args[1]):
        return Unchecked.OWN_KEY
    options = options_of(reading.modules, frame.scope, call)
    for option, (claim, what) in _CLAIMS.items():
        if options.get(option) is False and not _looked_at(reading, frame, claim):
            return Unchecked.NOTHING if _decoded_again(reading, frame, call) else what
    return _algorithms(reading, frame, call)


def _algorithms(reading: RuleInput, frame: Frame, call: ast.Call) -> Unchecked:
    given = next((word.value for word in call.keywords if word.arg == "algorithms"), None)
    if given is None and len(call.args) > 2:
        given = call.args[2]
    if given is None:
        return Unchecked.NOTHING
    if reading.origins.of(frame, given):
        return Unchecked.ALGORITHM
    if any(isinstance(one, ast.Attribute) and one.attr in _EVERY for one in ast.walk(given)):
        return Unchecked.KIND_OF_KEY
    names = constant(reading.modules, frame.scope, given)
    default = reading.modules.default_of(frame.scope, given) if isinstance(given, ast.Attribute) else None
    if default is not None and names is ABSENT:
        names = constant(reading.modules, *default)
    told = [str(name) for name in (names if isinstance(names, list) else [names]) if isinstance(name, str)]
    if any(name.lower() == "none" for name in told):
        return Unchecked.SIGNATURE
    key = call.args[1] if len(call.args) > 1 else None
    mixed = any(name.startswith(_SHARED) for name in told) and any(name.startswith(_PUBLIC) for name in told)
    if not mixed or not isinstance(key, ast.Name | ast.Attribute):
        return Unchecked.NOTHING
    return Unchecked.PUBLIC_KEY if _is_public(reading, frame, key) else Unchecked.KIND_OF_KEY


def _is_public(reading: RuleInput, frame: Frame, key: ast.expr) -> bool:
    """True where the name of a key, or what it is read from, says that everybody may know it."""
    found = reading.modules.resolve(frame.scope, key)
    made = ast.unparse(found.node) if isinstance(found, Definition) and isinstance(found.node, ast.expr) else ""
    private = re.search("private|secret", f"{ast.unparse(key)} {made}", re.IGNORECASE)
    return private is None and _PUBLIC_KEY.search(f"{ast.unparse(key)} {made}") is not None


def _is_own_key(reading: RuleInput, frame: Frame, key: ast.expr) -> bool:
    """True for a key that is taken from the head of the token: `head["jwk"]`, or an address in it."""
    parts = [key, *(key.args if isinstance(key, ast.Call) else [])]
    return any(origin.name in _OWN_KEYS for part in parts for origin in reading.origins.of(frame, part))


def _looked_at(reading: RuleInput, frame: Frame, claim: str) -> bool:
    """True when the function reads the claim itself."""
    for node in reading.nodes(frame.scope.node):
        match node:
            case ast.Subscript(slice=ast.Constant(value=name)) if name == claim:
                return True
            case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=name), *_]) if name == claim:
                return True
    return False


def _decoded_again(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
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


# Claims of a token that are read without a look at what signs them.


_UNPACKED: Final = frozenset({"b64decode", "urlsafe_b64decode", "decodebytes", "base64url_decode"})
_UNCHECKED: Final = frozenset({"get_unverified_claims", "decode_complete_unverified"})
_READ: Final = frozenset({"loads", "load"})
_CHECKING: Final = frozenset(
    {"verify", "verified", "hmac", "digest", "compare", "signature", "sign", "signed", "unsign", "check", "valid",
     "validate", "validated", "authenticate", "introspect", "decrypt"}
)  # fmt: skip


def unverified_tokens(reading: RuleInput) -> Iterator[Hit]:
    """One hit per place where a credential's claims are unpacked, in a function that checks no signature."""
    for unit in reading.units:
        for frame in unit.frames if unit.route else ():
            nodes = reading.nodes(frame.scope.node)
            calls = [node for node in nodes if isinstance(node, ast.Call)]
            if any(_checks(last_name(call.func)) or _decodes(reading, frame, call) for call in calls):
                continue
            loads = [call for call in calls if last_name(call.func) in _READ]
            made = _made_objects(reading, frame, loads)
            for call in calls:
                unpacks = (loads and last_name(call.func) in _UNPACKED) or last_name(call.func) in _UNCHECKED
                if unpacks and any(one not in made for one in _credentials(reading, unit, frame, call)):
                    yield hit(frame, call, unit.route, text("no check of a token's signature before its claims"))


def _checks(name: str) -> bool:
    """True for a name that tells of a check of a signature."""
    told = words(name)
    return "unverified" not in told and bool(_CHECKING.intersection(told))


def _decodes(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
    """True for a library's own decoding; whether that checks is asked elsewhere."""
    found = reading.modules.called(frame.scope, call)
    return isinstance(found, External) and found.package in LIBRARIES and found.last == "decode"


def _made_objects(reading: RuleInput, frame: Frame, loads: list[ast.Call]) -> frozenset[RequestSource]:
    """What a load takes that makes any object: that is the weakness, whoever signs it."""
    unsafe = [call for call in loads if makes_objects(reading, frame, call)]
    return frozenset(one for call in unsafe for given in call.args for one in reached(reading, frame, given))


def _credentials(reading: RuleInput, unit: CodeUnit, frame: Frame, call: ast.Call) -> Iterator[RequestSource]:
    """The credentials that a call unpacks; a cookie is one where who calls, or a decision, rests on it."""
    for one in (origin for argument in call.args[:1] for origin in reading.origins.of(frame, argument)):
        shown = one.place == "credential" or (one.place in ("header", "query") and says(one.name, CREDENTIALS))
        if shown or (one.place == "cookie" and (not one.name or carries_identity(reading, unit, one))):
            yield one


_CLIENTS: Final = ("requests", "httpx")
_NEVER: Final = frozenset({"OPT_X_TLS_NEVER", "OPT_X_TLS_ALLOW"})
_OTHERS: Final[Text] = ("for whom else tokens are signed with the same key",)
_BETWEEN: Final[Text] = ("who can stand between the service and what it calls there",)
_WANTED: Final[Mapping[Unchecked, Text]] = {
    Unchecked.AUDIENCE: _OTHERS,
    Unchecked.ISSUER: _OTHERS,
    Unchecked.BEGIN: ("whether tokens are issued that begin later",),
    Unchecked.KIND_OF_KEY: ("what kind of key is given there, and the version of the library",),
    Unchecked.CERTIFICATE: _BETWEEN,
    Unchecked.CERTIFICATES: _BETWEEN,
    Unchecked.HOST_NAME: _BETWEEN,
    Unchecked.HOST_KEY: _BETWEEN,
}
"""What is left unchecked and matters only with something that the lines do not show."""


def verification_off(reading: RuleInput) -> Iterator[Hit]:
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


def _told(frame: Frame, node: ast.AST, route: str, what: Unchecked) -> Hit:
    """A hit; of what the service calls it is not shown who could stand there."""
    return replace(hit(frame, node, route, text("no check of ", what.text)), lacks=_WANTED.get(what, ()))


def _top(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes outside functions."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


def _off(reading: RuleInput, frame: Frame, node: ast.AST) -> Unchecked:
    match node:
        case ast.Call():
            return _call(reading, frame, node)
        case ast.Assign(targets=[ast.Attribute(attr="verify", value=holder)], value=ast.Constant(value=False)):
            found = reading.modules.class_of(reading.modules.resolve(frame.scope, holder))
            unsafe = isinstance(found, External) and found.package in _CLIENTS
            return Unchecked.CERTIFICATE if unsafe else Unchecked.NOTHING
        case ast.Assign(targets=[ast.Attribute(attr="check_hostname")], value=ast.Constant(value=False)):
            return Unchecked.HOST_NAME
        case ast.Assign(targets=[ast.Attribute(attr="verify_mode")], value=value):
            return Unchecked.CERTIFICATE if _named(reading, frame, value) == "CERT_NONE" else Unchecked.NOTHING
        case ast.Assign(targets=[ast.Attribute(attr="_create_default_https_context")], value=value):
            unsafe = _named(reading, frame, value) == "_create_unverified_context"
            return Unchecked.CERTIFICATES if unsafe else Unchecked.NOTHING
    return Unchecked.NOTHING


def _call(reading: RuleInput, frame: Frame, call: ast.Call) -> Unchecked:
    found = reading.modules.called(frame.scope, call)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "set_missing_host_key_policy":
        return _host_key(reading, frame, call)
    if not isinstance(found, External):
        return Unchecked.NOTHING
    words = words_of(reading, frame, call)
    if found.package in _CLIENTS and words.get("verify") is False:
        return Unchecked.CERTIFICATE
    if found.name == "ssl._create_unverified_context":
        return Unchecked.CERTIFICATES
    if found.package == "aiohttp" and (words.get("ssl") is False or words.get("verify_ssl") is False):
        return Unchecked.CERTIFICATE
    if found.package == "urllib3" and _is_none(reading, frame, call):
        return Unchecked.CERTIFICATE
    if found.name == "ldap.set_option" and any(_named(reading, frame, one) in _NEVER for one in call.args[1:2]):
        return Unchecked.CERTIFICATE
    return left_unchecked(reading, frame, call, found)


def words_of(reading: RuleInput, frame: Frame, call: ast.Call) -> dict[str, object]:
    """The constant arguments of a call by name, those of `**{…}` included."""
    found: dict[str, object] = {}
    for word in call.keywords:
        value = constant(reading.modules, frame.scope, word.value)
        if word.arg is not None:
            found[word.arg] = value
        elif isinstance(value, dict):
            found |= value
    return found


def _is_none(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
    """`cert_reqs="CERT_NONE"` and `cert_reqs=ssl.CERT_NONE`."""
    for word in call.keywords:
        if word.arg == "cert_reqs":
            written = constant(reading.modules, frame.scope, word.value)
            return written in ("CERT_NONE", "NONE") or _named(reading, frame, word.value) == "CERT_NONE"
    return False


def _named(reading: RuleInput, frame: Frame, node: ast.expr) -> str:
    found = reading.modules.resolve(frame.scope, node)
    return found.last if isinstance(found, External) else ""


def _host_key(reading: RuleInput, frame: Frame, call: ast.Call) -> Unchecked:
    """`client.set_missing_host_key_policy(AutoAddPolicy())`."""
    for given in call.args[:1]:
        policy = given.func if isinstance(given, ast.Call) else given
        if _named(reading, frame, policy) in ("AutoAddPolicy", "WarningPolicy"):
            return Unchecked.HOST_KEY
    return Unchecked.NOTHING


def credentials_to_any_origin(reading: RuleInput) -> Iterator[Hit]:
    """Cross-origin rules that let every site act with the caller's credentials."""
    for module in reading.modules.all:
        scope = reading.modules.scope(module)
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and _open_call(reading, Frame(scope), node):
                yield hit(Frame(scope), node, ALL_ROUTES, text("every origin is let in with credentials"))
        if _open_settings(reading, Frame(scope)):
            node = scope.names["CORS_ALLOW_CREDENTIALS"][-1].statement
            says = text("every origin is let in with ", UserText("CORS_ALLOW_CREDENTIALS"))
            yield hit(Frame(scope), node, ALL_ROUTES, says)


def _open_call(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
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


def _open_settings(reading: RuleInput, frame: Frame) -> bool:
    names = frame.scope.names

    def states(name: str) -> bool:
        bound = names.get(name, [])
        return bool(bound) and constant(reading.modules, frame.scope, bound[-1].node) is True

    every = states("CORS_ALLOW_ALL_ORIGINS") or states("CORS_ORIGIN_ALLOW_ALL")
    return every and states("CORS_ALLOW_CREDENTIALS")
