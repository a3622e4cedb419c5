"""Which values of a request flow into an expression. What can't be told is no origin, and nothing is executed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.asgi.parameters import DEPENDS, Mark, marks_of
from evreview.codefacts.asgi.security_schemes import scheme_of
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame, bind, own_nodes
from evreview.codefacts.modules import Binding, Scope
from evreview.codefacts.names import Definition, External, Modules, Resolved, out_of_classes, unwrapped
from evreview.core.vocabulary import ABSENT

# Which bindings of a name may hold where it is used: of those written before it, the last sure one and later ones.


def bindings(frame: Frame, name: ast.Name) -> Iterator[tuple[Frame, Binding]]:
    """Every binding that may hold, with the frame in which its value is to be read."""
    at: Scope | None = frame.scope
    while at is not None and name.id not in at.names:
        at = at.parent if at.kind != "class" else out_of_classes(at)
    if at is None:
        return
    found: Sequence[Binding] = at.names[name.id]
    if at is frame.scope and at.kind == "function":
        found = _live(found, name.lineno)
    where = frame if at is frame.scope else replace(frame, scope=at)
    for binding in found:
        yield where, binding


def only_value(frame: Frame, name: ast.Name) -> tuple[Frame, ast.expr] | None:
    """The expression that a name certainly stands for, None when several may hold or it is none."""
    found = list(bindings(frame, name))
    if len(found) == 1 and isinstance(found[0][1].node, ast.expr):
        return found[0][0], found[0][1].node
    return None


def _live(found: Sequence[Binding], line: int) -> Sequence[Binding]:
    before = [binding for binding in found if _end(binding) < line] or list(found)
    sure = [
        place
        for place, binding in enumerate(before)
        if binding.sure and not isinstance(binding.statement, ast.AugAssign)
    ]
    return before[sure[-1] :] if sure else before


def _end(binding: Binding) -> int:
    statement = binding.statement
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return statement.end_lineno or statement.lineno
    return int(getattr(statement, "lineno", 0))


# Which expression is the request, in each framework, and what is noted on it.


Place = Literal["header", "query", "body", "cookie", "path", "form", "address", "credential"]
"""Where in a request a value stands; `address` is the caller's, `credential` what shows who calls."""

READ: Final[Mapping[str, Place]] = {
    "headers": "header", "META": "header", "query_params": "query", "args": "query", "GET": "query", "query": "query",
    "values": "query", "query_string": "query", "rel_url": "query", "cookies": "cookie", "COOKIES": "cookie",
    "form": "form", "POST": "form", "files": "form", "FILES": "form", "json": "body", "data": "body", "body": "body",
    "arguments": "query", "query_arguments": "query", "body_arguments": "form", "path_params": "path",
    "view_args": "path", "match_info": "path", "remote_addr": "address", "remote": "address",
    "client": "address", "access_route": "address",
}  # fmt: skip
"""Members of a request that hold what the caller sends, and the caller's address."""
BODY_METHODS: Final[Mapping[str, Place]] = {
    "json": "body", "get_json": "body", "body": "body", "text": "body", "read": "body", "get_data": "body",
    "form": "form", "post": "form",
}  # fmt: skip
OWN_METHODS: Final[Mapping[str, Place]] = {
    "get_argument": "query", "get_arguments": "query", "get_query_argument": "query", "get_query_arguments": "query",
    "get_body_argument": "form", "get_body_arguments": "form", "get_cookie": "cookie",
}  # fmt: skip
"""Methods of Tornado's handlers that give what the caller sends; a signed cookie is not among them."""
_CLASSES: Final = frozenset({"Request", "HttpRequest", "HTTPConnection", "WebSocket", "BaseRequest", "ASGIRequest"})
_NAMES: Final = frozenset({"request", "req"})
_HOPS: Final = 6


class RequestObjects:
    """Tells request objects, and keeps what the application notes on them.

    Attributes:
        notes: for each name noted on a request (`request.state.user`, `g.user`), what is assigned, and where.
    """

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.notes: dict[str, list[tuple[Frame, ast.expr]]] = {}
        for scope, statement in modules.statements():
            if isinstance(statement, ast.Assign) and scope.kind == "function":
                for target in statement.targets:
                    self._note(Frame(scope), target, statement.value)

    def _note(self, frame: Frame, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Attribute(value=holder, attr=name):
                if self.is_state(frame, holder) or self.is_request(frame, holder):
                    self.notes.setdefault(name, []).append((frame, value))
            case ast.Subscript(value=holder, slice=index) if self.is_request(frame, holder):
                key = constant(self.modules, frame.scope, index)
                if isinstance(key, str):
                    self.notes.setdefault(key, []).append((frame, value))

    def is_request(self, frame: Frame, node: ast.expr, hops: int = _HOPS) -> bool:
        """True for an expression that is the request itself."""
        if hops <= 0:
            return False
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr="request"):
                return True
            case ast.Name():
                found = self.modules.lookup(frame.scope, node.id)
                if isinstance(found, External):
                    return found.name in ("flask.request", "quart.request", "flask.globals.request", "bottle.request")
                return any(self._binds(where, binding.node, hops) for where, binding in bindings(frame, node))
        return False

    def _binds(self, frame: Frame, bound: ast.AST | None, hops: int) -> bool:
        if isinstance(bound, ast.arg):
            given = frame.given.get(id(bound))
            if given is not None:
                return self.is_request(given[0], given[1], hops - 1)
            if bound.annotation is None:
                return bound.arg in _NAMES
            found = self.modules.resolve(frame.scope, unwrapped(bound.annotation))
            return isinstance(found, External) and found.last in _CLASSES
        return isinstance(bound, ast.expr) and self.is_request(frame, bound, hops - 1)

    def is_state(self, frame: Frame, node: ast.expr) -> bool:
        """True for `request.state` and Flask's `g`: what the application itself notes while it answers."""
        match node:
            case ast.Attribute(value=holder, attr="state"):
                return self.is_request(frame, holder)
            case ast.Name():
                found = self.modules.lookup(frame.scope, node.id)
                return isinstance(found, External) and found.name in ("flask.g", "quart.g")
        return False


MAX_HOPS: Final = 14
"""Steps from a use back to the request that are followed."""
MAX_STEPS: Final = 2_000
"""Expressions looked at for one question; code that was written to branch without end stops there."""

_MARKS: Final[Mapping[str, Place]] = {
    "Query": "query", "Path": "path", "Header": "header", "Cookie": "cookie", "Body": "body", "Form": "form",
    "File": "form",
}  # fmt: skip
LIBRARIES: Final = ("jwt", "jose", "authlib")
"""Packages whose `decode` reads a token."""
_GETTERS: Final = frozenset({"get", "getlist", "get_all", "getall", "getone", "pop", "getfirst", "get_list"})
_PASSING: Final = frozenset(
    {"builtins.str", "builtins.list", "builtins.dict", "builtins.set", "builtins.tuple", "builtins.frozenset",
     "builtins.sorted", "builtins.repr", "builtins.any", "builtins.all", "builtins.bytes", "builtins.next",
     "builtins.iter", "builtins.getattr", "builtins.reversed", "json.loads", "orjson.loads", "base64.b64decode",
     "base64.urlsafe_b64decode", "urllib.parse.unquote", "urllib.parse.unquote_plus", "html.unescape", "copy.copy",
     "copy.deepcopy", "ipaddress.ip_address", "ipaddress.IPv4Address", "ipaddress.ip_network", "typing.cast",
     "io.BytesIO", "io.StringIO", "jwt.get_unverified_header", "jose.jwt.get_unverified_claims",
     "jose.jwt.get_unverified_header", "os.path.join", "os.path.abspath", "os.path.normpath", "os.path.realpath",
     "os.path.expanduser", "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "urllib.parse.urljoin",
     "zipfile.ZipFile", "tarfile.open", "yaml.Loader", "yaml.SafeLoader", "zlib.decompress", "gzip.decompress",
     "bz2.decompress", "lzma.decompress"}
)  # fmt: skip
_ENTRANCES: Final = frozenset(
    {"kafka.KafkaConsumer", "kafka.consumer.KafkaConsumer", "aiokafka.AIOKafkaConsumer", "confluent_kafka.Consumer",
     "confluent_kafka.DeserializingConsumer", "confluent_kafka.aio.AIOConsumer", "argparse.ArgumentParser",
     "builtins.input"}
)  # fmt: skip
"""What hands out messages, or what somebody has typed."""
_NUMBERS: Final = frozenset(
    {"builtins.int", "builtins.float", "builtins.bool", "builtins.len", "uuid.UUID", "decimal.Decimal",
     "builtins.round", "builtins.abs"}
)  # fmt: skip
_FILLING: Final = frozenset({"format", "join", "replace", "format_map", "joinpath"})
_SUBSTITUTING: Final = frozenset({"substitute", "safe_substitute"})
_KEEPING: Final = frozenset({"value", "credentials", "strip", "lower"})
_SIMPLE: Final = frozenset({"str", "int", "float", "bool", "list", "set", "tuple", "bytes", "UUID", "Decimal"})
_OBJECTS: Final = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "Any", "object"})
_NUMERIC: Final = frozenset({"int", "float", "bool", "UUID", "Decimal", "date", "datetime", "UUID4"})


@dataclass(frozen=True, slots=True)
class RequestSource:
    """One value that a caller chooses: where in the request it stands, its name ("" unknown).

    Attributes:
        number: it was turned into a number or an id of a fixed form on the way.
        whole: a parameter that takes an object of the body as it was sent.
    """

    place: Place
    name: str
    number: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class HandlerParameters:
    """A function that a framework calls with values of the request: path parameters, and whether it is FastAPI's."""

    path: frozenset[str]
    fast: bool


class RequestSources:
    """Follows expressions back to the request."""

    def __init__(self, modules: Modules, handled: Mapping[int, HandlerParameters]) -> None:
        self.modules = modules
        self.handled = handled
        self.requests = RequestObjects(modules)
        self._running: set[tuple[int, int]] = set()
        self._left = MAX_STEPS
        self._walking: dict[int, dict[int, ast.comprehension]] = {}
        self._nodes: dict[int, tuple[ast.AST, ...]] = {}

    def nodes(self, function: ast.AST) -> tuple[ast.AST, ...]:
        """The nodes of a function's body in the order written, without inner functions and classes."""
        if id(function) not in self._nodes:
            self._nodes[id(function)] = tuple(own_nodes(function))
        return self._nodes[id(function)]

    def of(self, frame: Frame, node: ast.AST | None, hops: int = MAX_HOPS) -> tuple[RequestSource, ...]:
        """The origins of an expression, each once."""
        key = (id(frame.scope), id(node))
        if not self._running:
            self._left = MAX_STEPS
        self._left -= 1
        if node is None or hops <= 0 or self._left <= 0 or key in self._running:
            return ()
        self._running.add(key)
        try:
            return tuple(dict.fromkeys(self._of(frame, node, hops - 1)))
        finally:
            self._running.discard(key)

    def _of(self, frame: Frame, node: ast.AST, hops: int) -> Iterable[RequestSource]:
        match node:
            case ast.Name():
                return self._name(frame, node, hops)
            case ast.Attribute():
                return self._attribute(frame, node, hops)
            case ast.Subscript(value=value, slice=index):
                return self._subscript(frame, value, index, hops)
            case ast.Call():
                return self._call(frame, node, hops)
            case ast.NamedExpr(value=value) | ast.Await(value=value) | ast.Starred(value=value):
                return self.of(frame, value, hops)
            case ast.GeneratorExp(elt=elt) | ast.ListComp(elt=elt) | ast.SetComp(elt=elt):
                return self.of(frame, elt, hops)
            case ast.IfExp(body=body, orelse=other):
                return self._all(frame, (body, other), hops)
            case ast.Lambda() | ast.Constant():
                return ()
            case ast.expr() | ast.keyword():
                return self._all(frame, ast.iter_child_nodes(node), hops)
        return ()

    def _all(self, frame: Frame, nodes: Iterable[ast.AST], hops: int) -> Iterator[RequestSource]:
        for node in nodes:
            yield from self.of(frame, node, hops)

    # Names

    def _name(self, frame: Frame, node: ast.Name, hops: int) -> Iterator[RequestSource]:
        walk = self._walked(frame.scope.node).get(id(node))
        if walk is not None:
            if node.id not in {self._listed(frame, test) for test in walk.ifs}:
                yield from self.of(frame, walk.iter, hops)
            return
        for where, binding in bindings(frame, node):
            match binding.node, binding.statement:
                case ast.arg() as argument, _:
                    yield from self._argument(where, argument, hops)
                case ast.expr() as value, _:
                    yield from self.of(where, value, hops)
                case None, ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                    yield from self._unpacked(where, node.id, targets, value, hops)
                case None, ast.For(iter=value) | ast.AsyncFor(iter=value) | ast.Assign(value=value):
                    yield from self.of(where, value, hops)
                case None, ast.Match(subject=value) | ast.AugAssign(value=value):
                    yield from self.of(where, value, hops)
                case None, ast.With(items=items) | ast.AsyncWith(items=items):
                    yield from self._all(where, [item.context_expr for item in items], hops)

    def _unpacked(
        self, frame: Frame, name: str, targets: list[ast.expr], value: ast.expr, hops: int
    ) -> Iterator[RequestSource]:
        """What one of several names is given: its own part, where the parts can be told."""
        place = next((at for at, one in enumerate(targets) if isinstance(one, ast.Name) and one.id == name), None)
        plain = not any(isinstance(one, ast.Starred) for one in targets)
        inner = value.value if isinstance(value, ast.Await) else value
        parts = [(frame, inner)]
        if isinstance(inner, ast.Call):
            called = self.modules.called(frame.scope, inner)
            parts = [*self._answers(called, inner, frame)] or parts
        for where, part in parts:
            if plain and place is not None and isinstance(part, ast.Tuple) and len(part.elts) == len(targets):
                yield from self.of(where, part.elts[place], hops)
            else:
                yield from self.of(where, part, hops)

    def _walked(self, function: ast.AST) -> dict[int, ast.comprehension]:
        """The names in a function that a comprehension binds, by identity."""
        if id(function) not in self._walking:
            found: dict[int, ast.comprehension] = {}
            for node in self.nodes(function):
                if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
                    for one in node.generators:
                        bound = {part.id for part in ast.walk(one.target) if isinstance(part, ast.Name)}
                        own = {id(part) for part in ast.walk(one.iter)}
                        for part in ast.walk(node):
                            if isinstance(part, ast.Name) and part.id in bound and id(part) not in own:
                                found[id(part)] = one
            self._walking[id(function)] = found
        return self._walking[id(function)]

    def _listed(self, frame: Frame, test: ast.expr) -> str:
        """`x` of `x in EXPECTED`, where the caller does not choose what is expected."""
        match test:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.In()], comparators=[among]):
                return "" if self.of(frame, among) else name
        return ""

    def _argument(self, frame: Frame, argument: ast.arg, hops: int) -> Iterable[RequestSource]:
        given = frame.given.get(id(argument))
        if given is not None:
            return self.of(given[0], given[1], hops)
        mark = mark_of_argument(self.modules, frame.scope, argument)
        if mark is not None and mark.kind in DEPENDS:
            return self._depends(mark, hops)
        if mark is not None and mark.kind:
            name = mark.text(self.modules, "alias") or _written(mark)
            whole = mark.kind == "Body" and self._is_object(frame.scope, argument)
            return (RequestSource(_MARKS[mark.kind], name, self._is_number(frame.scope, argument), whole),)
        return self._unmarked(frame.scope, argument)

    def _depends(self, mark: Mark, hops: int) -> Iterable[RequestSource]:
        target = self.modules.resolve(mark.where or mark.scope, dependency(mark))
        if isinstance(target, Definition) and isinstance(target.node, ast.Call):
            return (RequestSource("credential", target.name),) if scheme_of(self.modules, target) else ()
        return self._returned(target, None, None, hops)

    def _unmarked(self, scope: Scope, argument: ast.arg) -> Iterable[RequestSource]:
        known = self.handled.get(id(scope.node))
        if known is None:
            return ()
        if argument.arg in known.path:
            return (RequestSource("path", argument.arg, self._is_number(scope, argument)),)
        if not known.fast or argument.arg in ("self", "cls"):
            return ()
        annotation = unwrapped(argument.annotation)
        written = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        found = self.modules.resolve(scope, written)
        if annotation is None or (isinstance(found, External) and found.last in _SIMPLE):
            return (RequestSource("query", argument.arg, self._is_number(scope, argument)),)
        if isinstance(found, External) and found.last in _OBJECTS - {"Any", "object"}:
            return (RequestSource("body", ""),)
        if isinstance(found, External) and found.last == "UploadFile":
            return (RequestSource("form", ""),)
        if self.modules.is_a(found, ("pydantic", "sqlmodel", "typing"), "BaseModel", "SQLModel", "TypedDict"):
            return (RequestSource("body", ""),)
        return ()

    def _is_object(self, scope: Scope, argument: ast.arg) -> bool:
        """True for a parameter of any members: `dict`, `Mapping`, `Any`, or of no type."""
        annotation = unwrapped(argument.annotation)
        written = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        found = self.modules.resolve(scope, written)
        return written is None or (isinstance(found, External) and found.last in _OBJECTS)

    def comprehension(self, frame: Frame, name: ast.Name) -> ast.comprehension | None:
        """The comprehension that binds a name of a function, None for another binding."""
        return self._walked(frame.scope.node).get(id(name))

    def _is_number(self, scope: Scope, argument: ast.arg) -> bool:
        found = self.modules.resolve(scope, unwrapped(argument.annotation))
        if isinstance(found, External):
            return found.last in _NUMERIC
        return self.modules.is_a(found, ("enum",), "Enum", "StrEnum", "IntEnum")

    # Members

    def _attribute(self, frame: Frame, node: ast.Attribute, hops: int) -> Iterable[RequestSource]:
        if self.requests.is_request(frame, node.value):
            place = READ.get(node.attr)
            return (RequestSource(place, ""),) if place else self._kept(node.attr, hops)
        if self.requests.is_state(frame, node.value):
            return self._kept(node.attr, hops)
        if node.attr in ("name", "stem", "suffix") and self._is_path(frame, node.value):
            return ()  # one step, whatever stands before it
        found = self.of(frame, node.value, hops)
        return found if node.attr in _KEEPING else renamed(found, node.attr)

    def _is_path(self, frame: Frame, node: ast.expr) -> bool:
        """True for what `pathlib` makes of a text."""
        known = only_value(frame, node) if isinstance(node, ast.Name) else None
        where, made = known if known is not None else (frame, node)
        found = self.modules.called(where.scope, made) if isinstance(made, ast.Call) else None
        return isinstance(found, External) and found.package == "pathlib"

    def _kept(self, name: str, hops: int) -> Iterator[RequestSource]:
        """What the application itself has noted on the request under a name."""
        for frame, value in self.requests.notes.get(name, ()):
            yield from self.of(frame, value, hops)

    def _subscript(self, frame: Frame, value: ast.expr, index: ast.expr, hops: int) -> Iterable[RequestSource]:
        key = constant(self.modules, frame.scope, index)
        if self.requests.is_request(frame, value) and isinstance(key, str):
            return self._kept(key, hops)
        found = self.of(frame, value, hops)
        return renamed(found, key) if isinstance(key, str) and key is not ABSENT else found

    # Calls

    def _call(self, frame: Frame, call: ast.Call, hops: int) -> Iterable[RequestSource]:
        function = call.func
        if isinstance(function, ast.Attribute):
            if self.requests.is_request(frame, function.value):
                place = BODY_METHODS.get(function.attr)
                return (RequestSource(place, ""),) if place else ()
            found = self.of(frame, function.value, hops)
            if found:
                return self._method(frame, call, function.attr, found)
        called = self.modules.called(frame.scope, call)
        quoted = isinstance(called, External) and called.package == "shlex"
        if isinstance(function, ast.Attribute) and not quoted and not isinstance(called, Definition):
            plain = isinstance(function.value, ast.Constant | ast.JoinedStr | ast.Name) and function.attr in _FILLING
            if plain or function.attr in _SUBSTITUTING:
                return self._all(frame, [*call.args, *call.keywords], hops)
        if isinstance(function, ast.Attribute) and _is_own_read(function) and not isinstance(called, Definition):
            key = constant(self.modules, frame.scope, call.args[0]) if call.args else ABSENT
            named = key if isinstance(key, str) and key is not ABSENT else ""
            return (RequestSource(OWN_METHODS[function.attr], named),)
        if isinstance(called, External):
            return self._outside(frame, call, called, hops)
        return self._returned(called, call, frame, hops)

    def _method(
        self, frame: Frame, call: ast.Call, name: str, found: tuple[RequestSource, ...]
    ) -> tuple[RequestSource, ...]:
        key = constant(self.modules, frame.scope, call.args[0]) if call.args and name in _GETTERS else ABSENT
        typed = next((word.value for word in call.keywords if word.arg == "type"), None)
        made = self.modules.resolve(frame.scope, typed) if name in _GETTERS else None
        if isinstance(made, External) and made.name in _NUMBERS:  # Flask's `args.get("n", type=int)`
            found = tuple(replace(one, number=True) for one in found)
        return renamed(found, key) if isinstance(key, str) and key is not ABSENT else found

    def _outside(self, frame: Frame, call: ast.Call, called: External, hops: int) -> Iterable[RequestSource]:
        if called.name in _ENTRANCES:
            return (RequestSource("body", ""),)
        if called.name in _PASSING:
            return self._all(frame, call.args, hops)
        if called.name in _NUMBERS:
            return tuple(replace(one, number=True) for one in self._all(frame, call.args, hops))
        if unverified(self.modules, frame.scope, call, called) and call.args:
            return tuple(RequestSource("credential", "") for _ in self.of(frame, call.args[0], hops)[:1])
        return ()

    def _returned(
        self, called: Resolved, call: ast.Call | None, caller: Frame | None, hops: int
    ) -> Iterator[RequestSource]:
        """What a supplied function returns."""
        for frame, value in self._answers(called, call, caller):
            yield from self.of(frame, value, hops)

    def _answers(
        self, called: Resolved, call: ast.Call | None, caller: Frame | None
    ) -> Iterator[tuple[Frame, ast.expr]]:
        """The expressions that a supplied function returns."""
        if not isinstance(called, Definition) or not isinstance(called.node, ast.FunctionDef | ast.AsyncFunctionDef):
            return
        scope = self.modules.body(called)
        frame = bind(self.modules, called, call, caller) if call is not None and caller is not None else None
        frame = frame or (Frame(scope) if scope is not None else None)
        if frame is None or frame.depth > MAX_HOPS:
            return
        for node in self.nodes(called.node):
            if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
                yield frame, node.value


def _is_own_read(function: ast.Attribute) -> bool:
    """True for a method of a Tornado handler, called on the handler itself, that reads the request."""
    return function.attr in OWN_METHODS and isinstance(function.value, ast.Name) and function.value.id == "self"


def renamed(found: Iterable[RequestSource], name: str) -> tuple[RequestSource, ...]:
    """The origins as members of that name."""
    return tuple(replace(one, name=name) for one in found)


def dependency(mark: Mark) -> ast.expr | None:
    """What `Depends(x)` names; without an argument the annotated class."""
    if mark.call is not None and mark.call.args:
        return mark.call.args[0]
    return mark.words.get("dependency") or unwrapped(mark.annotation)


def mark_of_argument(modules: Modules, scope: Scope, argument: ast.arg) -> Mark | None:
    """How FastAPI sees a parameter of the function whose scope this is."""
    outer = scope.owner or scope.parent
    if outer is None or not isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    return next((mark for mark in marks_of(modules, outer, scope.node) if mark.name == argument.arg), None)


def _written(mark: Mark) -> str:
    return mark.name.replace("_", "-") if mark.kind == "Header" else mark.name


def unverified(modules: Modules, scope: Scope, call: ast.Call, called: External) -> bool:
    """True for a token's decoding that takes any signature."""
    if called.package not in LIBRARIES or called.last != "decode":
        return False
    words = {word.arg: word.value for word in call.keywords}
    checks = options_of(modules, scope, call).get("verify_signature") is False
    return checks or constant(modules, scope, words.get("verify")) is False


def options_of(modules: Modules, scope: Scope, call: ast.Call) -> Mapping[str, object]:
    """The constant members of a decoding's `options`, as a literal, a name or `dict(…)`."""
    given = next((word.value for word in call.keywords if word.arg == "options"), None)
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "dict":
        return {word.arg: constant(modules, scope, word.value) for word in given.keywords if word.arg}
    if isinstance(given, ast.Dict):
        keys = [constant(modules, scope, key) for key in given.keys]
        values = [constant(modules, scope, value) for value in given.values]
        return {key: value for key, value in zip(keys, values, strict=True) if isinstance(key, str)}
    options = constant(modules, scope, given)
    return options if isinstance(options, Mapping) else {}
