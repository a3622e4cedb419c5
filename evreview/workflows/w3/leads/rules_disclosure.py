"""What an exception says, sent to the caller; and modes in which a framework does so by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import decorators
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import all_given, last_name
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import UserText, text
from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.request_values import bindings
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Hit, LeadRule, RuleInput, hit
from evreview.workflows.w3.leads.secrets_in_source import secrets_in_source
from evreview.workflows.w3.leads.verification import credentials_to_any_origin, verification_off

_TRACES: Final = frozenset({"format_exc", "format_exception", "format_tb", "format_stack"})
_SAFE: Final = frozenset(
    {"ValueError", "HTTPException", "ValidationError", "RequestValidationError", "APIException", "BadRequest",
     "JSONDecodeError", "Http404", "NotFound", "PermissionDenied", "StarletteHTTPException"}
)  # fmt: skip
"""Exceptions whose text speaks about the request and is meant for whoever sent it."""
_LAYERS: Final = frozenset(
    {"builtins", "sqlalchemy", "sqlmodel", "psycopg", "psycopg2", "asyncpg", "pymysql", "MySQLdb", "mysql", "sqlite3",
     "pymongo", "motor", "redis", "requests", "httpx", "aiohttp", "urllib3", "urllib", "botocore", "boto3", "grpc",
     "peewee", "tortoise", "elasticsearch", "opensearchpy", "kafka", "pika", "celery", "socket", "ssl", "subprocess",
     "smtplib", "ldap", "ldap3", "paramiko", "docker", "kubernetes", "stripe", "openai", "django", "cx_Oracle",
     "oracledb", "pyodbc", "cassandra", "neo4j", "google", "azure", "os", "shutil", "http"}
)  # fmt: skip
"""Packages whose exceptions speak of what lies behind the service; others may be the service's own."""
_APPS: Final = ("FastAPI", "Starlette", "Flask", "Quart")
_SENDING: Final = frozenset(
    {"Response", "JSONResponse", "PlainTextResponse", "HTMLResponse", "ORJSONResponse", "jsonify", "make_response",
     "HttpResponse", "JsonResponse", "HttpResponseServerError", "HTTPException", "abort", "json_response",
     "render_template", "HTTPInternalServerError", "HttpResponseBadRequest"}
)  # fmt: skip


def errors_sent(reading: RuleInput) -> Iterator[Hit]:
    """Answers that hold the text of an exception which is not the service's own, or a stack trace."""
    for unit in reading.units:
        for frame in unit.frames:
            for node, caught in _nodes(reading, frame):
                told = [what for sent in _sent(node) if (what := _told(reading, frame, sent, caught))]
                if told:
                    yield hit(frame, node, unit.route, text("an answer holds ", told[0]))


def _nodes(reading: RuleInput, frame: Frame) -> Iterator[tuple[ast.AST, dict[str, bool]]]:
    """The nodes of a function, each with the exceptions caught around it; True for one of another layer."""
    known = _registered(reading, frame)
    waiting = [(node, known) for node in reversed(getattr(frame.scope.node, "body", []))]
    while waiting:
        node, caught = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.ExceptHandler) and node.name:
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            caught = {**caught, node.name: any(_foreign(reading, frame, kind) for kind in kinds)}
        yield node, caught
        waiting += [(child, caught) for child in reversed(list(ast.iter_child_nodes(node)))]


def _sent(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Return(value=ast.expr() as value):
            yield value
        case ast.Raise(exc=ast.Call() as call) if last_name(call.func) in _SENDING:
            yield from all_given(call)
        case ast.Expr(value=ast.Call() as call) if last_name(call.func) == "abort":
            yield from all_given(call)


def _told(reading: RuleInput, frame: Frame, sent: ast.expr, caught: dict[str, bool], hops: int = 3) -> str:
    """What of an exception an expression holds, "" for nothing."""
    for part in _shown(sent):
        if isinstance(part, ast.Call):
            found = reading.modules.called(frame.scope, part)
            if isinstance(found, External) and found.package == "traceback" and found.last in _TRACES:
                return "a stack trace"
        if isinstance(part, ast.Name) and caught.get(part.id):
            return "the text of an exception of another layer"
        if isinstance(part, ast.Name) and part.id not in caught and hops > 0:
            for where, binding in bindings(frame, part):
                if isinstance(binding.node, ast.expr) and where.scope is frame.scope:
                    told = _told(reading, frame, binding.node, caught, hops - 1)
                    if told:
                        return told
    return ""


def _shown(sent: ast.expr) -> Iterator[ast.AST]:
    """The parts of an expression whose text is sent: no type names, codes or members of an exception."""
    waiting: list[ast.AST] = [sent]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.Call(func=ast.Name(id="str" | "repr" | "dict" | "list" | "format"), args=arguments):
                waiting += [*arguments, *node.keywords]
            case ast.Call(func=function, args=arguments, keywords=words):
                if last_name(function) in (*_SENDING, "format", "join", *_TRACES):
                    waiting += [*arguments, *words]
                if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Call | ast.JoinedStr):
                    waiting.append(function.value)
            case ast.Attribute(attr="args" | "message" | "orig" | "statement", value=value):
                waiting.append(value)
            case ast.Attribute() | ast.Lambda() | ast.Compare():
                pass
            case ast.IfExp(body=body, orelse=orelse):
                waiting += [body, orelse]
            case _:
                waiting.extend(ast.iter_child_nodes(node))


def _registered(reading: RuleInput, frame: Frame) -> dict[str, bool]:
    """The exception that a registered handler of every exception gets."""
    node = frame.scope.node
    outer = frame.scope.owner or frame.scope.parent
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or outer is None:
        return {}
    for name, call in decorators(node):
        registered = isinstance(name, ast.Attribute) and name.attr in ("exception_handler", "errorhandler")
        if registered and call is not None and call.args and node.args.args:
            status = constant(reading.modules, outer, call.args[0])
            return {node.args.args[-1].arg: status == 500 or _foreign(reading, Frame(outer), call.args[0])}
    return {}


def _foreign(reading: RuleInput, frame: Frame, kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    found = reading.modules.resolve(frame.scope, kind)
    if isinstance(found, Definition) or (isinstance(found, External) and found.last in _SAFE):
        return False
    return isinstance(found, External) and found.package in _LAYERS


def debug_modes(reading: RuleInput) -> Iterator[Hit]:
    """Applications that are made or started with debugging on, whatever their environment says."""
    for module in reading.modules.all:
        scope = reading.modules.scope(module)
        for node in ast.walk(module.tree):
            if _debugs(reading, Frame(scope), node):
                yield hit(Frame(scope), node, ALL_ROUTES, text("the application runs with ", UserText("debug"), " on"))


def _debugs(reading: RuleInput, frame: Frame, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=function):
            on = any(
                word.arg == "debug" and isinstance(word.value, ast.Constant) and word.value.value is True
                for word in node.keywords
            )
            made = reading.modules.resolve(frame.scope, function)
            if not on:
                return False
            if isinstance(function, ast.Attribute) and function.attr == "run":
                return _is_app(reading, frame, function.value)
            return isinstance(made, External) and made.last in _APPS
        case ast.Assign(targets=[ast.Attribute(value=holder, attr="debug")], value=ast.Constant(value=True)):
            return _is_app(reading, frame, holder)
        case ast.Assign(targets=[ast.Name(id="DEBUG")], value=ast.Constant(value=True)):
            names = reading.modules.scope(frame.scope.module).names
            return "INSTALLED_APPS" in names or "ROOT_URLCONF" in names or "MIDDLEWARE" in names
    return False


def _is_app(reading: RuleInput, frame: Frame, node: ast.expr) -> bool:
    found = reading.modules.class_of(reading.modules.resolve(frame.scope, node))
    return isinstance(found, External) and found.last in _APPS


# Lead rules about what the service tells, keeps in its source and leaves unchecked.


_SIGNED: Final = "Bk7q" + "Zt3vX9" + "mW2pLr8d"

SERVICE: Final = (
    LeadRule(
        id="secret-in-source",
        title="A secret is written in the source",
        area=Area.SECRETS,
        why="Whoever can read the source, its history or a build can read the secret.",
        attacker="can read the source, its history or what is built from it",
        impact="Whoever reads it may act as the service, until the secret is replaced.",
        verify="Ask the secret's owner whether it is in use, and have it replaced; nobody tries it.",
        brief="ask the secret's owner, have it replaced; nobody tries it",
        look=secrets_in_source,
        example=f"""
SESSION_SECRET = "{_SIGNED}"
""",
        counter_examples=(
            """
import os
SESSION_SECRET = os.environ["SESSION_SECRET"]
""",
            """
SESSION_SECRET = ""
PASSWORD_FIELD = "password"
""",
        ),
    ),
    LeadRule(
        id="internal-error-in-response",
        title="An answer holds what an internal error says",
        area=Area.ERROR_DISCLOSURE,
        why="Texts of other layers' exceptions name hosts, statements, paths and versions.",
        attacker="can send a request that fails",
        impact="A caller may learn about the inside of the service.",
        verify="In an isolated fixture, let the layer below fail with a synthetic mark in its text; the mark must not "
        "stand in the answer.",
        compensates=frozenset({"errors"}),
        brief="isolated fixture, a marked failure below: the mark is not in the answer",
        look=errors_sent,
        example="""
from fastapi import FastAPI, HTTPException
app = FastAPI()

@app.get("/orders")
def orders():
    try:
        return load()
    except Exception as error:
        raise HTTPException(500, detail=str(error))
""",
        counter_examples=(
            """
from fastapi import FastAPI, HTTPException
app = FastAPI()

class UnknownOrder(Exception):
    pass

@app.get("/orders")
def orders():
    try:
        return load()
    except UnknownOrder as error:
        raise HTTPException(404, detail=str(error))
    except Exception as error:
        log.exception("failed: %s", error)
        raise HTTPException(500, detail="internal error")
""",
        ),
    ),
    LeadRule(
        id="debug-mode-on",
        title="The application runs in debug mode whatever its environment says",
        area=Area.ERROR_DISCLOSURE,
        why="In debug mode frameworks answer with stack traces, and some with a console.",
        attacker="can send a request that fails",
        impact="A caller may learn about the inside of the service.",
        verify="Read what the deployment sets. In an isolated fixture started as in production, a failing request must "
        "answer without a stack trace.",
        compensates=frozenset({"errors"}),
        brief="isolated fixture as in production: a failing request shows no stack trace",
        look=debug_modes,
        example="""
from fastapi import FastAPI
app = FastAPI(debug=True)
""",
        counter_examples=(
            """
import os
from fastapi import FastAPI
app = FastAPI(debug=os.environ.get("DEBUG") == "1")
""",
        ),
    ),
    LeadRule(
        id="verification-disabled",
        title="A certificate, a signature or a token's claim is left unchecked",
        area=Area.AUTHENTICATION,
        why="What is not checked can come from anybody.",
        attacker="can send a token of own making, or stands between the service and another",
        impact="A caller may pass for somebody else, or read and change what two services exchange.",
        verify="In an isolated fixture, offer a synthetic token or certificate with a wrong signature; it must be "
        "refused.",
        brief="isolated fixture, a wrong signature: refused",
        look=verification_off,
        example="""
import jwt

def claims(token):
    return jwt.decode(token, options={"verify_signature": False})
""",
        counter_examples=(
            """
import jwt

def claims(token, keys):
    kid = jwt.decode(token, options={"verify_signature": False})["kid"]
    return jwt.decode(token, keys[kid], algorithms=["RS256"])
""",
            """
import requests

def fetch(url):
    return requests.get(url, verify="/etc/ssl/own.pem")
""",
            """
import jwt

def claims(token, key):
    try:
        return jwt.decode(token, key, algorithms=["RS256"])
    except jwt.ExpiredSignatureError:
        return renewed(jwt.decode(token, key, algorithms=["RS256"], options={"verify_exp": False}))
""",
            """
import base64
import json
from flask import Flask, request
from keys import signature_fits
app = Flask(__name__)

@app.get("/me")
def me():
    body, _, sign = request.cookies["session"].partition(".")
    if not signature_fits(body, sign):
        return "", 401
    return json.loads(base64.b64decode(body))
""",
        ),
    ),
    LeadRule(
        id="credentials-to-any-origin",
        title="Every site may act with the caller's credentials",
        area=Area.AUTHENTICATION,
        why="Browsers send credentials along where the service says that every origin may.",
        attacker="can have somebody who is signed in open a site of the attacker's",
        impact="Another site may act as its visitor.",
        verify="Read which origins are let in. In an isolated fixture, a request with another origin must get no "
        "cross-origin headers.",
        brief="isolated fixture, another origin: no cross-origin headers",
        look=credentials_to_any_origin,
        example="""
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True)
""",
        counter_examples=(
            """
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origins=["*"])
""",
        ),
    ),
)
"""Rules about the service itself."""
