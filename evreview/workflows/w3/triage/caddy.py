"""Plain Caddyfiles: one site, directives that are known, no matchers by name, no routes of their own."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from typing import Final

from evreview.workflows.w3.triage.proxy_rules import FormRule, ProxyQuestion, WiredControl

_AUTH: Final = {
    "forward_auth": "caddy-asks-who-calls", "basic_auth": "caddy-asks-for-a-password",
    "basicauth": "caddy-asks-for-a-password",
}  # fmt: skip
_NEUTRAL: Final = frozenset({"tls", "encode", "log", "header", "reverse_proxy", "root", "file_server", "bind"})
_ADDRESS: Final = re.compile(r"(?:https?://)?(?:(?:[\w*-]+\.)+[\w-]+|localhost)?(?::\d+)?(?<=.),?")
"""What opens a site: a host, a port, or both."""
_MOST: Final = 5_000
"""Lines that are read."""
RULES: Final = (
    FormRule(
        id="caddy-asks-who-calls",
        form="Caddyfile",
        effect="authentication",
        why="the proxy passes on only what the named service lets in",
        example="example.com {\n  forward_auth auth:9091 {\n    uri /check\n  }\n  reverse_proxy app:80\n}\n",
        counter_example="example.com {\n  forward_auth /admin/* auth:9091\n  reverse_proxy app:80\n}\n",
    ),
    FormRule(
        id="caddy-asks-for-a-password",
        form="Caddyfile",
        effect="authentication",
        why="the proxy passes on only what somebody known has sent",
        example="example.com {\n  basic_auth /internal/* {\n    who hash\n  }\n  reverse_proxy app:80\n}\n",
        counter_example="example.com {\n  basic_auth /admin/* {\n    who hash\n  }\n  reverse_proxy app:80\n}\n",
    ),
    FormRule(
        id="caddy-header-removed",
        form="Caddyfile",
        effect="header",
        why="what the caller wrote in the header does not arrive",
        example="example.com {\n  reverse_proxy app:80 {\n    header_up -X-Role\n  }\n}\n",
        counter_example="example.com {\n  reverse_proxy app:80 {\n    header_up X-Role sent\n  }\n}\n",
    ),
)


@dataclass(slots=True)
class _Line:
    """One directive: its words, its line, the directives in its braces."""

    words: list[str]
    number: int
    inner: list[_Line] = field(default_factory=list)


def read_caddy(content: str, asked: ProxyQuestion) -> tuple[WiredControl, ...] | None:
    """What the one site of a plain Caddyfile does for a route; None for anything else."""
    root = _lines(content)
    if root is None or len(root) != 1 or not all(_ADDRESS.fullmatch(word) for word in root[0].words):
        return None
    known = {*_AUTH, *_NEUTRAL}
    if any(one.words[0] not in known or any(word.startswith("@") for word in one.words) for one in root[0].inner):
        return None
    if not any(one.words[0] in ("reverse_proxy", *_AUTH) for one in root[0].inner):
        return None
    found: list[WiredControl] = []
    for one in root[0].inner:
        rule = _AUTH.get(one.words[0], "")
        if rule and _applies(one.words[1:2], asked.path):
            found.append(WiredControl("authentication", rule, one.number))
            if any(asked.header and asked.header.lower() in _lower(each.words) for each in one.inner):
                found.append(WiredControl("unclear", "form-not-read", one.number))  # the service may set the header
        if one.words[0] == "reverse_proxy" and one.words[1:2] and not one.words[1].startswith("/"):
            found += _headers(one, asked)
    return tuple(found)


def _headers(proxy: _Line, asked: ProxyQuestion) -> list[WiredControl]:
    removed = f"-{asked.header.lower()}"
    return [
        WiredControl("header", "caddy-header-removed", one.number)
        for one in proxy.inner
        if asked.header and one.words[0] == "header_up" and _lower(one.words[1:2]) == [removed]
    ]


def _lower(words: list[str]) -> list[str]:
    return [word.lower() for word in words]


def _applies(first: list[str], path: str) -> bool:
    """True when a directive's path, if it has one, takes the route."""
    if not first or not first[0].startswith("/"):
        return True
    return path.startswith(first[0][:-1]) if first[0].endswith("*") else path == first[0]


def _lines(content: str) -> list[_Line] | None:
    """The directives of a text whose blocks open at the end of a line and close on their own."""
    root = _Line([], 0)
    stack = [root]
    written = content.splitlines()
    if len(written) > _MOST:
        return None
    for number, line in enumerate(written, 1):
        words = _words(line)
        if words is None:
            return None
        if words == ["}"] and len(stack) > 1:
            stack.pop()
            continue
        opens = bool(words) and words[-1] == "{"
        words = words[:-1] if opens else words
        if not words and not opens:
            continue
        if not words or any(word in ("{", "}") or word.endswith((";", ":")) for word in words):
            return None
        one = _Line(words, number)
        stack[-1].inner.append(one)
        if opens:
            stack.append(one)
    return root.inner if len(stack) == 1 else None


def _words(line: str) -> list[str] | None:
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return None
