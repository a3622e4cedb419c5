"""Values that are secret because of the name that they stand under, though the form shows them without it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from evreview.artifacts.ledger_words import Document
from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import Missing
from evreview.kinds.code_names import code_names
from evreview.redaction.learned_values import Distinct
from evreview.redaction.redactor import Guard

_TRANSPARENT: Final = frozenset(
    {"const", "enum", "default", "example", "examples", "value", "schema", "items", "prefixItems", "contains"}
    | {"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "additionalProperties", "unevaluatedProperties"}
)
"""Below these keywords a value still belongs to the member that the schema describes."""
Pair = tuple[str, str]
"""A name and a value that stands under it."""
_GLUED: Final = re.compile(r"(?:\[[^\]]*\]|\{[^}]*\})+$")
_BRANCH: Final = re.compile(r"\w+\(.*\)$")


def learnt(document: Document, guard: Guard) -> Guard:
    """The guard, which also knows the values that the rows' own names make secret: it takes them out everywhere."""
    pairs: dict[Pair, None] = {}
    for row in (*document["rows"], *document["noise"]):
        name = _name(str(row.get("address") or ""))
        for side in ("released", "candidate"):
            _note(pairs, row.get(side), name)
    return guard.knowing(pairs)


def learning(comparisons: Iterable[Comparison], files: Sequence[tuple[str, bytes]]) -> Callable[[], Guard]:
    """What makes the guard of comparisons: it has learnt the files, and what the rows' own names make secret.

    Args:
        comparisons: their differences.
        files: name and bytes of every file read.
    """
    ledgers = [comparison.ledger for comparison in comparisons]
    deltas = [delta for each in ledgers for delta in (*each.deltas, *(noise.delta for noise in each.noise))]

    def made() -> Guard:
        lines = Distinct()
        told = [(name, lines.of(data.decode("utf-8", "replace"))) for name, data in files]
        pairs: dict[Pair, None] = {}
        for delta in deltas:
            for form in (delta.released, delta.candidate):
                if not isinstance(form, Missing):
                    _note(pairs, form, _name(delta.address))
        sides = (side for each in ledgers for side in (each.released, each.candidate))
        return Guard.over(told).knowing(pairs).sparing(code_names(sides))

    return cache(made)


def _name(address: str) -> str:
    """The member or parameter that an address ends at: items, maps and branches belong to the one before them."""
    for step in reversed(address.split(" > ")):
        name = _GLUED.sub("", step)
        if name and not _BRANCH.fullmatch(name):
            return name
    return ""


def _note(pairs: dict[Pair, None], form: Any, name: str) -> None:
    """Notes every text and number of a form with the name that it stands under."""
    if isinstance(form, str):
        pairs[name, form] = None
    elif isinstance(form, (dict, Mapping)):
        for key, part in form.items():
            _note(pairs, part, name if key in _TRANSPARENT else str(key))
    elif isinstance(form, list | tuple):
        for part in form:
            _note(pairs, part, name)
    elif isinstance(form, int) and not isinstance(form, bool):
        pairs[name, str(form)] = None
