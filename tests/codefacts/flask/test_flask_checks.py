"""Conditions on fields of the body that lead to a refusal are named."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Concern
from tests.codefacts.snippets import sources

HEAD = "from flask import Flask, abort, request\napp = Flask(__name__)\nOTHER = {'a': 1}\n@app.post('/x')\ndef h():\n"


@pytest.mark.parametrize("sent", ["abort({0})", "return {{'code': 'x'}}, {0}"])
@pytest.mark.parametrize(
    ("test", "status", "named"),
    [
        ("body['quantity'] > 100", 400, ["quantity"]),
        ("body.get('quantity', 0) > 100", 422, ["quantity"]),
        ("request.json['quantity'] > 100", 400, ["quantity"]),
        ("body['quantity'] > 100", 409, []),
        ("OTHER['a'] > 100", 400, []),
    ],
)
def test_a_check_of_the_body_is_named(test: str, status: int, named: list[str], sent: str) -> None:
    answer = sent.format(status)
    code = f"{HEAD}    body = request.get_json()\n    if {test}:\n        {answer}\n    return {{}}\n"
    (route,) = read_sources(sources({"app.py": code})).routes
    assert [note.name for note in route.notes if note.concern is Concern.VALIDATION] == named
