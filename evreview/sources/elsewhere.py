"""Calls of what no supplied file holds: they may answer errors, or ask who calls, where nobody can read it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from evreview.codefacts.control_flow import Event, Frame, exception_of, own_nodes, resolved_in
from evreview.codefacts.decorators import DECORATORS
from evreview.codefacts.model import UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.codefacts.outside_calls import Receiver, Receivers, set_later
from evreview.sources.called_guards import CALLS
from evreview.sources.remembered import remembered
from evreview.sources.resolved import Definition, External, Resolved, chosen

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
_FOLLOWED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def unsupplied(modules: Modules, events: Iterable[Event]) -> Iterator[UnreadCode]:
    """The calls and raised errors that lie outside the supplied files, each with its lines."""
    for event in events:
        found, written = _outside(modules, event)
        if isinstance(found, External) and not _transparent(event.frame.scope, found, written):
            name = found.name.lstrip(".")[:120]
            asks = found.package not in QUIET or _relative(event.frame.scope, written)
            yield UnreadCode(event.spot, f"a call of `{name}`, which no supplied file holds", _SUPPLY, asks)
        elif isinstance(event.node, ast.Call) and event.kind is ast.Call:
            yield from _on_object(modules, event, event.node, found)


def looked_at(modules: Modules, scopes: Iterable[Scope]) -> Iterator[UnreadCode]:
    """Objects of files that nobody supplied, where code looks at them: a proxy finds out then who calls."""
    for scope in {id(one.node): one for one in scopes}.values():
        yield from remembered(modules, f"looked at {id(scope.node)}", partial(_looked_at, modules, scope))


def _looked_at(modules: Modules, scope: Scope) -> tuple[UnreadCode, ...]:
    found: list[UnreadCode] = []
    nodes = [*own_nodes(scope.node)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}  # these are calls of what is not supplied
    for node in nodes:
        for held in _held(node) if id(node) not in called else ():
            named = modules.resolve(scope, held)
            if isinstance(named, External) and _is_object(scope, held) and not _is_known(scope, named, held):
                says = f"what `{ast.unparse(held)[:120]}` does where it is looked at, which no supplied file holds"
                found.append(UnreadCode(scope.spot(held), says, _SUPPLY, True))
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


def _on_object(modules: Modules, event: Event, call: ast.Call, found: Resolved) -> Iterator[UnreadCode]:
    """A call on an object that is set where the supplied files do not show it, or that a library made."""
    named = resolved_in(modules, event.frame, call.func)
    if isinstance(found, External):
        if set_later(found.name):
            yield _set_later(event, call)
        return
    if isinstance(named, Definition) and isinstance(named.node, _FOLLOWED):
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
        yield UnreadCode(event.spot, says, _SUPPLY, receiver.package not in QUIET)


def _set_later(event: Event, call: ast.Call) -> UnreadCode:
    found = f"a call of `{ast.unparse(call.func)[:120]}`, which is set at run time"
    return UnreadCode(event.spot, found, _SET, True)


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
