"""Which constants of a body are codes: those of members named as codes; messages are none."""

from __future__ import annotations

import pytest

from evreview.codefacts.answers import is_code, names_code
from evreview.codefacts.declared import declared_facts
from evreview.codefacts.model import SourceText
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.reference import DeclaredCode
from tests.codefacts.snippets import sources

FASTAPI = "from fastapi import FastAPI, HTTPException\nfrom fastapi.responses import JSONResponse\napp = FastAPI()\n"
FLASK = "from flask import Flask, abort, jsonify\napp = Flask(__name__)\n"


@pytest.mark.parametrize(
    ("member", "code"),
    [
        ("code", True), ("error", True), ("error_code", True), ("errorCode", True), ("type", True), ("message", False),
        ("detail", False), ("title", False), ("status", False), ("status_code", False), ("path", False),
    ],
)  # fmt: skip
def test_members_that_hold_codes(member: str, code: bool) -> None:
    assert names_code(member) is code


@pytest.mark.parametrize(("text", "code"), [("too_many", True), ("https://x.example/p", True), ("too many", False)])
def test_texts_that_may_be_codes(text: str, code: bool) -> None:
    assert is_code(text) is code


BODIES = [
    ('raise HTTPException(409, detail="too many")', ()),
    ('raise HTTPException(409, detail="taken")', ()),
    ('raise HTTPException(409, detail={"code": "taken", "message": "no"})', ("taken",)),
    ('return JSONResponse({"error": {"type": "taken", "text": "no"}}, 409)', ("taken",)),
    ('return JSONResponse({"errors": [{"code": "a"}, {"code": "b"}]}, 409)', ("a", "b")),
    ('return JSONResponse({"error": "it is taken"}, 409)', ()),
]


@pytest.mark.parametrize(("body", "codes"), BODIES)
def test_codes_of_fastapi(body: str, codes: tuple[str, ...]) -> None:
    (route,) = read_sources(sources({"app.py": f"{FASTAPI}@app.get('/x')\ndef h():\n    {body}\n"})).routes
    assert [one.codes for one in route.responses if one.status == 409] == [codes]


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ('return {"code": "taken", "message": "no"}, 409', ("taken",)),
        ('return jsonify(error="taken", message="no"), 409', ("taken",)),
        ('return {"errors": [{"code": "a", "why": "b"}]}, 409', ("a",)),
        ('abort(409, "taken")', ()),
    ],
)
def test_codes_of_flask(body: str, codes: tuple[str, ...]) -> None:
    (route,) = read_sources(sources({"app.py": f"{FLASK}@app.get('/x')\ndef h():\n    {body}\n"})).routes
    assert [one.codes for one in route.responses if one.status == 409] == [codes]


@pytest.mark.parametrize(("handled", "codes"), [("code", ("taken",)), ("message", ())])
def test_a_handler_makes_the_detail_a_code(handled: str, codes: tuple[str, ...]) -> None:
    code = (
        f"{FASTAPI}@app.exception_handler(HTTPException)\ndef bad(request, exc):\n"
        f"    return JSONResponse({{'{handled}': exc.detail}}, status_code=exc.status_code)\n"
        "@app.get('/x')\ndef h(): raise HTTPException(409, 'taken')\n"
    )
    (route,) = read_sources(sources({"app.py": code})).routes
    assert [one.codes for one in route.responses if one.status == 409] == [codes]


@pytest.mark.parametrize(("name", "codes"), [("", ("gone",)), ("error.code", ("gone",)), ("message", ())])
def test_codes_that_a_reviewer_declares(name: str, codes: tuple[str, ...]) -> None:
    fact = {
        "id": "f", "operation": "GET /x", "concern": "errors", "name": name, "status": 410, "item": "E2",
        "lines": "1", "quote": "Gone", "states": "gone",
    }  # fmt: skip
    record = Cited(DeclaredCode.model_validate({"facts": [fact]}), Citation(EvidenceId("E4")))
    source = SourceText(item=EvidenceId("E2"), path="x.go", parts=("handler",), text="Gone\n")
    found, _ = declared_facts([record], [source])
    assert [one.codes for one in found.routes[0].responses] == [codes]
