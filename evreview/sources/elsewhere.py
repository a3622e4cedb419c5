"""Calls of what no supplied file holds: they may answer errors, or ask who calls, where nobody can read it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.sources.flow import Event, Frame, exception_of, resolved_in
from evreview.sources.model import UnreadCode
from evreview.sources.modules import Scope
from evreview.sources.names import Modules
from evreview.sources.receivers import Receiver, Receivers, set_later
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
    at: Scope | None = scope
    while at is not None and isinstance(written, ast.Name):
        if written.id in at.names:
            binding = chosen(at, written.id)
            statement = binding.statement if binding is not None else None
            return isinstance(statement, ast.ImportFrom) and statement.level > 0
        at = at.parent
    return False
