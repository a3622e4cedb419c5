"""Values of the request that become part of a page as they were sent."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import External
from evreview.core.quoted_text import Subject, Text, text
from evreview.security.leads.bindings import only_value
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading, Unit
from evreview.workflows.w3.step4_leads.input_checks import checked

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


def markup_from_request(reading: Reading) -> Iterator[Hit]:
    """Pages that are put together from what the caller sends, and values that are called safe unseen."""
    for unit, frame, call in reading.calls():
        given = _page(reading, frame, call)
        if given is not None and _sent(reading, unit, frame, given):
            yield hit(frame, call, unit.route, _says(reading, frame, given))
    yield from _returned(reading)
    yield from _unescaped(reading)


def _page(reading: Reading, frame: Frame, call: ast.Call) -> ast.expr | None:
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


def _has_tags(reading: Reading, frame: Frame, given: ast.expr | None) -> bool:
    """True for a text with parts that vary and with a tag in a constant part."""
    where, inner = frame, given
    while isinstance(inner, ast.Name) and (known := only_value(where, inner)) is not None:
        where, inner = known
    if not isinstance(inner, ast.JoinedStr | ast.BinOp | ast.Call):
        return False
    parts = [one for one in ast.walk(inner) if isinstance(one, ast.Constant | ast.Name)]
    told = [constant(reading.modules, where.scope, one) for one in parts]
    return any(isinstance(one, str) and _TAG.search(one) for one in told)


def _sent(reading: Reading, unit: Unit, frame: Frame, given: ast.expr) -> bool:
    found = [one for one in reading.origins.of(frame, given) if not one.number and one.place != "credential"]
    known = checked(reading, unit) if found else frozenset()
    return any(one not in known for one in found)


def _says(reading: Reading, frame: Frame, given: ast.expr) -> Text:
    names = [one.name for one in reading.origins.of(frame, given) if one.name and not one.number]
    return text("a page holds what the caller sends", " as " if names else "", Subject(names[0]) if names else "")


def _returned(reading: Reading) -> Iterator[Hit]:
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


def _unescaped(reading: Reading) -> Iterator[Hit]:
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
                found = hit(frame, node, ALL_ROUTES, text("templates are made with ", Subject("autoescape"), " off"))
                yield replace(found, lacks=_PRINTED)
