"""A parameter that operations lose or gain with its component is one edit, and one row for each of the two."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from evreview.comparison.delta import Delta
from evreview.contract.model import Contract
from evreview.kinds.compare import diff_contracts
from evreview.kinds.load import read_contract
from tests.comparison.pairs import Doc, diff, document

Use = str | Doc
Told = list[tuple[str, str, str]]
PRETTY: Doc = {"name": "pretty", "in": "query", "schema": {"type": "boolean"}}
PLAIN: Doc = {**PRETTY, "name": "plain"}
HEADER: Doc = {**PRETTY, "in": "header"}
REQUIRED: Doc = {**PRETTY, "required": True}
DONE: Doc = {"responses": {"204": {"description": ""}}}
P: Mapping[str, Sequence[Use]] = {"a": ["P"], "b": ["P"], "c": ["P"]}


def listed(uses: Sequence[Use]) -> list[Any]:
    return [{"$ref": f"#/components/parameters/{use}"} if isinstance(use, str) else use for use in uses]


def made(uses: Mapping[str, Sequence[Use]], components: Doc, *, items: bool = False) -> Doc:
    """An operation at each path, with these parameters; written beside it where `items` says so."""
    paths = {}
    for name, found in uses.items():
        held = {"parameters": listed(found)}
        paths[f"/{name}"] = {**held, "get": DONE} if items else {"get": {**held, **DONE}}
    whole = document(paths)
    whole["components"]["parameters"] = components
    return whole


def told(rows: Sequence[Delta]) -> Told:
    """What each row says: what became of the parameter, its address from the operation on, and the paths it reaches."""
    return sorted(
        (row.change.value, row.address.partition(" > ")[2], " ".join(name[-1] for name in row.operations))
        for row in rows
    )


CASES: dict[str, tuple[Doc, Doc, Told]] = {
    "renamed": (
        made(P, {"P": PRETTY}),
        made(P, {"P": PLAIN}),
        [("added", "query plain", "a b c"), ("removed", "query pretty", "a b c")],
    ),
    "in changed": (
        made(P, {"P": PRETTY}),
        made(P, {"P": HEADER}),
        [("added", "header pretty", "a b c"), ("removed", "query pretty", "a b c")],
    ),
    "a header": (
        made(P, {"P": HEADER}),
        made(P, {"P": {**HEADER, "name": "X-Plain"}}),
        [("added", "header x-plain", "a b c"), ("removed", "header pretty", "a b c")],
    ),
    "a header in another spelling": (
        made(P, {"P": HEADER}),
        made(P, {"P": {**HEADER, "name": "Pretty"}}),
        [],
    ),
    "renamed with its component": (
        made(P, {"P": PRETTY}),
        made({name: ["Q"] for name in "abc"}, {"Q": PLAIN}),
        [("added", "query plain", "a b c"), ("removed", "query pretty", "a b c")],
    ),
    "removed with its component": (
        made(P, {"P": PRETTY}),
        made(dict.fromkeys("abc", ()), {}),
        [("removed", "query pretty", "a b c")],
    ),
    "removed where the component stays elsewhere": (
        made(P, {"P": PRETTY}),
        made({"a": [], "b": [], "c": ["P"]}, {"P": PRETTY}),
        [("removed", "query pretty", "a"), ("removed", "query pretty", "b")],
    ),
    "removed where the component stays elsewhere under another name": (
        made(P, {"P": PRETTY}),
        made({"a": [], "b": [], "c": ["Q"]}, {"Q": PRETTY}),
        [("removed", "query pretty", "a"), ("removed", "query pretty", "b")],
    ),
    "removed where the component stays elsewhere in place": (
        made(P, {"P": PRETTY}),
        made({"a": [], "b": [], "c": [PRETTY]}, {}),
        [("removed", "query pretty", "a"), ("removed", "query pretty", "b")],
    ),
    "removed in each operation": (
        made(P, {"P": PRETTY}),
        made(dict.fromkeys("abc", ()), {"P": PRETTY}),
        [("removed", "query pretty", name) for name in "abc"],
    ),
    "kept in place by one operation": (
        made(P, {"P": PRETTY}),
        made({"a": ["P"], "b": ["P"], "c": [PRETTY]}, {"P": PLAIN}),
        [("added", "query plain", "a b"), ("removed", "query pretty", "a b")],
    ),
    "kept in place by one operation beside the new one": (
        made(P, {"P": PRETTY}),
        made({"a": ["P"], "b": ["P"], "c": ["P", PRETTY]}, {"P": PLAIN}),
        [("added", "query plain", "a b c"), ("removed", "query pretty", "a b")],
    ),
    "renamed to what one operation has already": (
        made({"a": ["P"], "b": ["P"], "c": ["P", PLAIN]}, {"P": PRETTY}),
        made(P, {"P": PLAIN}),
        [("added", "query plain", "a b"), ("removed", "query pretty", "a b c")],
    ),
    "renamed and dropped by one operation": (
        made(P, {"P": PRETTY}),
        made({"a": ["P"], "b": ["P"], "c": []}, {"P": PLAIN}),
        [("added", "query plain", "a b"), ("removed", "query pretty", "a b c")],
    ),
    "renamed, kept by one operation and dropped by another one": (
        made({**P, "d": ["P"]}, {"P": PRETTY}),
        made({"a": ["P"], "b": ["P"], "c": [PRETTY], "d": []}, {"P": PLAIN}),
        [("added", "query plain", "a b"), ("removed", "query pretty", "a b"), ("removed", "query pretty", "d")],
    ),
    "in one operation": (
        made({"a": ["P"]}, {"P": PRETTY}),
        made({"a": ["P"]}, {"P": PLAIN}),
        [("added", "query plain", "a"), ("removed", "query pretty", "a")],
    ),
    "in place": (
        made({name: [PRETTY] for name in "ab"}, {}),
        made({name: [PLAIN] for name in "ab"}, {}),
        [(change, f"query {name}", at) for change, name in (("added", "plain"), ("removed", "pretty")) for at in "ab"],
    ),
    "two components of one name": (
        made({"a": ["P"], "b": ["P"], "c": ["Q"], "d": ["Q"]}, {"P": PRETTY, "Q": PRETTY}),
        made({"a": ["P"], "b": ["P"], "c": ["Q"], "d": ["Q"]}, {"P": PLAIN, "Q": PLAIN}),
        [
            ("added", "query plain", "a b"),
            ("added", "query plain", "c d"),
            ("removed", "query pretty", "a b"),
            ("removed", "query pretty", "c d"),
        ],
    ),
    "two components of one name, one of them required": (
        made({"a": ["P"], "b": ["P"], "c": ["Q"], "d": ["Q"]}, {"P": PRETTY, "Q": REQUIRED}),
        made({"a": ["P"], "b": ["P"], "c": ["Q"], "d": ["Q"]}, {"P": PLAIN, "Q": REQUIRED}),
        [("added", "query plain", "a b"), ("removed", "query pretty", "a b")],
    ),
    "a path parameter": (
        made({"{x}/a": ["P"], "{x}/b": ["P"]}, {"P": {**PRETTY, "name": "x", "in": "path", "required": True}}),
        made({"{y}/a": ["P"], "{y}/b": ["P"]}, {"P": {**PRETTY, "name": "y", "in": "path", "required": True}}),
        [],
    ),
}


@pytest.mark.parametrize(("released", "candidate", "expected"), CASES.values(), ids=CASES)
def test_rows_of_a_parameter_that_went_or_came(released: Doc, candidate: Doc, expected: Told) -> None:
    assert told(diff(released, candidate).deltas) == expected
    reversed = [({"added": "removed", "removed": "added"}[change], *rest) for change, *rest in expected]
    assert told(diff(candidate, released).deltas) == sorted(reversed)


@pytest.mark.parametrize("files", [("a.json", "b.json"), ("a.json", "a.json")])
@pytest.mark.parametrize("case", CASES)
def test_files_of_other_names_say_the_same(case: str, files: tuple[str, str]) -> None:
    released, candidate, _ = CASES[case]
    sides = [
        read_contract(name, lambda _, side=side: json.dumps(side).encode())
        for name, side in zip(files, (released, candidate), strict=True)
    ]
    found, known = diff_contracts(*sides).deltas, diff(released, candidate).deltas
    assert [(row.id, row.operations) for row in found] == [(row.id, row.operations) for row in known]


def test_a_renamed_path_parameter_stays_noise() -> None:
    released, candidate, _ = CASES["a path parameter"]
    (noise,) = diff(released, candidate).noise
    assert (noise.delta.facet, noise.delta.operations) == ("name", ("GET /{}/a", "GET /{}/b"))


def test_references_beside_the_operations_count_as_in_them() -> None:
    both = [made(P, {"P": parameter}, items=True) for parameter in (PRETTY, PLAIN)]
    assert told(diff(*both).deltas) == CASES["renamed"][2]
    assert ids(*both) == ids(*CASES["renamed"][:2])
    mixed = made({"a": ["P"]}, {"P": PRETTY}, items=True), made({"a": ["P"]}, {"P": PLAIN}, items=True)
    for side in mixed:
        side["paths"]["/b"] = {"get": {"parameters": listed(["P"]), **DONE}}
    assert told(diff(*mixed).deltas) == [("added", "query plain", "a b"), ("removed", "query pretty", "a b")]


def ids(released: Doc, candidate: Doc) -> list[str]:
    ledger = diff(released, candidate)
    return sorted(row.id for row in (*ledger.deltas, *(noise.delta for noise in ledger.noise)))


def reversed_round(value: Any) -> Any:
    """The same document with the keys of all its objects in another order."""
    if isinstance(value, dict):
        return {key: reversed_round(value[key]) for key in reversed(value)}
    return [reversed_round(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("case", CASES)
def test_ids_stand_on_another_key_order(case: str) -> None:
    released, candidate, _ = CASES[case]
    found = ids(released, candidate)
    assert len(set(found)) == len(found)
    assert ids(reversed_round(released), reversed_round(candidate)) == found
    assert ids(released, reversed_round(candidate)) == found


def renamed(contract: Doc) -> Doc:
    """The same contract, its component called `Other`."""
    text = json.dumps(contract).replace("parameters/P", "parameters/Other").replace('"P":', '"Other":')
    return json.loads(text)  # type: ignore[no-any-return]


@pytest.mark.parametrize("case", ["renamed", "in changed", "removed with its component"])
def test_ids_do_not_hang_on_users_nor_on_the_name_of_the_component(case: str) -> None:
    released, candidate, _ = CASES[case]
    known = ids(released, candidate)
    assert ids(renamed(released), renamed(candidate)) == known
    assert ids(released, renamed(candidate)) == known
    more = copy.deepcopy((released, candidate))
    for side in more:
        side["paths"]["/0"] = copy.deepcopy(side["paths"]["/a"])
    assert ids(*more) == known
    unused = copy.deepcopy((released, candidate))
    for side in unused:
        side["components"]["parameters"]["Unused"] = {**PRETTY, "name": "unused"}
    assert ids(*unused) == known


SINGLE: dict[str, tuple[Doc, Doc, dict[str, str]]] = {
    "in one operation": (
        *CASES["in one operation"][:2],
        {"added": "D-e92f1235d81a", "removed": "D-b0531faaa828"},
    ),
    "in place": (
        made({"a": [PRETTY]}, {}),
        made({"a": [PLAIN]}, {}),
        {"added": "D-e92f1235d81a", "removed": "D-b0531faaa828"},
    ),
    "one of three": (
        made(P, {"P": PRETTY}),
        made({"a": [], "b": ["P"], "c": ["P"]}, {"P": PRETTY}),
        {"removed": "D-b0531faaa828"},
    ),
}


@pytest.mark.parametrize(("released", "candidate", "expected"), SINGLE.values(), ids=SINGLE)
def test_ids_of_rows_about_one_operation_are_what_they_were(
    released: Doc, candidate: Doc, expected: dict[str, str]
) -> None:
    assert {row.change.value: row.id for row in diff(released, candidate).deltas} == expected


def secured(contract: Doc, *operations: tuple[str, str]) -> Doc:
    """The same contract, these operations demanding a key that is sent like the parameter."""
    made = copy.deepcopy(contract)
    made["components"]["securitySchemes"] = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
    for path, method in operations:
        made["paths"][path][method]["security"] = [{"key": []}]
    return made


KEY: Doc = {"name": "X-Key", "in": "header", "required": True, "schema": {"type": "string"}}


def keyed(demanding: str) -> list[Doc]:
    """Four operations with a key, which some of them demand as their security too; renamed by the second contract."""
    uses: dict[str, Sequence[Use]] = {name: ["P"] for name in "abcd"}
    operations = [(f"/{name}", "get") for name in demanding.split()]
    return [secured(made(uses, {"P": key}), *operations) for key in (KEY, {**KEY, "name": "X-Other"})]


def rows_about_the_key(released: Doc, candidate: Doc) -> list[Delta]:
    return [row for row in diff(released, candidate).deltas if row.address.endswith(" > header x-key")]


@pytest.mark.parametrize("reversed", [1, -1], ids=["removed", "added"])
@pytest.mark.parametrize(
    ("demanding", "expected"),
    [
        ("", {"a b c d": False}),
        ("a b c d", {"a b c d": True}),
        ("a", {"a": True, "b c d": False}),
        ("d", {"a b c": False, "d": True}),
        ("a c", {"a c": True, "b d": False}),
    ],
)
def test_operations_that_a_rule_sees_otherwise_have_rows_of_their_own(
    demanding: str, expected: dict[str, bool], reversed: int
) -> None:
    rows = rows_about_the_key(*keyed(demanding)[::reversed])
    found = {at: "sent_as" in row.facts for row, (_, _, at) in ((row, told([row])[0]) for row in rows)}
    assert found == expected
    alone = {row.id for row in rows_about_the_key(*keyed("")[::reversed])}
    shared = [row for row in rows if len(row.operations) > 1]
    # What other operations demand moves no id of those that demand nothing.
    assert all({row.id} == alone for row in shared if "sent_as" not in row.facts)
    assert len({row.id for row in rows}) == len(rows)


def test_operations_with_an_object_that_may_hold_the_name_have_a_row_each() -> None:
    """Whether the added parameter breaks them, messages of each operation tell."""
    holder = {"name": "all", "in": "query", "schema": {"type": "object", "properties": {"plain": {"type": "string"}}}}
    uses: dict[str, Sequence[Use]] = {"a": ["P", "H"], "b": ["P", "H"], "c": ["P"], "d": ["P"]}
    sides = [made(uses, {"P": parameter, "H": holder}) for parameter in (PRETTY, PLAIN)]
    assert told(diff(*sides).deltas) == [
        ("added", "query plain", "a"),
        ("added", "query plain", "b"),
        ("added", "query plain", "c d"),
        ("removed", "query pretty", "a b c d"),
    ]


def test_webhooks_and_requests_have_rows_of_their_own() -> None:
    """Another side sends the parameter, so that rules judge it otherwise."""
    sides = [made(P, {"P": parameter}) for parameter in (PRETTY, PLAIN)]
    for side in sides:
        hook = {"post": {"parameters": listed(["P"]), **DONE}}
        side |= {"openapi": "3.1.0", "webhooks": {"x": hook, "y": hook}}
    found = sorted((row.change.value, row.role.value, len(row.operations)) for row in diff(*sides).deltas)
    assert found == [
        ("added", "request", 3),
        ("added", "webhook", 2),
        ("removed", "request", 3),
        ("removed", "webhook", 2),
    ]


def of_swagger(parameter: Doc) -> Doc:
    operation = {"parameters": [{"$ref": "#/parameters/P"}], "responses": {"204": {"description": ""}}}
    typed = {key: value for key, value in parameter.items() if key != "schema"} | {"type": "string"}
    paths = {f"/{name}": {"get": operation} for name in "abc"}
    return {"swagger": "2.0", "info": {"title": "t", "version": "1"}, "paths": paths, "parameters": {"P": typed}}


def test_parameters_of_2_0_are_components_too() -> None:
    assert told(diff(of_swagger(PRETTY), of_swagger(PLAIN)).deltas) == CASES["renamed"][2]


def in_files(parameter: Doc, start: str) -> Contract:
    """The three operations, their parameter in a file of its own."""
    whole = json.dumps(made(P, {})).replace("#/components/parameters/P", "parts.json#/P")
    files = {start: whole, "parts.json": json.dumps({"P": parameter})}
    return read_contract(start, lambda name: files[name].encode())


@pytest.mark.parametrize("start", ["a.json", "b.json"])
def test_a_parameter_in_a_file_of_its_own_is_a_component(start: str) -> None:
    ledger = diff_contracts(in_files(PRETTY, "a.json"), in_files(PLAIN, start))
    assert told(ledger.deltas) == CASES["renamed"][2]
    assert sorted(row.id for row in ledger.deltas) == ids(*CASES["renamed"][:2])


@pytest.mark.parametrize("reversed", [1, -1], ids=["removed", "added"])
@pytest.mark.parametrize(
    ("demanding", "count"), [((), 1), (("get",), 2), (("get", "put"), 2), (("get", "put", "post"), 1)]
)
def test_operations_of_one_path_that_a_rule_sees_otherwise_have_a_row_apart(
    demanding: Sequence[str], count: int, reversed: int
) -> None:
    """A key that only some of them demand as their security too: the others no longer get it."""
    sides = []
    for found in ([KEY], []):
        item = {"parameters": found, **{method: {**DONE} for method in ("get", "put", "post")}}
        sides.append(secured(document({"/a": item}), *(("/a", method) for method in demanding)))
    rows = diff(*sides[::reversed]).deltas
    assert len(rows) == len({row.id for row in rows}) == count
    for row in rows:
        named = {name.partition(" ")[0].lower() in demanding for name in row.operations}
        assert named == {"sent_as" in row.facts}
    assert sum(len(row.operations) for row in rows) == 3
