"""What stands before a service: rules over proxies' and gateways' configuration, read block by block."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from evreview.documents.text import parse_text
from evreview.errors import BadInput
from evreview.vocab import Json

_OWN_MACHINE: Final = frozenset({"127.0.0.1", "127.0.0.0/8", "::1", "unix:"})
_EVERYBODY: Final = frozenset({"all", "0.0.0.0/0", "::/0"})

Effect = Literal["network", "authentication", "header", "address", "errors", "unclear"]
"""What a piece of wiring does; `unclear` limits access, whom for can't be told."""
MAX_LINES: Final = 20_000
MAX_LENGTH: Final = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """One line of a configuration in blocks: its words, its line, the location around it ("" for none)."""

    words: tuple[str, ...]
    line: int
    location: str
    before: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked: the route's path, and the header that a decision rests on ("" for none)."""

    path: str
    header: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WiringRule:
    """One piece of wiring that may stand for a control.

    Attributes:
        effect: what it does.
        holds: True when a directive is it, for what is asked.
        example, counter_example: configurations in which it is, and is not, found for the route `/internal/report`
            and the header `X-Role`.
    """

    id: str
    effect: Effect
    why: str
    holds: Callable[[Directive, Asked], bool]
    example: str
    counter_example: str


def _allowed(one: Directive) -> set[str]:
    """Whom `allow` lets in before this line."""
    return {words[1] for words in one.before if words[:1] == ("allow",) and len(words) > 1}


def _denies(one: Directive, asked: Asked) -> bool:
    return one.words == ("internal",) or (one.words == ("deny", "all") and _allowed(one) <= _OWN_MACHINE)


def _limits(one: Directive, asked: Asked) -> bool:
    others = _allowed(one) - _OWN_MACHINE
    return one.words == ("deny", "all") and bool(others) and not others & _EVERYBODY


def _returns(one: Directive, asked: Asked) -> bool:
    return one.words[:1] == ("return",) and one.words[1:2] in (("403",), ("404",), ("444",)) and bool(one.location)


def _asks(one: Directive, asked: Asked) -> bool:
    name, value = one.words[0], one.words[1:2]
    if name in ("auth_request", "auth_basic", "auth_jwt"):
        return bool(value) and value != ("off",)
    return (name == "ssl_verify_client" and value == ("on",)) or (name, *value) == ("Require", "valid-user")


def _replaces(one: Directive, asked: Asked) -> bool:
    """A directive that takes the header away, or sets it to something that is not what the caller sent."""
    if not asked.header:
        return False
    words = [word.strip('"').lower() for word in one.words]
    header = asked.header.lower()
    own = "$http_" + header.replace("-", "_")
    match words:
        case ["proxy_set_header" | "grpc_set_header" | "uwsgi_param" | "fastcgi_param", name, *value]:
            return name in (header, "http_" + header.replace("-", "_")) and own not in " ".join(value)
        case ["more_clear_input_headers", *names]:
            return header in names
        case ["requestheader", "unset" | "set", name, *_]:
            return name == header
        case ["http-request", "del-header" | "set-header", name, *_]:
            return name == header
        case ["header_up" | "request_header", name, *_]:
            return name.lstrip("-") == header and (name.startswith("-") or len(words) > 2)
    return False


def _sets_address(one: Directive, asked: Asked) -> bool:
    return _replaces(one, asked) and not any("$proxy_add_x_forwarded_for" in word for word in one.words)


def _hides(one: Directive, asked: Asked) -> bool:
    return one.words == ("proxy_intercept_errors", "on")


RULES: Final = (
    WiringRule(
        id="location-closed",
        effect="network",
        why="nginx lets nobody but the machine itself in, and none from outside into an internal location",
        holds=_denies,
        example="location /internal/ {\n  allow 127.0.0.1;\n  deny all;\n}\n",
        counter_example="location /admin/ {\n  deny all;\n}\nlocation / {\n  proxy_pass http://app;\n}\n",
    ),
    WiringRule(
        id="location-limited",
        effect="unclear",
        why="some networks are let in, and an attacker may stand on one of them",
        holds=_limits,
        example="location /internal/ {\n  allow 10.0.0.0/8;\n  deny all;\n}\n",
        counter_example="location /internal/ {\n  allow 127.0.0.1;\n  deny all;\n}\n",
    ),
    WiringRule(
        id="location-refuses",
        effect="network",
        why="nginx answers by itself and passes nothing on",
        holds=_returns,
        example="location /internal/ {\n  return 404;\n}\n",
        counter_example="location /internal/ {\n  return 301 /new;\n}\n",
    ),
    WiringRule(
        id="proxy-asks-who-calls",
        effect="authentication",
        why="the proxy passes on only what somebody known has sent",
        holds=_asks,
        example="location / {\n  auth_request /check;\n}\n",
        counter_example="location / {\n  auth_basic off;\n}\n",
    ),
    WiringRule(
        id="header-replaced",
        effect="header",
        why="what the caller wrote in the header does not arrive",
        holds=_replaces,
        example='location / {\n  proxy_set_header X-Role "";\n}\n',
        counter_example="location / {\n  proxy_set_header X-Role $http_x_role;\n}\n",
    ),
    WiringRule(
        id="address-header-set",
        effect="address",
        why="the header names the peer that the proxy saw, whatever the caller wrote",
        holds=_sets_address,
        example="location / {\n  proxy_set_header X-Role $remote_addr;\n}\n",
        counter_example="location / {\n  proxy_set_header X-Role $proxy_add_x_forwarded_for;\n}\n",
    ),
    WiringRule(
        id="errors-replaced",
        effect="errors",
        why="the proxy answers failures with its own page",
        holds=_hides,
        example="location / {\n  proxy_intercept_errors on;\n}\n",
        counter_example="location / {\n  proxy_intercept_errors off;\n}\n",
    ),
)
"""Forms of nginx, Apache, HAProxy and Caddy; what stands in YAML is read by member names."""


@dataclass(frozen=True, slots=True)
class Wired:
    """A piece of wiring that was found: its effect, the rule, its line (0 for the whole text)."""

    effect: Effect
    rule: str
    line: int


@lru_cache(maxsize=512)
def wired(content: str, asked: Asked) -> tuple[Wired, ...]:
    """Every piece of wiring in a configuration that holds for what is asked."""
    found = [
        Wired(rule.effect, rule.id, one.line)
        for one in _for_path(directives(content), asked.path)
        for rule in RULES
        if one.words and rule.holds(one, asked)
    ]
    return tuple(dict.fromkeys([*found, *_members(content, asked)]))


@lru_cache(maxsize=16)
def directives(content: str) -> tuple[Directive, ...]:
    """The lines of a configuration, each with the location that it stands in and what stands before it there."""
    found: list[Directive] = []
    stack: list[str] = []
    before: list[list[tuple[str, ...]]] = [[]]
    for number, line in enumerate(content.splitlines()[:MAX_LINES], 1):
        for part in re.split(r"(?<=[{};])", _plain(line[:MAX_LENGTH])):
            words = _words(part.strip().rstrip(";{}").strip())
            if words and not part.strip().endswith("{"):
                location = next((one for one in reversed(stack) if one), "")
                found.append(Directive(words=words, line=number, location=location, before=tuple(before[-1])))
                before[-1].append(words)
            if part.strip().endswith("{"):
                stack.append(_location(words))
                before.append([])
            elif part.strip().endswith("}") and stack:
                stack.pop()
                before.pop()
    return tuple(found)


def _plain(line: str) -> str:
    return re.sub(r"(^|\s)#.*", "", line)


def _words(part: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(part))
    except ValueError:
        return tuple(part.split())


def _location(words: tuple[str, ...]) -> str:
    """The path of `location /internal/ {`, `<Location /internal>` aside; "" for another block."""
    if words[:1] != ("location",):
        return ""
    kept = [word for word in words[1:] if word not in ("=", "^~", "~", "~*")]
    return kept[0] if kept else ""


def _for_path(found: Iterable[Directive], path: str) -> Iterator[Directive]:
    """The directives that hold for a path: those outside locations, and those of the longest location that fits."""
    kept = list(found)
    fitting = sorted((one.location for one in kept if one.location and path.startswith(one.location)), key=len)
    best = fitting[-1] if fitting else ""
    yield from (one for one in kept if one.location in ("", best))


# YAML: ingresses, gateways, service meshes

_REMOVING: Final = frozenset({"request_headers_to_remove", "requestheaderstoremove", "remove", "removerequestheaders"})
_SETTING: Final = frozenset({"customrequestheaders", "request_headers_to_add", "set", "overwrite"})
_ASKING: Final = frozenset({"nginx.ingress.kubernetes.io/auth-url", "forwardauth", "basicauth", "oidc", "jwt_authn"})
_LIMITING: Final = frozenset({"authorizationpolicy", "requestauthentication", "networkpolicy", "ext_authz"})


def _members(content: str, asked: Asked) -> Iterator[Wired]:
    for part in re.split(r"(?m)^---\s*$", content):
        if not re.search(r"(?m)^\s*[\w./\"'-]+\s*:", part):
            continue
        try:
            value = parse_text(part.encode("utf-8", "replace"), "")
        except BadInput:
            continue
        yield from _walk(value, asked)


def _walk(value: Json, asked: Asked) -> Iterator[Wired]:
    waiting: list[Json] = [value]
    while waiting:
        at = waiting.pop(0)
        if isinstance(at, Mapping):
            for key, inner in at.items():
                yield from _member(str(key).lower(), inner, asked)
                waiting.append(inner)
        elif isinstance(at, list):
            waiting.extend(at)


def _member(key: str, value: Json, asked: Asked) -> Iterator[Wired]:
    header = asked.header.lower()
    names = [str(one).lower() for one in (value if isinstance(value, list | Mapping) else [])]
    if header and key in (_REMOVING | _SETTING) and header in names:
        yield Wired("header", "header-replaced", 0)
        yield Wired("address", "address-header-set", 0)
    if key in _ASKING and value not in (None, "", False):
        yield Wired("authentication", "proxy-asks-who-calls", 0)
    if key in _LIMITING or (key == "kind" and str(value).lower() in _LIMITING):
        yield Wired("unclear", "access-limited", 0)
