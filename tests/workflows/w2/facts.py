"""Evidence of a reference made by hand: a small contract, code facts, recorded exchanges."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evreview.codefacts.model import CodeBody, CodeFacts, CodeParameter, CodeResponse, Guard, Route, Spot
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import ABSENT, Direction, EvidenceId, Json
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import TestRun
from evreview.evidence.test_results.model import Assertion, Case, Exchange, Results, RetainedRun
from evreview.kinds.load import read_contract
from evreview.schema.to_json_schema import standalone
from evreview.workflows.w2.discrepancy_kinds.kind import Seen
from evreview.workflows.w2.facts import Operation, ReferenceEvidence
from evreview.workflows.w2.reconcile.reconcile import Reconciled, reconcile
from evreview.workflows.w2.scope import operations_of

CONTRACT, CODE, RUN, OUTPUT = (EvidenceId(f"E{number}") for number in (1, 2, 3, 4))
LINES = Spot(CODE, 3, 7, "app.py")


def contract_of(paths: Json, schemes: Json = None, version: str = "3.1.0") -> Contract:
    """A contract with these paths."""
    document = {"openapi": version, "info": {"title": "Orders", "version": "1"}, "paths": paths}
    if schemes is not None:
        document["components"] = {"securitySchemes": schemes}
    return read_contract("openapi.json", lambda _: json.dumps(document).encode())


def evidence_of(contract: Contract, *routes: Route, unread: tuple[Any, ...] = (), seen: tuple[Seen, ...] = ()) -> Any:
    """The evidence with these routes and exchanges."""
    runs = (run_of(seen),) if seen else ()
    return ReferenceEvidence(contract=contract, item=CONTRACT, code=CodeFacts(routes=routes, unread=unread), runs=runs)


def run_of(seen: tuple[Seen, ...]) -> RetainedRun:
    """A retained run that recorded these exchanges and assertions, one case each."""
    record = Cited(TestRun(output=OUTPUT), Citation(RUN))
    cases = tuple(_case(at, each) for at, each in enumerate(seen))
    return RetainedRun(record=record, results=Results(format="har", cases=cases))


def _case(at: int, seen: Seen) -> Case:
    where = f"#/log/entries/{at}"
    asserted = Assertion(
        operation=f"{seen.method} {seen.path}",
        outcome=seen.outcome,
        status=seen.status,
        media_type=seen.media_type,
        field=seen.asserts,
        expects=seen.expects,
    )
    exchange = Exchange(
        method=seen.method,
        path=seen.path,
        status=seen.status,
        locator=where,
        media_type=seen.media_type,
        response_headers=seen.headers,
        body=seen.body,
        body_recorded=True,
    )
    return Case(
        id=f"case {at}",
        what="",
        outcome=seen.outcome,
        locator=where,
        assertions=(asserted,) if seen.asserts else (),
        exchanges=() if seen.asserts else (exchange,),
    )


def reconciled(evidence: ReferenceEvidence, *dispositions: Any, as_of: str | None = None) -> Reconciled:
    """All operations of the contract reconciled."""
    operations = operations_of(evidence.contract)
    return reconcile(evidence, operations, dispositions, owner_role="API owner", as_of=as_of)


def route(method: str = "GET", path: str = "/orders", **parts: Any) -> Route:
    """A route at a fixed place."""
    return Route(method=method, path=path, handler="orders", framework="fastapi", spot=LINES, **parts)


def reads(name: str, schema: Json, location: Any = "query", **parts: Any) -> CodeParameter:
    """A parameter that the code reads."""
    parts = {"required": False, "exact": True, **parts}
    return CodeParameter(name=name, location=location, spot=LINES, schema=schema, **parts)


def takes(schema: Json, media_type: str = "application/json", **parts: Any) -> CodeBody:
    """A request body that the code reads."""
    parts = {"required": True, "exact": True, **parts}
    return CodeBody(media_type=media_type, spot=LINES, schema=schema, **parts)


def sends(status: int | None, schema: Json = None, media_type: str = "application/json", **parts: Any) -> CodeResponse:
    """A response that the code sends."""
    parts = {"how": "returned", "exact": True, **parts}
    return CodeResponse(status=status, spot=LINES, media_type=media_type, schema=schema, **parts)


def itself(contract: Contract, operations: Sequence[Operation]) -> CodeFacts:
    """Code facts that say exactly what the contract says."""
    routes = []
    for operation in operations:
        element = operation.element
        routes.append(
            Route(
                method=operation.method,
                path=operation.path,
                handler=operation.operation_id,
                framework="fastapi",
                spot=LINES,
                parameters=tuple(_parameter(contract, each) for each in _of(element, ElementKind.PARAMETER)),
                body=next((_body(contract, each) for each in _of(element, ElementKind.BODY)), None),
                responses=tuple(
                    response for each in _of(element, ElementKind.RESPONSE) for response in _responses(contract, each)
                ),
                guards=_guards(element),
            )
        )
    return CodeFacts(routes=tuple(routes))


def _of(element: Element, kind: ElementKind) -> list[Element]:
    return [child for child in element.children if child.kind is kind]


def _schema(contract: Contract, element: Element, direction: Direction) -> Json:
    return {} if element.value is None else standalone(element.value, contract, direction)


def _parameter(contract: Contract, element: Element) -> CodeParameter:
    node = element.value.node if element.value is not None else None
    default = node.get("default", ABSENT) if isinstance(node, dict) else ABSENT
    location: Any = element.key.partition(":")[0]
    schema = _schema(contract, element, Direction.READ)
    return reads(element.name, schema, location, required=element.facet("required"), default=default)


def _body(contract: Contract, element: Element) -> CodeBody | None:
    media = next(iter(_of(element, ElementKind.MEDIA_TYPE)), None)
    if media is None:
        return takes({}, "", required=element.facet("required"))
    required = element.facet("required")
    return takes(_schema(contract, media, Direction.READ), media.name.replace("*", "x"), required=required)


def _responses(contract: Contract, element: Element) -> list[CodeResponse]:
    status = 418 if element.key == "default" else int(element.key.replace("XX", "18"))
    headers = tuple(header.name for header in _of(element, ElementKind.HEADER))
    medias = _of(element, ElementKind.MEDIA_TYPE)
    if not medias:
        return [sends(status, media_type="", headers=headers)]
    schemas = [_schema(contract, media, Direction.WRITTEN) if media.value is not None else None for media in medias]
    return [
        sends(status, schema, media.name.replace("*", "x"), headers=headers)
        for schema, media in zip(schemas, medias, strict=True)
    ]


def _guards(element: Element) -> tuple[Guard, ...]:
    """One guard per scheme of the first alternative, each of which takes those of the other alternatives too."""
    listed = next(iter(_of(element, ElementKind.SECURITY))).facet("requirements")
    first, *others = listed if isinstance(listed, list) and listed else [{}]
    demands = first.items() if {} not in (listed or []) else ()
    also = tuple(dict.fromkeys(key.partition(" (")[0] for other in others for key in other if key not in first))
    guard = Guard(name="", kind="authentication", spot=LINES, also=also)
    return tuple(
        replace(guard, name=key, scheme=key.partition(" (")[0], scopes=tuple(scopes)) for key, scopes in demands
    )
