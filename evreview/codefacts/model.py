"""What the code shows about routes: implementation-derived facts, each with the lines that show it.

A schema in a fact is JSON Schema 2020-12 over JSON values. `exact` says that it is all that the code checks; otherwise
the code admits at most these values and may refuse more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from evreview.core.vocabulary import ABSENT, ClosedVocabulary, Concern, EvidenceId, Form, Json
from evreview.evidence.citation import at_lines
from evreview.evidence.item import Citation

Part = Literal["handler", "validator", "middleware", "configuration", "shared", "deployment", "test"]
Location = Literal["path", "query", "header", "cookie"]
AccessKind = Literal["authentication", "authorization"]
ACCESS_BY_STATUS: Final[dict[int | None, AccessKind]] = {401: "authentication", 403: "authorization"}
"""What a guard asks for, by the status with which it refuses."""
PATH_PARAMETER: Final = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """One source file as supplied: item, path in the repository, what it is, its text, the number of its first line."""

    item: EvidenceId
    path: str
    parts: tuple[Part, ...]
    text: str
    first_line: int = 1


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """Lines of a source item, counted within the item, and the path that they belong to.

    Attributes:
        declared: the entry in which a reviewer declares what the lines show, None for what was read from them.
    """

    item: EvidenceId
    first: int
    last: int
    path: str = ""
    declared: Citation | None = field(default=None, compare=False)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The lines, then what declares the fact, if anything does."""
        lines = at_lines(self.item, self.first, self.last)
        return (lines,) if self.declared is None else (lines, self.declared)

    @property
    def mark(self) -> str:
        """Words behind a declared fact; "" for what was read."""
        return "" if self.declared is None else ", as a reviewer declares"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeParameter:
    """A parameter that the code reads. `required` is None when it can't be told, `default` ABSENT without one."""

    name: str
    location: Location
    spot: Spot
    required: bool | None = None
    schema: Json = field(default_factory=dict)
    exact: bool = False
    default: Form = ABSENT

    @classmethod
    def looked_up(cls, name: str, location: Location, spot: Spot, default: Form) -> CodeParameter:
        """One of any value; without a default the code may still refuse the call where it finds nothing."""
        if default is ABSENT or default is None:
            return cls(name=name, location=location, spot=spot)
        return cls(name=name, location=location, spot=spot, required=False, default=default)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBody:
    """A request body that the code reads: media type ("" when unknown), whether required, its values.

    Attributes:
        coerces: values of other JSON types that convert are taken too, "1" for 1.
        models: the lines of the classes that state the schema.
    """

    media_type: str
    spot: Spot
    required: bool | None = None
    schema: Json = field(default_factory=dict)
    exact: bool = False
    coerces: bool = False
    models: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeResponse:
    """A response that the code sends.

    Attributes:
        status: its status, None when it can't be told.
        how: returned by the handler, raised in it or below it, sent by the framework (validation errors), or only
            declared for generated documentation, without code that sends it.
        media_type: "" when unknown.
        schema, exact: the body's values, None when nothing is known about the body.
        codes: constant error codes in the body, as written: texts of members that are named as codes, no messages.
        headers: names of headers that it sets.
        models: the lines of the classes that state the schema.
        sometimes: those of the headers that some ways to this answer do not set.
    """

    status: int | None
    how: Literal["returned", "raised", "framework", "declared"]
    spot: Spot
    media_type: str = ""
    schema: Json = None
    exact: bool = False
    codes: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    models: tuple[Spot, ...] = ()
    sometimes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What checks the caller: a dependency, decorator, permission class or middleware. `scheme` is "" when unknown.

    Attributes:
        kind: `authentication` finds out who calls, `authorization` what the caller may do, `unknown` neither shown.
        scheme: as OpenAPI names it: `http bearer`, `http basic`, `apiKey header X-Key`, `oauth2`.
        scopes: constant scopes that it demands.
        also: further schemes whose credentials the same code looks for.
        unless: conditions on method, path, endpoint, settings or a value of the caller's choice that decide whether it
            checks at all; with one of them nothing is certain.
    """

    name: str
    kind: Literal["authentication", "authorization", "unknown"]
    spot: Spot
    scheme: str = ""
    scopes: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    unless: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeNote:
    """Anything else that shows: a limit, a rate limit, a side effect, an idempotency key, pagination.

    Attributes:
        concern: what it is about.
        name: the limit, header, parameter or effect, in the code's own words.
        value: what is stated, ABSENT without one.
        certain: False for a lead (a call whose name suggests a write).
    """

    concern: Concern
    name: str
    spot: Spot
    value: Form = ABSENT
    certain: bool = True


@dataclass(frozen=True, slots=True)
class RouteIdentity:
    """What tells a route from others: method, path with `{}`, endpoint and blueprint of Flask, None where not known."""

    method: str
    path: str
    endpoint: str | None = None
    blueprint: str | None = None

    def value(self, subject: str) -> str | None:
        """The value of `path`, `method`, `endpoint`, `blueprint` or `type`, which is `http` for each route."""
        known = {"path": self.path, "method": self.method, "endpoint": self.endpoint, "blueprint": self.blueprint}
        return (known | {"type": "http"})[subject]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One operation that the code answers.

    Attributes:
        method: upper case.
        path: with `{name}` for parameters, prefixes of routers and mounts included.
        handler: qualified name of the handler within its file.
        framework: `fastapi`, `starlette`, `flask`, `django`, `drf`, `aiohttp`, `tornado`, or `declared`.
        unread: names of parts that could not be read (a dependency that no supplied file holds), in words.
        public: the lines that let everyone in, None where none says so.
        registered: the calls that make the application, mount or include on the way, and register: file, function and
            line of each; () where the order written tells which of two routes is first.
        elsewhere: calls of what no supplied file holds; they may answer errors that the route does not show.
        rewritten: hooks that change the status of what it answers.
        open_inputs: places at which parameters are read that nobody can name.
        either_slash: it answers its path with and without a slash at the end; None where that can't be told.
        told: by what the branches of what runs around it were decided, None where they were not.
    """

    method: str
    path: str
    handler: str
    framework: str
    spot: Spot
    parameters: tuple[CodeParameter, ...] = ()
    body: CodeBody | None = None
    responses: tuple[CodeResponse, ...] = ()
    guards: tuple[Guard, ...] = ()
    notes: tuple[CodeNote, ...] = ()
    unread: tuple[UnsupportedCode, ...] = ()
    public: Spot | None = None
    registered: tuple[tuple[str, str, int], ...] = field(default=(), compare=False)
    elsewhere: tuple[UnsupportedCode, ...] = ()
    rewritten: tuple[UnsupportedCode, ...] = ()
    open_inputs: tuple[OpenInput, ...] = ()
    either_slash: bool | None = False
    told: RouteIdentity | None = field(default=None, compare=False)


class UnreadPart(ClosedVocabulary):
    """What an unread part is, where a decision hangs on it: whoever decides asks this, never the words for it."""

    OTHER = "other"
    FILE = "file"
    DECORATOR = "decorator"
    DEPENDENCY = "dependency"
    DEPENDENCIES = "list of dependencies"
    MIDDLEWARE = "middleware"
    ROUTER = "router"
    UNINCLUDED = "router whose prefix is not known"
    PREFIX = "prefix"
    BLUEPRINT = "blueprint"
    ROUTE_TABLE = "route table"
    ARGUMENTS = "arguments"
    BRANCHES = "branches of one view"
    CHECKS = "checks of the caller"
    FIELD_CHECKS = "checks of values"
    AUTHENTICATION_CLASSES = "authentication classes"
    PERMISSION_CLASSES = "permission classes"
    VIEW_METHOD = "method of a view"
    REPRESENTATION = "representation"
    MEDIA = "renderer or parser"
    ANY_METHOD = "view of any method"
    STATUS = "status"
    AROUND = "answer around the handler"


@dataclass(frozen=True, slots=True)
class UnsupportedCode:
    """Something that could not be read, where, and what would help.

    Attributes:
        may_ask: of a call, that it may find out who calls and refuse.
        composed: it is about how the parts of the application are put together, which its own route table tells.
        statuses: of what may answer in place of the code shown: with which statuses, () for any.
        part: what it is, where something is decided by that.
    """

    spot: Spot
    found: str
    advice: str = ""
    may_ask: bool = False
    composed: bool = False
    statuses: tuple[int, ...] = ()
    part: UnreadPart = UnreadPart.OTHER


@dataclass(frozen=True, slots=True)
class OpenInput:
    """Parameters of one place of the request that code takes whole, or by names that nobody can tell.

    The place may be the body. With `name` it is about one parameter, `certain` says that this one is surely read.
    """

    location: Location | Literal["body"]
    spot: Spot
    found: str
    name: str = ""
    certain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFacts:
    """Everything that the sources show: routes in the order written, and what could not be read."""

    routes: tuple[Route, ...]
    unread: tuple[UnsupportedCode, ...] = ()
