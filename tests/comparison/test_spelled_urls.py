"""One URL in several spellings: RFC 3986, section 6.2; RFC 9110, section 4.2.3."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pipeline import compared

DONE: Any = {"responses": {"204": {"description": ""}}}


def api(path: str = "/x", *servers: str, **enums: list[str]) -> Any:
    variables = {name: {"default": values[0], "enum": values} for name, values in enums.items()}
    return {
        "openapi": "3.0.3",
        "info": {"title": "a", "version": "1"},
        "servers": [{"url": url, "variables": variables} for url in servers or ("https://a",)],
        "paths": {path: {"get": DONE}},
    }


ONE_URL = {
    "a blank": (api("/a b"), api("/a%20b")),
    "a letter": (api("/\u00e9"), api("/%c3%a9")),
    "a step that goes nowhere": (api("/x", "./v1"), api("/x", "v1")),
    "a step up": (api("/x", "https://a/a/../v1"), api("/x", "https://a/v1")),
    "a step up from the root": (api("/x", "/../v1"), api("/x", "/v1")),
}


@pytest.mark.parametrize("name", ONE_URL)
def test_one_url_is_noise(name: str) -> None:
    for pair in (ONE_URL[name], ONE_URL[name][::-1]):
        comparison = compared(*pair)
        assert comparison.rows == ()
        assert "spelling" in [noise.delta.facet for noise in comparison.noise]


def test_the_default_port_of_a_variable_is_none() -> None:
    ports = api("/x", "https://a:{p}", p=["443", "8443"])
    assert compared(ports, api("/x", "https://a", "https://a:8443")).rows == ()
    assert [row.judgement.verdict for row in compared(api("/x", "https://a"), ports).rows] == ["compatible"]


@pytest.mark.parametrize("candidate", [api("/x", "https://a:8443"), api("/x", "https://a:{p}", p=["8443"])])
def test_the_port_that_goes_is_not_written_in_a_message(candidate: Any) -> None:
    rows = compared(api("/x", "https://a:{p}", p=["443", "8443"]), candidate).rows
    broken = [row for row in rows if row.judgement.verdict == "breaking"]
    witness = broken[0].proof.witness
    assert isinstance(witness, dict)
    assert witness["message"]["server"] == "https://a"  # type: ignore[call-overload, index]


def test_a_message_has_no_sign_that_no_url_holds() -> None:
    (row,) = (row for row in compared(api("/a b"), api("/b")).rows if row.judgement.verdict == "breaking")
    assert isinstance(row.proof.witness, dict)
    assert row.proof.witness["message"]["path"] == "/a%20b"  # type: ignore[call-overload, index]


def test_a_variable_is_no_step_that_is_known() -> None:
    assert compared(api("/x", "/{v}/../b"), api("/x", "/b")).rows
    assert compared(api("/x", "/{v}/../b", v=["a", "c"]), api("/x", "/b")).rows == ()
