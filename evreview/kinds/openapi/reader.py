"""OpenAPI 2.0, 3.0 and 3.1 documents as a contract: paths, webhooks, callbacks; other parts are in `reader_*.py`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.contract.http import address
from evreview.contract.json_reader import UNKNOWN, described, draft_of, schemas, unique
from evreview.contract.model import Contract, Element, ElementKind, Facet, Place, SchemaDialect
from evreview.contract.references import Resolver
from evreview.contract.source import Files, Source
from evreview.core.errors import bad_input
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Aspect, ContractKind, Json
from evreview.kinds.openapi.reader_content import (
    CALLBACK,
    DOCUMENT,
    PRODUCER,
    WEBHOOK,
    Node,
    Scope,
    Sides,
    Version,
    deprecation,
    members,
)
from evreview.kinds.openapi.reader_messages import body, declared, parameters, path_key, responses
from evreview.kinds.openapi.reader_security import operation_security, security_schemes
from evreview.messages.server_addresses import BASE_PATH, base_path, variable_facets

# Where the API is served: `servers` (3.x) and `schemes`, `host`, `basePath` (2.0) as the same elements.


_VARIABLE: Final = re.compile(r"\{[^{}]*\}")


def document_servers(scope: Scope) -> tuple[Element, ...]:
    """The servers of the whole document; one at `/` when none is given."""
    if scope.version is Version.V2:
        return unique(_once(_swagger_servers(scope.root, scope.place, scope)), scope)
    return server_elements((scope.root, scope.place), scope) or (_server("/", {}, scope.place),)


def server_elements(owner: FoundNode | None, scope: Scope) -> tuple[Element, ...]:
    """One element per entry of the owner's `servers`; none without an owner."""
    if owner is None:
        return ()
    return unique(_once((_swagger_servers if scope.version is Version.V2 else _servers)(*owner, scope)), scope)


def _once(servers: Iterable[Element]) -> Iterator[Element]:
    """The servers without those that say what one before them says, in whatever spelling."""
    told: set[tuple[str, str]] = set()
    for server in servers:
        said = server.key, repr([(facet.name, facet.value) for facet in server.facets if facet.on_wire])
        if said not in told:
            told.add(said)
            yield server


def _servers(node: Node, place: Place, scope: Scope) -> Iterator[Element]:
    for at, item in enumerate(scope.listing(node, "servers", place)):
        below = place.child("servers", at)
        url = item.get("url") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(url, str):
            yield _server(url, item, below)
        else:
            scope.skip(below, "a server without a url", "give it a url")


def _swagger_servers(owner: Node, place: Place, scope: Scope) -> Iterator[Element]:
    """The servers of the document, or of an operation with schemes of its own; an unsaid host is a variable."""
    node = scope.root
    host, base = node.get("host"), node.get("basePath", "/")
    for key, value in (("host", host), ("basePath", base)):
        if owner is node and value is not None and not isinstance(value, str):
            scope.skip(scope.place.child(key), f"{key}: not a string", "write it as a string")
    base = "/" + (base if isinstance(base, str) else "").lstrip("/")
    schemes = [str(scheme) for scheme in scope.listing(owner, "schemes", place)]
    if not isinstance(host, str) and not schemes:
        yield _server(base, {}, place)
        return
    host = host if isinstance(host, str) else "{host}"
    for scheme in schemes or [""]:
        yield _server(f"{scheme}:" * bool(scheme) + f"//{host}{base}", {}, place)


def server_key(url: str) -> str:
    """The URL in one spelling, see `address`; its variables nameless, no slash at the end."""
    return address(_VARIABLE.sub("{}", url.strip())).rstrip("/") or "/"


def _server(url: str, node: Node, place: Place) -> Element:
    key = server_key(url)
    facets = [
        Facet(BASE_PATH, Aspect.SERVERS, base_path(key), True, "/url" if "url" in node else ""),
        *_variables(url, node.get("variables")),
        *described(node),
    ]
    return Element(
        kind=ElementKind.SERVER,
        key=key,
        name=url,
        aspect=Aspect.SERVERS,
        place=place,
        role=DOCUMENT.role,
        facets=tuple(facets),
    )


def _variables(url: str, variables: Json) -> Iterator[Facet]:
    """Default and allowed values of each variable, by its position in the URL."""
    if not isinstance(variables, dict):
        return
    for at, found in enumerate(_VARIABLE.findall(url)):
        name = found[1:-1]
        if isinstance(variables.get(name), dict):
            yield from variable_facets(variables[name], name, at)


FoundNode = tuple[Node, Place]

METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
MAX_CALLBACK_DEPTH: Final = 12
"""Callbacks whose operations have callbacks, and so on."""
MAX_NESTED_CALLBACKS: Final = 1000
"""Callbacks inside callbacks in one document, counted as often as they are reached."""
MAX_PATH: Final = 8000
"""Characters of a path, which every place below it repeats. RFC 9110, section 4.1, asks nobody to read longer URIs."""
_ITEM_KEYS: Final = frozenset({"$ref", "summary", "description", "servers", "parameters", *METHODS})


@frozen
class _Route:
    """How the operations of one path item are named: before and after the method, in the key and for people."""

    path: str
    key: tuple[str, str]
    name: tuple[str, str]
    sides: Sides


def path_operations(scope: Scope) -> Iterator[Element]:
    """The operations below `paths`, in document order."""
    found = list(_below_paths(scope))
    keys = Counter(operation.key for operation in found)
    # One method of two templates that differ in variable names only keeps the names, or one of the two would be lost.
    yield from (
        operation if keys[operation.key] == 1 else replace(operation, key=operation.name) for operation in found
    )


def _below_paths(scope: Scope) -> Iterator[Element]:
    below = scope.place.child("paths")
    for path, item in members(scope.mapping(scope.root, "paths", scope.place)):
        if not path.startswith("/"):
            scope.skip(below.child(path), f"path {path}: does not start with /", "start it with /")
        if len(path) > MAX_PATH:
            scope.skip(below, f"path {path[:40]}…: longer than {MAX_PATH:,} characters", "shorten the path")
            continue
        route = _Route(path, ("", f" {path_key(path)}"), ("", f" {path}"), PRODUCER)
        yield from _operations(item, below.child(path), scope, route)


def webhook_operations(scope: Scope) -> Iterator[Element]:
    """The operations below `webhooks`, which the producer calls."""
    below = scope.place.child("webhooks")
    for name, item in members(scope.mapping(scope.root, "webhooks", scope.place)):
        route = _Route("", (f"WEBHOOK {name} ", ""), (f"webhook {name} ", ""), WEBHOOK)
        yield from _operations(item, below.child(name), scope, route)


def _operations(item: Json, place: Place, scope: Scope, route: _Route) -> Iterator[Element]:
    """The operations of one path item; keys beside its `$ref` replace the referenced ones."""
    found = _path_item(item, place, scope, route.path)
    if found is None:
        return
    node, place, places = found
    for key in node:
        if key in METHODS:
            operation = node[key]
            at = places.get(key, place).child(key)
            if isinstance(operation, dict):
                yield _operation(key.upper(), (operation, at), (node, place), scope, route)
            else:
                scope.skip(at, f"operation {key}: not an object", "write it as an object")
        elif key not in _ITEM_KEYS and not key.startswith("x-"):
            scope.skip(place.child(key), f"path item: unknown member {key}", "use a method of the specification")


def _path_item(item: Json, place: Place, scope: Scope, path: str) -> tuple[Node, Place, dict[str, Place]] | None:
    """The path item, its place, and the place of every member that is written beside its `$ref`."""
    found = scope.resolve(item, place, f"path {path}".strip())
    if found is None or found[1] == place or not isinstance(item, dict):
        return (*found, {}) if found else None
    own = {key: value for key, value in item.items() if key != "$ref"}
    return found[0] | own, found[1], dict.fromkeys(own, place)


def _operation(method: str, operation: FoundNode, item: FoundNode, scope: Scope, route: _Route) -> Element:
    node, place = operation
    found = declared(item[0], node, (item[1], place), scope)
    request = route.sides.request
    servers = _own_servers(operation, item, scope)
    called = route.sides is PRODUCER or route.key[1].startswith(" /")
    parts = (
        *(server_elements(servers, scope) if called else ()),
        operation_security(operation, scope, request),
        *parameters(found, route.path, scope, request),
        body(found, operation, scope, request),
        *responses(operation, scope, route.sides, head=method == "HEAD"),
        *_callbacks(operation, scope),
    )
    return Element(
        kind=ElementKind.OPERATION,
        key=method.join(route.key),
        name=method.join(route.name),
        aspect=Aspect.METHODS,
        place=place,
        role=request.role,
        direction=request.direction,
        facets=(*_operation_facets(node, scope, place), *_item_facets(item[0]), *(() if called else _unused(servers))),
        children=unique(parts, scope),
    )


def _unused(servers: FoundNode | None) -> Iterator[Facet]:
    if servers is not None:
        yield Facet("servers", Aspect.SERVERS, servers[0].get("servers"), False)


def _operation_facets(node: Node, scope: Scope, place: Place) -> Iterator[Facet]:
    yield deprecation(node, scope, place)
    if "operationId" in node:
        yield Facet("operationId", Aspect.IDENTIFIERS, node["operationId"], False, "/operationId")
    yield from described(node)


def _item_facets(item: Node) -> Iterator[Facet]:
    """The path item's own words, which every one of its operations repeats."""
    for key in ("summary", "description"):
        if key in item:
            yield Facet(f"path.{key}", Aspect.ANNOTATIONS, item[key], False)


def _own_servers(operation: FoundNode, item: FoundNode, scope: Scope) -> FoundNode | None:
    """The object whose `servers`, in 2.0 whose `schemes`, replace the document's for this operation."""
    if scope.version is Version.V2:
        return operation if "schemes" in operation[0] else None
    return next((owner for owner in (operation, item) if "servers" in owner[0]), None)


def _callbacks(operation: FoundNode, scope: Scope) -> Iterator[Element]:
    node, place = operation
    if "callbacks" not in node:
        return
    below = place.child("callbacks")
    for name, item in members(scope.mapping(node, "callbacks", place)):
        found = scope.resolve(item, below.child(name), f"callback {name}")
        if found is not None:
            yield _callback(name, *found, scope)


def _callback_operations(node: Node, place: Place, scope: Scope) -> list[Element]:
    """The operations of a callback; none for one that is being read: what differs in it differs where it is open."""
    if place in scope.open_callbacks:
        return []
    depth = len(scope.open_callbacks)
    scope.nested_callbacks += depth > 0
    if depth >= MAX_CALLBACK_DEPTH or scope.nested_callbacks > MAX_NESTED_CALLBACKS:
        scope.skip(place, "callbacks inside callbacks, more than are read", "check whether they lead in circles")
        return []
    scope.open_callbacks.append(place)
    found = [
        operation
        for expression, item in members(node)
        for operation in _operations(
            item, place.child(expression), scope, _Route("", ("", f" {expression}"), ("", f" {expression}"), CALLBACK)
        )
    ]
    scope.open_callbacks.pop()
    return found


def _callback(name: str, node: Node, place: Place, scope: Scope) -> Element:
    return Element(
        kind=ElementKind.CALLBACK,
        key=name,
        name=name,
        aspect=Aspect.CALLBACKS,
        place=place,
        role=CALLBACK.request.role,
        direction=CALLBACK.request.direction,
        facets=tuple(described(node)),
        children=unique(_callback_operations(node, place, scope), scope),
    )


# Schemas of 3.1 in a draft that `jsonSchemaDialect` or a component's own `$schema` names.
#
# OpenAPI 3.1, section 4.8.24.5: both decide how a schema is read. What the named draft does not know its validators
# pass over, so it is taken out here, and told as noise.


_REF_ALONE: Final = (SchemaDialect.DRAFT_4, SchemaDialect.DRAFT_6, SchemaDialect.DRAFT_7)
_NAMED: Final = frozenset(
    {"callbacks", "content", "encoding", "examples", "headers", "links", "mapping", "parameters", "pathItems", "paths"}
    | {"requestBodies", "responses", "schemas", "scopes", "securitySchemes", "variables", "webhooks"}
)
"""Below these stand names that the author chose."""
_DATA: Final = frozenset({"default", "enum", "example", "examples", "value"})


@dataclass(slots=True)
class _Reading:
    """What is read by which draft: places that were visited, and what was taken out."""

    resolver: Resolver
    visited: set[Place] = field(default_factory=set)
    passed: list[Json] = field(default_factory=list)

    def read(self, place: Place, node: Json, draft: SchemaDialect, *, alone: bool) -> None:
        """Takes out what `draft` does not know, also behind references; `alone`: and what stands beside `$ref`."""
        waiting = [(place, node)]
        while waiting:
            place, node = waiting.pop()
            for at, schema in schemas(place, node):
                if at in self.visited:
                    continue
                self.visited.add(at)
                ref = schema.get("$ref")
                lost = schema.keys() - {"$ref"} if alone and isinstance(ref, str) else UNKNOWN[draft] & schema.keys()
                for keyword in sorted(lost):
                    del schema[keyword]
                    self.passed.append(f"{at} {keyword}")
                found = self.resolver.target(at, ref) if isinstance(ref, str) else None
                waiting += [found] if found is not None and found[0].file != at.file else []


def passed_over(scope: Scope) -> list[Json]:
    """Takes out of the documents what the drafts that their schemas name do not know; the places of all of it."""
    if scope.version is not Version.V31:
        return []
    reading = _Reading(scope.resolver)
    for place, node in _components(scope):
        own = draft_of(node.get("$schema"))
        if own is None or own in (scope.dialect, SchemaDialect.DRAFT_2020_12):
            continue
        if scope.dialect is SchemaDialect.OPENAPI_3_1:
            reading.read(place, node, own, alone=own in _REF_ALONE)
        else:
            scope.skip(place.child("$schema"), "another schema dialect than the document's", "write both in one")
    if scope.dialect in UNKNOWN:
        for place, schema in _roots(scope.place, scope.root):
            reading.read(place, schema, scope.dialect, alone=False)
    return reading.passed


def _components(scope: Scope) -> Iterator[tuple[Place, dict[str, Json]]]:
    components = scope.root.get("components")
    named = components.get("schemas") if isinstance(components, Mapping) else None
    for name, node in named.items() if isinstance(named, dict) else ():
        if isinstance(node, dict) and "$schema" in node:
            yield scope.place.child("components", "schemas", name), node


def _roots(place: Place, root: Json) -> Iterator[tuple[Place, Json]]:
    """Every schema that does not stand in another one."""
    waiting: list[tuple[Place, Json, str]] = [(place, root, "")]
    while waiting:
        place, node, around = waiting.pop()
        if isinstance(node, list):
            waiting += [(place.child(at), member, "") for at, member in enumerate(node)]
        if not isinstance(node, dict):
            continue
        for key, member in node.items():
            named = around in _NAMED
            if (around == "schemas") if named else key == "schema":
                yield place.child(key), member
            elif named or (key not in _DATA and not key.startswith("x-")):
                waiting.append((place.child(key), member, "" if named or isinstance(member, list) else key))


# The document as a whole.


_VERSION: Final = re.compile(r"(2\.0|3\.0|3\.1)(?:\.[0-9].*)?")
_DIALECTS: Final[Mapping[Version, SchemaDialect]] = {
    Version.V2: SchemaDialect.SWAGGER_2,
    Version.V30: SchemaDialect.OPENAPI_3_0,
    Version.V31: SchemaDialect.OPENAPI_3_1,
}
_NAMED_DIALECTS: Final[Mapping[str, SchemaDialect]] = {
    "https://spec.openapis.org/oas/3.1/dialect/base": SchemaDialect.OPENAPI_3_1,
    "https://json-schema.org/draft/2020-12/schema": SchemaDialect.DRAFT_2020_12,
    "https://json-schema.org/draft/2019-09/schema": SchemaDialect.DRAFT_2019_09,
    "http://json-schema.org/draft-07/schema": SchemaDialect.DRAFT_7,
    "http://json-schema.org/draft-06/schema": SchemaDialect.DRAFT_6,
    "http://json-schema.org/draft-04/schema": SchemaDialect.DRAFT_4,
}


def read(files: Files) -> Contract:
    """The contract that an OpenAPI document describes.

    Raises:
        BadInput: `openapi-version`, `openapi-paths`.
    """
    source, root = files.source, _root(files.source)
    version, written = _version(root, source.entry)
    _check_paths(root, version, source.entry)
    dialect = _dialect(root, version)
    scope = Scope(version, dialect or _DIALECTS[version], Resolver(source.documents), root, source.entry)
    if dialect is None:
        scope.skip(
            scope.place.child("jsonSchemaDialect"), "an unknown schema dialect", "schemas are read as OpenAPI 3.1's"
        )
    passed = passed_over(scope)
    info = scope.mapping(root, "info", scope.place)
    element = _document(root, info, written, scope)
    if passed:
        note = Facet("keywords of other drafts", Aspect.ANNOTATIONS, passed, on_wire=False)
        element = replace(element, facets=(*element.facets, note))
    return Contract(
        kind=ContractKind.OPENAPI,
        discriminates=True,
        version=written,
        title=str(info.get("title", "")),
        release=str(info.get("version", "")),
        path=source.entry,
        sha256=source.sha256,
        root=element,
        documents=source.documents,
        unread=tuple(dict.fromkeys((*source.unread, *scope.unread))),
    )


def _root(source: Source) -> Node:
    return source.root if isinstance(source.root, dict) else {}


def _version(root: Node, file: str) -> tuple[Version, str]:
    key = "openapi" if "openapi" in root else "swagger"
    written = root.get(key)
    text = str(written) if isinstance(written, str | float | int) and not isinstance(written, bool) else ""
    match = _VERSION.fullmatch(text)
    if match is None or (match[1] == "2.0") != (key == "swagger"):
        found = f"{key} {text}".strip() + ": not a version that is read" if text else f"{key}: no version"
        advice = "OpenAPI 3.0 and 3.1 and Swagger 2.0 are read"
        raise bad_input("openapi-version", found, file=file, place=f"#/{key}", advice=advice)
    return Version(match[1]), text


def _check_paths(root: Node, version: Version, file: str) -> None:
    paths = root.get("paths")
    if isinstance(paths, dict) or (paths is None and version is Version.V31):
        return
    found = "no paths" if "paths" not in root else "paths is not an object"
    raise bad_input(
        "openapi-paths", found, file=file, place="#/paths", advice="check that this is a whole API document"
    )


def _dialect(root: Node, version: Version) -> SchemaDialect | None:
    named = root.get("jsonSchemaDialect")
    if version is not Version.V31 or named is None:
        return _DIALECTS[version]
    return _NAMED_DIALECTS.get(named.removesuffix("#")) if isinstance(named, str) else None


def _document(root: Node, info: Node, written: str, scope: Scope) -> Element:
    children = (
        *document_servers(scope),
        *security_schemes(scope),
        *path_operations(scope),
        *webhook_operations(scope),
    )
    return Element(
        kind=ElementKind.DOCUMENT,
        key="",
        name=str(info.get("title", "")),
        aspect=Aspect.ANNOTATIONS,
        place=scope.place,
        role=DOCUMENT.role,
        facets=(*_document_facets(root, info, written), *described(root)),
        children=unique(children, scope),
    )


def _document_facets(root: Node, info: Node, written: str) -> Iterator[Facet]:
    key = "swagger" if "swagger" in root else "openapi"
    yield Facet("format", Aspect.IDENTIFIERS, written, False, f"/{key}")
    for name, value in info.items():
        yield Facet(
            f"info.{name}", Aspect.ANNOTATIONS, value, False, f"/info/{name.replace('~', '~0').replace('/', '~1')}"
        )
