"""Added operations with a more concrete path: which operation answered their requests until now.

OpenAPI 3.1, section 4.8.8 Paths Object: "the concrete definition is matched first". Where two templates hold the same
path and neither is the more concrete one, the standard leaves the choice open, and nothing is said here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.elements import ElementDifference
from evreview.comparison.pairing import fixed
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Change, ContractKind, Role

_FREE: Final = "{}"
_Mask = tuple[bool, ...]


def with_takers(rows: list[ElementDifference], released: Contract) -> list[ElementDifference]:
    """The rows, those of added operations with the released operation whose requests they answer."""
    if released.kind is not ContractKind.OPENAPI:
        return rows
    templates = Templates(released.root.children)
    return [_told(row, templates) if _is_added(row) else row for row in rows]


def _is_added(row: ElementDifference) -> bool:
    return row.about.kind is ElementKind.OPERATION and row.difference.direction is Change.ADDED


def _told(row: ElementDifference, templates: Templates) -> ElementDifference:
    answering = templates.answering(row.about)
    if not answering:
        return row
    facts = {**row.difference.facts, fact.TAKES_OVER: answering}
    return replace(row, difference=replace(row.difference, facts=facts))


class Templates:
    """The templated operations of one contract, by method, length and where their variables stand."""

    def __init__(self, elements: Iterable[Element]) -> None:
        self._plain: dict[tuple[str, int], dict[_Mask, dict[tuple[str, ...], str]]] = {}
        self._mixed: dict[tuple[str, int], list[tuple[_Mask, str]]] = {}
        for element in elements:
            if _is_called(element) and _FREE in element.key:
                self._add(element.key)

    def _add(self, key: str) -> None:
        where, segments = _split(key)
        mask = tuple(_FREE in segment for segment in segments)
        if any(_FREE in segment and segment != _FREE for segment in segments):
            self._mixed.setdefault(where, []).append((mask, key))
        else:
            by_literal = self._plain.setdefault(where, {}).setdefault(mask, {})
            by_literal.setdefault(_literal(segments, mask), key)

    def answering(self, operation: Element) -> str:
        """The key of the operation that a request to this one reaches as long as it is not there, "" for none."""
        if not _is_called(operation) or not (self._plain or self._mixed):
            return ""
        where, segments = _split(operation.key)
        found = [
            (mask, by_literal.get(_literal(segments, mask), ""))
            for mask, by_literal in self._plain.get(where, {}).items()
            if all(segment == _FREE or _FREE not in segment for segment in segments)
        ]
        found += [(mask, key) for mask, key in self._mixed.get(where, ()) if fixed(key, operation.key) is not None]
        return min(((mask, key) for mask, key in found if key), default=((), ""))[1]


def _is_called(element: Element) -> bool:
    return element.kind is ElementKind.OPERATION and element.role is Role.REQUEST and " /" in element.key


def _split(key: str) -> tuple[tuple[str, int], tuple[str, ...]]:
    method, _, path = key.partition(" ")
    segments = tuple(path.split("/"))
    return (method, len(segments)), segments


def _literal(segments: tuple[str, ...], mask: _Mask) -> tuple[str, ...]:
    return tuple(segment for segment, free in zip(segments, mask, strict=True) if not free)
