"""Methods of a view that replace what its attributes say, and classes that change the media types of all answers."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Final, Literal

from evreview.codefacts.django.defaults import Defaults
from evreview.codefacts.handlers import Found
from evreview.codefacts.model import Spot, UnreadCode
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition, External

What = Literal["callers", "answers", "values", "media"]
METHODS: Final[dict[str, tuple[What, ...]]] = {
    "get_permissions": ("callers",), "check_permissions": ("callers",), "get_authenticators": ("callers",),
    "perform_authentication": ("callers",), "permission_denied": ("callers",), "initial": ("callers", "answers"),
    "dispatch": ("callers", "answers"), "initialize_request": ("callers",), "finalize_response": ("answers",),
    "handle_exception": ("answers",), "get_serializer_class": ("values",), "get_serializer": ("values",),
    "get_renderers": ("media",), "get_content_negotiator": ("media",), "get_parsers": (),
}  # fmt: skip
"""What each method decides of every request, whatever the attributes of the view say."""
RENDERERS: Final = frozenset({"JSONRenderer", "BrowsableAPIRenderer"})
PARSERS: Final = frozenset({"JSONParser", "FormParser", "MultiPartParser"})
_REFUSALS: Final = (401, 403, None)
_ADVICE: Final = "Declare with quotes what holds."


def take_overridden(modules: Modules, view: Definition, found: Found) -> tuple[UnreadCode, ...]:
    """Names the methods that the view overrides; what they decide counts as open. Those that may change statuses."""
    rewritten: list[UnreadCode] = []
    for name, decides in METHODS.items() if isinstance(view.node, ast.ClassDef) else ():
        method = modules.member(view, name)
        if not isinstance(method, Definition) or _hands_on(method.node, name):
            continue
        spot = method.scope.spot(method.node)
        unread = UnreadCode(spot, f"the method `{name}`, which decides instead of the view's attributes", _ADVICE)
        found.unread.append(unread)
        if "callers" in decides:
            _callers(found, spot)
        if "answers" in decides:
            rewritten.append(unread)
        if "values" in decides:
            _values(found)
        if "media" in decides:
            _media(found)
    return tuple(rewritten)


def _hands_on(method: ast.AST, name: str) -> bool:
    """True for a method that only calls the one that it overrides: `return super().dispatch(request)`."""
    body = [one for one in getattr(method, "body", []) if not _says_nothing(one)]
    match body:
        case [ast.Return(value=ast.Call(func=ast.Attribute(value=ast.Call() as above, attr=called)))]:
            return called == name and ast.unparse(above) == "super()"
    return False


def _says_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _callers(found: Found, spot: Spot) -> None:
    """What the method decides is open, but for the guards that are the method itself or stand around it."""
    found.public = None
    found.guards[:] = [
        one if _within(one.spot, spot) else replace(one, unless=(*one.unless, spot)) for one in found.guards
    ]
    found.responses[:] = [one for one in found.responses if one.how != "framework" or one.status not in _REFUSALS]


def _within(one: Spot, other: Spot) -> bool:
    return one.item == other.item and other.first <= one.first and one.last <= other.last


def _values(found: Found) -> None:
    if found.body is not None:
        found.body = replace(found.body, schema={}, exact=False, models=())
    found.responses[:] = [replace(one, schema=None, exact=False) if one.models else one for one in found.responses]


def _media(found: Found) -> None:
    found.responses[:] = [replace(one, media_type="") for one in found.responses]


def take_media(defaults: Defaults, view: Definition, found: Found) -> None:
    """Names renderers and parsers that are not the framework's own for JSON; media types are open then."""
    for word, setting, known in (
        ("renderer", "DEFAULT_RENDERER_CLASSES", RENDERERS),
        ("parser", "DEFAULT_PARSER_CLASSES", PARSERS),
    ):
        stated = defaults.classes(view, f"{word}_classes", setting)
        for name, cls in stated[1] if stated is not None else []:
            if not isinstance(cls, External) or cls.package != "rest_framework" or cls.last not in known:
                spot = stated[0] if stated is not None else view.scope.spot(view.node)
                found.unread.append(UnreadCode(spot, f"the {word} `{name}`, which is not read", _ADVICE))
                if word == "renderer":
                    _media(found)
