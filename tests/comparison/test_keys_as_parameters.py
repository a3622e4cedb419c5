"""A key of security and a parameter may be one text of a request: OpenAPI 3.0.3, section 4.7.27, `apiKey`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pipeline import compared

TEXT: Any = {"type": "string"}
PLACES = {"header": "X-Key", "query": "key", "cookie": "sid"}


def api(place: str, *, schema: Any = None, required: bool = True, demands: Any = None) -> Any:
    schemes = {
        "key": {"type": "apiKey", "in": place, "name": PLACES[place]},
        "token": {"type": "http", "scheme": "bearer"},
    }
    owed = {"name": PLACES[place], "in": place, "required": required, "schema": schema}
    operation = {"parameters": [owed] if schema else [], "responses": {"204": {"description": ""}}}
    return {
        "openapi": "3.0.3",
        "info": {"title": "a", "version": "1"},
        "paths": {"/x": {"get": operation | ({"security": demands} if demands else {})}},
        "components": {"securitySchemes": schemes},
    }


def verdicts(released: Any, candidate: Any) -> dict[str, tuple[str, bool]]:
    rows = compared(released, candidate).rows
    return {row.judgement.rule: (row.judgement.verdict, row.proof.witness != {}) for row in rows}


KEY: Any = [{"key": []}]
EITHER: Any = [{"key": []}, {"token": []}]


@pytest.mark.parametrize("place", PLACES)
def test_one_text_under_two_names_breaks_nobody(place: str) -> None:
    both = api(place, schema=TEXT, demands=KEY)
    for pair in ((api(place, schema=TEXT), api(place, demands=KEY)), (both, api(place, demands=KEY))):
        for released, candidate in (pair, pair[::-1]):
            assert {verdict for verdict, _ in verdicts(released, candidate).values()} == {"compatible"}


@pytest.mark.parametrize("place", PLACES)
def test_what_released_calls_may_leave_out_is_missed(place: str) -> None:
    found = verdicts(api(place, schema=TEXT, required=False), api(place, demands=KEY))
    assert found["request-security-tightened"] == ("breaking", True)
    found = verdicts(api(place, demands=EITHER), api(place, schema=TEXT))
    assert found["request-parameter-added-required"] == ("breaking", True)


@pytest.mark.parametrize("place", PLACES)
def test_a_key_of_unknown_text_shows_nothing_of_a_narrow_parameter(place: str) -> None:
    found = verdicts(api(place, demands=KEY), api(place, schema={"type": "integer"}))
    assert found["request-parameter-added-required"] == ("breaking", False)


@pytest.mark.parametrize("place", PLACES)
def test_another_parameter_proves_nothing(place: str) -> None:
    other = api(place, schema=TEXT)
    other["paths"]["/x"]["get"]["parameters"][0]["name"] = "other"
    found = verdicts(other, api(place, demands=KEY))
    assert found["request-security-tightened"] == ("breaking", True)
    assert found["request-parameter-removed"][0] == "breaking"


def test_swagger_writes_any_credentials_as_a_header() -> None:
    header = {"name": "Authorization", "in": "header", "required": True, "type": "string"}
    operation: Any = {"parameters": [header], "responses": {"204": {"description": ""}}}
    old: Any = {"swagger": "2.0", "info": {"title": "a", "version": "1"}, "paths": {"/x": {"get": operation}}}
    found = verdicts(old, api("header", demands=[{"token": []}]))
    assert found["request-parameter-stays-credentials"][0] == "compatible"
    assert found["security-key-in-authorization"] == ("unknown", False)
    back = verdicts(api("header", demands=[{"token": []}]), old)
    assert {verdict for verdict, _ in back.values()} == {"compatible"}
