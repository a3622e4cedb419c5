"""Typed bodies of W2: inspected sources, declared facts about code, route tables, publication scope and approval."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import AwareDatetime, JsonValue

from evreview.core.vocabulary import Concern
from evreview.evidence.records.review import EvidenceIdText, Record, RoleName, Text


class SourceFile(Record):
    """One source file: the item that holds it, and where it stands in its repository."""

    item: EvidenceIdText
    """The evidence item of type `source excerpt` or `configuration excerpt`."""
    path: Text
    """The file's path in the repository, with `/`."""
    part: Literal["handler", "validator", "middleware", "configuration", "shared", "deployment", "test"]
    """What it is for the operations in scope; one file may stand twice."""
    revision: Text | None = None
    """Its immutable revision; without it the one that the item's integrity names."""
    first_line: int = 1
    """The number that the item's first line has in the file."""


class SourceMap(Record):
    """Content of a `source excerpt`, `test inventory` or `execution and approval record`: the inspected sources."""

    kind: Literal["source-map"] = "source-map"
    sources: tuple[SourceFile, ...]
    """Every inspected file."""


class DeclaredFact(Record):
    """One fact about the code, with the text that shows it. The quote is checked against the source."""

    id: Text
    """Usable as a locator."""
    operation: Text
    """The operation it concerns, as method and path, or `*` for all of them."""
    concern: Concern
    """Which concern it is about."""
    name: str = ""
    """The parameter, field, header, status or limit it is about."""
    location: Literal["path", "query", "header", "cookie", "body", "response"] | None = None
    """Where that stands."""
    status: int | None = None
    """The response status it belongs to."""
    media_type: Text | None = None
    """The media type it belongs to."""
    required: bool | None = None
    """Whether it has to be given."""
    accepts: dict[str, JsonValue] | None = None
    """The values it admits, as JSON Schema (2020-12), where the code shows all of them."""
    states: JsonValue = None
    """What the code states besides (a limit, a default, an error code, a side effect in words)."""
    item: EvidenceIdText
    """The source item that shows it."""
    lines: Text
    """Lines of that item, `12` or `12-20`."""
    quote: Text
    """Text that stands there."""


class DeclaredCode(Record):
    """Content of an evidence item of type `source excerpt` or `test inventory`: facts declared by the reviewer.

    For languages whose syntax evreview does not read.
    """

    kind: Literal["code-facts"] = "code-facts"
    language: Text | None = None
    """The language, in words."""
    facts: tuple[DeclaredFact, ...]
    """One per fact."""


# The route table of a running application, as it told it itself: an observation of one revision and configuration.


FIRST_LINE = 2
"""The line of the first route in a retained table; each has a line of its own."""


class Callee(Record):
    """A function, class or instance of the application; `file` is relative to the work folder, "" for one outside."""

    module: str = ""
    """The module that defines it."""
    name: str = ""
    """Its qualified name."""
    file: str = ""
    """Its file."""
    line: int = 0
    """The line where its code starts, 0 where none is known."""


class Before(Callee):
    """What runs before a handler, or stands around it."""

    kind: Literal["middleware", "dependency", "security", "hook", "decorator", "authentication", "permission"]
    """How it came there."""
    scheme: str = ""
    """Of a security scheme, what it asks for: `http bearer`, `apiKey header X-Key`, `oauth2`."""
    refuses: bool = False
    """Of a security scheme, whether it refuses callers without credentials by itself."""


class ObservedRoute(Record):
    """One route and method that the application answers."""

    method: Text
    """The method; `*` for every one."""
    path: Text
    """With `{name}` for parameters, prefixes and mounts included."""
    handler: Callee
    """The innermost function."""
    before: tuple[Before, ...] = ()
    """Everything around it, outermost first."""
    either_slash: bool = False
    """True when the path answers with and without a slash at its end."""


class RouteTable(Record):
    """Content of an evidence item of type `test record`: what an application said about its routes."""

    kind: Literal["route-table"] = "route-table"
    framework: Literal["fastapi", "starlette", "flask", "django", "aiohttp"]
    """Whose table it is."""
    version: str = ""
    """The framework's version."""
    application: Text
    """What was asked."""
    revision: Text
    """The revision of the code that was asked."""
    routes: tuple[ObservedRoute, ...]
    """Every route, in the order in which the application has them."""


# What a reference is about, and that its contract was approved.


class ExcludedOperation(Record):
    """An operation of the contract that the reference leaves out."""

    operation: Text
    """Its method and path, or its operation id."""
    why: Text
    """The reason."""


class PublicationScope(Record):
    """Content of an evidence item of type `execution and approval record`: what is published, and for whom.

    A field that is left out stops the review at step 1, which names it.
    """

    kind: Literal["publication-scope"] = "publication-scope"
    contract: EvidenceIdText | None = None
    """The item that holds the contract; without it the bundle's only contract."""
    revision: Text | None = None
    """The one immutable revision of contract, handlers, validators and tests."""
    api_version: Text | None = None
    """The supported API version."""
    base_url: Text | None = None
    """The shape of the base URL, e.g. `https://{tenant}.api.example.com/v1`."""
    audience: Text | None = None
    """Whom the reference is for."""
    operations: tuple[Text, ...] | None = None
    """Included operations, each as method and path (`GET /v1/orders/{id}`) or as operation id."""
    exclusions: tuple[ExcludedOperation, ...] | None = None
    """Operations left out; an empty list says that none is."""
    contract_is_changing: bool = False
    """True when a change of the contract or a breaking-compatibility decision is open: then W1 runs first."""


class ContractApproval(Record):
    """Content of an evidence item of type `execution and approval record`: the API owner's word on the contract."""

    answer_fields: ClassVar = frozenset({"role", "decision", "at"})
    kind: Literal["contract-approval"] = "contract-approval"
    contract: EvidenceIdText
    """The item that holds the contract."""
    sha256: Text | None = None
    """The digest of the contract that was approved."""
    revision: Text | None = None
    """The revision of the contract that was approved; one of digest and revision is given."""
    operations: tuple[Text, ...] | None = None
    """The operations that the approval covers; without it all of them."""
    role: RoleName
    """The approving role."""
    decision: Literal["approved", "rejected"]
    """The answer."""
    at: AwareDatetime
    """When it was given; a time zone is required."""
