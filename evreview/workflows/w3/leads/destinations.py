"""Values of the request that name a file, an address that the service calls, or where an answer sends its reader."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import last_name
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import ABSENT, Area
from evreview.evidence.element_mentions import CALLED
from evreview.workflows.w3.access_control.request_values import RequestSource, only_value
from evreview.workflows.w3.access_control.units import CodeUnit, Hit, LeadRule, RuleInput, hit
from evreview.workflows.w3.leads.input_checks import ValueUse, checked, host_checked, path_checked, use_of

_FILES: Final = frozenset(
    {"builtins.open", "io.open", "aiofiles.open", "os.open", "os.remove", "os.unlink", "os.rename", "os.replace",
     "os.rmdir", "os.listdir", "os.scandir", "os.makedirs", "shutil.copy", "shutil.copyfile", "shutil.copy2",
     "shutil.move", "shutil.rmtree", "flask.send_file", "fastapi.responses.FileResponse",
     "starlette.responses.FileResponse", "aiohttp.web.FileResponse", "zipfile.ZipFile", "tarfile.open"}
)  # fmt: skip
_OF_PATHS: Final = frozenset(
    {"read_text", "read_bytes", "write_text", "write_bytes", "open", "unlink", "rmdir", "iterdir", "mkdir", "rename",
     "replace", "touch"}
)  # fmt: skip
_VERBS: Final = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "request", "stream", "urlopen", "Request"}
)
_COPIES: Final = frozenset({"shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.move", "shutil.copytree"})
_CONNECTING: Final = frozenset({"socket.create_connection", "asyncio.open_connection"})
_CLIENTS: Final = ("requests", "httpx", "urllib", "aiohttp", "urllib3")
_REDIRECTS: Final = frozenset(
    {"flask.redirect", "django.shortcuts.redirect", "django.http.HttpResponseRedirect", "quart.redirect",
     "django.http.HttpResponsePermanentRedirect", "fastapi.responses.RedirectResponse",
     "starlette.responses.RedirectResponse", "aiohttp.web.HTTPFound", "aiohttp.web.HTTPSeeOther",
     "aiohttp.web.HTTPMovedPermanently", "aiohttp.web.HTTPTemporaryRedirect", "werkzeug.utils.redirect"}
)  # fmt: skip
_WHOLE: Final = re.compile(r"^https?://[^/{]+/|^/[^/\\]|^[?#]")
"""The start of a text that fixes where it leads."""
_OPEN: Final = re.compile(r"^(https?:)?(//?)?$")
_PLACE: Final = re.compile(r"[{%]")
_SEPARATED: Final[Text] = ("whether the path parameter can hold a step upwards in the way the service is deployed",)
_BESIDE: Final[Text] = ("whether a folder beside the one meant has a name that begins with its name",)
_NUMBERS: Final = 2

Sink = Callable[[RuleInput, Frame, ast.Call], ast.expr | None]
Look = Callable[[RuleInput, CodeUnit, ValueUse], frozenset[RequestSource]]


def files_from_request(reading: RuleInput) -> Iterator[Hit]:
    """Files that are opened by a name that the caller sends, where nothing looks at the name."""
    says = "a file is opened by a name that holds what the caller sends"
    sure = set[tuple[str, str, tuple[int, int]]]()
    for found, origin in _led(reading, _file, says, path_checked):
        sure.add((found.route, found.path, found.order))
        called = found.route.startswith(CALLED)  # nothing cuts an argument at `/`
        step = origin.place == "path" and not called and not _takes_steps(reading, origin.name)
        yield replace(found, lacks=_SEPARATED) if step else found
    for found, _ in _led(reading, _file, says, partial(path_checked, beside=False)):
        if (found.route, found.path, found.order) not in sure:
            yield replace(found, lacks=_BESIDE)


def addresses_from_request(reading: RuleInput) -> Iterator[Hit]:
    """Requests of the service to an address that the caller sends."""
    says = "the service calls an address that the caller sends"
    return (found for found, _ in _led(reading, _address, says, host_checked))


def redirects_from_request(reading: RuleInput) -> Iterator[Hit]:
    """Answers that send their reader where the caller says."""
    says = "the answer leads where the caller says"
    yield from (found for found, _ in _led(reading, _redirect, says, host_checked))
    for unit in reading.units:
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                given = _located(reading, frame, node)
                origin = _unchecked(reading, unit, frame, given, host_checked) if given is not None else None
                if origin is not None:
                    yield hit(frame, node, unit.route, text(says, " as ", UserText(origin.name or "a value")))


def _located(reading: RuleInput, frame: Frame, node: ast.AST) -> ast.expr | None:
    """What `response.headers["Location"]` is set to."""
    match node:
        case ast.Assign(targets=[ast.Subscript(value=held, slice=ast.Constant(value=str(name)))], value=value):
            of_headers = isinstance(held, ast.Attribute) and held.attr == "headers"
            if name.lower() == "location" and (of_headers or isinstance(held, ast.Name)):
                return _led_by(reading, frame, value)
    return None


def _led(reading: RuleInput, sink: Sink, says: str, look: Look = checked) -> Iterator[tuple[Hit, RequestSource]]:
    for unit, frame, call in reading.calls():
        given = sink(reading, frame, call)
        origin = _unchecked(reading, unit, frame, given, look) if given is not None else None
        if origin is not None:
            name = UserText(origin.name) if origin.name else ""
            yield hit(frame, call, unit.route, text(says, " as " if name else "", name)), origin


def _unchecked(reading: RuleInput, unit: CodeUnit, frame: Frame, given: ast.expr, look: Look) -> RequestSource | None:
    """The first value in an expression that no condition and no call looks at."""
    known = None
    for origin in reading.origins.of(frame, given):
        if origin.number or origin.place in ("address", "credential"):
            continue
        known = look(reading, unit, use_of(reading, frame, given)) if known is None else known
        if origin not in known and not _is_part_of(origin, known):
            return origin
    return None


def _is_part_of(origin: RequestSource, known: frozenset[RequestSource]) -> bool:
    """True for a member of what is looked at as a whole."""
    return any(one.place == origin.place and (not one.name or not origin.name) for one in known)


# Files


def _file(reading: RuleInput, frame: Frame, call: ast.Call) -> ast.expr | None:
    found = reading.modules.called(frame.scope, call)
    if isinstance(found, External) and found.name in _COPIES:
        return ast.copy_location(ast.Tuple(elts=call.args, ctx=ast.Load()), call) if call.args else None
    if isinstance(found, External) and found.name in _FILES:
        words = {word.arg: word.value for word in call.keywords}
        given = call.args[0] if call.args else words.get("path") or words.get("file") or words.get("path_or_file")
        return None if given is None or _is_content(reading, frame, given) else given
    if isinstance(call.func, ast.Attribute) and call.func.attr == "save" and call.args:
        held = reading.origins.of(frame, call.func.value)
        return call.args[0] if any(one.place == "form" for one in held) else None
    if (
        isinstance(call.func, ast.Attribute)
        and call.func.attr in _OF_PATHS
        and _is_path(reading, frame, call.func.value)
    ):
        return call.func.value
    return None


def _is_content(reading: RuleInput, frame: Frame, given: ast.expr) -> bool:
    """True for an open file or what stands in it: `part.file`, `io.BytesIO(data)`."""
    made = reading.modules.called(frame.scope, given) if isinstance(given, ast.Call) else None
    wrapped = isinstance(made, External) and made.name in ("io.BytesIO", "io.StringIO")
    return wrapped or (isinstance(given, ast.Attribute) and given.attr in ("file", "stream"))


def _is_path(reading: RuleInput, frame: Frame, node: ast.expr, hops: int = 4) -> bool:
    """True for what is made by `Path(…)`, or by `/`."""
    match node:
        case ast.BinOp(op=ast.Div()):
            return True
        case ast.Call(func=function):
            if last_name(function) in ("Path", "PurePath", "PosixPath"):
                return True
            if hops > 0 and any(_is_path(reading, at, value, hops - 1) for at, value in _answers(reading, frame, node)):
                return True
            inner = function.value if isinstance(function, ast.Attribute) else None
            return function.attr in ("resolve", "absolute", "joinpath") and _is_path(reading, frame, inner, hops) \
                if isinstance(function, ast.Attribute) and inner is not None else False  # fmt: skip
        case ast.Name() if hops > 0:
            value = only_value(frame, node)
            return value is not None and _is_path(reading, value[0], value[1], hops - 1)
    return False


def _answers(reading: RuleInput, frame: Frame, call: ast.expr) -> Iterator[tuple[Frame, ast.expr]]:
    """What the supplied function returns that is called."""
    called = reading.modules.called(frame.scope, call) if isinstance(call, ast.Call) else None
    scope = reading.modules.body(called) if isinstance(called, Definition) else None
    if scope is not None and scope.kind == "function":
        for one in reading.nodes(scope.node):
            if isinstance(one, ast.Return) and one.value is not None:
                yield Frame(scope), one.value


def _takes_steps(reading: RuleInput, name: str) -> bool:
    """True where a route takes several steps for one parameter: `{name:path}`, `<path:name>`, `(?P<name>.*)`."""
    wide = re.compile(
        rf"\{{{re.escape(name)}:(path|[^}}]*[.*+])|<path:{re.escape(name)}>|\?P<{re.escape(name)}>(\.|\[\^)"
    )
    return any(wide.search(source.text) for source in reading.sources)


# Addresses


def _address(reading: RuleInput, frame: Frame, call: ast.Call) -> ast.expr | None:
    name = last_name(call.func)
    found = reading.modules.called(frame.scope, call)
    if isinstance(found, External) and found.name in _CONNECTING and call.args:
        return call.args[0]
    if name not in _VERBS:
        return None
    if isinstance(found, External) and found.package in _CLIENTS:
        pass
    elif not _is_client(reading, frame, call.func):
        return None
    words = {word.arg: word.value for word in call.keywords}
    place = 1 if name in ("request", "stream") and len(call.args) >= _NUMBERS else 0
    given = words.get("url") or (call.args[place] if len(call.args) > place else None)
    return _led_by(reading, frame, given)


def _is_client(reading: RuleInput, frame: Frame, function: ast.expr) -> bool:
    """True for a method of what `requests.Session()`, `httpx.AsyncClient()` or `ClientSession()` made."""
    held = function.value if isinstance(function, ast.Attribute) else None
    if isinstance(held, ast.Name):
        known = only_value(frame, held)
        made = known[1] if known is not None else _entered(frame, held)
    else:
        made = held
    found = reading.modules.called(frame.scope, made) if isinstance(made, ast.Call) else None
    return isinstance(found, External) and found.package in _CLIENTS


def _entered(frame: Frame, name: ast.Name) -> ast.expr | None:
    """What `with … as name` enters."""
    for binding in frame.scope.names.get(name.id, []):
        if isinstance(binding.statement, ast.With | ast.AsyncWith):
            for item in binding.statement.items:
                if isinstance(item.optional_vars, ast.Name) and item.optional_vars.id == name.id:
                    return item.context_expr
    return None


def _redirect(reading: RuleInput, frame: Frame, call: ast.Call) -> ast.expr | None:
    for word in call.keywords:
        if word.arg == "headers" and isinstance(word.value, ast.Dict):
            located = zip(word.value.keys, word.value.values, strict=True)
            told = [
                value
                for key, value in located
                if isinstance(key, ast.Constant) and str(key.value).lower() == "location"
            ]
            if told:
                return _led_by(reading, frame, told[0])
    found = reading.modules.called(frame.scope, call)
    own = isinstance(found, External) and found.package == "tornado" and found.last == "redirect"
    if not isinstance(found, External) or not (own or found.name in _REDIRECTS):
        return None
    words = {word.arg: word.value for word in call.keywords}
    return _led_by(reading, frame, call.args[0] if call.args else words.get("url") or words.get("location"))


def _led_by(reading: RuleInput, frame: Frame, given: ast.expr | None) -> ast.expr | None:
    """The expression, where what the caller sends decides where it leads; None where its start fixes that."""
    if given is None:
        return None
    where, inner = frame, given
    while isinstance(inner, ast.Name) and (known := only_value(where, inner)) is not None:
        where, inner = known
    first = _start(inner)
    if _is_stripped(inner):
        return None
    told = constant(reading.modules, where.scope, first) if first is not None else None
    if isinstance(told, str) and told is not ABSENT:
        fixed = told if first is inner else _PLACE.split(told)[0]
        return None if _WHOLE.search(told) or not _OPEN.search(fixed) else given
    if first is not None and first is not inner and not reading.origins.of(where, first):
        return None
    return given


def _is_stripped(node: ast.expr) -> bool:
    """True for `"/" + name.lstrip("/\\")`: one slash stands in front, whatever is sent."""
    match node:
        case ast.BinOp(left=ast.Constant(value="/"), op=ast.Add(), right=right):
            match right:
                case ast.Call(func=ast.Attribute(attr="lstrip"), args=[ast.Constant(value=str(signs))]):
                    return "/" in signs
    return False


def _start(node: ast.expr) -> ast.expr | None:
    """The part with which a text begins."""
    match node:
        case ast.JoinedStr(values=[first, *_]):
            return first.value if isinstance(first, ast.FormattedValue) else first
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod()):
            return _start(left)
        case ast.Call(func=ast.Attribute(value=ast.Constant() as text_of, attr="format")):
            return text_of
        case ast.Call(func=ast.Attribute(attr="join"), args=[ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_])]):
            return _start(first)
        case ast.Call(func=function) if last_name(function) == "urljoin":
            return None  # what is joined may name another host
    return node


# Lead rules about values of the request that name a place: a file, an address, where an answer leads.


_FAST: Final = """
from pathlib import Path
from urllib.parse import urlparse
import httpx
from fastapi import FastAPI, HTTPException
from fastapi.responses import FileResponse, RedirectResponse
app = FastAPI()
"""

PLACES: Final = (
    LeadRule(
        id="file-by-request",
        title="A file is opened by a name that the caller sends",
        area=Area.INPUT_HANDLING,
        why="A name with steps upwards, or an absolute one, leads out of the folder that is meant.",
        attacker="can send a value of own choice",
        impact="A caller may read or change other files than those that are meant.",
        verify="Read what is done with the name before the file is opened. In an isolated fixture, a name with a step "
        "upwards to a synthetic file beside the folder must be refused.",
        brief="isolated fixture: a name with a step upwards to a synthetic file is refused",
        look=files_from_request,
        example=_FAST
        + """
@app.get("/reports")
def report(name: str):
    return FileResponse(Path("/srv/reports") / name)
""",
        counter_examples=(
            _FAST
            + """
@app.get("/reports")
def report(name: str):
    place = (ROOT / name).resolve()
    if not place.is_relative_to(ROOT):
        raise HTTPException(404)
    return FileResponse(place)
""",
            _FAST
            + """
@app.get("/reports")
def report(name: str):
    return FileResponse(ROOT / Path(name).name)
""",
            """
from flask import Flask, request, send_from_directory
from werkzeug.utils import secure_filename
app = Flask(__name__)

@app.get("/reports")
def report():
    return send_from_directory("reports", request.args["name"])

@app.post("/reports")
def store():
    sent = request.files["report"]
    with open("/srv/" + secure_filename(sent.filename), "wb") as out:
        out.write(sent.read())
""",
            _FAST
            + """
NAMES = {"day", "week"}

@app.get("/reports")
def report(name: str):
    if name not in NAMES:
        raise HTTPException(404)
    return FileResponse(f"/srv/{name}.pdf")
""",
        ),
    ),
    LeadRule(
        id="address-by-request",
        title="The service calls an address that the caller sends",
        area=Area.INPUT_HANDLING,
        why="The service stands where callers do not: it reaches its own network.",
        attacker="can send a value of own choice",
        impact="A caller may have the service call what only the service reaches.",
        verify="Read which hosts are let through. In an isolated fixture, an address of a second synthetic server that "
        "is not listed must not be called.",
        brief="isolated fixture: a second synthetic server that is not listed is not called",
        look=addresses_from_request,
        example=_FAST
        + """
@app.get("/preview")
def preview(url: str):
    return httpx.get(url).text
""",
        counter_examples=(
            _FAST
            + """
@app.get("/preview")
def preview(url: str):
    if urlparse(url).hostname not in HOSTS:
        raise HTTPException(400)
    return httpx.get(url).text
""",
            _FAST
            + """
@app.get("/rates")
def rates(currency: str):
    return httpx.get(f"https://rates.example.com/v1/{currency}", params={"of": currency}).json()
""",
            _FAST
            + """
@app.get("/partners/{name}")
def partner(name: str):
    return httpx.get(ADDRESSES[name]).json()
""",
        ),
    ),
    LeadRule(
        id="redirect-by-request",
        title="An answer sends its reader where the caller says",
        area=Area.INPUT_HANDLING,
        why="A link to the service that ends elsewhere lends its name to the other site.",
        attacker="can have somebody open a link to the service",
        impact="A reader of the service may end on another site without noticing.",
        verify="Read which addresses are let through. In an isolated fixture, an address of another synthetic host "
        "must not stand in the answer's location.",
        brief="isolated fixture: an address of another host does not stand in the location",
        look=redirects_from_request,
        example=_FAST
        + """
@app.get("/leave")
def leave(next: str = "/"):
    return RedirectResponse(next)
""",
        counter_examples=(
            _FAST
            + """
@app.get("/leave")
def leave(page: str = "start"):
    return RedirectResponse(f"/pages/{page}")
""",
            """
from django.shortcuts import redirect
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme

def leave(request):
    where = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(where, allowed_hosts={request.get_host()}):
        where = "/"
    return redirect(where)

urlpatterns = [path("leave/", leave)]
""",
            """
from flask import Flask, redirect, request, url_for
app = Flask(__name__)

@app.get("/leave")
def leave():
    return redirect(url_for("page", name=request.args["name"]))
""",
        ),
    ),
)
"""Rules about places that the caller names."""
