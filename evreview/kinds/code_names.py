"""The dotted names of code that a contract declares: modules, packages, what stands in them. None is a host."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from evreview.contract.model import Contract, Element, Facet
from evreview.core.vocabulary import ContractKind
from evreview.kinds.python import signatures as sig

_KINDS: Final = frozenset({ContractKind.PYTHON, ContractKind.PROTOBUF, ContractKind.AVRO})
_NAMED: Final = frozenset(
    {sig.ANCESTORS, sig.OPEN, sig.BASES, sig.METACLASS, sig.CONSTRUCTOR, sig.STANDS_FOR, sig.TARGET}
    | {sig.ANNOTATION, sig.RETURNS, sig.TYPE}
)
"""Facets whose texts are names; values may hold anything."""
_DOTTED: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")


def code_names(contracts: Iterable[Contract]) -> frozenset[str]:
    """The dotted names of contracts whose names are those of code, and what is in front of each dot of them."""
    found: set[str] = set()
    for contract in contracts:
        if contract.kind in _KINDS:
            found.update(_names(contract.root))
    return frozenset(part for name in found for part in _openings(name))


def module_names(files: Iterable[str]) -> frozenset[str]:
    """What the Python files of a folder may be imported as, from whichever of the folders around them."""
    paths = (PurePosixPath(file) for file in files if file.endswith((".py", ".pyi")))
    steps = ([*path.parent.parts, *([path.stem] if path.stem != "__init__" else [])] for path in paths)
    return frozenset(".".join(each[at:]) for each in steps for at in range(len(each) - 1))


def _names(element: Element) -> Iterator[str]:
    for text in (element.key, element.name, *(text for facet in element.facets for text in _texts(facet))):
        if "." in text:
            yield from _DOTTED.findall(_QUOTED.sub("", text))
    for child in element.children:
        yield from _names(child)


def _texts(facet: Facet) -> Iterator[str]:
    if facet.name in _NAMED:
        yield from (str(each) for each in (facet.value if isinstance(facet.value, list | tuple) else [facet.value]))


def _openings(name: str) -> Iterator[str]:
    steps = name.split(".")
    return (".".join(steps[:length]) for length in range(2, len(steps) + 1))
