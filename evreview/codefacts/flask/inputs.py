"""What a Flask handler reads of `flask.request`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import is_function, keyword
from evreview.codefacts.control_flow import Frame, argument_of, events_of, own_nodes, parents, resolved_in, value_in
from evreview.codefacts.handlers import Dialect, RouteFacts, read_inputs
from evreview.codefacts.model import CodeBody, CodeNote, CodeParameter, CodeResponse, Location, OpenInput, Spot
from evreview.codefacts.modules import last_name
from evreview.codefacts.names import Definition, External, Modules, Resolved, remembered
from evreview.codefacts.outside_calls import unsupplied
from evreview.codefacts.request_mappings import copied_of, uses
from evreview.core.vocabulary import ABSENT, Concern, Form

PLACES: Final[dict[str, Location]] = {
    "flask.request.args": "query",
    "flask.request.headers": "header",
    "flask.request.cookies": "cookie",
}
_FORMS: Final = {"flask.request.form": "", "flask.request.files": "multipart/form-data"}
"""Forms arrive in two media types, files in one."""
_JSON: Final = "application/json"
VALUES: Final = "flask.request.values"
"""Query and form together."""
REQUEST: Final = "flask.request"
_BY_NAME: Final = frozenset({"get", "getlist", "pop"})
_ANY_MEMBER: Final = "a member of WSGI's environment whose name is not constant"
_EITHER: Final = "a value read from query or form, either of which may hold it"
ENVIRON: Final = "flask.request.environ"
"""The request as WSGI gives it: headers under `HTTP_` names, the query and the cookies as texts."""
_ENVIRON_TEXTS: Final[dict[str, Location]] = {
    "QUERY_STRING": "query", "REQUEST_URI": "query", "RAW_URI": "query", "HTTP_COOKIE": "cookie",
}  # fmt: skip
_UNPREFIXED: Final = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})
_WITH_QUERY: Final = frozenset({"full_path", "query_string", "url"})
"""What of a request holds the query as a text."""


def read_input(modules: Modules, frame: Frame, node: ast.AST, found: RouteFacts) -> None:
    """Adds what one node reads of the request."""
    if isinstance(node, ast.Call):
        _call(modules, frame, node, found)
    else:
        _plain(modules, frame, node, found)
    if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
        _whole(modules, frame, node, found)


def _call(modules: Modules, frame: Frame, call: ast.Call, found: RouteFacts) -> None:
    called = resolved_in(modules, frame, call.func)
    if isinstance(call.func, ast.Attribute) and call.func.attr in _BY_NAME:
        part = kept_in(modules, frame, call.func.value)
        called = External(f"{part}.{call.func.attr}") if part else called
    member = as_member(called)
    holder, _, method = member.rpartition(".")
    spot = frame.scope.spot(call)
    if member == "flask.request.get_json":
        lenient = any(value_in(modules, frame, keyword(call, word)) is True for word in ("silent", "force"))
        _body(found, _JSON, spot, None if lenient else True)
    elif holder in PLACES and method in _BY_NAME:
        _parameter(modules, frame, call, method, found)
    elif holder == VALUES and method in _BY_NAME:
        name = value_in(modules, frame, keyword(call, "key", 0))
        found.open_inputs.append(OpenInput("query", spot, _EITHER, _told(name)))
    elif holder == ENVIRON and method in ("get", "pop"):
        given = keyword(call, "default", 1)
        default = value_in(modules, frame, given) if given is not None else ABSENT
        _environ(modules, frame, keyword(call, "key", 0), default, found)
    elif holder in _FORMS:
        _body(found, _FORMS[holder], spot, None)


def _environ(modules: Modules, frame: Frame, key: ast.expr | None, default: Form, found: RouteFacts) -> None:
    """A member of WSGI's environment; a missing one is an error of the server, so it is not told what is required."""
    name = value_in(modules, frame, key)
    spot = frame.scope.spot(key) if key is not None else frame.scope.spot(frame.scope.node)
    if not isinstance(name, str) or name is ABSENT:
        found.open_inputs.extend(OpenInput(one, spot, _ANY_MEMBER) for one in ("query", "header", "cookie"))
        return
    if name in _ENVIRON_TEXTS:
        said = f"`{name}` holds the parameters as one text, and what is read of it is not told"
        found.open_inputs.append(OpenInput(_ENVIRON_TEXTS[name], spot, said))
    header = name.removeprefix("HTTP_")
    if name != "HTTP_COOKIE" and (header != name or name in _UNPREFIXED):
        found.parameter(CodeParameter.looked_up(header.replace("_", "-").title(), "header", spot, default))


def _told(name: Form) -> str:
    return name if isinstance(name, str) and name is not ABSENT else ""


def _parameter(modules: Modules, frame: Frame, call: ast.Call, method: str, found: RouteFacts) -> None:
    place = _place(modules, frame, getattr(call.func, "value", call))
    if place is None:
        return
    spot = frame.scope.spot(call)
    name = value_in(modules, frame, keyword(call, "key", 0))
    if not isinstance(name, str) or name is ABSENT:
        found.open_inputs.append(OpenInput(place, spot, f"a {place} parameter whose name is not constant"))
        return
    given = keyword(call, "default", 1) if method != "getlist" else None
    default = value_in(modules, frame, given) if given is not None else ABSENT
    found.parameter(CodeParameter.looked_up(name, place, spot, default))
    _converted(modules, frame, call, name, found)


def _converted(modules: Modules, frame: Frame, call: ast.Call, name: str, found: RouteFacts) -> None:
    """A value that can't be converted is not refused: it counts as absent."""
    kind = keyword(call, "type", 2)
    if kind is not None:
        value: Form = f"type={ast.unparse(kind)[:80]}"
        spot = frame.scope.spot(call)
        found.notes.append(CodeNote(concern=Concern.VALIDATION, name=name, spot=spot, value=value))


def _plain(modules: Modules, frame: Frame, node: ast.AST, found: RouteFacts) -> None:
    """`request.args["x"]`, which answers 400 where it is missing, `"x" in request.args`, and `request.json`."""
    match node:
        case ast.Subscript(value=holder, slice=key, ctx=ast.Load()):
            part = kept_in(modules, frame, holder)
            if part == VALUES:
                name = value_in(modules, frame, key)
                found.open_inputs.append(OpenInput("query", frame.scope.spot(node), _EITHER, _told(name)))
            elif part == ENVIRON:
                _environ(modules, frame, key, ABSENT, found)
            _named(modules, frame, (key, PLACES.get(part)), None if copied_of(holder) is not None else True, found)
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute() | ast.Name() as holder]):
            if kept_in(modules, frame, holder) == ENVIRON:
                _environ(modules, frame, key, ABSENT, found)
            _named(modules, frame, (key, _place(modules, frame, holder)), None, found)
        case ast.Attribute():
            name = as_member(modules.resolve(frame.scope, node))
            if name == "flask.request.json":
                _body(found, _JSON, frame.scope.spot(node), True)
            elif name in _FORMS:
                _body(found, _FORMS[name], frame.scope.spot(node), None)
            elif name in ("flask.request.data", "flask.request.stream"):
                _body(found, "", frame.scope.spot(node), None)


def _place(modules: Modules, frame: Frame, holder: ast.expr) -> Location | None:
    return PLACES.get(kept_in(modules, frame, holder))


def kept_in(modules: Modules, frame: Frame, node: ast.expr, hops: int = 6) -> str:
    """The part of `flask.request` that an expression is, also as a copy or a dict of it; "" for anything else."""
    inner = copied_of(node)
    if inner is not None and hops > 0:
        return kept_in(modules, frame, inner, hops - 1)
    match node:
        case ast.Name() if hops > 0:
            given = argument_of(modules, frame, node)
            if given is not None:
                return kept_in(modules, given[0], given[1], hops - 1)
            found = modules.resolve(frame.scope, node)
            if isinstance(found, Definition) and isinstance(found.node, ast.arg):
                return REQUEST if modules.is_a(modules.class_of(found), ("flask", "werkzeug"), "Request") else ""
            if isinstance(found, Definition) and isinstance(found.node, ast.Call | ast.Dict):
                return kept_in(modules, Frame(found.scope, frame.given), found.node, hops - 1)
        case ast.Attribute():
            found = resolved_in(modules, frame, node)
        case _:
            return ""
    name = as_member(found)
    return name if name in (*PLACES, VALUES, REQUEST, ENVIRON) else ""


def as_member(found: Resolved) -> str:
    """The name of something external; what a class of requests inherits, like `self.args`, is that of the request."""
    name = found.name if isinstance(found, External) else ""
    return re.sub(r"^(flask|werkzeug)(\.wrappers)?\.Request\.", "flask.request.", name)


def _named(
    modules: Modules, frame: Frame, read: tuple[ast.expr, Location | None], required: bool | None, found: RouteFacts
) -> None:
    key, place = read
    name = value_in(modules, frame, key)
    if place is not None and name is ABSENT:
        spot = frame.scope.spot(key)
        found.open_inputs.append(OpenInput(place, spot, f"a {place} parameter whose name is not constant"))
    if place is not None and isinstance(name, str) and name is not ABSENT:
        spot = frame.scope.spot(key)
        found.parameter(CodeParameter(name=name, location=place, spot=spot, required=required))
        if required:
            found.responses.append(CodeResponse(status=400, how="framework", spot=spot, media_type="text/html"))


def _whole(modules: Modules, frame: Frame, node: ast.Attribute | ast.Name, found: RouteFacts) -> None:
    """Parameters of the request that are handed on at once: under the names that the function called takes."""
    part = kept_in(modules, frame, node)
    above = parents(modules, frame.scope).get(id(node)) if part == REQUEST else None
    if isinstance(above, ast.Attribute):
        if above.attr in _WITH_QUERY:
            said = f"`{ast.unparse(above)[:60]}` holds the parameters too, and what is read of it is not told"
            found.open_inputs.append(OpenInput("query", frame.scope.spot(above), said))
        return
    if not part:
        return
    for use in uses(modules, frame, node):
        for name in use.names:
            if part == ENVIRON:
                _environ(modules, frame, ast.copy_location(ast.Constant(name), node), ABSENT, found)
            place = PLACES.get(part)
            if place is not None:
                found.parameter(CodeParameter(name=name, location=place, spot=use.spot))
        if use.open:
            where = [PLACES[part]] if part in PLACES else ["query"] if part == VALUES else ["query", "header", "cookie"]
            said = f"`{ast.unparse(node)[:60]}` is handed on whole, and what reads it is not told"
            found.open_inputs.extend(OpenInput(one, use.spot, said) for one in where)  # type: ignore[arg-type]


def _body(found: RouteFacts, media: str, spot: Spot, required: bool | None) -> None:
    if found.body is None:
        found.body = CodeBody(media_type=media, spot=spot, required=required)


# What Flask itself answers when a handler reads a JSON body that is none.


UNPARSED: Final = 400
OTHER_MEDIA: Final = 415
_CATCHING: Final = {
    "BadRequest": {UNPARSED},
    "UnsupportedMediaType": {OTHER_MEDIA},
    **{name: {UNPARSED, OTHER_MEDIA} for name in ("HTTPException", "Exception", "BaseException")},
}
_LOOKS: Final = frozenset({"is_json", "mimetype", "content_type"})
"""Members of a request by which a handler tells by itself whether JSON came."""


def json_refusals(modules: Modules, frame: Frame, node: ast.AST) -> tuple[int, ...]:
    """The statuses that reading `request.get_json()` or `request.json` may end with, () for other nodes."""
    if isinstance(node, ast.Call) and _is(modules, frame, node.func, "get_json"):
        words = {word: _given(modules, frame, node, word, place) for place, word in enumerate(("force", "silent"))}
        if words["silent"] is not False:
            return ()
        found = {UNPARSED} if words["force"] is not False else {UNPARSED, OTHER_MEDIA}
    elif isinstance(node, ast.Attribute) and _is(modules, frame, node, "json"):
        found = {UNPARSED, OTHER_MEDIA}
    else:
        return ()
    if any(isinstance(one, ast.Attribute) and one.attr in _LOOKS for one in own_nodes(frame.scope.node)):
        found.discard(OTHER_MEDIA)
    return tuple(sorted(found - set(_caught(frame, node))))


def _is(modules: Modules, frame: Frame, expression: ast.expr, name: str) -> bool:
    found = modules.resolve(frame.scope, expression)
    return isinstance(found, External) and found.name == f"flask.request.{name}"


def _given(modules: Modules, frame: Frame, call: ast.Call, word: str, place: int) -> object:
    """The flag that a call gives, False without one."""
    given = keyword(call, word, place)
    value = value_in(modules, frame, given) if given is not None else False
    return None if value is ABSENT else value


def _caught(frame: Frame, node: ast.AST) -> Iterator[int]:
    """The statuses whose exceptions a `try` around the node catches."""
    for attempt in own_nodes(frame.scope.node):
        if isinstance(attempt, ast.Try) and any(node is one for part in attempt.body for one in ast.walk(part)):
            for handler in attempt.handlers:
                kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
                for kind in kinds:
                    yield from _CATCHING.get(last_name(kind) if kind is not None else "Exception", ())


# Request classes of an application's own: what `request.page` reads, where the class defines `page`.


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


def read_members(modules: Modules, dialect: Dialect, frame: Frame, node: ast.AST, found: RouteFacts) -> None:
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


def _read(modules: Modules, dialect: Dialect, member: Definition, found: RouteFacts) -> None:
    running: set[int] = remembered(modules, "members of requests that are being read", set)
    if id(member.node) in running:
        return
    running.add(id(member.node))
    events = events_of(modules, member)
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
