"""The route table of a running application, as it told it itself: an observation of one revision and configuration."""

from __future__ import annotations

from typing import Literal

from evreview.evidence.records.base import Record, Text

FIRST_LINE = 2
"""The line of the first route in a retained table; each has a line of its own."""


class Callee(Record):
    """A function, class or instance of the application; `file` is relative to the work folder, "" for one outside."""

    module: str = ""
    """The module that defines it."""
    name: str = ""
    """Its qualified name."""
    file: str = ""
    """Its file."""
    line: int = 0
    """The line where its code starts, 0 where none is known."""


class Before(Callee):
    """What runs before a handler, or stands around it."""

    kind: Literal["middleware", "dependency", "security", "hook", "decorator", "authentication", "permission"]
    """How it came there."""
    scheme: str = ""
    """Of a security scheme, what it asks for: `http bearer`, `apiKey header X-Key`, `oauth2`."""
    refuses: bool = False
    """Of a security scheme, whether it refuses callers without credentials by itself."""


class ObservedRoute(Record):
    """One route and method that the application answers."""

    method: Text
    """The method; `*` for every one."""
    path: Text
    """With `{name}` for parameters, prefixes and mounts included."""
    handler: Callee
    """The innermost function."""
    before: tuple[Before, ...] = ()
    """Everything around it, outermost first."""
    either_slash: bool = False
    """True when the path answers with and without a slash at its end."""


class RouteTable(Record):
    """Content of an evidence item of type `test record`: what an application said about its routes."""

    kind: Literal["route-table"] = "route-table"
    framework: Literal["fastapi", "starlette", "flask", "django", "aiohttp"]
    """Whose table it is."""
    version: str = ""
    """The framework's version."""
    application: Text
    """What was asked."""
    revision: Text
    """The revision of the code that was asked."""
    routes: tuple[ObservedRoute, ...]
    """Every route, in the order in which the application has them."""
