"""What stands before a service. Plain nginx configuration and Caddyfiles are read to an end, other forms in part."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
from evreview.core.vocabulary import Json
from evreview.workflows.w3.triage.proxies import (
    CADDY_RULES,
    INGRESS_RULES,
    TRAEFIK_RULES,
    Effect,
    FormRule,
    ProxyQuestion,
    Reader,
    WiredControl,
    read_caddy,
    read_ingress,
    read_traefik,
)

# A configuration in braces as blocks with directives. What does not close, or is no such text, is None.


MAX_LENGTH: Final = 400_000
MAX_BLOCKS: Final = 5_000
_TOKEN: Final = re.compile(r"""#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{};\n]|[^\s{};#"']+|[ \t\r]+""")


@dataclass(frozen=True, slots=True)
class Directive:
    """The words of one directive, and its line."""

    words: tuple[str, ...]
    line: int


@dataclass(slots=True)
class Block:
    """One block: its name and words (`location /x {`), its own directives, the blocks in it. The root has no name."""

    name: str
    words: tuple[str, ...] = ()
    directives: list[Directive] = field(default_factory=list)
    inner: list[Block] = field(default_factory=list)

    def every(self) -> Iterator[Block]:
        """The block and all in it."""
        waiting = [self]
        while waiting:
            at = waiting.pop(0)
            yield at
            waiting += at.inner


@lru_cache(maxsize=32)
def blocks_of(content: str) -> Block | None:
    """The blocks of a text whose directives end with `;` and whose blocks close."""
    root = Block("")
    if len(content) > MAX_LENGTH:
        return None
    stack, written, line, begun, count = [root], "", 1, 1, 0
    at = 0
    while at < len(content):
        token = _TOKEN.match(content, at)
        if token is None:
            return None
        at, text = token.end(), token[0]
        if text in "{;}" and len(text) == 1:
            words = _words(written)
            count += 1
            if count > MAX_BLOCKS or not _take(stack, text, words, begun):
                return None
            written = ""
        elif not text.startswith("#"):
            begun = begun if written.strip() else line
            written += text
        line += text.count("\n")
    return root if len(stack) == 1 and not written.strip() else None


def _take(stack: list[Block], sign: str, words: tuple[str, ...], line: int) -> bool:
    """Takes one directive, opening or closing; False where it does not fit."""
    if sign == "}":
        stack.pop()
        return not words and bool(stack)
    if not words:
        return False
    if sign == ";":
        stack[-1].directives.append(Directive(words, line))
        return True
    block = Block(words[0], words[1:])
    stack[-1].inner.append(block)
    stack.append(block)
    return True


def _words(written: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(written))
    except ValueError:
        return tuple(written.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class WiringRule:
    """One piece of nginx wiring that stands for a control.

    Attributes:
        names: the directives that it is about; those of the route's location go before those around it.
        holds: which directive does it, None for none.
        example, counter_example: configurations in which it is, and is not, found for the route `/internal/report`
            and the header `X-Role`.
    """

    id: str
    effect: Effect
    why: str
    names: tuple[str, ...]
    holds: Callable[[tuple[Directive, ...], ProxyQuestion], Directive | None]
    example: str
    counter_example: str


_OWN_MACHINE: Final = frozenset({"127.0.0.1", "127.0.0.0/8", "::1", "unix:"})


def _denies(found: tuple[Directive, ...], asked: ProxyQuestion) -> Directive | None:
    """`deny all`, before which nobody but the machine itself is let in."""
    for one in found:
        if one.words == ("deny", "all"):
            return one
        if one.words[0] == "allow" and one.words[1:] and one.words[1] not in _OWN_MACHINE:
            return None
    return None


def _limits(found: tuple[Directive, ...], asked: ProxyQuestion) -> Directive | None:
    """Any other order of `allow` and `deny`."""
    if not found or _denies(found, asked) is not None or all(one.words == ("allow", "all") for one in found):
        return None
    return found[0]


def _returns(found: tuple[Directive, ...], asked: ProxyQuestion) -> Directive | None:
    closed = (("return", "403"), ("return", "404"), ("return", "444"), ("internal",))
    return next((one for one in found if one.words[:2] in closed), None)


def _asks(found: tuple[Directive, ...], asked: ProxyQuestion) -> Directive | None:
    open_values = ((), ("off",), ("optional",), ("optional_no_ca",))
    return next((one for one in found if one.words[1:2] not in open_values), None)


def _replaces(found: tuple[Directive, ...], asked: ProxyQuestion) -> Directive | None:
    """The directive that takes the header away, or sets it to something that the caller did not send."""
    for one in found:
        if len(one.words) == 3 and asked.header and one.words[1].lower() == asked.header.lower():
            return one if not _FROM_CALLER.search(one.words[2]) else None
    return None


_FROM_CALLER: Final = re.compile(r"\$(?:http_|arg_|cookie_|proxy_add_x_forwarded_for|request|args|query_string|\{)")


def _hides(found: tuple[Directive, ...], asked: ProxyQuestion) -> Directive | None:
    return next((one for one in found if one.words[1:] == ("on",)), None)


NGINX_RULES: Final = (
    WiringRule(
        id="location-closed",
        effect="network",
        why="nobody but the machine itself is let in",
        names=("allow", "deny"),
        holds=_denies,
        example="location /internal/ {\n  allow 127.0.0.1;\n  deny all;\n}\n",
        counter_example="location /admin/ {\n  deny all;\n}\nlocation / {\n  proxy_pass http://app;\n}\n",
    ),
    WiringRule(
        id="location-limited",
        effect="unclear",
        why="some networks are let in, and an attacker may stand on one of them",
        names=("allow", "deny"),
        holds=_limits,
        example="location /internal/ {\n  allow 10.0.0.0/8;\n  deny all;\n}\n",
        counter_example="location /internal/ {\n  allow 127.0.0.1;\n  deny all;\n}\n",
    ),
    WiringRule(
        id="location-refuses",
        effect="network",
        why="the proxy answers by itself and passes nothing on",
        names=("return", "internal"),
        holds=_returns,
        example="location /internal/ {\n  return 404;\n}\n",
        counter_example="location /internal/ {\n  return 301 /new;\n}\n",
    ),
    WiringRule(
        id="proxy-asks-who-calls",
        effect="authentication",
        why="the proxy passes on only what somebody known has sent",
        names=("auth_request",),
        holds=_asks,
        example="location / {\n  auth_request /check;\n}\n",
        counter_example="server {\n  auth_request /check;\n  location / {\n    auth_request off;\n  }\n}\n",
    ),
    WiringRule(
        id="proxy-asks-for-a-password",
        effect="authentication",
        why="the proxy passes on only what somebody known has sent",
        names=("auth_basic",),
        holds=_asks,
        example='location / {\n  auth_basic "who";\n}\n',
        counter_example="location / {\n  auth_basic off;\n}\n",
    ),
    WiringRule(
        id="proxy-asks-for-a-certificate",
        effect="authentication",
        why="the proxy passes on only what somebody with a certificate has sent",
        names=("ssl_verify_client",),
        holds=_asks,
        example="server {\n  ssl_verify_client on;\n}\n",
        counter_example="server {\n  ssl_verify_client optional;\n}\n",
    ),
    WiringRule(
        id="header-replaced",
        effect="header",
        why="what the caller wrote in the header does not arrive",
        names=("proxy_set_header",),
        holds=_replaces,
        example='location / {\n  proxy_set_header X-Role "";\n}\n',
        counter_example="location / {\n  proxy_set_header X-Role $http_x_role;\n}\n",
    ),
    WiringRule(
        id="address-header-set",
        effect="address",
        why="the header names the peer that the proxy saw, whatever the caller wrote",
        names=("proxy_set_header",),
        holds=_replaces,
        example="location / {\n  proxy_set_header X-Role $remote_addr;\n}\n",
        counter_example="location / {\n  proxy_set_header X-Role $proxy_add_x_forwarded_for;\n}\n",
    ),
    WiringRule(
        id="errors-replaced",
        effect="errors",
        why="the proxy answers failures with its own page",
        names=("proxy_intercept_errors",),
        holds=_hides,
        example="location / {\n  proxy_intercept_errors on;\n}\n",
        counter_example="location / {\n  proxy_intercept_errors off;\n}\n",
    ),
)
"""What is read in a plain nginx configuration: one server, prefix locations, and directives that are known."""

_NEUTRAL: Final = frozenset(
    {"listen", "server_name", "root", "index", "try_files", "proxy_pass", "proxy_http_version", "proxy_read_timeout",
     "proxy_connect_timeout", "proxy_send_timeout", "proxy_buffering", "proxy_buffers", "proxy_buffer_size",
     "proxy_redirect", "proxy_hide_header", "client_max_body_size", "client_body_timeout", "keepalive_timeout",
     "access_log", "error_log", "log_format", "gzip", "gzip_types", "gzip_min_length", "ssl_certificate",
     "ssl_certificate_key", "ssl_protocols", "ssl_ciphers", "ssl_session_cache", "ssl_session_timeout",
     "ssl_prefer_server_ciphers", "ssl_client_certificate", "add_header", "expires", "worker_processes",
     "worker_connections", "user", "pid", "sendfile", "tcp_nopush", "default_type", "charset", "http2",
     "server_tokens", "error_page", "auth_basic_user_file", "server", "keepalive", "limit_req", "limit_req_zone"}
)  # fmt: skip
_KNOWN: Final = _NEUTRAL | {name for rule in NGINX_RULES for name in rule.names}
_PASSED: Final = re.compile(r"https?://(?:unix:[^:$]+(?=:|$):?|[^/$]+)(?P<path>/[^$]*)?")
"""What requests are passed on to: a host or a socket, and the path that replaces the location's."""
_SENDING: Final = frozenset({"try_files", "error_page"})
_PLAIN_BLOCKS: Final = frozenset({"http", "server", "location", "events", "upstream", ""})
_PLAIN_KINDS: Final = frozenset({"Deployment", "Service", "StatefulSet", "Namespace", "ServiceAccount"})
_HINT: Final = re.compile(
    r"(?i)auth|deny|allow|forbid|acl|rbac|jwt|oidc|saml|proxy|gateway|ingress|nginx|traefik|envoy|caddy|haproxy|kong|"
    r"istio|firewall|policy|whitelist|restrict|limit|mtls|verify|header|waf|access"
)


READERS: Final[tuple[Reader, ...]] = (read_caddy, read_ingress, read_traefik)
FORMS: Final[tuple[FormRule, ...]] = (*CADDY_RULES, *INGRESS_RULES, *TRAEFIK_RULES)
"""What is read of other forms."""


@lru_cache(maxsize=512)
def wired(content: str, asked: ProxyQuestion) -> tuple[WiredControl, ...]:
    """What a configuration does for what is asked: () only where all of it was read and nothing does anything."""
    root = blocks_of(content)
    found = _plain_server(root)
    if found is not None:
        return _in_server(found, asked)
    for reader in READERS:
        read = reader(content, asked)
        if read is not None:
            return read
    if _is_neutral(content):
        return ()
    return (WiredControl("unclear", "form-not-read", 0),)


def _plain_server(root: Block | None) -> Block | None:
    """The one server of a plain nginx configuration, None for anything else."""
    if root is None or (not root.inner and not root.directives):
        return None
    every = list(root.every())
    servers = [block for block in every if block.name == "server"]
    if any(block.name not in _PLAIN_BLOCKS for block in every) or len(servers) > 1:
        return None
    if any(one.words[0] not in _KNOWN for block in every for one in block.directives):
        return None
    locations = [block for block in every if block.name == "location"]
    nested = any(inner.name == "location" for block in locations for inner in block.inner)
    if nested or not all(_is_prefix(block) for block in locations) or not (servers or locations):
        return None
    server = servers[0] if servers else root
    return None if any(_renames(block) for block in locations) or _enters(server) else server


def _renames(location: Block) -> bool:
    """True for a location that hands requests on under another path, so that a route has a second way in."""
    passed = [one.words[1] for one in location.directives if one.words[0] == "proxy_pass" and one.words[1:]]
    for told in passed:
        found = _PASSED.fullmatch(told)
        if found is None or (found["path"] is not None and found["path"] != location.words[-1]):
            return True
    return False


def _enters(server: Block) -> bool:
    """True where the server itself sends requests on to a location that is `internal` to it."""
    sent = (one.words for block in server.every() for one in block.directives if one.words[0] in _SENDING)
    met = (_location(server, words[-1]) for words in sent if words[-1].startswith("/"))
    return any(one.words == ("internal",) for block in met if block is not None for one in block.directives)


def _is_prefix(block: Block) -> bool:
    words = block.words
    return (len(words) == 1 and words[0].startswith("/")) or (len(words) == 2 and words[0] in ("=", "^~"))


def _in_server(server: Block, asked: ProxyQuestion) -> tuple[WiredControl, ...]:
    location = _location(server, asked.path)
    found: list[WiredControl] = []
    for rule in NGINX_RULES:
        own = [one for one in (location.directives if location is not None else ()) if one.words[0] in rule.names]
        around = [one for one in server.directives if one.words[0] in rule.names]
        hit = rule.holds(tuple(own or around), asked)
        if hit is not None:
            found.append(WiredControl(rule.effect, rule.id, hit.line))
    return tuple(found)


def _location(server: Block, path: str) -> Block | None:
    """The location that nginx takes for a path: the exact one, else the longest prefix."""
    locations = [block for block in server.inner if block.name == "location"]
    exact = [block for block in locations if block.words[0] == "=" and block.words[-1] == path]
    prefixes = [block for block in locations if block.words[0] != "=" and path.startswith(block.words[-1])]
    return exact[0] if exact else max(prefixes, key=lambda block: len(block.words[-1]), default=None)


def _is_neutral(content: str) -> bool:
    """True for a compose file or a plain workload that speaks of nothing that could stand between."""
    if not content.strip():
        return True
    if _HINT.search(content):
        return False
    try:
        values = [parse_text(part.encode(), "") for part in re.split(r"(?m)^---\s*$", content) if part.strip()]
    except BadInput:
        return False
    return all(_is_plain(value) for value in values)


def _is_plain(value: Json) -> bool:
    return isinstance(value, Mapping) and ("services" in value or value.get("kind") in _PLAIN_KINDS)
