"""What Flask itself answers when a JSON body is read that is none, and what finds nothing."""

from __future__ import annotations

import pytest

from evreview.codefacts.flask.read import read_flask
from tests.codefacts.routes import only

HEAD = """
from flask import Flask, request
from flask_sqlalchemy import SQLAlchemy
from werkzeug.exceptions import BadRequest, HTTPException
app = Flask(__name__)
db = SQLAlchemy()
class Order(db.Model): pass
"""
MEDIA = "@app.errorhandler(415)\ndef media(error): return {'error': 'media'}, 415\n"
POSTS = "@app.post('/a')\ndef a(key=0):\n    "


def framework(text: str) -> set[tuple[int | None, str]]:
    """Status and media type of what Flask answers by itself."""
    return {(one.status, one.media_type) for one in only(read_flask, HEAD + text).responses if one.how == "framework"}


BOTH = {(400, ""), (415, "")}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = request.get_json()", BOTH),
        ("x = request.json", BOTH),
        ("x = request.json['a']", BOTH),
        ("x = request.get_json(silent=True)", set()),
        ("x = request.get_json(False, True)", set()),
        ("x = request.get_json(silent=key)", set()),
        ("x = request.get_json(force=True)", {(400, "")}),
        ("x = request.get_json(silent=False)", BOTH),
        ("x = request.data", set()),
        ("x = request.get_json() if request.is_json else {}", {(400, "")}),
        ("try:\n        x = request.get_json()\n    except KeyError:\n        x = 1", BOTH),
        ("try:\n        x = request.get_json()\n    except BadRequest:\n        x = 1", {(415, "")}),
        ("try:\n        x = request.get_json()\n    except HTTPException:\n        x = 1", set()),
        ("try:\n        x = request.get_json()\n    except (KeyError, Exception):\n        x = 1", set()),
        ("try:\n        x = request.get_json()\n    except:\n        x = 1", set()),
        ("try:\n        x = 1\n    except Exception:\n        x = request.get_json()", BOTH),
    ],
)
def test_reading_a_json_body_may_be_refused(body: str, expected: set[tuple[int | None, str]]) -> None:
    assert framework(f"{POSTS}{body}\n    return {{}}\n") == expected


def test_an_error_handler_says_how_it_is_refused() -> None:
    found = framework(f"{MEDIA}{POSTS}x = request.get_json()\n    return {{}}\n")
    assert found == {(400, ""), (415, "application/json")}


def test_a_helper_that_reads_the_body_is_followed() -> None:
    text = f"def read(): return request.get_json()\n{POSTS}x = read()\n    return {{}}\n"
    assert framework(text) == BOTH


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        ("x = db.get_or_404(Order, key)", True),
        ("x = Order.query.get_or_404(key)", True),
        ("x = Order.query.filter_by(id=key).first_or_404()", True),
        ("x = db.one_or_404(db.select(Order))", True),
        ("x = db.session.get(Order, key)", False),
        ("x = Order.query.filter_by(id=key).first()", False),
    ],
)
def test_what_finds_nothing_answers_404(body: str, missing: bool) -> None:
    found = only(read_flask, f"{HEAD}{POSTS}{body}\n    return {{}}\n")
    assert (404 in {one.status for one in found.responses}, found.elsewhere) == (missing, ())
