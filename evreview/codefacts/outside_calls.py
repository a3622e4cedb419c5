"""What a call that no supplied definition answers is made on: plain data, a library's object, or what is set later."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from evreview.codefacts.calls import arguments_given
from evreview.codefacts.control_flow import Event, Frame, exception_of, own_nodes, resolved_in
from evreview.codefacts.decorators import DECORATORS
from evreview.codefacts.guards.framework_conventions import CALLS
from evreview.codefacts.model import UnsupportedCode
from evreview.codefacts.modules import FUNCTIONS, SCOPES, Scope, defaults, is_none
from evreview.codefacts.names import Definition, External, Imported, Modules, Resolved, chosen, remembered, unwrapped

Sort = Literal["data", "library", "later"]
_HOPS: Final = 12
_HOLDERS: Final = frozenset(
    {"flask.Flask", "flask.Blueprint", "flask.current_app", "flask.g", "fastapi.FastAPI", "fastapi.APIRouter",
     "starlette.applications.Starlette", "aiohttp.web.Application"}
)  # fmt: skip
"""Objects of frameworks on which services keep their own."""
_OWN: Final = frozenset(
    {"logger", "config", "json", "jinja_env", "make_response", "response_class", "url_for", "redirect", "aborter",
     "open_resource", "open_instance_resource", "send_static_file", "get_send_file_max_age", "ensure_sync", "name",
     "app_context", "test_request_context", "debug", "testing", "root_path", "static_folder", "instance_path",
     "import_name", "url_map", "url_prefix", "url_path_for", "openapi", "router", "routes", "get", "pop", "setdefault",
     "secret_key", "permanent_session_lifetime", "session_interface", "version", "title", "loop", "on_event"}
)  # fmt: skip
"""What these objects have of their own, which answers nothing."""
_KEEPING: Final = frozenset({"state", "extensions", "config_dict"})
"""Attributes under which frameworks keep what a service sets."""
_QUIET_BUILTINS: Final = frozenset({"getattr", "next", "iter", "reversed", "sorted", "list", "tuple", "enumerate"})
"""Builtins that give back what they are given."""


@dataclass(frozen=True, slots=True)
class Receiver:
    """What a call is made on; `package` is that of a library's object."""

    sort: Sort
    package: str = ""


DATA: Final = Receiver("data")
LATER: Final = Receiver("later")


def set_later(name: str) -> bool:
    """True for a dotted name below a framework's object that the framework itself does not have."""
    for holder in _HOLDERS:
        if name.startswith(f"{holder}."):
            first = name.removeprefix(f"{holder}.").partition(".")[0]
            return first not in _OWN
    parts = name.split(".")
    return parts[0] in ("flask", "fastapi", "starlette", "aiohttp", "django") and bool(_KEEPING & set(parts[2:-1]))


class Receivers:
    """Tells receivers of calls, following names, attributes, arguments and what functions return."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def of(self, frame: Frame, node: ast.expr, hops: int = _HOPS) -> Receiver:
        """What an expression is, `LATER` where the supplied files do not tell."""
        if hops <= 0:
            return DATA
        plain = not frame.given and frame.depth == 0  # what gives nothing is the same frame wherever it is made
        key = f"receiver {id(frame.scope.node) if plain else id(frame)} {plain} {id(node)} {hops}"
        return remembered(self.modules, key, lambda: (self._of(frame, node, hops), frame, node))[0]

    def _of(self, frame: Frame, node: ast.expr, hops: int) -> Receiver:
        match node:
            case ast.Await(value=inner) | ast.Starred(value=inner) | ast.NamedExpr(value=inner):
                return self.of(frame, inner, hops - 1)
            case ast.IfExp(body=body, orelse=orelse):
                return _worst(self.of(frame, one, hops - 1) for one in (body, orelse))
            case ast.BoolOp(values=values):
                return _worst(self.of(frame, one, hops - 1) for one in values if not is_none(one))
            case ast.Subscript(value=inner):
                return self._item(frame, inner, hops - 1)
            case ast.Call():
                return self._called(frame, node, hops - 1)
            case ast.Attribute():
                return self._attribute(frame, node, hops - 1)
            case ast.Name():
                return self._name(frame, node, hops - 1)
            case ast.Constant(value=None):
                return LATER  # nothing can be called on it: something else will stand there
            case _:
                return DATA

    def _item(self, frame: Frame, inner: ast.expr, hops: int) -> Receiver:
        if isinstance(inner, ast.Attribute) and inner.attr in ("config", "app", *_KEEPING):
            return LATER
        return self.of(frame, inner, hops)

    def _external(self, found: External) -> Receiver:
        if set_later(f"{found.name}.x"):
            return LATER
        return Receiver("library", found.package)

    def _called(self, frame: Frame, call: ast.Call, hops: int) -> Receiver:
        found = self.modules.called(frame.scope, call)
        if isinstance(found, External):
            if found.package == "builtins" and found.last in _QUIET_BUILTINS and call.args:
                return self.of(frame, call.args[0], hops)
            if found.package == "importlib" or found.name.endswith((".config.get", ".extensions.get")):
                return LATER
            return self._external(found)
        if isinstance(found, Definition) and isinstance(found.node, FUNCTIONS):
            scope = self.modules.body(found)
            given = [value for value in self.modules.returned(scope) if not is_none(value)]
            return _worst(self.of(Frame(scope), value, hops - 1) for value in given) if scope is not None else DATA
        if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            return self._class(found)
        if found is None and isinstance(call.func, ast.Attribute):
            return self.of(frame, call.func.value, hops)
        return self.of(frame, call.func, hops) if found is None else DATA

    def _class(self, cls: Definition) -> Receiver:
        """What an instance is: of a class whose bases are all supplied, all that it does is read where it is called."""
        return _worst(self._external(base) for base in self.modules.ancestry(cls) if isinstance(base, External))

    def _attribute(self, frame: Frame, node: ast.Attribute, hops: int) -> Receiver:
        found = self.modules.resolve(frame.scope, node)
        if isinstance(found, External):
            return self._external(found)
        if isinstance(found, Definition) and found.node is not node:
            return self._definition(frame, found, hops)
        if node.attr in _KEEPING or (node.attr == "app" and _root(node) in ("request", "self")):
            return LATER
        holder = self.modules.resolve(frame.scope, node.value)
        cls = self.modules.class_of(holder)
        if isinstance(cls, Definition) and isinstance(cls.node, ast.ClassDef):
            return self._kept(cls, node.attr, hops)
        if isinstance(holder, Imported):
            return LATER  # a module's name that nothing in it binds
        return self.of(frame, node.value, hops)

    def _kept(self, cls: Definition, name: str, hops: int) -> Receiver:
        """What the methods of a class assign to `self.name`; its annotation at class level tells of data."""
        found: list[tuple[Scope, ast.expr]] = []
        for base in self.modules.ancestry(cls):
            scope = self.modules.body(base) if isinstance(base, Definition) else None
            for at, statement in self.modules.statements(scope) if scope is not None else ():
                match statement:
                    case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=attr)], value=value):
                        found += [(at, value)] if attr == name else []
                    case ast.AnnAssign(target=ast.Name(id=attr), annotation=annotation) if attr == name and at is scope:
                        return self._annotated(at, annotation)
                    case ast.AnnAssign(target=ast.Attribute(attr=attr), annotation=annotation) if attr == name:
                        return self._annotated(at, annotation)
                    case _:
                        continue
        return _worst(self.of(Frame(at), value, hops - 1) for at, value in found) if found else LATER

    def _annotated(self, scope: Scope, annotation: ast.expr | None) -> Receiver:
        found = self.modules.resolve(scope, annotation.value if isinstance(annotation, ast.Subscript) else annotation)
        if isinstance(found, External):
            return LATER if found.last in ("Any", "Callable", "object") else self._external(found)
        return DATA if annotation is not None else LATER

    def _name(self, frame: Frame, node: ast.Name, hops: int) -> Receiver:
        found = self.modules.lookup(frame.scope, node.id)
        if isinstance(found, External):
            return self._external(found)
        if isinstance(found, Definition):
            return self._definition(frame, found, hops)
        if isinstance(found, Imported):
            return DATA
        at: Scope | None = frame.scope
        while at is not None and node.id not in at.names:
            at = at.parent
        if at is None:
            # A comprehension's own name holds data; what no file binds at all is brought in from outside.
            return DATA if any(node.id in _names(inner) for inner in ast.walk(frame.scope.node)) else LATER
        if at.kind == "module" and any(isinstance(one.statement, ast.Global) for one in at.names[node.id]):
            return LATER
        return _worst(self._binding(Frame(at, frame.given), one.node, one.statement, hops) for one in at.names[node.id])

    def _binding(self, frame: Frame, node: ast.AST | None, statement: ast.AST, hops: int) -> Receiver:
        if isinstance(node, ast.expr):
            return DATA if is_none(node) else self.of(frame, node, hops)
        match statement:
            case ast.For(iter=value) | ast.AsyncFor(iter=value) | ast.Assign(value=value):
                return self.of(frame, value, hops)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                return _worst(self.of(frame, item.context_expr, hops) for item in items)
            case ast.Import() | ast.ImportFrom():
                return LATER
            case _:
                return DATA

    def _definition(self, frame: Frame, found: Definition, hops: int) -> Receiver:
        if isinstance(found.node, ast.arg):
            return self._argument(frame, found, hops)
        return self.of(Frame(found.scope, frame.given), found.node, hops) if isinstance(found.node, ast.expr) else DATA

    def _argument(self, frame: Frame, found: Definition, hops: int) -> Receiver:
        given = frame.given.get(id(found.node))
        if given is not None:
            return self.of(given[0], given[1], hops)
        assert isinstance(found.node, ast.arg)
        cls = self.modules.class_of(found)
        if isinstance(cls, Definition):
            return DATA
        if found.node.annotation is not None:
            return self._annotated(found.scope, _plain(found.node.annotation))
        if found.scope is frame.scope and frame.depth == 0:
            return self._default(found, hops)
        sites = arguments_given(self.modules, found)
        return _worst(self.of(Frame(at), value, hops - 1) for at, value in sites) if sites else LATER

    def _default(self, found: Definition, hops: int) -> Receiver:
        """An argument that a framework gives: values of the path, or what a dependency returns."""
        node = found.scope.node
        default = defaults(node).get(found.name) if isinstance(node, FUNCTIONS) else None
        if isinstance(default, ast.Call) and default.args:
            made = self.modules.called(found.scope, default)
            if isinstance(made, External) and made.of(("fastapi",), "Depends", "Security"):
                call = ast.copy_location(ast.Call(func=default.args[0], args=[], keywords=[]), default)
                return self._called(Frame(found.scope), call, hops)
        return DATA


def _worst(found: Iterable[Receiver]) -> Receiver:
    """The one that hides most; data where there is nothing else."""
    known = list(found)
    for sort in ("later", "library"):
        for one in known:
            if one.sort == sort and one.package != "builtins":
                return one
    return DATA


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _plain(annotation: ast.expr) -> ast.expr:
    return unwrapped(annotation) or annotation


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.comprehension(target=target) | ast.NamedExpr(target=target):
            yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.Lambda(args=args):
            yield from (one.arg for one in args.args)
        case _:
            return


# Calls of what no supplied file holds: they may answer errors, or ask who calls, where nobody can read it.


TRANSPARENT: Final = frozenset(
    {"builtins", "fastapi", "starlette", "pydantic", "pydantic_core", "pydantic_settings", "annotated_types",
     "typing_extensions", "flask", "werkzeug", "flask_smorest", "flask_restful", "apiflask", "flask_sqlalchemy",
     "flask_marshmallow", "marshmallow", "jinja2", "markupsafe", "itsdangerous", "django", "rest_framework", "aiohttp",
     "multidict", "yarl", "attr", "attrs", "anyio", "structlog", "loguru"}
)  # fmt: skip
"""Packages whose calls answer only what the readers know of them; so do those of the standard library."""
QUIET: Final = frozenset(
    {"sqlalchemy", "sqlmodel", "pymongo", "bson", "motor", "redis", "psycopg", "psycopg2", "asyncpg", "aiosqlite",
     "aiomysql", "pymysql", "MySQLdb", "peewee", "playhouse", "tortoise", "mongoengine", "beanie", "odmantic", "neo4j",
     "elasticsearch", "opensearchpy", "influxdb_client", "cassandra", "clickhouse_connect", "duckdb", "requests",
     "httpx", "urllib3", "aiohttp", "grpc", "boto3", "botocore", "aioboto3", "google", "azure", "minio", "kafka",
     "aiokafka", "confluent_kafka", "pika", "aio_pika", "nats", "celery", "rq", "dramatiq", "apscheduler", "numpy",
     "pandas", "polars", "pyarrow", "scipy", "sklearn", "torch", "openai", "PIL", "yaml", "orjson", "ujson",
     "simplejson", "msgpack", "tomli", "toml", "lxml", "bs4", "dateutil", "pytz", "tzlocal", "arrow", "pendulum",
     "stripe", "twilio", "sendgrid", "sentry_sdk", "prometheus_client", "opentelemetry", "statsd", "tenacity",
     "cachetools", "click", "typer", "rich", "tqdm", "docker", "kubernetes", "paramiko", "cryptography", "passlib",
     "bcrypt", "argon2", "slugify", "unidecode", "markdown", "bleach", "babel", "flask_babel", "flask_caching",
     "flask_mail", "flask_migrate", "flask_cors", "flask_limiter", "flask_compress", "alembic", "jsonschema", "semver",
     "packaging", "psutil", "shapely", "geopy", "pyproj", "rapidfuzz", "networkx", "nltk", "spacy", "gevent",
     "eventlet", "regex", "validators", "phonenumbers", "email_validator", "faker"}
)  # fmt: skip
"""Libraries that know nothing of a request: they may fail, and find out of nobody who calls."""
_ASKING: Final = frozenset({rule.package for rule in CALLS}) | {name for rule in DECORATORS for name in rule.packages}
"""Packages of which it is known what refuses callers: their objects, when looked at, refuse nobody."""
_LOOKING: Final = frozenset({"str", "repr", "bool", "len", "dict", "list", "tuple", "int", "format", "vars", "iter"})
"""Builtins that look at what they are given."""
_SUPPLY: Final = "Supply the file that defines it."
_SET: Final = "Declare with quotes what it is and answers, or retain the routes of the running service."


def unsupplied(modules: Modules, events: Iterable[Event]) -> Iterator[UnsupportedCode]:
    """The calls and raised errors that lie outside the supplied files, each with its lines."""
    for event in events:
        found, written = _outside(modules, event)
        if isinstance(found, External) and not _transparent(event.frame.scope, found, written):
            name = found.name.lstrip(".")[:120]
            asks = found.package not in QUIET or _relative(event.frame.scope, written)
            yield UnsupportedCode(event.spot, f"a call of `{name}`, which no supplied file holds", _SUPPLY, asks)
        elif isinstance(event.node, ast.Call) and event.kind is ast.Call:
            yield from _on_object(modules, event, event.node, found)


def looked_at(modules: Modules, scopes: Iterable[Scope]) -> Iterator[UnsupportedCode]:
    """Objects of files that nobody supplied, where code looks at them: a proxy finds out then who calls."""
    for scope in {id(one.node): one for one in scopes}.values():
        yield from remembered(modules, f"looked at {id(scope.node)}", partial(_looked_at, modules, scope))


def _looked_at(modules: Modules, scope: Scope) -> tuple[UnsupportedCode, ...]:
    found: list[UnsupportedCode] = []
    nodes = [*own_nodes(scope.node)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}  # these are calls of what is not supplied
    for node in nodes:
        for held in _held(node) if id(node) not in called else ():
            named = modules.resolve(scope, held)
            if isinstance(named, External) and _is_object(scope, held) and not _is_known(scope, named, held):
                says = f"what `{ast.unparse(held)[:120]}` does where it is looked at, which no supplied file holds"
                found.append(UnsupportedCode(scope.spot(held), says, _SUPPLY, True))
    return tuple(found)


def _held(node: ast.AST) -> list[ast.expr]:
    """What a node looks at; the members of classes and constants, by how they are written, are plain."""
    match node:
        case ast.Attribute(value=ast.Name() | ast.Attribute() as held, attr=attr, ctx=ast.Load()):
            return [held] if attr[:1].islower() else []
        case ast.Subscript(value=held, ctx=ast.Load()) | ast.FormattedValue(value=held):
            return [held]
        case ast.Call(func=ast.Name(id=name), args=args) if name in _LOOKING:
            return args
        case ast.If(test=held) | ast.IfExp(test=held) | ast.While(test=held) | ast.Assert(test=held):
            return [held]
        case ast.UnaryOp(op=ast.Not(), operand=held) | ast.For(iter=held) | ast.comprehension(iter=held):
            return [held]
        case ast.BoolOp(values=values):
            return values
        case _:
            return []


def _is_object(scope: Scope, held: ast.expr) -> bool:
    """True for a name from a module that is written like an object: no module, class or constant."""
    words: list[str] = []
    at = held
    while isinstance(at, ast.Attribute):
        words.insert(0, at.attr)
        at = at.value
    binding = _binding_of(scope, at)
    if not isinstance(at, ast.Name) or binding is None:
        return False
    if isinstance(binding, ast.ImportFrom):
        words.insert(0, next((one.name for one in binding.names if at.id in (one.asname, one.name)), at.id))
    else:
        words = [] if ast.unparse(held) in {one.name for one in binding.names} else words
    return bool(words) and all(one[:1].islower() and not one.isupper() for one in words)


def _is_known(scope: Scope, found: External, held: ast.expr) -> bool:
    known = found.package in TRANSPARENT | QUIET | _ASKING or found.package in sys.stdlib_module_names
    return known and not _relative(scope, held)


def _binding_of(scope: Scope, name: ast.expr) -> ast.Import | ast.ImportFrom | None:
    """The import that binds a name."""
    at: Scope | None = scope
    while at is not None and isinstance(name, ast.Name):
        if name.id in at.names:
            binding = chosen(at, name.id)
            statement = binding.statement if binding is not None else None
            return statement if isinstance(statement, ast.Import | ast.ImportFrom) else None
        at = at.parent
    return None


def _on_object(modules: Modules, event: Event, call: ast.Call, found: Resolved) -> Iterator[UnsupportedCode]:
    """A call on an object that is set where the supplied files do not show it, or that a library made."""
    named = resolved_in(modules, event.frame, call.func)
    if isinstance(found, External):
        if set_later(found.name):
            yield _set_later(event, call)
        return
    if isinstance(named, Definition) and isinstance(named.node, SCOPES):
        return
    if isinstance(call.func, ast.Name) and _is_wrapped(event.frame, named):
        return
    receiver = _receiver(modules, event.frame, call.func)
    if receiver.sort == "later":
        yield _set_later(event, call)
    elif receiver.sort == "library" and not (
        receiver.package in TRANSPARENT or receiver.package in sys.stdlib_module_names
    ):
        name = ast.unparse(call.func)[:120]
        says = f"a call of `{name}`, of an object of `{receiver.package}`, which no supplied file holds"
        yield UnsupportedCode(event.spot, says, _SUPPLY, receiver.package not in QUIET)


def _set_later(event: Event, call: ast.Call) -> UnsupportedCode:
    found = f"a call of `{ast.unparse(call.func)[:120]}`, which is set at run time"
    return UnsupportedCode(event.spot, found, _SET, True)


def _receiver(modules: Modules, frame: Frame, written: ast.expr) -> Receiver:
    receivers = Receivers(modules)
    return receivers.of(frame, written.value if isinstance(written, ast.Attribute) else written)


def _is_wrapped(frame: Frame, found: Resolved) -> bool:
    """True for the argument of the function just around this one, and for what a framework gives: the next in line."""
    if not isinstance(found, Definition) or not isinstance(found.node, ast.arg):
        return False
    return found.scope is frame.scope.parent or found.scope is frame.scope


def _outside(modules: Modules, event: Event) -> tuple[Resolved, ast.expr | None]:
    match event.node:
        case ast.Call(func=written) if event.kind is ast.Call:
            return modules.resolve(event.frame.scope, written), written
        case ast.Raise(exc=ast.expr() as raised):
            return exception_of(modules, event.frame, raised), raised
        case _:
            return None, None


def _transparent(scope: Scope, found: External, written: ast.expr | None) -> bool:
    known = found.package in TRANSPARENT or found.package in sys.stdlib_module_names
    return known and not _relative(scope, written)


def _relative(scope: Scope, written: ast.expr | None) -> bool:
    """True when the name comes from a relative import: `from .queue import put` is nobody's library."""
    while isinstance(written, ast.Attribute | ast.Call):
        written = written.value if isinstance(written, ast.Attribute) else written.func
    statement = _binding_of(scope, written) if written is not None else None
    return isinstance(statement, ast.ImportFrom) and statement.level > 0
