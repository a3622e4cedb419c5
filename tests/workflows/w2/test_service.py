"""Witnesses against the running service: the examples of the kinds are started, and answer as the rows say."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from evreview.workflows.w2.discrepancy_kinds import KIND
from evreview.workflows.w2.discrepancy_kinds.kind import KindExample
from tests.workflows.w2.test_kinds import IMPORTS, judged

REFUSED = ("parameter-narrower", "body-narrower", "body-field-required", "body-closed")
TAKEN = ("parameter-wider", "body-wider", "body-field-optional")
WITHOUT = ("slowapi",)


def service(example: KindExample) -> Any:
    """A client of the example's service; the code is ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from fastapi.testclient import TestClient
    lines = [line for line in IMPORTS.splitlines() if not any(name in line for name in WITHOUT)]
    names: dict[str, Any] = {"__name__": "service"}
    exec(compile("\n".join(lines) + "\n\n\n" + example.code, "service.py", "exec"), names)
    return TestClient(names["app"])


def asked(kind: str) -> int:
    """The status with which the service answers the witness of a kind's example."""
    example = KIND[kind].example
    found = next(each for each in judged(example).discrepancies if each.kind == kind)
    client = service(example)
    if kind.startswith("parameter"):
        return int(client.get("/orders", params={found.place.split()[-1]: found.witness}).status_code)
    field = found.place.split()[-1]
    whole = kind in ("body-field-required", "body-closed", "body-field-optional")
    sent = found.witness if whole else {field: found.witness}
    return int(client.post("/orders", json=sent).status_code)


@pytest.mark.parametrize("kind", REFUSED)
def test_the_service_refuses_what_the_contract_admits(kind: str) -> None:
    assert asked(kind) == 422


@pytest.mark.parametrize("kind", TAKEN)
def test_the_service_takes_what_the_contract_refuses(kind: str) -> None:
    assert asked(kind) == 200
