"""Rewriting a whole contract gives no row, and moves neither id nor verdict of a real edit beside it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract
from evreview.core.document_text import parse_text
from evreview.core.errors import bad_input
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests.rewrites.documents import Doc, is_swagger, operations
from tests.rewrites.schema_rewrites import SCHEMA_REWRITES
from tests.rewrites.structure_rewrites import STRUCTURE_REWRITES
from tests.rewrites.versions import VERSION_REWRITES, to_openapi_3_1

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
Rewrite = Callable[[Doc], Doc | None]
REWRITES: dict[str, Rewrite] = {
    rewrite.__name__: rewrite for rewrite in (*SCHEMA_REWRITES, *STRUCTURE_REWRITES, *VERSION_REWRITES)
}


def _read(path: Path) -> Doc:
    return parse_text(path.read_bytes(), path.name)  # type: ignore[return-value]


@cache
def _bases() -> dict[str, Doc]:
    shop = _read(HERE / "contracts" / "shop-3.0.yaml")
    newer = to_openapi_3_1(shop)
    assert newer is not None
    return {
        "shop 2.0": _read(HERE / "contracts" / "shop-2.0.yaml"),
        "shop 3.0": shop,
        "shop 3.1": newer,
        "notes 3.1": _read(HERE / "contracts" / "notes-3.1.yaml"),
        "demo": _read(PROJECT / "examples" / "w1-orders" / "contracts" / "orders-1.4.yaml"),
    }


def contract(document: Doc) -> Contract:
    def load(name: str) -> bytes:
        if name != "api.json":
            raise bad_input("file-missing", name)
        return json.dumps(document).encode()

    return read_contract("api.json", load)


def compared(released: Doc, candidate: Doc) -> Comparison:
    return compare(contract(released), contract(candidate))


def shown(comparison: Comparison) -> list[str]:
    """The rows, readable in a failure."""
    return [
        f"{row.delta.address} {row.delta.facet or row.delta.aspect.value} {row.delta.change.value}: "
        f"{row.delta.released!r:.60} -> {row.delta.candidate!r:.60}, {row.judgement.verdict.value}"
        for row in comparison.rows
    ]


SILENT = {
    "unused_component_added": "no message reaches it",
    "parameters_lowered": "a reference to the same component, written at the operation, is the same element",
    "lists_reversed": "alternatives, servers and parameters are sets: nothing keeps their order",
}
"""Rewrites that may leave no noise, with the reason."""

APPLICABLE = [
    pytest.param(base, rewrite, id=f"{base}, {rewrite}")
    for base in _bases()
    for rewrite in REWRITES
    if REWRITES[rewrite](_bases()[base]) is not None
]


@pytest.mark.parametrize(("base", "rewrite"), APPLICABLE)
def test_a_rewrite_gives_no_row(base: str, rewrite: str) -> None:
    released = _bases()[base]
    rewritten = REWRITES[rewrite](released)
    assert rewritten is not None
    for pair in ((released, rewritten), (rewritten, released)):
        comparison = compared(*pair)
        assert shown(comparison) == []
        assert comparison.unread == ()
        assert comparison.noise or rewrite in SILENT
        assert all(noise.reason for noise in comparison.noise)


def test_every_rewrite_applies_somewhere() -> None:
    assert {case.values[1] for case in APPLICABLE} == set(REWRITES)


def _bound_a_field(document: Doc) -> None:
    """The first plain text field of a component gets a bound."""
    schemas = document["definitions"] if is_swagger(document) else document["components"]["schemas"]
    for schema in schemas.values():
        for field in schema.get("properties", {}).values():
            if field == {"type": "string"}:
                field["maxLength"] = 3
                return


def _drop_a_field(document: Doc) -> None:
    schemas = document["definitions"] if is_swagger(document) else document["components"]["schemas"]
    schema = schemas["Error"]
    schema["properties"].pop(sorted(schema["properties"])[-1])


def _widen_an_enum(document: Doc) -> None:
    stack: list[Any] = [document]
    while stack:
        node = stack.pop(0)
        if isinstance(node, dict):
            if isinstance(node.get("enum"), list) and node.get("type") == "string" and len(node["enum"]) > 1:
                node["enum"] = [*node["enum"], "more"]
                return
            stack += node.values()
        elif isinstance(node, list):
            stack += node


def _drop_an_operation(document: Doc) -> None:
    _path, item, operation = list(operations(document))[-1]
    item.pop(next(key for key, value in item.items() if value is operation))


def _demand_a_parameter(document: Doc) -> None:
    _, _, operation = next(iter(operations(document)))
    added: Doc = {"name": "fresh", "in": "query", "required": True}
    kind: Doc = {"type": "string"}
    operation["parameters"] = [
        *operation.get("parameters", []),
        added | (kind if is_swagger(document) else {"schema": kind}),
    ]


EDITS = (_bound_a_field, _drop_a_field, _widen_an_enum, _drop_an_operation, _demand_a_parameter)


def _judged(comparison: Comparison) -> set[tuple[str, str, str]]:
    return {(row.delta.id, row.delta.address, row.judgement.verdict.value) for row in comparison.rows}


@pytest.mark.parametrize("edit", EDITS, ids=[edit.__name__.strip("_") for edit in EDITS])
@pytest.mark.parametrize(("base", "rewrite"), APPLICABLE)
def test_an_edit_beside_a_rewrite_keeps_its_row(base: str, rewrite: str, edit: Callable[[Doc], None]) -> None:
    released = _bases()[base]
    if rewrite == "open_objects_spelled":
        pytest.skip("openness that is declared is read strictly: an edit beside it may mean more")
    if base == "demo" and edit is _drop_a_field:
        pytest.skip("the demo has no component called Error")
    candidate = copy.deepcopy(released)
    edit(candidate)
    rewritten = REWRITES[rewrite](candidate)
    if rewritten is None:
        pytest.skip("the rewrite does not apply to the edited contract")
    alone = _judged(compared(released, candidate))
    assert alone
    assert _judged(compared(released, rewritten)) == alone


def _corpus_files() -> Iterator[Path]:
    folder = PROJECT.parent / "shared" / "corpus"
    for kind in ("openapi2", "openapi3.0", "openapi3.1"):
        for pair in sorted((folder / kind).glob("*")):
            yield from sorted(pair.glob("released.*"))


LARGE = 120_000
"""Beyond this size a contract meets every seventh rewrite only: the run would take minutes otherwise."""


@pytest.mark.parametrize(
    ("at", "path"), [pytest.param(*pair, id=pair[1].parent.name) for pair in enumerate(_corpus_files())]
)
def test_no_rewrite_of_a_real_contract_gives_a_row(corpus: Path, at: int, path: Path) -> None:
    size = path.stat().st_size
    if size > 2_500_000:
        pytest.skip("too large to rewrite in a test run")
    released = _read(path)
    chosen = list(REWRITES)[at % 7 :: 7] if size > LARGE else list(REWRITES)
    surprises = {}
    for name in chosen:
        rewritten = REWRITES[name](released)
        if rewritten is not None:
            comparison = compared(released, rewritten)
            if comparison.rows:
                surprises[name] = shown(comparison)[:3]
    assert surprises == {}


def _text_fields(document: Doc) -> Iterator[tuple[str, Doc]]:
    schemas = document.get("definitions", {}) or document.get("components", {}).get("schemas", {})
    for name, schema in schemas.items():
        fields = schema.get("properties", {}) if isinstance(schema, dict) else {}
        for field in fields.values():
            if isinstance(field, dict) and field.get("type") == "string" and "maxLength" not in field:
                yield name, field
                break


@pytest.mark.parametrize("path", [pytest.param(path, id=path.parent.name) for path in _corpus_files()])
def test_one_edit_of_a_real_component_is_one_row_per_kind_of_message(corpus: Path, path: Path) -> None:
    """A row speaks of one role, direction and success or error: no component has more rows than these."""
    if path.stat().st_size > 2_500_000:
        pytest.skip("too large to compare often")
    released = _read(path)
    text = json.dumps(released)
    uses = sorted(_text_fields(released), key=lambda found: -text.count(f'/{found[0]}"'))
    for name, _ in uses[:3]:
        candidate = copy.deepcopy(released)
        next(field for found, field in _text_fields(candidate) if found == name)["maxLength"] = 1
        rows = compared(released, candidate).rows
        kinds = {(row.delta.role, row.delta.direction, row.delta.in_error, len(row.delta.facts)) for row in rows}
        assert len(rows) <= max(len(kinds), 1)
        assert all(row.delta.facet == "maxLength" for row in rows)
