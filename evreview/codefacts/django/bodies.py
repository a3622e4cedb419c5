"""REST framework serializers as JSON Schema, for what is taken and for what is sent."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.answers import UNKNOWN, Literal, literal, untold
from evreview.codefacts.calls import keyword, value_at
from evreview.codefacts.constants import constant, of, texts, whole
from evreview.codefacts.control_flow import Event, Frame, exception_of, value_in
from evreview.codefacts.handlers import RouteFacts, is_request
from evreview.codefacts.model import CodeBody, CodeParameter, CodeResponse, Location, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import Scope, last_name
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.codefacts.schema_reading import TEXT, Schema, SchemaReading, SerializerSchema, named
from evreview.core.vocabulary import ABSENT, Form, Json

MAX_LEVELS: Final = 12
TYPES: Final[dict[str, Schema]] = {
    "CharField": TEXT, "EmailField": {"type": "string", "format": "email"}, "RegexField": TEXT,
    "SlugField": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}, "URLField": {"type": "string", "format": "uri"},
    "UUIDField": {"type": "string", "format": "uuid"}, "IPAddressField": TEXT, "IntegerField": {"type": "integer"},
    "FloatField": {"type": "number"}, "DecimalField": {"type": "string"}, "BooleanField": {"type": "boolean"},
    "NullBooleanField": {"type": ["boolean", "null"]}, "DateTimeField": {"type": "string", "format": "date-time"},
    "DateField": {"type": "string", "format": "date"}, "TimeField": {"type": "string", "format": "time"},
    "DurationField": TEXT, "FileField": TEXT, "ImageField": TEXT, "DictField": {"type": "object"},
    "HStoreField": {"type": "object"}, "JSONField": {}, "ListField": {"type": "array"},
}  # fmt: skip
"""What each field admits in JSON."""
_COERCING: Final = (
    "CharField",
    "IntegerField",
    "FloatField",
    "DecimalField",
    "BooleanField",
    "RegexField",
    "SlugField",
)
_REFINED: Final = (
    "EmailField", "URLField", "UUIDField", "DateTimeField", "DateField", "TimeField", "DurationField", "IPAddressField",
    "DecimalField", "FileField", "ImageField",
)  # fmt: skip
_BOUNDS: Final = {"min_value": "minimum", "max_value": "maximum"}


def is_serializer(modules: Modules, found: object) -> bool:
    """True for a supplied class that derives from one of the framework's serializers."""
    names = ("Serializer", "ModelSerializer", "HyperlinkedModelSerializer", "BaseSerializer", "ListSerializer")
    return (
        isinstance(found, Definition)
        and isinstance(found.node, ast.ClassDef)
        and modules.is_a(found, ("rest_framework",), *names)
    )


def serializer_at(modules: Modules, scope: Scope, expression: ast.expr | None, takes: bool) -> SerializerSchema | None:
    """The values of a serializer class by name; None when no supplied file defines it."""
    found = modules.resolve(scope, expression)
    if not isinstance(found, Definition) or not is_serializer(modules, found):
        return None
    reading = SchemaReading(modules, takes, exact=takes)  # what is sent is not validated, so it is never exact
    return reading.shaped(_class(reading, found))


def _class(reading: SchemaReading, cls: Definition) -> Schema:
    reading.levels += 1
    spot = cls.scope.spot(cls.node)
    if reading.levels > MAX_LEVELS or spot in reading.spots:
        reading.levels -= 1
        return reading.untold(spot, "a serializer inside itself")
    reading.spots.append(spot)
    fields: dict[str, tuple[Scope, ast.Call]] = {}
    replaced = False
    for base in reversed(reading.modules.ancestry(cls)):
        scope = reading.modules.body(base) if isinstance(base, Definition) else None
        for name, bindings in scope.names.items() if scope is not None else ():
            node = bindings[-1].node
            if isinstance(node, ast.Call) and scope is not None:
                fields[name] = (scope, node)
            elif (
                name == "validate" or name.startswith("validate_") or name in ("to_internal_value", "to_representation")
            ):
                reading.exact = False
                if name in ("to_internal_value", "to_representation") and node is not None and scope is not None:
                    part = UnreadPart.REPRESENTATION if name == "to_representation" else UnreadPart.OTHER
                    found = f"`{name}`, which may change every member"
                    reading.unread.append(UnsupportedCode(scope.spot(node), found, part=part))
                    replaced = replaced or name == ("to_internal_value" if reading.takes else "to_representation")
                elif reading.takes and node is not None and scope is not None:
                    reading.refuses(name.removeprefix("validate").removeprefix("_"), scope.spot(node), name)
    schema = _object(reading, fields, _model_fields(reading, cls))
    reading.levels -= 1
    return {} if replaced else schema


def _model_fields(reading: SchemaReading, cls: Definition) -> tuple[str, ...] | None:
    """Members that a ModelSerializer takes from its model; None for a plain serializer."""
    if not reading.modules.is_a(cls, ("rest_framework",), "ModelSerializer", "HyperlinkedModelSerializer"):
        return None
    given, scope = _meta(reading.modules, cls, "fields")
    names = texts(reading.modules, scope, given) if given is not None and scope is not None else None
    spot = cls.scope.spot(cls.node)
    if names is None or names == ("__all__",):
        reading.untold(spot, "the members that a serializer takes from its model", "Declare them with quotes.")
        return ()
    return names


def _meta(modules: Modules, cls: Definition, word: str) -> tuple[ast.expr | None, Scope | None]:
    found = modules.member(cls, "Meta")
    inner = modules.body(found) if isinstance(found, Definition) else None
    for binding in inner.names.get(word, []) if inner is not None else []:
        if isinstance(binding.node, ast.expr):
            return binding.node, inner
    return None, None


def _object(reading: SchemaReading, fields: dict[str, tuple[Scope, ast.Call]], model: tuple[str, ...] | None) -> Schema:
    properties: Schema = {}
    required: list[Json] = []
    for name, (scope, call) in fields.items():
        if not _is_field(reading.modules, scope, call) or (model and name not in model):
            continue
        if _is(reading, scope, call, "read_only" if reading.takes else "write_only"):
            continue
        if reading.takes and last_name(call.func) in ("SerializerMethodField", "ReadOnlyField", "HiddenField"):
            continue
        before = len(reading.checks)
        properties[name] = _field(reading, scope, call)
        reading.checks[before:] = named(reading.checks[before:], name)
        given = keyword(call, "required")
        optional = keyword(call, "default") is not None or constant(reading.modules, scope, given) is False
        if not reading.takes or not optional:
            required.append(name)
    for name in model or ():
        if name not in fields:
            properties.setdefault(name, {})
            reading.exact = False
    if model is not None and any(name not in fields for name in model):
        reading.unread.append(
            UnsupportedCode(reading.spots[-1], "members whose values the model states", "Declare them with quotes.")
        )
    schema: Schema = {"type": "object", "properties": properties}
    schema |= {"required": required} if required else {}
    return schema if reading.takes or model == () else schema | {"additionalProperties": False}


def _is_field(modules: Modules, scope: Scope, call: ast.Call) -> bool:
    found = modules.called(scope, call)
    outside = isinstance(found, External) and found.package == "rest_framework"
    return outside or is_serializer(modules, found) or not isinstance(found, External)


def _is(reading: SchemaReading, scope: Scope, call: ast.Call, word: str) -> bool:
    return constant(reading.modules, scope, keyword(call, word)) is True


def _field(reading: SchemaReading, scope: Scope, call: ast.Call) -> Schema:
    found = reading.modules.called(scope, call)
    if isinstance(found, Definition) and is_serializer(reading.modules, found):
        schema = _class(reading, found)
        schema = {"type": "array", "items": schema} if _is(reading, scope, call, "many") else schema
    elif isinstance(found, External) and found.last in TYPES:
        schema = _typed(reading, scope, call, found.last)
    elif isinstance(found, External) and found.last in ("ChoiceField", "MultipleChoiceField"):
        schema = _choices(reading, scope, call, found.last)
    else:
        text = ast.unparse(call.func)[:80]
        schema = reading.untold(scope.spot(call), f"the values of a `{text}`")
    given = keyword(call, "validators")
    if given is not None and reading.takes:
        reading.refuses("", scope.spot(given), ast.unparse(given))
    if _is(reading, scope, call, "allow_null"):
        schema = {"anyOf": [schema, {"type": "null"}]} if schema else {}
    default = constant(reading.modules, scope, keyword(call, "default"))
    return schema | {"default": default} if reading.takes and default is not ABSENT else schema


def _typed(reading: SchemaReading, scope: Scope, call: ast.Call, name: str) -> Schema:
    schema = dict(TYPES[name])
    if name == "JSONField" and reading.takes and not _is(reading, scope, call, "allow_null"):
        return {"not": {"type": "null"}}
    reading.coerces = reading.coerces or (reading.takes and name in _COERCING)
    if name == "ListField":
        child = keyword(call, "child")
        schema |= {"items": _field(reading, scope, child)} if isinstance(child, ast.Call) else {}
    if not reading.takes:
        return schema
    reading.exact = reading.exact and name not in _REFINED
    unit = {"ListField": "Items"}.get(name, "Length")
    sizes = {
        f"min{unit}": whole(constant(reading.modules, scope, keyword(call, "min_length"))),
        f"max{unit}": whole(constant(reading.modules, scope, keyword(call, "max_length"))),
    }
    schema |= {key: value for key, value in sizes.items() if value is not None}
    for word, key in _BOUNDS.items():
        value = constant(reading.modules, scope, keyword(call, word))
        if isinstance(value, int | float) and not isinstance(value, bool):
            schema[key] = value
    if name == "RegexField":
        pattern = constant(reading.modules, scope, keyword(call, "regex", 0))
        schema |= {"pattern": pattern} if isinstance(pattern, str) and pattern is not ABSENT else {}
    if name in ("CharField", "SlugField", "RegexField") and not _is(reading, scope, call, "allow_blank"):
        # A text of blanks is refused too unless trim_whitespace is off.
        schema |= {"minLength": max(1, whole(schema.get("minLength")) or 1)}
        trimmed = constant(reading.modules, scope, keyword(call, "trim_whitespace")) is not False
        reading.exact = reading.exact and not trimmed
    return schema


def _choices(reading: SchemaReading, scope: Scope, call: ast.Call, name: str) -> Schema:
    given = constant(reading.modules, scope, keyword(call, "choices", 0))
    if not isinstance(given, list):
        return reading.untold(scope.spot(call), "choices that are not constant")
    # A choice is found by its text, so 1 is taken for "1".
    reading.coerces = reading.coerces or reading.takes
    values: list[Json] = [one[0] if isinstance(one, list) and one else one for one in given]
    schema: Schema = {"enum": values}
    return {"type": "array", "items": schema} if name == "MultipleChoiceField" else schema


# What Django and REST framework views read and answer.


JSON: Final = "application/json"
HTML: Final = "text/html"
RESPONSES: Final = {
    "HttpResponse": 200, "HttpResponseRedirect": 302, "HttpResponsePermanentRedirect": 301,
    "HttpResponseNotModified": 304, "HttpResponseBadRequest": 400, "HttpResponseNotFound": 404,
    "HttpResponseForbidden": 403, "HttpResponseNotAllowed": 405, "HttpResponseGone": 410,
    "HttpResponseServerError": 500, "StreamingHttpResponse": 200, "FileResponse": 200,
}  # fmt: skip
EXCEPTIONS: Final = {
    "Http404": 404, "PermissionDenied": 403, "SuspiciousOperation": 400, "BadRequest": 400, "ValidationError": 400,
    "ParseError": 400, "AuthenticationFailed": None, "NotAuthenticated": None, "NotFound": 404,
    "MethodNotAllowed": 405, "NotAcceptable": 406, "UnsupportedMediaType": 415, "Throttled": 429, "APIException": 500,
}  # fmt: skip
"""Statuses of exceptions; None for 401 or 403, which depends on the authentication classes."""
_PLACES: Final[dict[str, Location]] = {
    "GET": "query", "query_params": "query", "headers": "header", "COOKIES": "cookie",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DjangoDialect:
    """How views read and answer; `rest` for those of the REST framework."""

    modules: Modules
    rest: bool = False

    def inputs(self, frame: Frame, node: ast.AST, found: RouteFacts) -> None:
        """Reads of the request."""
        match node:
            case ast.Subscript(value=ast.Attribute(attr="META") as holder, slice=key):
                self._meta(frame, holder, key, found)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="META") as holder, attr="get"), args=[key, *_]):
                self._meta(frame, holder, key, found)
            case ast.Subscript(value=ast.Attribute() as holder, slice=key, ctx=ast.Load()):
                # A missing key is an error of the server here, no refusal.
                self._named(frame, holder, (key, None), found)
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as holder, attr="get" | "getlist")):
                self._named(frame, holder, (keyword(node, "key", 0), keyword(node, "default", 1)), found)
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute() as holder]):
                self._named(frame, holder, (key, None), found)
            case ast.Attribute(attr="data" | "POST" | "FILES" | "body" as attr, value=holder, ctx=ast.Load()):
                self._body(frame, node, holder, attr, found)

    def _body(self, frame: Frame, node: ast.AST, holder: ast.expr, attr: str, found: RouteFacts) -> None:
        if (attr == "data" and not self.rest) or not self._is_request(frame, holder) or found.body is not None:
            return
        media = "multipart/form-data" if attr == "FILES" else ""
        spot = frame.scope.spot(node)
        found.body = CodeBody(media_type=media, spot=spot)

    def _meta(self, frame: Frame, holder: ast.Attribute, key: ast.expr, found: RouteFacts) -> None:
        name = value_in(self.modules, frame, key)
        if self._is_request(frame, holder.value) and isinstance(name, str) and name.startswith("HTTP_"):
            header = name.removeprefix("HTTP_").replace("_", "-").title()
            self._add(frame, holder, (header, "header"), ABSENT, found)

    def _named(
        self, frame: Frame, holder: ast.Attribute, read: tuple[ast.expr | None, ast.expr | None], found: RouteFacts
    ) -> None:
        place = _PLACES.get(holder.attr)
        if place is None or not self._is_request(frame, holder.value):
            return
        name = value_in(self.modules, frame, read[0])
        if not isinstance(name, str) or name is ABSENT:
            spot = frame.scope.spot(holder)
            found.unread.append(UnsupportedCode(spot, f"a {place} parameter whose name is not constant"))
            return
        default = value_in(self.modules, frame, read[1]) if read[1] is not None else ABSENT
        self._add(frame, holder, (name, place), default, found)

    def _add(self, frame: Frame, node: ast.AST, named: tuple[str, Location], default: Form, found: RouteFacts) -> None:
        found.parameter(CodeParameter.looked_up(*named, frame.scope.spot(node), default))

    def _is_request(self, frame: Frame, expression: ast.expr) -> bool:
        """True for a parameter called `request`, what is given for one, and `self.request`."""
        return is_request(self.modules, frame, expression, lambda found: found.name == "request")

    def raised(self, event: Event) -> Iterator[CodeResponse]:
        """The responses of raised exceptions, of `get_object_or_404` and of `is_valid(raise_exception=True)`."""
        if event.kind is ast.Call and isinstance(event.node, ast.Call):
            called = self.modules.called(event.frame.scope, event.node)
            name = event.node.func.attr if isinstance(event.node.func, ast.Attribute) else ""
            missing = isinstance(called, External) and called.last in ("get_object_or_404", "get_list_or_404")
            fetched = name == "get_object" and self.rest and not isinstance(called, Definition)
            strict = value_in(self.modules, event.frame, keyword(event.node, "raise_exception")) is True
            if missing or fetched:
                yield self._failed(event, 404)
            elif name == "is_valid" and self.rest and strict:
                yield self._failed(event, 400)
        elif event.kind is ast.Raise and isinstance(event.node, ast.Raise) and event.node.exc is not None:
            chosen, cls = untold(self.modules, event), exception_of(self.modules, event.frame, event.node.exc)
            yield from self._raised(event, cls) if chosen is None else (chosen,)

    def _failed(self, event: Event, status: int | None) -> CodeResponse:
        media = JSON if self.rest else HTML
        return CodeResponse(status=status, how="raised", spot=event.spot, media_type=media)

    def _raised(self, event: Event, cls: Resolved) -> Iterator[CodeResponse]:
        ancestry = self.modules.ancestry(cls) if isinstance(cls, Definition) else (cls,)
        for base in ancestry:
            if not isinstance(base, External) or base.last not in EXCEPTIONS:
                continue
            if base.package not in ("django", "rest_framework") or (
                base.package == "django" and base.last == "ValidationError"
            ):
                continue
            status = EXCEPTIONS[base.last]
            if isinstance(cls, Definition):
                status = whole(of(self.modules, self.modules.member(cls, "status_code"))) or status
            yield self._failed(event, status)
            return

    def returned(self, event: Event, events: Sequence[Event]) -> Iterator[CodeResponse]:
        """The response that a return sends."""
        frame, at = value_at(self.modules, event.frame, getattr(event.node, "value", None))
        if at is None:
            return
        found = self.modules.called(frame.scope, at) if isinstance(at, ast.Call) else None
        if not isinstance(at, ast.Call) or not isinstance(found, External):
            if not self._passes_on(event, at):
                yield CodeResponse(status=None, how="returned", spot=event.spot)
            return
        answer = self._called(event, frame, at, found)
        yield answer if answer is not None else CodeResponse(status=None, how="returned", spot=event.spot)

    def _passes_on(self, event: Event, value: ast.expr) -> bool:
        """True for a decorator's `return view(request)` and a middleware's `return self.get_response(request)`."""
        name = value.func if isinstance(value, ast.Call) else None
        if isinstance(name, ast.Attribute):
            return name.attr == "get_response"
        found = self.modules.lookup(event.frame.scope, name.id) if isinstance(name, ast.Name) else None
        return isinstance(found, Definition) and isinstance(found.node, ast.arg)

    def _called(self, event: Event, frame: Frame, call: ast.Call, found: External) -> CodeResponse | None:
        if found.package == "rest_framework" and found.last == "Response":
            return self._made(event, frame, call, (200, JSON, "data"), 1)
        if found.package != "django":
            return None
        if found.last == "JsonResponse":
            return self._made(event, frame, call, (200, JSON, "data"), None)
        if found.last in RESPONSES:
            return self._made(event, frame, call, (RESPONSES[found.last], HTML, ""), 2)
        if found.last == "redirect":
            permanent = value_in(self.modules, frame, keyword(call, "permanent")) is True
            status = 301 if permanent else 302
            return CodeResponse(status=status, how="returned", spot=event.spot, headers=("Location",))
        if found.last == "render":
            return self._made(event, frame, call, (200, HTML, ""), 4)
        return None

    def _made(
        self, event: Event, frame: Frame, call: ast.Call, plain: tuple[int, str, str], place: int | None
    ) -> CodeResponse:
        """A response by its arguments; `plain` is its status, media type and the name of its JSON body."""
        given = keyword(call, "status", place)
        status = plain[0] if given is None else whole(value_in(self.modules, frame, given))
        kind = keyword(call, "content_type")
        media = plain[1] if kind is None else value_in(self.modules, frame, kind)
        text = media.partition(";")[0].strip() if isinstance(media, str) and media is not ABSENT else ""
        body = literal(self.modules, frame, keyword(call, plain[2], 0)) if plain[2] else UNKNOWN
        bare = status in (204, 304)
        body = Literal(None, False) if bare else body
        inner, headers = value_at(self.modules, frame, keyword(call, "headers"))
        keys = headers.keys if isinstance(headers, ast.Dict) else []
        names = [value_in(self.modules, inner, key) for key in keys if key is not None]
        return CodeResponse(
            status=status, how="returned", spot=event.spot, media_type="" if bare else text, schema=body.schema,
            exact=body.exact, codes=body.codes if status is None or status >= 400 else (),
            headers=tuple(name for name in names if isinstance(name, str) and name is not ABSENT),
        )  # fmt: skip
