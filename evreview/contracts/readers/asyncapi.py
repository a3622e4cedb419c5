"""AsyncAPI 2.0 to 2.6, 3.0 and 3.1 documents as a contract. The parts are in the `asyncapi_…` files beside this one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evreview.contract.json_reader import Node
from evreview.contract.model import Contract, Element, ElementKind, Facet
from evreview.contract.references import Resolver
from evreview.contract.source import Files, load_source
from evreview.contracts.readers.asyncapi_scope import DOCUMENT, Scope, with_edits
from evreview.core.errors import bad_input
from evreview.core.vocabulary import Aspect, ContractKind
from evreview.kinds.asyncapi.reader import idle_channels, operations
from evreview.kinds.asyncapi.reader_channels import surface
from evreview.kinds.asyncapi.reader_servers import security_schemes, server_elements, server_keys, servers
from evreview.kinds.openapi.reader_content import described, unique

_VERSION: Final = re.compile(r"(2)\.[0-6](?:\.\d+)?(?:-.*)?|(3)\.[01](?:\.\d+)?(?:-.*)?")


def recognises(files: Files) -> bool:
    """True when the document says that it is an AsyncAPI document.

    Raises:
        BadInput: it is no JSON and no YAML.
    """
    return not files.is_folder and isinstance(files.root, dict) and "asyncapi" in files.root


def read(files: Files) -> Contract:
    """The contract that an AsyncAPI document describes.

    Raises:
        BadInput: `asyncapi-version`, `asyncapi-channels`, and what `load_source` raises.
    """
    source = load_source(files.entry, files.load, files.root, elsewhere=True)
    root = source.root if isinstance(source.root, dict) else {}
    written, third = _version(root, source.entry)
    _check_channels(root, source.entry, third=third)
    scope = Scope(Resolver(source.documents), root, source.entry, third=third)
    info = scope.mapping(root, "info", scope.place)
    element = _document(root, info, written, scope)
    return Contract(
        kind=ContractKind.ASYNCAPI,
        version=written,
        title=str(info.get("title", "")),
        release=str(info.get("version", "")),
        path=source.entry,
        sha256=source.sha256,
        root=element,
        documents=with_edits(source.documents, scope.edits),
        unread=tuple(dict.fromkeys((*source.unread, *scope.unread))),
    )


def _version(root: Node, file: str) -> tuple[str, bool]:
    written = root.get("asyncapi")
    text = str(written) if isinstance(written, str | float) and not isinstance(written, bool) else ""
    match = _VERSION.fullmatch(text)
    if match is None:
        found = f"asyncapi {text}: not a version that is read" if text else "asyncapi: no version"
        advice = "AsyncAPI 2.0 to 2.6, 3.0 and 3.1 are read"
        raise bad_input("asyncapi-version", found, file=file, place="#/asyncapi", advice=advice)
    return text, match[2] is not None


def _check_channels(root: Node, file: str, *, third: bool) -> None:
    channels = root.get("channels")
    if isinstance(channels, dict) or (channels is None and third):
        return
    found = "no channels" if "channels" not in root else "channels is not an object"
    advice = "check that this is a whole AsyncAPI document"
    raise bad_input("asyncapi-channels", found, file=file, place="#/channels", advice=advice)


def _document(root: Node, info: Node, written: str, scope: Scope) -> Element:
    declared = servers(scope)
    scope.server_keys = server_keys(declared, scope)
    found = surface(scope)
    children = (
        *server_elements(declared, scope),
        *security_schemes(scope),
        *operations(found, scope),
        *idle_channels(found, scope),
    )
    return Element(
        kind=ElementKind.DOCUMENT,
        key="",
        name=str(info.get("title", "")),
        aspect=Aspect.ANNOTATIONS,
        place=scope.place,
        role=DOCUMENT.role,
        facets=tuple(_facets(root, info, written)),
        children=unique(children, scope),
    )


def _facets(root: Node, info: Node, written: str) -> Iterator[Facet]:
    yield Facet("format", Aspect.IDENTIFIERS, written, False, "/asyncapi")
    if "id" in root:
        yield Facet("id", Aspect.IDENTIFIERS, root["id"], False, "/id")
    # 3.x moved tags and external documentation of the document into `info`.
    moved: Node = {key: root[key] for key in ("tags", "externalDocs") if key in root}
    described_by: Node = {**moved, **info}
    for name, value in described_by.items():
        yield Facet(f"info.{name}", Aspect.ANNOTATIONS, value, False)
    yield from (facet for facet in described(root) if facet.name not in moved)
