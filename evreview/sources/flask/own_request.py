"""Request classes of an application's own: what `request.page` reads, where the class defines `page`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import is_function
from evreview.codefacts.control_flow import Frame, own_nodes, resolved_in, run_through
from evreview.codefacts.handlers import Dialect, Found, read_inputs
from evreview.codefacts.model import OpenInput
from evreview.codefacts.names import Modules
from evreview.sources.elsewhere import unsupplied
from evreview.sources.remembered import remembered
from evreview.sources.resolved import Definition, External, Resolved

_PACKAGES: Final = ("flask", "werkzeug")
_SETTING: Final = "request_class"
_KNOWN: Final = frozenset(
    {"accept_charsets", "accept_encodings", "accept_languages", "accept_mimetypes", "access_route", "args",
     "authorization", "base_url", "blueprint", "blueprints", "cache_control", "content_encoding", "content_length",
     "content_type", "cookies", "data", "date", "endpoint", "environ", "files", "form", "full_path", "get_data",
     "get_json", "headers", "host", "host_url", "if_match", "if_modified_since", "if_none_match", "if_range",
     "if_unmodified_since", "is_json", "is_secure", "json", "max_content_length", "method", "mimetype",
     "mimetype_params", "origin", "path", "pragma", "query_string", "range", "referrer", "remote_addr", "remote_user",
     "root_path", "root_url", "scheme", "script_root", "server", "stream", "trace_id", "url", "url_root", "url_rule",
     "user_agent", "values", "view_args"}
)  # fmt: skip
"""What Flask's own request has."""


def read_members(modules: Modules, dialect: Dialect, frame: Frame, node: ast.AST, found: Found) -> None:
    """Adds what a member of the request reads and answers, where an application gives its request a class."""
    named = resolved_in(modules, frame, node) if isinstance(node, ast.Attribute) else None
    if not isinstance(node, ast.Attribute) or not isinstance(named, External) or not _is_member(named.name):
        return
    classes = _classes(modules)
    members = [one for cls in classes if isinstance(cls, Definition) for one in _members(modules, cls, node.attr)]
    for member in members:
        _read(modules, dialect, member, found)
    if not members and node.attr not in _KNOWN and not all(_is_told(modules, cls) for cls in classes):
        said = f"`{ast.unparse(node)[:60]}`, of a request class that no supplied file holds, may read the request"
        spot = frame.scope.spot(node)
        found.open_inputs.extend(OpenInput(place, spot, said) for place in ("query", "header", "cookie", "body"))


def _is_member(name: str) -> bool:
    holder, _, _ = name.rpartition(".")
    return holder == "flask.request"


def _read(modules: Modules, dialect: Dialect, member: Definition, found: Found) -> None:
    running: set[int] = remembered(modules, "members of requests that are being read", set)
    if id(member.node) in running:
        return
    running.add(id(member.node))
    events = run_through(modules, member)
    read_inputs(modules, dialect, [member], events, found)
    found.responses.extend(one for event in events for one in dialect.raised(event))
    found.elsewhere.extend(unsupplied(modules, events))
    running.discard(id(member.node))


def _members(modules: Modules, cls: Definition, name: str) -> Iterator[Definition]:
    """The function that a class has under a name, and the properties of the class that it looks at."""
    waiting, seen = [name], set[str]()
    while waiting:
        at = waiting.pop()
        member = modules.member(cls, at)
        if at in seen or not isinstance(member, Definition) or not is_function(member):
            continue
        seen.add(at)
        yield member
        waiting += [
            one.attr
            for one in own_nodes(member.node)
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self"
        ]


def _classes(modules: Modules) -> tuple[Resolved, ...]:
    """The classes of requests that the files define, and those that an application is given; None for one not told."""

    def found() -> tuple[Resolved, ...]:
        every: list[Resolved] = []
        for scope, statement in modules.statements():
            match statement:
                case ast.ClassDef(name=name):
                    cls = Definition(statement, scope, name, statement)
                    every += [cls] if modules.is_a(cls, _PACKAGES, "Request") else []
                case ast.Assign(targets=[ast.Attribute(attr=named) | ast.Name(id=named)], value=value) if (
                    named == _SETTING
                ):
                    every.append(modules.resolve(scope, value))
        return tuple(every)

    return remembered(modules, "request classes of flask", found)


def _is_told(modules: Modules, cls: Resolved) -> bool:
    if isinstance(cls, Definition):
        return isinstance(cls.node, ast.ClassDef) and all(
            isinstance(one, Definition)
            or (isinstance(one, External) and one.package in (*_PACKAGES, "builtins", "abc"))
            for one in modules.ancestry(cls)
        )
    return isinstance(cls, External) and cls.package in _PACKAGES
