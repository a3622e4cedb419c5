"""Stored records that take every member that a body names, where nothing shows which members that may be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import last_name
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.access_words import says
from evreview.workflows.w3.access_control.request_values import only_value
from evreview.workflows.w3.access_control.units import ALL_ROUTES, CodeUnit, Hit, LeadRule, RuleInput, hit
from evreview.workflows.w3.leads.input_checks import checked
from evreview.workflows.w3.leads.mass_assignment import (
    holds_rights,
    is_asked,
    is_raw,
    keys_refused,
    lets_through,
    mass_assignments,
    models,
    set_member,
    unread_between,
    updated,
    walk_of,
    walked_freely,
)
from evreview.workflows.w3.leads.writable_fields import every_member

_BASES: Final = frozenset({"Model", "Base", "DeclarativeBase", "Document", "SQLModel", "MappedAsDataclass", "db.Model"})
_SPREAD: Final = frozenset({"create", "update", "get_or_create", "update_or_create", "values", "insert", "filter_by"})
_WHOLE: Final = frozenset(
    {"insert_one", "insert", "replace_one", "update_one", "save", "update", "values", "from_dict"}
)
_STORES: Final = frozenset({"update_one", "insert_one", "replace_one", "values", "from_dict"})
_FINDING: Final = frozenset(
    {"get", "filter", "filter_by", "where", "first", "one", "find", "find_one", "load", "setdefault"}
)
_PICKED: Final[Text] = ("a stored record takes what code that was not read lets through of the body",)
_MEMBERS: Final[Text] = ("which members the stored record has, and which of them only the service may set",)


def members_taken(reading: RuleInput) -> Iterator[Hit]:
    """One hit per record that takes the body as it was sent; what holds a right by its name is told elsewhere."""
    told = {(one.path, one.order) for one in mass_assignments(reading)}
    for unit in reading.units:
        if unit.facts is None or models(reading, unit) or keys_refused(reading, unit):
            continue
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                if (through := _through(reading, frame, node)) is not None:
                    yield replace(hit(frame, node, unit.route, text(*_PICKED)), lacks=lets_through(through))
                    continue
                record = _record(reading, frame, node)
                if record is not None:
                    says = text(UserText(ast.unparse(record)[:100]), " takes every member that the caller names")
                    found = hit(frame, node, unit.route, says)
                    if (found.path, found.order) not in told:
                        yield replace(found, lacks=_MEMBERS)
    for route, scope, node, model in every_member(reading):
        says = text("the serializer of ", UserText(model), " takes every member")
        yield replace(hit(Frame(scope), node, route, says), lacks=_MEMBERS)


def _through(reading: RuleInput, frame: Frame, node: ast.AST) -> str | None:
    """The unread function whose outcome for the body a stored record takes as a whole."""
    match node:
        case ast.Call(func=function, keywords=words, args=args):
            key = set_member(node)
            walk = walk_of(reading, frame, key) if key is not None else None
            if walk is not None and not is_asked(reading, walk):
                return unread_between(reading, walk.frame, walk.loop.iter) or None
            spread = [word.value for word in words if word.arg is None]
            stored = [] if last_name(function) not in _STORES else [_set_in(one) for one in args]
            record = _is_record(reading, frame, function) or holds_rights(reading, frame, function)
            given = [*stored, *(spread if record or last_name(function) in _SPREAD - {"update"} else [])]
            return next((name for one in given if (name := unread_between(reading, frame, one))), None)
    return None


def _record(reading: RuleInput, frame: Frame, node: ast.AST) -> ast.expr | None:
    """What takes the members: a call, or a record in `row |= body`, `ROWS[n] = {**ROWS[n], **body}`, `row[key] = …`."""
    match node:
        case ast.Call(func=function):
            return function if _takes(reading, frame, node) else None
        case ast.AugAssign(target=target, op=ast.BitOr(), value=value):
            return target if _is_stored(frame, target) and is_raw(reading, frame, value) else None
        case ast.Assign(targets=[ast.Subscript() as target], value=ast.Dict(keys=keys, values=values)):
            merged = [value for key, value in zip(keys, values, strict=True) if key is None]
            return target if len(merged) > 1 and any(is_raw(reading, frame, one) for one in merged) else None
        case ast.Assign(targets=[ast.Subscript(value=held, slice=ast.Name() as key)]) if _is_stored(frame, held):
            return held if walked_freely(reading, frame, key) else None
    return None


def _takes(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
    name = last_name(call.func)
    spread = [word.value for word in call.keywords if word.arg is None]
    if spread and (name in _SPREAD or _is_record(reading, frame, call.func)):
        stored = name != "update" or not isinstance(call.func, ast.Attribute) or not _is_made(frame, call.func.value)
        return stored and any(is_raw(reading, frame, one) for one in spread)
    if isinstance(call.func, ast.Attribute) and name in ("model_copy", "copy") and _is_stored(frame, call.func.value):
        return any(is_raw(reading, frame, one) for one in updated(call))
    if name not in _WHOLE or not isinstance(call.func, ast.Attribute) or not call.args:
        return False
    if name not in _STORES and not _is_stored(frame, call.func.value):
        return False
    return any(is_raw(reading, frame, _set_in(one)) for one in call.args)


def _set_in(given: ast.expr) -> ast.expr:
    """`body` of `{"$set": body}`."""
    match given:
        case ast.Dict(keys=[ast.Constant(value="$set")], values=[value]):
            return value
    return given


def _is_record(reading: RuleInput, frame: Frame, function: ast.expr) -> bool:
    """True for a supplied class that is a table, and for `Model.objects.create`."""
    found = reading.modules.resolve(frame.scope, function)
    if not isinstance(found, Definition) or not isinstance(found.node, ast.ClassDef):
        return False
    bases = [ast.unparse(base) for base in found.node.bases]
    return any(one in _BASES or one.rpartition(".")[2] in _BASES for one in bases) or any(
        isinstance(base, External) and base.last in _BASES for base in reading.modules.ancestry(found)
    )


def _is_made(frame: Frame, held: ast.expr) -> bool:
    """True for a dictionary that the function makes."""
    known = only_value(frame, held) if isinstance(held, ast.Name) else None
    return known is not None and known[0].scope is frame.scope and isinstance(known[1], ast.Dict)


def _is_stored(frame: Frame, held: ast.expr) -> bool:
    """True for what was looked up or asked for: `ITEMS[number]`, `query.filter(…)`; not for a dictionary made here."""
    if isinstance(held, ast.Name):
        known = only_value(frame, held)
        held = known[1] if known is not None and known[0].scope is frame.scope else held
    match held:
        case ast.Subscript():
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _FINDING
    return False


# Passwords that are kept or compared as a hash that is quick to try.


_QUICK: Final = frozenset({"md4", "md5", "sha", "sha1", "ripemd160"})
_HASHERS: Final = ("MD5PasswordHasher", "UnsaltedMD5PasswordHasher", "SHA1PasswordHasher", "UnsaltedSHA1PasswordHasher")
_SETTING: Final = "PASSWORD_HASHERS"
_PASSWORDS: Final = frozenset({"password", "passwd", "pwd", "passphrase", "passcode", "pw"})
_ELSEWHERE: Final = frozenset({"pwned", "breach", "leaked", "hibp"})
_READERS: Final[Text] = ("who can read the stored hashes",)


def quick_password_hashes(reading: RuleInput) -> Iterator[Hit]:
    """One hit per quick hash of what is named as a password, and per setting whose first hasher is one."""
    for unit in reading.units:
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                if isinstance(node, ast.Call) and _is_quick(reading, frame, node) and _of_password(frame, node):
                    yield _hit(frame, node, unit.route)
    for scope, statement in reading.modules.statements():
        first = _first_hasher(statement)
        if first is not None and str(constant(reading.modules, scope, first)).rpartition(".")[2] in _HASHERS:
            yield _hit(Frame(scope), statement, "")


def _first_hasher(statement: ast.stmt) -> ast.expr | None:
    """The first of `PASSWORD_HASHERS = […]`, with which Django hashes."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_])):
            return first if name == _SETTING else None
    return None


def _hit(frame: Frame, node: ast.AST, route: str) -> Hit:
    return replace(hit(frame, node, route, text("a password is hashed with a quick hash")), lacks=_READERS)


def _is_quick(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
    found = reading.modules.called(frame.scope, call)
    if not isinstance(found, External) or found.package not in ("hashlib", "Crypto", "Cryptodome"):
        return False
    if found.name == "hashlib.new" and call.args:
        kind = constant(reading.modules, frame.scope, call.args[0])
        return isinstance(kind, str) and kind.lower().replace("-", "") in _QUICK
    return bool(_QUICK.intersection(part.lower() for part in found.name.split(".")))


def _of_password(frame: Frame, call: ast.Call) -> bool:
    """True where a name below the arguments is a password's, and none says that leaked ones are asked for."""
    names = [part.id for one in call.args for part in ast.walk(one) if isinstance(part, ast.Name)]
    names += [part.attr for one in call.args for part in ast.walk(one) if isinstance(part, ast.Attribute)]
    keys = [part.value for one in call.args for part in ast.walk(one) if isinstance(part, ast.Constant)]
    names += [one for one in keys if isinstance(one, str) and one.isidentifier()]
    told = {node.attr for node in ast.walk(frame.scope.node) if isinstance(node, ast.Attribute)}
    texts = [node.value for node in ast.walk(frame.scope.node) if isinstance(node, ast.Constant)]
    asked = " ".join([frame.scope.qualname, *told, *(one for one in texts if isinstance(one, str))]).lower()
    return any(says(name, _PASSWORDS) for name in names) and not any(word in asked for word in _ELSEWHERE)


# Values of the request that become part of a page as they were sent.


_TRUSTED: Final = frozenset(
    {"markupsafe.Markup", "flask.Markup", "django.utils.safestring.mark_safe", "django.utils.safestring.SafeString",
     "jinja2.Markup", "django.utils.html.format_html"}
)  # fmt: skip
_PAGES: Final = frozenset(
    {"fastapi.responses.HTMLResponse", "starlette.responses.HTMLResponse", "django.http.HttpResponse",
     "django.http.response.HttpResponse", "flask.make_response"}
)  # fmt: skip
_TYPED: Final = frozenset(
    {"fastapi.Response", "fastapi.responses.Response", "starlette.responses.Response", "flask.Response",
     "aiohttp.web.Response", "quart.Response", "werkzeug.wrappers.Response"}
)  # fmt: skip
_TYPE: Final = ("content_type", "media_type", "mimetype")
_TAG: Final = re.compile(r"<[a-zA-Z!/][^>]*")
_PRINTED: Final[Text] = ("whether one of its templates prints a value of the caller's into a page",)


def markup_from_request(reading: RuleInput) -> Iterator[Hit]:
    """Pages that are put together from what the caller sends, and values that are called safe unseen."""
    for unit, frame, call in reading.calls():
        given = _page(reading, frame, call)
        if given is not None and _sent(reading, unit, frame, given):
            yield hit(frame, call, unit.route, _says(reading, frame, given))
    yield from _returned(reading)
    yield from _unescaped(reading)


def _page(reading: RuleInput, frame: Frame, call: ast.Call) -> ast.expr | None:
    """What a call makes a page of, or calls safe."""
    found = reading.modules.called(frame.scope, call)
    if not isinstance(found, External):
        return None
    words = {word.arg: word.value for word in call.keywords}
    given = call.args[0] if call.args else words.get("content") or words.get("text") or words.get("body")
    if found.name in _TRUSTED:
        return given
    if found.package == "tornado" and found.last in ("write", "finish"):
        return given if _has_tags(reading, frame, given) else None
    types = [constant(reading.modules, frame.scope, words[name]) for name in _TYPE if name in words]
    typed = any(isinstance(one, str) and one.startswith("text/html") for one in types)
    if (found.name in _TYPED and typed) or (found.name in _PAGES and (typed or not types)):
        return given if _has_tags(reading, frame, given) else None
    return None


def _has_tags(reading: RuleInput, frame: Frame, given: ast.expr | None) -> bool:
    """True for a text with parts that vary and with a tag in a constant part."""
    where, inner = frame, given
    while isinstance(inner, ast.Name) and (known := only_value(where, inner)) is not None:
        where, inner = known
    if not isinstance(inner, ast.JoinedStr | ast.BinOp | ast.Call):
        return False
    parts = [one for one in ast.walk(inner) if isinstance(one, ast.Constant | ast.Name)]
    told = [constant(reading.modules, where.scope, one) for one in parts]
    return any(isinstance(one, str) and _TAG.search(one) for one in told)


def _sent(reading: RuleInput, unit: CodeUnit, frame: Frame, given: ast.expr) -> bool:
    found = [one for one in reading.origins.of(frame, given) if not one.number and one.place != "credential"]
    known = checked(reading, unit) if found else frozenset()
    return any(one not in known for one in found)


def _says(reading: RuleInput, frame: Frame, given: ast.expr) -> Text:
    names = [one.name for one in reading.origins.of(frame, given) if one.name and not one.number]
    return text("a page holds what the caller sends", " as " if names else "", UserText(names[0]) if names else "")


def _returned(reading: RuleInput) -> Iterator[Hit]:
    """Texts with tags that a handler of Flask returns: Flask takes them for pages."""
    for unit in reading.units:
        handler = reading.handlers.get(unit.route)
        if unit.facts is None or unit.facts.framework != "flask" or handler is None:
            continue
        if handler.node is not unit.function.node:
            continue
        for frame in unit.frames[:1]:
            for node in reading.nodes(frame.scope.node):
                given = node.value if isinstance(node, ast.Return) else None
                if isinstance(given, ast.Tuple) and given.elts:
                    given = given.elts[0]
                if given is None or (isinstance(given, ast.Call) and not isinstance(given.func, ast.Attribute)):
                    continue
                if _has_tags(reading, frame, given) and _sent(reading, unit, frame, given):
                    yield hit(frame, node, unit.route, _says(reading, frame, given))


def _unescaped(reading: RuleInput) -> Iterator[Hit]:
    """Environments of templates whose escaping is switched off."""
    for module in reading.modules.all:
        frame = Frame(reading.modules.scope(module))
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call):
                continue
            made = reading.modules.called(frame.scope, node)
            named = isinstance(made, External) and made.package == "jinja2" and made.last == "Environment"
            off = any(
                word.arg == "autoescape" and isinstance(word.value, ast.Constant) and word.value.value is False
                for word in node.keywords
            )
            if named and off:
                found = hit(frame, node, ALL_ROUTES, text("templates are made with ", UserText("autoescape"), " off"))
                yield replace(found, lacks=_PRINTED)


# Lead rules about what is made of values of the request: a page, a stored record, a hash.


_FLASK: Final = """
import hashlib
from flask import Flask, render_template, request
from markupsafe import Markup, escape
app = Flask(__name__)
"""
_NOTES: Final = """
from flask import Flask, request
from flask_sqlalchemy import SQLAlchemy
app = Flask(__name__)
db = SQLAlchemy(app)

class Note(db.Model):
    title = db.Column(db.String)
    state = db.Column(db.String)
"""

KEPT: Final = (
    LeadRule(
        id="markup-by-string",
        title="A page is put together from what the caller sends",
        area=Area.INPUT_HANDLING,
        why="A value that becomes part of a page as it was sent can bring its own script.",
        attacker="can have somebody open a link to the service, or stores a value that others see",
        impact="A reader of the page may act as the attacker wants.",
        verify="Read that the value is escaped on its way. In an isolated fixture, a value with an angle bracket must "
        "be printed as it stands.",
        brief="isolated fixture: a value with an angle bracket is printed as it stands",
        look=markup_from_request,
        example=_FLASK
        + """
@app.get("/hello")
def hello():
    return f"<h1>Hello {request.args['name']}</h1>"
""",
        counter_examples=(
            _FLASK
            + """
@app.get("/hello")
def hello():
    return f"<h1>Hello {escape(request.args['name'])}</h1>"
""",
            _FLASK
            + """
@app.get("/hello")
def hello():
    return render_template("hello.html", name=request.args["name"])
""",
            _FLASK
            + """
@app.get("/hello")
def hello():
    return Markup("<h1>{}</h1>").format(request.args["name"])
""",
            """
from django.http import HttpResponse
from django.urls import path
from django.utils.html import format_html

def hello(request):
    return HttpResponse(format_html("<h1>{}</h1>", request.GET["name"]))

urlpatterns = [path("hello/", hello)]
""",
        ),
    ),
    LeadRule(
        id="every-member-from-request",
        title="A stored record takes every member that the caller names",
        area=Area.INPUT_HANDLING,
        why="A record often has members that only the service should set, or gets one later.",
        attacker="can send a request with members of own choice",
        impact="A caller may set what only the service should.",
        verify="Read which members the record has. In an isolated fixture, a member that no form shows must not be "
        "stored.",
        brief="isolated fixture: a member that no form shows is not stored",
        look=members_taken,
        example=_NOTES
        + """

@app.post("/notes")
def create():
    db.session.add(Note(**request.get_json()))
    return {}, 201
""",
        counter_examples=(
            _NOTES
            + """

@app.post("/notes")
def create():
    sent = request.get_json()
    db.session.add(Note(title=sent["title"]))
    return {}, 201
""",
            """
from fastapi import FastAPI
from pydantic import BaseModel
app = FastAPI()

class NewNote(BaseModel):
    title: str

@app.post("/notes")
def create(new: NewNote):
    NOTES.insert_one(new.model_dump())
    return {}
""",
            """
from flask import Flask, request
app = Flask(__name__)

@app.get("/notes")
def notes():
    given = {"limit": 20}
    given.update(request.get_json())
    return search(**given)
""",
        ),
    ),
    LeadRule(
        id="quick-password-hash",
        title="A password is hashed in a way that is quick to try",
        area=Area.AUTHENTICATION,
        why="Whoever gets hold of such hashes can try many passwords in a short time.",
        attacker="can read the stored hashes",
        impact="Whoever reads the stored hashes may find passwords, and act as their owners.",
        verify="Read with which function passwords are hashed, and how stored ones are renewed; nobody tries one.",
        brief="read which function hashes, and how stored ones are renewed; nobody tries one",
        look=quick_password_hashes,
        example=_FLASK
        + """
@app.post("/accounts")
def create():
    password = request.form["password"]
    ACCOUNTS[request.form["name"]] = hashlib.md5(password.encode()).hexdigest()
    return {}, 201
""",
        counter_examples=(
            _FLASK
            + """
@app.post("/files")
def store():
    return {"etag": hashlib.md5(request.get_data()).hexdigest()}
""",
            _FLASK
            + """
@app.post("/accounts")
def create():
    ACCOUNTS[request.form["name"]] = hashlib.scrypt(request.form["password"].encode(), salt=SALT, n=2**14, r=8, p=1)
    return {}, 201
""",
            _FLASK
            + """
def is_leaked(password):
    start = hashlib.sha1(password.encode()).hexdigest()[:5]
    return start in fetch("https://api.pwnedpasswords.com/range/" + start)
""",
        ),
    ),
)
"""Rules about what becomes of values."""
