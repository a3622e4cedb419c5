"""Helpers of this folder: a contract from texts in memory, and plain views of an element."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.errors import BadInput, bad_input
from evreview.kinds.load import read_contract


def contract(document: object, **files: object) -> Contract:
    """The contract of a document; `files` gives further ones, `__` for `/` and `_yaml` for `.yaml` in their names."""
    named = {name.replace("__", "/").replace("_yaml", ".yaml"): value for name, value in files.items()}
    return folder({"api.yaml": document, **named})


def folder(files: Mapping[str, object], entry: str = "api.yaml") -> Contract:
    """The contract that starts in a file of a folder in memory; whatever is not in it is missing."""
    texts = {name: value if isinstance(value, bytes) else json.dumps(value).encode() for name, value in files.items()}

    def load(name: str) -> bytes:
        if name not in texts:
            raise bad_input("file-missing", "there is no such file", file=name)
        return texts[name]

    return read_contract(entry, load)


def codes(document: object, **files: object) -> list[tuple[str, str]]:
    """Code and place of every problem that keeps the document from being read."""
    try:
        contract(document, **files)
    except BadInput as error:
        return [(problem.code, problem.place) for problem in error.problems]
    return []


def v30(**operation: object) -> dict[str, object]:
    """A 3.0 document with one operation."""
    return {"openapi": "3.0.3", "info": {}, "paths": {"/a/{x}": {"get": {"responses": {}, **operation}}}}


def every(element: Element) -> Iterator[Element]:
    """The element and all below it."""
    yield element
    for child in element.children:
        yield from every(child)


def one(element: Element, kind: ElementKind, key: str | None = None) -> Element:
    """The only element of a kind (and key) below another one."""
    found = [each for each in every(element) if each.kind is kind and key in (None, each.key)]
    assert len(found) == 1, [(each.kind, each.key) for each in every(element)]
    return found[0]


def keys(element: Element, kind: ElementKind) -> list[str]:
    """The keys of all elements of a kind below another one."""
    return [each.key for each in every(element) if each.kind is kind]


def facets(element: Element) -> dict[str, object]:
    """The facets that reach the wire, by name."""
    return {facet.name: facet.value for facet in element.facets if facet.on_wire}


def wire(element: Element) -> object:
    """All that reaches the wire, as plain values that can be compared across versions of the format."""
    return {
        "kind": element.kind.value,
        "key": element.key,
        "position": (element.role.value, element.direction, element.in_error),
        "facets": facets(element),
        "value": element.value.node if element.value else None,
        "children": sorted((wire(child) for child in element.children), key=lambda each: (each["kind"], each["key"])),
    }
