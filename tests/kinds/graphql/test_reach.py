"""Which operations reach a type, held against a walk from each operation; and that large schemas take linear time."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.kinds.graphql.elements import uses_of
from evreview.kinds.graphql.reader import definitions_of

NAMES = [f"T{at}" for at in range(7)]
EDGES = st.dictionaries(st.sampled_from(NAMES), st.sets(st.sampled_from(NAMES), max_size=3), max_size=7)
STARTS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4)


def schema(starts: list[str], edges: dict[str, set[str]]) -> str:
    fields = " ".join(f"q{at}: {name}" for at, name in enumerate(starts))
    types = [
        f"type {name} {{ x: Int {' '.join(f'to{target}: [{target}!]' for target in sorted(edges.get(name, ())))} }}"
        for name in NAMES
    ]
    return "\n".join([f"type Query {{ {fields} }}", *types])


def walked(starts: list[str], edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """The operations that reach each type, by walking from each."""
    found: dict[str, set[str]] = {name: set() for name in NAMES}
    for at, start in enumerate(starts):
        seen, waiting = {start}, [start]
        while waiting:
            fresh = edges.get(waiting.pop(), set()) - seen
            seen |= fresh
            waiting.extend(fresh)
        for name in seen:
            found[name].add(f"query q{at}")
    return found


@settings(max_examples=150, deadline=None)
@given(STARTS, EDGES)
def test_types_know_the_operations_that_reach_them(starts: list[str], edges: dict[str, set[str]]) -> None:
    uses = uses_of(definitions_of({"schema.graphql": schema(starts, edges)}))
    assert {name: set(uses[name].operations) for name in NAMES} == walked(starts, edges)


def test_a_schema_in_which_everything_leads_to_everything_ends() -> None:
    size = 4_000
    fields = " ".join(f"q{at}: T{at}" for at in range(size))
    types = (f"type T{at} {{ a: T{(at + 1) % size} b: T{at * 7 % size} }}" for at in range(size))
    found = definitions_of({"schema.graphql": "\n".join([f"type Query {{ {fields} }}", *types])})
    before = time.process_time()
    uses = uses_of(found)
    assert len(uses["T9"].operations) == size
    assert time.process_time() - before < 5  # A walk from each operation takes minutes.
