"""The schemas accept what intake accepts, and the page of the format is the one made from the models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from evreview.core.document_text import parse_text
from evreview.core.vocabulary import EvidenceType, WorkflowId
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.claim_types import ClaimKind
from evreview.evidence.json_schemas import bundle_format, schemas
from evreview.evidence.scaffold import FILES
from evreview.evidence.typed_reader import BODIES


def test_there_is_a_schema_per_file_and_body() -> None:
    assert set(schemas()) == {"review.yaml", "decisions.yaml", *BODIES}


@pytest.mark.parametrize("name", schemas())
def test_each_schema_is_one_and_describes_every_field(name: str) -> None:
    schema: Any = schemas()[name]
    jsonschema.Draft202012Validator.check_schema(schema)
    for node in (schema, *schema.get("$defs", {}).values()):
        for field, described in node.get("properties", {}).items():
            assert field == "kind" or described.get("description"), f"{name}: {field}"
        if node.get("type") == "object":
            assert node["additionalProperties"] is False


def test_the_schemas_accept_the_bundled_review(demo_bundle: Path) -> None:
    found = schemas()
    for name in ("review.yaml", "decisions.yaml"):
        value = parse_text((demo_bundle / name).read_bytes(), name)
        jsonschema.validate(value, found[name])  # type: ignore[arg-type]
    seen = set()
    w2 = demo_bundle.parent / "w2-orders"
    for item in (*open_bundle(demo_bundle).items.values(), *open_bundle(w2).items.values()):
        if item.record is not None:
            kind = str(item.record.kind)  # type: ignore[attr-defined]
            jsonschema.validate(parse_text(item.content.encode(), item.file), found[kind])  # type: ignore[arg-type]
            seen.add(kind)
    unused = {"code-facts", "client-examples", "adoption-record", "route-table"}
    assert seen == {*FILES[WorkflowId.W1].values(), *FILES[WorkflowId.W2].values()} - unused


BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("review.yaml", {"titel": "x"}),
    ("review.yaml", {"workflow": "w1", "title": "a", "as_of": "2026-11-20", "evidence": []}),
    ("decisions.yaml", {"decisions": [{"kind": "notes"}]}),
    ("policy", {"policy_version": "1", "surface": "a"}),
]


@pytest.mark.parametrize(("name", "value"), BROKEN)
def test_the_schemas_refuse(name: str, value: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, schemas()[name])  # type: ignore[arg-type]


def test_the_schemas_are_json() -> None:
    assert json.loads(json.dumps(schemas())) == schemas()


def test_the_page_names_every_type_claim_and_kind() -> None:
    page = bundle_format()
    for word in (*EvidenceType, *ClaimKind, *(f"kind: {kind}" for kind in BODIES)):
        assert word in page
