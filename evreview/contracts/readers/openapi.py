"""OpenAPI 2.0, 3.0 and 3.1 documents as a contract. The parts are in the `openapi_…` files beside this one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind, Facet, SchemaDialect, Unread
from evreview.contract.references import Resolver
from evreview.contract.source import Files, Source
from evreview.contracts.readers.openapi_dialects import passed_over
from evreview.contracts.readers.openapi_scope import DOCUMENT, Node, Scope, Version, described, unique
from evreview.core.errors import bad_input
from evreview.core.vocabulary import Aspect, ContractKind
from evreview.kinds.openapi.reader import path_operations, webhook_operations
from evreview.kinds.openapi.reader_security import security_schemes
from evreview.kinds.openapi.reader_servers import document_servers

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


def recognises(files: Files) -> bool:
    """True when the document says that it is an OpenAPI or Swagger document.

    Raises:
        BadInput: it is no JSON and no YAML.
    """
    if files.is_folder:
        return False
    root = files.root
    return isinstance(root, dict) and ("openapi" in root or "swagger" in root)


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
        version=written,
        title=str(info.get("title", "")),
        release=str(info.get("version", "")),
        path=source.entry,
        sha256=source.sha256,
        root=element,
        documents=source.documents,
        unread=_once((*source.unread, *scope.unread)),
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
        facets=(*_facets(root, info, written), *described(root)),
        children=unique(children, scope),
    )


def _facets(root: Node, info: Node, written: str) -> Iterator[Facet]:
    key = "swagger" if "swagger" in root else "openapi"
    yield Facet("format", Aspect.IDENTIFIERS, written, False, f"/{key}")
    for name, value in info.items():
        yield Facet(
            f"info.{name}", Aspect.ANNOTATIONS, value, False, f"/info/{name.replace('~', '~0').replace('/', '~1')}"
        )


def _once(rows: tuple[Unread, ...]) -> tuple[Unread, ...]:
    return tuple(dict.fromkeys(rows))
