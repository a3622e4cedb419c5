"""Ids stay what they are: across releases, machines and hash seeds, and under edits elsewhere."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evreview.contract.model import Contract
from evreview.kinds.compare import diff_contracts
from evreview.kinds.load import read_contract
from tests.comparison import pairs
from tests.comparison.test_anchors import edited as edited_components
from tests.comparison.test_anchors import released as with_components
from tests.comparison.test_anchors import renamed

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "ids.json"
PROJECT = Path(__file__).resolve().parents[2]
ORDER = "components|schemas|Order"


def _at(path: Path) -> Contract:
    return read_contract(path.name, lambda name: (path.parent / name).read_bytes())


def _rows(released: Contract, candidate: Contract) -> list[list[str]]:
    ledger = diff_contracts(released, candidate)
    return [[row.address, row.facet or row.aspect.value, row.change.value, row.id] for row in ledger.deltas]


def _branches() -> pairs.Doc:
    card = {"type": "object", "properties": {"number": {"type": "string"}, "cvc": {"type": "string"}}}
    bank = {"type": "object", "properties": {"iban": {"type": "string"}}}
    return pairs.document({"/pay": pairs.post({"oneOf": [card, bank, {"type": "string"}]})})


def _branches_edited() -> pairs.Doc:
    made = _branches()
    branches = made["paths"]["/pay"]["post"]["requestBody"]["content"]["application/json"]["schema"]["oneOf"]
    branches[0]["properties"]["number"]["maxLength"] = 16
    branches[1]["required"] = ["iban"]
    branches[2]["minLength"] = 3
    return made


def fixed_pairs() -> dict[str, tuple[Contract, Contract]]:
    """The pairs whose ids the golden file guards."""
    demo = PROJECT / "examples" / "w1-orders" / "contracts"
    documents: dict[str, tuple[pairs.Doc, pairs.Doc]] = {
        "bound of a shared component": (pairs.base(), pairs.edited(f"{ORDER}|properties|total|maximum", 5)),
        "field removed from a shared component": (pairs.base(), pairs.edited(f"{ORDER}|properties|note")),
        "field of an error body added": (
            pairs.base(),
            pairs.edited("components|schemas|Error|properties|hint", {"type": "string"}),
        ),
        "operation removed": (pairs.base(), pairs.edited("paths|/orders|post")),
        "parameter removed": (pairs.base(), pairs.edited("paths|/orders|get|parameters|0")),
        "status added": (
            pairs.base(),
            pairs.edited("paths|/orders|get|responses|206", {"description": "part"}),
        ),
        "components of every kind": (with_components(), edited_components(with_components())),
        "branches": (_branches(), _branches_edited()),
    }
    made = {name: (pairs.contract(old), pairs.contract(new)) for name, (old, new) in documents.items()}
    return {"demo": (_at(demo / "orders-1.4.yaml"), _at(demo / "orders-1.5.yaml")), **made}


@pytest.mark.req("W1L-001")
def test_ids_are_those_of_the_golden_file(request: pytest.FixtureRequest) -> None:
    """Decisions and accept files hang on ids: a change here is a break for every user."""
    found = {name: _rows(*pair) for name, pair in fixed_pairs().items()}
    if request.config.getoption("--update-golden"):
        GOLDEN.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


_PRINT = (
    "from tests.comparison.test_stable_ids import fixed_pairs, _rows; "
    "print([_rows(*p) for p in fixed_pairs().values()])"
)


@pytest.mark.req("W1L-001")
def test_ids_do_not_depend_on_the_hash_seed() -> None:
    runs = {
        subprocess.run(
            [sys.executable, "-c", _PRINT],
            cwd=PROJECT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(runs) == 1


def _ids(released: pairs.Doc, candidate: pairs.Doc) -> set[str]:
    return {row.id for row in pairs.diff(released, candidate).deltas}


def _both(old: pairs.Doc, new: pairs.Doc, edit: Any) -> tuple[pairs.Doc, pairs.Doc]:
    left, right = copy.deepcopy(old), copy.deepcopy(new)
    edit(left)
    edit(right)
    return left, right


def _item(document: pairs.Doc) -> Any:
    return document["components"]["schemas"]["Item"]


# edits elsewhere, made in both contracts
ELSEWHERE: dict[str, Any] = {
    "another field of the same component bounded": lambda doc: _item(doc)["properties"]["in"].update(maxProperties=9),
    "the same component described": lambda doc: _item(doc).update(description="a thing", **{"x-owner": "shop"}),
    "the same component closed": lambda doc: _item(doc).update(additionalProperties=False),
    "a field of the same component required": lambda doc: _item(doc).update(required=["in"]),
    "keys of the same component reversed": lambda doc: doc["components"]["schemas"].update(
        Item=dict(reversed(list(_item(doc).items())))
    ),
    "another component": lambda doc: doc["components"]["schemas"].update(Other={"type": "object", "maxProperties": 3}),
    "a field of a component that merges it": lambda doc: doc["components"]["schemas"]["Child"]["allOf"][1][
        "properties"
    ].update(more={"type": "string"}),
    "an operation": lambda doc: doc["paths"].update({"/0": pairs.get({"type": "integer"})}),
}


@pytest.mark.req("W1L-001")
@pytest.mark.parametrize("edit", ELSEWHERE.values(), ids=ELSEWHERE)
def test_edits_elsewhere_move_no_id(edit: Any) -> None:
    old, new = with_components(), edited_components(with_components())
    before = _ids(old, new)
    assert len(before) >= 8
    assert _ids(*_both(old, new, edit)) == before


@pytest.mark.req("W1L-001")
@pytest.mark.parametrize("edit", ELSEWHERE.values(), ids=ELSEWHERE)
def test_edits_elsewhere_in_the_candidate_only_add_rows(edit: Any) -> None:
    old, new = with_components(), edited_components(with_components())
    after = copy.deepcopy(new)
    edit(after)
    assert _ids(old, new) <= _ids(old, after)


def test_an_edit_of_a_branch_moves_no_id_inside_the_branch() -> None:
    def edit(document: pairs.Doc) -> None:
        schema = document["paths"]["/pay"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        schema["oneOf"][0]["properties"]["cvc"]["maxLength"] = 4
        schema["oneOf"][0]["required"] = ["number"]

    assert _ids(*_both(_branches(), _branches_edited(), edit)) == _ids(_branches(), _branches_edited())


def _ordered(leaf: str, **beside: pairs.Doc) -> pairs.Doc:
    """`GET /o` answers an order; further components by name, used at their name's path when it begins with a letter."""
    schemas = {"Order": {"type": "object", "properties": {"id": {"type": leaf}}}, **beside}
    paths = {f"/{name}": pairs.get({"$ref": f"#/components/schemas/{name}"}) for name in beside if name[0] != "_"}
    return pairs.document({"/o": pairs.get({"$ref": "#/components/schemas/Order"}), **paths}, schemas)


def _fields(kind: str = "string", **more: Any) -> pairs.Doc:
    return {"type": "object", "properties": {"id": {"type": kind, **more}}}


@pytest.mark.req("W1L-001")
@pytest.mark.parametrize(
    "beside",
    [
        {"_unused": _fields("boolean")},
        {"_unused": _fields()},
        {"_unused": _fields(), "_too": _fields("array", items={"$ref": "#/components/schemas/_unused"})},
        {"z": _fields("boolean")},
        {"z": _fields()},
        {"y": _fields(), "z": _fields()},
    ],
    ids=["unused", "unused and equal", "unused, two", "used behind", "used behind and equal", "used behind, two"],
)
def test_other_components_with_the_same_field_names_move_no_id(beside: dict[str, pairs.Doc]) -> None:
    assert _ids(_ordered("string", **beside), _ordered("integer", **beside)) == _ids(
        _ordered("string"), _ordered("integer")
    )


@pytest.mark.req("W1L-001")
@pytest.mark.parametrize(
    "sibling", [_fields("boolean"), _fields(maxLength=3), {**_fields(), "description": "other words"}]
)
def test_an_edit_of_a_component_with_the_same_field_names_moves_no_id(sibling: pairs.Doc) -> None:
    """`a` is used first, so that the row about `Order` needs its use; what `a` says does not count."""
    before = _ids(_ordered("string", a=_fields()), _ordered("integer", a=_fields()))
    assert _ids(_ordered("string", a=sibling), _ordered("integer", a=sibling)) == before
    assert before.isdisjoint(_ids(_ordered("string", a=_fields()), _ordered("string", a=_fields("integer"))))


def test_branches_with_the_same_field_names_have_an_id_each_in_any_order() -> None:
    def made(*integers: str, names: str = "ABC") -> pairs.Doc:
        schemas = {
            name: _fields("integer") | {"maxProperties": ord(name)}
            if name in integers
            else _fields() | {"maxProperties": ord(name)}
            for name in names
        }
        union = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}
        return pairs.document({"/o": pairs.get(union)}, schemas)

    alone = {name: _ids(made(), made(name)) for name in "ABC"}
    assert [len(ids) for ids in alone.values()] == [1, 1, 1]
    assert len(set().union(*alone.values())) == 3
    assert _ids(made(names="CBA"), made("A", "B", names="CBA")) == alone["A"] | alone["B"]


def test_a_subtype_that_is_named_by_its_discriminator_alone_counts_as_used() -> None:
    def made(*integers: str) -> pairs.Doc:
        base = {"type": "object", "discriminator": {"propertyName": "k"}, "required": ["k"], "properties": {"k": {}}}
        schemas: pairs.Doc = {"Base": base}
        for name in "AB":
            kind = "integer" if name in integers else "string"
            schemas[name] = {"allOf": [{"$ref": "#/components/schemas/Base"}, _fields(kind)]}
        return pairs.document({"/o": pairs.get({"$ref": "#/components/schemas/Base"})}, schemas)

    assert len(_ids(made(), made("A")) | _ids(made(), made("B"))) == 2
    assert _ids(made(), made("A", "B")) == _ids(made(), made("A")) | _ids(made(), made("B"))


def test_twins_of_one_component_hang_on_their_use() -> None:
    """Two components with the same field names: each id is that of its component, whoever is edited."""

    def made(*shorter: str) -> pairs.Doc:
        def fields(name: str) -> pairs.Doc:
            text = {"type": "string", "maxLength": 3 if name in shorter else 9}
            return {"type": "object", "properties": {"id": text}, "minProperties": 1 if name == "A" else 0}

        schemas = {name: fields(name) for name in ("A", "B")}
        return pairs.document(
            {f"/{name}": pairs.get({"$ref": f"#/components/schemas/{name}"}) for name in "AB"}, schemas
        )

    alone = _ids(made(), made("A")), _ids(made(), made("B"))
    assert alone[0].isdisjoint(alone[1])
    assert _ids(made(), made("A", "B")) == alone[0] | alone[1]


def test_a_component_that_the_candidate_copies_into_each_use_keeps_its_one_row() -> None:
    old = pairs.base()
    new = pairs.edited(f"{ORDER}|properties|total|maximum", 5)
    whole = new["components"]["schemas"]["Order"]
    text = json.dumps(new).replace('{"$ref": "#/components/schemas/Order"}', json.dumps(whole))
    assert _ids(old, json.loads(text)) == _ids(old, new)


def test_renamed_components_keep_ids_of_every_kind() -> None:
    old, new = with_components(), edited_components(with_components())
    assert _ids(old, renamed(new)) == _ids(renamed(old), renamed(new)) == _ids(old, new)
