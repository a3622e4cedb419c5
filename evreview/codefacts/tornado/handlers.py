"""What a Tornado handler reads of its request, and what it answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import whole
from evreview.codefacts.control_flow import Event, Frame, exception_of, value_in
from evreview.codefacts.handlers import RouteFacts
from evreview.codefacts.model import CodeBody, CodeParameter, CodeResponse, Location, OpenInput, UnsupportedCode
from evreview.codefacts.names import Definition, External, Modules
from evreview.core.vocabulary import ABSENT

_READS: Final[dict[str, Location]] = {
    "get_argument": "query", "get_arguments": "query", "get_query_argument": "query", "get_query_arguments": "query",
    "get_cookie": "cookie", "get_secure_cookie": "cookie", "get_signed_cookie": "cookie",
}  # fmt: skip
_ONE: Final = ("get_argument", "get_query_argument")
"""Those that answer 400 without the value and without a default."""
_FORM: Final = ("get_argument", "get_arguments", "get_body_argument", "get_body_arguments")
"""Those that look into a form as well; `get_argument` looks there and into the query."""
_BODIES: Final = ("post", "put", "patch", "delete")
_MEMBERS: Final[dict[str, Location]] = {
    "headers": "header", "cookies": "cookie", "arguments": "query", "query_arguments": "query",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TornadoDialect:
    """How Tornado handlers read and answer; `verb` is the method that is answered, in lower case."""

    modules: Modules
    verb: str = ""

    def inputs(self, frame: Frame, node: ast.AST, found: RouteFacts) -> None:
        """Reads of the request."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=attr)):
                if attr in _FORM and self.verb in _BODIES:
                    self._body(frame, node, found)
                if attr in _READS:
                    given = keyword(node, "default", 1)
                    self._named(frame, node, keyword(node, "name", 0), (_READS[attr], attr in _ONE, given), found)
            case ast.Attribute(value=holder, attr="body" | "files" | "body_arguments") if _is_request(holder):
                self._body(frame, node, found)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=holder, attr=place), attr="get" | "get_list")):
                if _is_request(holder) and place in _MEMBERS:
                    self._named(frame, node, keyword(node, "name", 0), (_MEMBERS[place], False, None), found)
            case ast.Subscript(value=ast.Attribute(value=holder, attr=place), slice=key, ctx=ast.Load()):
                if _is_request(holder) and place in _MEMBERS:
                    self._named(frame, node, key, (_MEMBERS[place], False, None), found)

    def _body(self, frame: Frame, node: ast.AST, found: RouteFacts) -> None:
        if found.body is None:
            found.body = CodeBody(media_type="", spot=frame.scope.spot(node))

    def _named(
        self,
        frame: Frame,
        node: ast.AST,
        key: ast.expr | None,
        how: tuple[Location, bool, ast.expr | None],
        found: RouteFacts,
    ) -> None:
        place, demands, default = how
        name, spot = value_in(self.modules, frame, key), frame.scope.spot(node)
        if not isinstance(name, str) or name is ABSENT:
            says = f"a {place} parameter whose name is not constant"
            found.unread.append(UnsupportedCode(spot, says))
            found.open_inputs.append(OpenInput(place, spot, says))
            return
        required = None if not demands or self.verb in _BODIES else default is None
        stated = value_in(self.modules, frame, default) if default is not None else ABSENT
        one = CodeParameter(
            name=name, location=place, spot=spot, required=False if default is not None else required,
            default=ABSENT if stated is None else stated,
        )  # fmt: skip
        found.parameter(one)
        if required and default is None:
            found.responses.append(CodeResponse(status=400, how="framework", spot=spot))

    def raised(self, event: Event) -> Iterator[CodeResponse]:
        """The responses of raised `HTTPError`s, and of `send_error`."""
        node = event.node
        if event.kind is ast.Raise and isinstance(node, ast.Raise) and node.exc is not None:
            if self._is_error(event):
                call = node.exc if isinstance(node.exc, ast.Call) else None
                given = keyword(call, "status_code", 0) if call is not None else None
                status = 500 if given is None else whole(value_in(self.modules, event.frame, given))
                yield CodeResponse(status=status, how="raised", spot=event.spot)
        elif isinstance(node, ast.Call) and _own_call(node) in ("send_error", "redirect"):
            yield CodeResponse(status=self._sent(event.frame, node), how="raised", spot=event.spot)
        elif isinstance(node, ast.Call) and _own_call(node) == "set_status":
            status = whole(value_in(self.modules, event.frame, keyword(node, "status_code", 0)))
            yield CodeResponse(status=status, how="returned", spot=event.spot)

    def _sent(self, frame: Frame, call: ast.Call) -> int | None:
        given = keyword(call, "status_code" if _own_call(call) == "send_error" else "status", 0)
        if _own_call(call) == "send_error":
            return 500 if given is None else whole(value_in(self.modules, frame, given))
        stated = keyword(call, "status", 2)
        if stated is not None:
            return whole(value_in(self.modules, frame, stated))
        return 301 if value_in(self.modules, frame, keyword(call, "permanent", 1)) is True else 302

    def _is_error(self, event: Event) -> bool:
        assert isinstance(event.node, ast.Raise)
        if event.node.exc is None:
            return False
        cls = exception_of(self.modules, event.frame, event.node.exc)
        bases = self.modules.ancestry(cls) if isinstance(cls, Definition) else (cls,)
        return any(isinstance(base, External) and base.of(("tornado",), "HTTPError") for base in bases)

    def returned(self, event: Event, events: Sequence[Event]) -> Iterator[CodeResponse]:
        """Nothing: what a handler returns is not sent."""
        yield from ()


def _is_request(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "request" and isinstance(node.value, ast.Name)


def _own_call(call: ast.Call) -> str:
    """The method of the handler that is called, "" for another call."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
    return ""
