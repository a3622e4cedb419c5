"""Django and REST framework routes of the supplied files, with what their views show."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Final, Literal

from evreview.codefacts.calls import branches_by_method, decorators, keyword, returned, value_at
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Event, Frame, events_of
from evreview.codefacts.django.bodies import JSON, DjangoDialect, serializer_at
from evreview.codefacts.django.defaults import Defaults
from evreview.codefacts.django.routes import REST, DjangoOperation, Urls, Views, method_decorators, own_dispatch, runs
from evreview.codefacts.guards.denials import asked
from evreview.codefacts.handlers import (
    BRANCHES,
    RouteFacts,
    Written,
    read_decorator,
    read_decorators,
    read_gate,
    read_handler,
    with_found,
)
from evreview.codefacts.middleware import around
from evreview.codefacts.model import CodeBody, CodeFacts, CodeResponse, Guard, Route, Spot, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import last_name
from evreview.codefacts.names import Definition, External, Modules
from evreview.codefacts.schema_reading import SerializerSchema
from evreview.core.vocabulary import Json

# Methods of a view that replace what its attributes say, and classes that change the media types of all answers.


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


def take_overridden(modules: Modules, view: Definition, found: RouteFacts) -> tuple[UnsupportedCode, ...]:
    """Names the methods that the view overrides; what they decide counts as open. Those that may change statuses."""
    rewritten: list[UnsupportedCode] = []
    for name, decides in METHODS.items() if isinstance(view.node, ast.ClassDef) else ():
        method = modules.member(view, name)
        if not isinstance(method, Definition) or _hands_on(method.node, name):
            continue
        spot = method.scope.spot(method.node)
        unread = UnsupportedCode(
            spot,
            f"the method `{name}`, which decides instead of the view's attributes",
            _ADVICE,
            part=UnreadPart.VIEW_METHOD,
        )
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


def _callers(found: RouteFacts, spot: Spot) -> None:
    """What the method decides is open, but for the guards that are the method itself or stand around it."""
    found.public = None
    found.guards[:] = [
        one if _within(one.spot, spot) else replace(one, unless=(*one.unless, spot)) for one in found.guards
    ]
    found.responses[:] = [one for one in found.responses if one.how != "framework" or one.status not in _REFUSALS]


def _within(one: Spot, other: Spot) -> bool:
    return one.item == other.item and other.first <= one.first and one.last <= other.last


def _values(found: RouteFacts) -> None:
    if found.body is not None:
        found.body = replace(found.body, schema={}, exact=False, models=())
    found.responses[:] = [replace(one, schema=None, exact=False) if one.models else one for one in found.responses]


def _media(found: RouteFacts) -> None:
    found.responses[:] = [replace(one, media_type="") for one in found.responses]


def take_media(defaults: Defaults, view: Definition, found: RouteFacts) -> None:
    """Names renderers and parsers that are not the framework's own for JSON; media types are open then."""
    for word, setting, known in (
        ("renderer", "DEFAULT_RENDERER_CLASSES", RENDERERS),
        ("parser", "DEFAULT_PARSER_CLASSES", PARSERS),
    ):
        stated = defaults.classes(view, f"{word}_classes", setting)
        for name, cls in stated[1] if stated is not None else []:
            if not isinstance(cls, External) or cls.package != "rest_framework" or cls.last not in known:
                spot = stated[0] if stated is not None else view.scope.spot(view.node)
                found.unread.append(
                    UnsupportedCode(spot, f"the {word} `{name}`, which is not read", _ADVICE, part=UnreadPart.MEDIA)
                )
                if word == "renderer":
                    _media(found)


_LOGIN: Final = "django.contrib.auth.middleware.LoginRequiredMiddleware"
_BASES: Final = frozenset(
    {"abc", "builtins", "django", "django_filters", "drf_spectacular", "drf_yasg", "rest_framework", "typing"}
)
"""Packages whose bases of views ask nobody who calls, but for those whose names tell it."""
_OWN: Final = (
    "require_http_methods", "require_GET", "require_POST", "require_safe", "api_view", "permission_classes",
    "authentication_classes", "throttle_classes", "parser_classes", "renderer_classes", "action", "login_not_required",
)  # fmt: skip
_SENDS: Final = {"list": 200, "create": 201, "retrieve": 200, "update": 200, "partial_update": 200, "destroy": 204}
_MIXINS: Final = {
    "LoginRequiredMixin": "authentication", "PermissionRequiredMixin": "authorization",
    "UserPassesTestMixin": "authorization",
}  # fmt: skip


def read_django(modules: Modules) -> CodeFacts:
    """Every operation of the supplied URL lists, and what could not be read."""
    urls = Urls(modules)
    views, defaults = Views(modules, urls), Defaults(modules)
    routes = [_route(modules, defaults, answer) for answer in views.all()]
    return CodeFacts(routes=tuple(routes), unread=tuple(dict.fromkeys([*urls.unread, *views.unread])))


def _route(modules: Modules, defaults: Defaults, answer: DjangoOperation) -> Route:
    rest = _is_rest(modules, answer)
    found, dialect = RouteFacts(), DjangoDialect(modules, rest)
    target = answer.function or answer.cls
    assert target is not None
    view = answer.cls or target
    if rest:
        if answer.decorated is not None:
            defaults = defaults.of_action(target.scope, answer.decorated)
        defaults.apply(view, answer.method, found, answer.action == "list")
    if not rest:  # REST framework exempts its own views
        _signing_in(modules, answer, found)
    _mixins(modules, answer.cls, found)
    _wrappers(modules, dialect, answer, found)
    if answer.cls is not None:
        _of_class(modules, dialect, answer.cls, found)
    if answer.function is not None:
        read_decorators(modules, dialect, answer.function, found, _OWN)
        read_handler(modules, dialect, answer.function, found)
        _serializers(modules, answer, found)
    elif answer.action:
        _action(modules, answer, found)
    spot = target.scope.spot(target.node)
    if answer.branches and answer.function is not None and branches_by_method(answer.function):
        found.unread.append(UnsupportedCode(spot, BRANCHES, part=UnreadPart.BRANCHES))
    if rest:
        take_media(defaults, view, found)
    rewritten = take_overridden(modules, view, found)
    name = f"{view.qualname}.{answer.action}" if answer.function is None else answer.function.qualname
    framework = "drf" if rest else "django"
    route = Route(
        method=answer.method,
        path=answer.path,
        handler=name,
        framework=framework,
        spot=spot,
        parameters=answer.parameters,
        rewritten=rewritten,
    )
    return with_found(route, found)


def _is_rest(modules: Modules, answer: DjangoOperation) -> bool:
    if answer.cls is not None:
        return any(isinstance(one, External) and one.package in REST for one in modules.ancestry(answer.cls))
    node = answer.function.node if answer.function is not None else None
    names = (one.func if isinstance(one, ast.Call) else one for one in getattr(node, "decorator_list", []))
    return any(getattr(one, "id", getattr(one, "attr", "")) == "api_view" for one in names)


def _signing_in(modules: Modules, answer: DjangoOperation, found: RouteFacts) -> None:
    """The guard that Django's own middleware is for every view without `login_not_required`."""
    target = answer.function or answer.cls
    exempt = {last_name(name) for name, _ in decorators(target.node)} if target is not None else set()
    exempt |= {last_name(name) for _, name, _ in answer.around}
    exempt |= {last_name(name) for name, _ in decorators(answer.cls.node)} if answer.cls is not None else set()
    for one in around(modules) if "login_not_required" not in exempt else ():
        if one.framework == "django" and one.name == _LOGIN:
            found.guards.append(Guard(name=one.name.rpartition(".")[2], kind="authentication", spot=one.spot))


def _mixins(modules: Modules, cls: Definition | None, found: RouteFacts) -> None:
    for base in modules.ancestry(cls) if cls is not None else ():
        if cls is not None and not isinstance(base, Definition):
            package = base.package if isinstance(base, External) else ""
            if package not in _BASES:
                word = base.name if isinstance(base, External) else "a base that can't be told"
                said = f"`{word}`, a base of the view that no supplied file defines"
                found.unread.append(UnsupportedCode(cls.scope.spot(cls.node), said, "Supply the file that defines it."))
        kind = _MIXINS.get(base.last) if isinstance(base, External) and base.package == "django" else None
        if kind is not None and cls is not None and isinstance(base, External) and runs(modules, cls, base.last):
            spot = cls.scope.spot(cls.node)
            known = "authentication" if kind == "authentication" else "authorization"
            found.guards.append(Guard(name=base.last, kind=known, spot=spot))  # type: ignore[arg-type]


def _wrappers(modules: Modules, dialect: DjangoDialect, answer: DjangoOperation, found: RouteFacts) -> None:
    """Adds what stands around a view in lists of URLs, by `method_decorator`, and in a `dispatch` of its own."""
    around = list(answer.around)
    if answer.cls is not None:
        around += method_decorators(modules, answer.cls, answer.action or answer.method.lower())
        before = own_dispatch(modules, answer.cls)
        if before is not None:
            spot = before.scope.spot(before.node)
            known = len(found.guards)
            read_gate(modules, dialect, [before], Written(before.qualname, spot), found)
            inner = modules.body(before) if len(found.guards) == known else None
            found.guards.extend(asked(modules, inner).guards if inner is not None else ())
    for scope, name, call in around:
        if last_name(name) not in _OWN:
            read_decorator(modules, dialect, scope, (name, call), found)


def _of_class(modules: Modules, dialect: DjangoDialect, cls: Definition, found: RouteFacts) -> None:
    """Adds what decorators at a class do; a library's, made for functions, was not seen to run around its methods."""
    since = len(found.guards)
    read_decorators(modules, dialect, cls, found, _OWN)
    for name, call in decorators(cls.node):
        if isinstance(modules.resolve(cls.scope, name), External):
            spot = cls.scope.spot(call or name)
            found.guards[since:] = [
                replace(one, unless=(*one.unless, spot)) if one.spot == spot else one for one in found.guards[since:]
            ]


def _action(modules: Modules, answer: DjangoOperation, found: RouteFacts) -> None:
    """What the framework's own action reads and sends."""
    assert answer.cls is not None
    cls, action = answer.cls, answer.action
    spot = cls.scope.spot(cls.node)
    chosen = modules.member(cls, "get_serializer_class") is not None and _own(modules, cls, "get_serializer_class")
    taken = None if chosen else _declared(modules, cls, True)
    sent = None if chosen else _declared(modules, cls, False)
    if sent is None and action != "destroy":
        found.unread.append(UnsupportedCode(spot, "the serializer of a view", "Supply the file that defines it."))
    if action in ("create", "update", "partial_update"):
        schema: Json = taken.schema if taken is not None else {}
        if action == "partial_update" and isinstance(schema, dict):
            schema = {key: value for key, value in schema.items() if key != "required"}
        found.body = _body(spot, taken, schema)
        found.notes.extend(taken.checks if taken is not None else ())
        found.responses.append(CodeResponse(status=400, how="framework", spot=spot, media_type=JSON))
    if action not in ("list", "create"):
        found.responses.append(CodeResponse(status=404, how="framework", spot=spot, media_type=JSON))
    body: Json = sent.schema if sent is not None and action != "destroy" else None
    if action == "list" and body is not None:
        paged = any(note.concern == "pagination" for note in found.notes)
        body = None if paged else {"type": "array", "items": body}
    media = "" if action == "destroy" else JSON
    spots = sent.spots if sent is not None and body is not None else ()
    found.responses.append(
        CodeResponse(status=_SENDS[action], how="returned", spot=spot, media_type=media, schema=body, models=spots)
    )
    found.unread.extend(sent.unread if sent is not None else ())


def _own(modules: Modules, cls: Definition, name: str) -> bool:
    return isinstance(modules.member(cls, name), Definition)


def _declared(modules: Modules, cls: Definition, takes: bool) -> SerializerSchema | None:
    """The values of a view's `serializer_class`."""
    found = modules.member(cls, "serializer_class")
    if not isinstance(found, Definition):
        return None
    expression = ast.Name(id=found.name, ctx=ast.Load())
    return serializer_at(modules, found.scope, expression, takes)


def _body(spot: object, taken: SerializerSchema | None, schema: Json) -> CodeBody:
    return CodeBody(
        media_type="", spot=spot, schema=schema,  # type: ignore[arg-type]
        exact=taken is not None and taken.exact, coerces=taken is not None and taken.coerces,
        models=taken.spots if taken is not None else (),
    )  # fmt: skip


def _serializers(modules: Modules, answer: DjangoOperation, found: RouteFacts) -> None:
    """`OrderSerializer(data=request.data)` and `Response(OrderSerializer(order).data)` within a view."""
    assert answer.function is not None
    events = events_of(modules, answer.function)
    for event in events:
        call = event.node
        if event.kind is not ast.Call or not isinstance(call, ast.Call) or keyword(call, "data") is None:
            continue
        taken = _serializer(modules, answer, event.frame, call, True)
        if taken is not None:
            schema: Json = taken.schema
            if constant(modules, event.frame.scope, keyword(call, "partial")) is True:
                schema = {key: value for key, value in taken.schema.items() if key != "required"}
            found.body = _body(event.frame.scope.spot(call), taken, schema)
            found.unread.extend(taken.unread)
            found.notes.extend(taken.checks)
    for event in returned(modules, events):
        sent = _sent(modules, answer, event)
        for place, one in enumerate(found.responses):
            if sent is not None and one.spot == event.spot and one.how == "returned":
                found.responses[place] = replace(one, schema=sent.schema, exact=False, models=sent.spots)
                found.unread.extend(each for each in sent.unread if each.part is UnreadPart.REPRESENTATION)


def _serializer(
    modules: Modules, answer: DjangoOperation, frame: Frame, call: ast.Call, takes: bool
) -> SerializerSchema | None:
    if isinstance(call.func, ast.Attribute) and call.func.attr == "get_serializer" and answer.cls is not None:
        return _declared(modules, answer.cls, takes)
    return serializer_at(modules, frame.scope, call.func, takes)


def _sent(modules: Modules, answer: DjangoOperation, event: Event) -> SerializerSchema | None:
    frame, at = value_at(modules, event.frame, getattr(event.node, "value", None))
    first = keyword(at, "data", 0) if isinstance(at, ast.Call) else None
    inner, data = value_at(modules, frame, first)
    if not isinstance(data, ast.Attribute) or data.attr != "data":
        return None
    where, made = value_at(modules, inner, data.value)
    if not isinstance(made, ast.Call):
        return None
    sent = _serializer(modules, answer, where, made, False)
    many = constant(modules, where.scope, keyword(made, "many")) is True
    return replace(sent, schema={"type": "array", "items": sent.schema}) if sent is not None and many else sent
