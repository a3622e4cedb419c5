"""Small rows, records and contracts for the tests of the packages that judge."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml_rs

from evreview.comparison.delta import Delta
from evreview.contract.model import Contract, Element, ElementKind, Facet, Place, SchemaDialect, ValueSet
from evreview.core.vocabulary import (
    ABSENT,
    Aspect,
    Change,
    ContractKind,
    DeltaId,
    Direction,
    EvidenceId,
    Integrity,
    Role,
    RuleId,
    Tristate,
    Verdict,
    WorkflowId,
)
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.compatibility import ClientInventory, Policy, RolloutRecord
from evreview.evidence.records.review import Decisions, Record, ReviewRequest
from evreview.evidence.records.test_runs import TestRecord

ORDER = "GET /v1/orders/{}"
OK = f"{ORDER} > response 200 > application/json"
ESTIMATE = f"{OK} > deliveryEstimate"
PROBLEM = f"{ORDER} > response 404 > application/problem+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeJudgement:
    rule: RuleId | None
    verdict: Verdict
    accepts_old_requests: Tristate
    emits_old_compatible: Tristate
    why: str = "because"


@dataclass(frozen=True, slots=True)
class FakeRow:
    delta: Delta
    judgement: FakeJudgement


def row(address: str = ESTIMATE, **given: Any) -> FakeRow:
    """A row at `address`: by default a response field that became nullable, breaking."""
    verdict = Verdict(given.pop("verdict", "breaking"))
    direction = given.pop("direction", Direction.WRITTEN)
    answer = {Verdict.BREAKING: Tristate.NO, Verdict.COMPATIBLE: Tristate.YES, Verdict.UNKNOWN: Tristate.UNKNOWN}[
        verdict
    ]
    written = direction is Direction.WRITTEN
    judged = FakeJudgement(
        rule=given.pop("rule", RuleId("some-rule")),
        verdict=verdict,
        accepts_old_requests=given.pop("accepts", Tristate.NOT_APPLICABLE if written else answer),
        emits_old_compatible=given.pop("emits", answer if written else Tristate.NOT_APPLICABLE),
    )
    operation = address.split(" > ")[0]
    values: dict[str, Any] = {
        "id": DeltaId("D-000000000001"),
        "kind": ContractKind.OPENAPI,
        "operation": operation,
        "operations": (operation,),
        "address": address,
        "role": Role.RESPONSE if written else Role.REQUEST,
        "direction": direction,
        "in_error": " > response 4" in address,
        "element": ElementKind.SCHEMA,
        "aspect": Aspect.NULLABILITY,
        "change": Change.CHANGED,
        "facet": "",
        "released": ABSENT,
        "candidate": ABSENT,
        "released_place": None,
        "candidate_place": None,
        "facts": {},
    }
    return FakeRow(Delta(**values | given), judged)


def cited(record: Any, item: str = "E5") -> Any:
    """A record as the content of an evidence item."""
    return Cited(record, Citation(EvidenceId(item)))


def specification_policy(**changes: Any) -> Cited[Policy]:
    """The specification's example policy, with some fields changed."""
    text = (Path(__file__).parent / "data" / "specification_policy.yaml").read_text()
    return cited(Policy.model_validate(yaml_rs.loads(text) | changes))


def inventory(*clients: dict[str, Any], complete: bool = False) -> Cited[ClientInventory]:
    """Known clients; each uses the whole order operation unless it says otherwise."""
    base = {
        "id": "shop",
        "name": "Shop",
        "owner_role": "Shop owner",
        "uses": [{"operation": "GET /v1/orders/{id}", "fields": ["id", "status", "deliveryEstimate"]}],
    }
    return cited(
        ClientInventory.model_validate({"clients": [base | one for one in clients], "complete": complete}), "E6"
    )


def check(**given: Any) -> dict[str, Any]:
    """A parser check of `shop` with a retained result."""
    base = {
        "id": "parses-null",
        "what": "the parser reads an order without an estimate",
        "command": "pytest -k null",
        "revision": "a" * 40,
        "fixture": "shop 1.0",
        "result": "failed",
        "client": "shop",
        "parses": "candidate",
        "operation": "GET /v1/orders/{orderId}",
        "field": "deliveryEstimate",
    }
    return {key: value for key, value in (base | given).items() if value is not None}


def retained(*checks: dict[str, Any]) -> Cited[TestRecord]:
    return cited(TestRecord.model_validate({"checks": checks}), "E7")


def rollout(**given: Any) -> Cited[RolloutRecord]:
    """A record with version routing only, a rollback with evidence and one approved signal."""
    base = {
        "separations": [{"name": "gateway", "separates": ["/v1", "/v2"]}],
        "rollback": {"atomic": True, "boundary": "previous route table", "evidence": "E12"},
        "signals": [signal()],
    }
    return cited(RolloutRecord.model_validate(base | given), "E9")


def signal(**given: Any) -> dict[str, Any]:
    base = {
        "name": "order failure rate",
        "covers": ["*"],
        "numerator": "failed order requests",
        "denominator": "attempted order requests",
        "retains": ["API version", "client version"],
        "approved": True,
        "baseline": {
            "value_percent": 0.2,
            "method": "counter deltas",
            "window": "28 days",
            "tags": ["API version"],
            "resolution": "one minute",
            "exclusions": "synthetic probes",
        },
    }
    return {key: value for key, value in (base | given).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Spec:
    """One operation of a small contract: parameters by key, responses as {status: {media type: schema}}."""

    key: str
    responses: dict[str, dict[str, Any]] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, Any] = field(default_factory=dict)


def contract(*operations: Spec, components: dict[str, Any] | None = None) -> Contract:
    """A contract in memory; schemas stand in one document `c.json` below `/paths`."""
    document: dict[str, Any] = {"components": {"schemas": components or {}}, "values": []}
    children = tuple(_operation(one, document) for one in operations)
    place = Place("c.json", "")
    root = Element(
        kind=ElementKind.DOCUMENT,
        key="",
        name="c",
        aspect=Aspect.IDENTIFIERS,
        place=place,
        role=Role.DOCUMENT,
        children=children,
    )
    return Contract(
        kind=ContractKind.OPENAPI,
        version="3.1.0",
        title="c",
        release="1",
        path="c.json",
        sha256="0" * 64,
        root=root,
        documents={"c.json": document},
    )


def bundle(*items: EvidenceItem, revision: str | None = None) -> Bundle:
    request = ReviewRequest(workflow="w1", title="t", as_of="2026-11-20", implementation_revision=revision)
    return Bundle(
        workflow=WorkflowId.W1,
        title="t",
        request=request,
        items={item.id: item for item in items},
        decisions=Decisions(),
        warnings=(),
        root="",
        digest="",
    )


def item(name: str, kind: str, content: str = "", record: Record | None = None) -> EvidenceItem:
    return EvidenceItem(
        id=EvidenceId(name),
        type=kind,
        content=content,
        integrity="sha256:0",
        establishes="something",
        file="",
        sha256="0" * 64,
        integrity_state=Integrity.DECLARED,
        revision="",
        record=record,
    )


def _operation(spec: Spec, document: dict[str, Any]) -> Element:
    parameters = [
        _element(ElementKind.PARAMETER, key, Aspect.PARAMETERS, Direction.READ, value=_value(schema, document))
        for key, schema in spec.parameters.items()
    ]
    responses = [_response(status, content, spec, document) for status, content in spec.responses.items()]
    return _element(ElementKind.OPERATION, spec.key, Aspect.METHODS, None, children=(*parameters, *responses))


def _response(status: str, content: dict[str, Any], spec: Spec, document: dict[str, Any]) -> Element:
    media = [
        _element(ElementKind.MEDIA_TYPE, key, Aspect.CONTENT_TYPES, Direction.WRITTEN, value=_value(schema, document))
        for key, schema in content.items()
    ]
    headers = [
        _element(
            ElementKind.HEADER, key, Aspect.HEADERS, Direction.WRITTEN, value=_value(schema, document), needed=True
        )
        for key, schema in spec.headers.items()
    ]
    return _element(ElementKind.RESPONSE, status, Aspect.STATUS_CODES, Direction.WRITTEN, children=(*headers, *media))


def _value(schema: Any, document: dict[str, Any]) -> ValueSet:
    document["values"].append(schema)
    place = Place("c.json", f"/values/{len(document['values']) - 1}")
    return ValueSet(place, schema, SchemaDialect.OPENAPI_3_1)


def _element(kind: ElementKind, key: str, aspect: Aspect, direction: Direction | None, **given: Any) -> Element:
    needed = given.pop("needed", False)
    written = direction is Direction.WRITTEN
    return Element(
        kind=kind,
        key=key,
        name=key,
        aspect=aspect,
        place=Place("c.json", ""),
        role=Role.RESPONSE if written else Role.REQUEST,
        direction=direction,
        facets=(Facet("required", Aspect.REQUIREDNESS, True),) if needed else (),
        **given,
    )
