"""The demand of the document is one edit, made of those who call the API and of nobody else."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json, Role, Verdict
from tests.pipeline import compared

OK: Json = {"200": {"description": "ok"}}
HOOK: Json = {"post": {"responses": {"204": {"description": "taken"}}}}
SCHEMES: Json = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "token": {"type": "http", "scheme": "bearer"},
}
SENT: Json = {"in": "header", "name": "X-Key", "required": True, "schema": {"type": "string"}}


def document(root: Json, hook: Json = HOOK, *, parameters: Json = None, webhook: bool = False) -> Json:
    called: dict[str, Json] = {"responses": OK}
    listening: dict[str, Json] = {**called, "callbacks": {"done": {"{$request.body#/url}": hook}}}
    first: dict[str, Json] = {**called, **({} if parameters is None else {"parameters": parameters})}
    made: dict[str, Json] = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "components": {"securitySchemes": SCHEMES},
        "paths": {"/a": {"get": first}, "/b": {"post": called}, "/c": {"post": listening}},
    }
    if webhook:
        made["webhooks"] = {"happened": hook}
    return made if root is None else {**made, "security": root}


KEY, TOKEN, NONE = [{"key": []}], [{"token": []}], [{}]


@pytest.mark.parametrize("webhook", [False, True])
@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (KEY, TOKEN, Verdict.BREAKING),
        (None, KEY, Verdict.BREAKING),
        (KEY, [{"key": [], "token": []}], Verdict.BREAKING),
        (KEY, [*KEY, *TOKEN], Verdict.COMPATIBLE),
        (KEY, None, Verdict.COMPATIBLE),
        (TOKEN, NONE, Verdict.COMPATIBLE),
    ],
)
@pytest.mark.req("W1L-005")
def test_one_edit_at_the_root_is_one_row(before: Json, after: Json, verdict: Verdict, webhook: bool) -> None:
    (row,) = compared(document(before, webhook=webhook), document(after, webhook=webhook)).rows
    assert (row.delta.role, row.judgement.verdict) == (Role.REQUEST, verdict)
    assert row.delta.operations == ("GET /a", "POST /b", "POST /c")


def test_what_a_callback_itself_is_sent_with_is_told() -> None:
    post = {"responses": OK}
    hooks: list[Json] = [{"post": {**post, "security": demand}} for demand in (KEY, TOKEN)]
    rows = compared(*(document(KEY, hook) for hook in hooks)).rows
    assert [row.delta.role for row in rows] == [Role.CALLBACK]


def test_an_empty_demand_of_a_callback_says_what_none_says() -> None:
    assert (
        compared(document(KEY), document(KEY, {"post": {"responses": HOOK["post"]["responses"], "security": []}})).rows
        == ()
    )  # type: ignore[index, call-overload]


def test_an_operation_that_proves_the_key_already_has_a_row_of_its_own() -> None:
    """Its released calls send the key as a parameter that they owe, the others do not."""
    rows = compared(document(None, parameters=[SENT]), document(KEY, parameters=[SENT])).rows
    told = {row.delta.operations: row.judgement.verdict for row in rows}
    assert told == {("GET /a",): Verdict.COMPATIBLE, ("POST /b", "POST /c"): Verdict.BREAKING}
