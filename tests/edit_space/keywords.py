"""Every schema keyword that reaches the wire, with the states it can be in and values around its boundaries.

A keyword's edits are all ordered pairs of its states: added, removed, narrowed, widened, replaced by something that
is neither, and (where two states admit the same) only rewritten. No verdict is written here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from tests.edit_space.forms import ALL, Form, Schema

Forms = frozenset[Form]


@dataclass(frozen=True, eq=False)
class Keyword:
    """One keyword.

    Attributes:
        name: as written, with a remark in brackets where one keyword has several rows.
        base: what stands beside it in every state.
        states: the schema fragments that it can be; {} where it is absent.
        samples: values at which two states may differ, and some at which they don't.
        forms: the forms that have the keyword with these values.
    """

    name: str
    base: dict[str, Any]
    states: tuple[Schema, ...]
    samples: tuple[Any, ...]
    forms: Forms = ALL

    def edits(self) -> Iterator[tuple[int, int]]:
        """Every change from one state to another, by position."""
        return permutations(range(len(self.states)), 2)

    def schema(self, state: int) -> Schema:
        """The whole schema in one state."""
        found = self.states[state]
        return found if isinstance(found, bool) else {**self.base, **found}

    def spelled(self, state: int) -> str:
        """A state as a short text for a cell's name."""
        found = self.states[state]
        return "absent" if found == {} else json.dumps(found, separators=(",", ":"))[:80]
