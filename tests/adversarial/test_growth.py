"""The work grows with the contract and not faster: counted in calls, which no busy machine changes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

import pytest

from bench.generate import Size, contract
from bench.report import exponent
from evreview.contract.model import Contract
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests.adversarial.inputs import Document, Pair, api, both, object_of, ref, text
from tests.adversarial.references import chained, fanned

Grown = Callable[[int], Pair]
LINEAR, SQUARE = 1.3, 2.0
"""Sorting and dictionaries cost a little more than the contract grows. Values are judged as wholes."""


def calls(work: Callable[[], object]) -> int:
    """How many functions are called while `work` runs, native ones too."""
    count = 0

    def counting(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counting)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def read(document: Document) -> Contract:
    data = json.dumps(document).encode()
    return read_contract("api.json", lambda _: data)


def cost(pair: Pair) -> int:
    """The calls of a whole comparison with every proof."""

    def work() -> None:
        found = compare(*(read(side) for side in pair))
        assert found.rows
        assert found.summary["breaking"] is True

    return calls(work)


def generated(size: Size) -> Pair:
    return contract(replace(size, changed=0)), contract(size)


def shared(uses: int) -> Pair:
    def make(longest: int) -> Document:
        document = dict(api({"type": "object"}, {"Shared": object_of(b=text(longest))}))
        operation = api(ref("Shared"))["paths"]["/x"]
        return {**document, "paths": {f"/p{at}": operation for at in range(uses)}}

    return both(make)


def unused(count: int) -> Pair:
    def make(longest: int) -> Document:
        spare = {f"S{at}": object_of(b=text(longest), next=ref(f"S{at + 1}")) for at in range(count)}
        return api(object_of(b=text(longest)), {**spare, f"S{count}": text(longest)})

    return both(make)


def parameters(count: int) -> Pair:
    def make(longest: int) -> Document:
        found = [{"name": f"p{at}", "in": "query", "schema": text(longest)} for at in range(count)]
        return api({"type": "object"}, parameters=found)

    return both(make)


def values(count: int) -> Pair:
    every = [f"value-{at}" for at in range(count)]
    return api({"enum": every}), api({"enum": every[1:]})


def alternatives(count: int) -> Pair:
    def make(longest: int) -> Document:
        return api(object_of(b=text(longest)), security=[{f"s{at}": [f"scope{longest}"]} for at in range(count)])

    return both(make)


def branches(count: int) -> Pair:
    """Branches without names, each of them changed: paired by what they are alike in."""

    def make(longest: int) -> Document:
        found = [{"type": "array", "items": {"enum": [f"v{at}"]}, "maxItems": longest} for at in range(count)]
        return api({"anyOf": found})

    return both(make)


WHOLES = frozenset({"chain of properties", "chain of items", "changed branches"})
"""Each of n levels judges a value of n levels, and each of n branches is held against n."""
GROWN: dict[str, tuple[Grown, tuple[int, ...]]] = {
    "operations": (lambda n: generated(Size(operations=n, changed=n // 10)), (20, 40, 80)),
    "changed share": (lambda n: generated(Size(operations=80, changed=n)), (10, 20, 40)),
    "reference depth": (lambda n: generated(Size(operations=10, changed=4, depth=n)), (20, 40, 80)),
    "fan of properties": (lambda n: fanned(lambda below: object_of(left=below, right=below), n), (8, 16, 24)),
    "chain of references": (lambda n: chained(lambda below: below, n), (40, 80, 160)),
    "chain of properties": (lambda n: chained(lambda below: object_of(next=below), n), (20, 40, 80)),
    "chain of items": (lambda n: chained(lambda below: {"type": "array", "items": below}, n), (20, 40, 80)),
    "uses of one component": (shared, (50, 100, 200)),
    "unused components": (unused, (100, 200, 400)),
    "parameters": (parameters, (20, 40, 80)),
    "enumerated values": (values, (200, 400, 800)),
    "changed branches": (branches, (8, 16, 32)),
    "security alternatives": (alternatives, (100, 200, 400)),
}


@pytest.mark.parametrize("name", GROWN)
def test_the_work_grows_with_the_contract_and_not_faster(name: str) -> None:
    make, sizes = GROWN[name]
    cost(make(sizes[0]))  # what is compiled and imported once is not counted
    found = [(size, cost(make(size))) for size in sizes]
    slope = exponent(found)
    assert slope is not None and slope < (SQUARE if name in WHOLES else LINEAR), found
