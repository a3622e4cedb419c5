"""A default beside a new demand is one cause and one row; alone, or where one may leave it out, it keeps its row."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from evreview.comparison.noise import NoiseReason
from tests.comparison.pairs import Doc, diff, document, get, post

COUNT: Doc = {"type": "integer"}
SHARED: Doc = {"$ref": "#/components/schemas/Count"}


def thing(*required: str, n: Doc = COUNT, m: Doc = COUNT) -> Doc:
    return {"type": "object", "properties": {"n": n, "m": m}} | ({"required": list(required)} if required else {})


def sent(schema: Doc, count: Doc = COUNT) -> Doc:
    return document({"/a": post(schema)}, {"Count": count})


def asked(**said: Any) -> Doc:
    schema = COUNT | {name: said.pop(name) for name in ("default",) if name in said}
    operation = get(COUNT, parameters=[{"name": "n", "in": "query", "schema": schema, **said}])
    return document({"/a": operation})


def based(schema: Doc, *required: str) -> Doc:
    return sent({"allOf": [schema], "required": list(required)} if required else {"allOf": [schema]})


THREE: Doc = COUNT | {"default": 3}
FOUR: Doc = COUNT | {"default": 4}
ROWS: dict[str, tuple[Doc, Doc, list[str]]] = {
    "added with the demand": (sent(thing()), sent(thing("n", n=THREE)), ["required"]),
    "changed with the demand": (sent(thing(n=THREE)), sent(thing("n", n=FOUR)), ["required"]),
    "removed with the demand": (sent(thing(n=THREE)), sent(thing("n")), ["required"]),
    "added alone": (sent(thing()), sent(thing(n=THREE)), ["default"]),
    "added to what was demanded": (sent(thing("n")), sent(thing("n", n=THREE)), ["default"]),
    "added with the demand of another": (sent(thing()), sent(thing("m", n=THREE)), ["default", "required"]),
    "added as the demand goes": (sent(thing("n")), sent(thing(n=THREE)), ["default", "required"]),
    "shared, both are demanded": (
        sent(thing(n=SHARED, m=SHARED)), sent(thing("n", "m", n=SHARED, m=SHARED), THREE), ["required", "required"],
    ),
    "shared, one is demanded": (
        sent(thing(n=SHARED, m=SHARED)), sent(thing("n", n=SHARED, m=SHARED), THREE), ["default", "required"],
    ),
    "demanded beside a base": (based(thing()), based(thing(n=THREE), "n"), ["required"]),
    "of a parameter": (asked(), asked(required=True, default=3), ["required"]),
    "of a parameter, alone": (asked(), asked(default=3), ["default"]),
    "of a parameter that was demanded": (asked(required=True), asked(required=True, default=3), ["default"]),
    "received": (
        document({"/a": get(thing())}), document({"/a": get(thing("n", n=THREE))}), ["required"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("released", "candidate", "expected"), ROWS.values(), ids=ROWS)
def test_a_default_beside_a_new_demand_is_told_by_it(released: Doc, candidate: Doc, expected: list[str]) -> None:
    found = diff(copy.deepcopy(released), copy.deepcopy(candidate))
    assert sorted(delta.facet for delta in found.deltas) == expected
    reasons = {noise.reason for noise in found.noise}
    assert (NoiseReason.TOLD_BY_DEMAND in reasons) == ("default" not in expected)
