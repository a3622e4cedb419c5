"""The dotted names of code that a contract declares: modules, packages, what stands in them. None is a host."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from evreview.contract.model import Contract, Element, Facet
from evreview.kinds.registry import spec_of

_DOTTED: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")


def code_names(contracts: Iterable[Contract]) -> frozenset[str]:
    """The dotted names of contracts whose names are those of code, and what is in front of each dot of them."""
    found: set[str] = set()
    for contract in contracts:
        facets = spec_of(contract.kind).name_facets
        if facets is not None:
            found.update(_names(contract.root, facets))
    return frozenset(part for name in found for part in _openings(name))


def module_names(files: Iterable[str]) -> frozenset[str]:
    """What the Python files of a folder may be imported as, from whichever of the folders around them."""
    paths = (PurePosixPath(file) for file in files if file.endswith((".py", ".pyi")))
    steps = ([*path.parent.parts, *([path.stem] if path.stem != "__init__" else [])] for path in paths)
    return frozenset(".".join(each[at:]) for each in steps for at in range(len(each) - 1))


def _names(element: Element, facets: frozenset[str]) -> Iterator[str]:
    for text in (
        element.key,
        element.name,
        *(text for facet in element.facets if facet.name in facets for text in _texts(facet)),
    ):
        if "." in text:
            yield from _DOTTED.findall(_QUOTED.sub("", text))
    for child in element.children:
        yield from _names(child, facets)


def _texts(facet: Facet) -> list[str]:
    return [str(each) for each in (facet.value if isinstance(facet.value, list | tuple) else [facet.value])]


def _openings(name: str) -> Iterator[str]:
    steps = name.split(".")
    return (".".join(steps[:length]) for length in range(2, len(steps) + 1))
