"""Which operations Flask code answers: rules, prefixes, methods and path parameters."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.flask.read import read_flask
from tests.codefacts.routes import only, operations, parameters, read

HEAD = "from flask import Flask, Blueprint, views\napp = Flask(__name__)\n"
BLUE = HEAD + 'bp = Blueprint("b", __name__, url_prefix="/b")\n@bp.get("/x")\ndef x(): return {}\n'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('@app.route("/a")\ndef a(): return {}', ["GET /a"]),
        ('@app.route("/a", methods=["post", "PUT", "HEAD"])\ndef a(): return {}', ["POST /a", "PUT /a"]),
        ('@app.delete("/a/<int:id>")\nasync def a(id): return {}', ["DELETE /a/{id}"]),
        ('@app.get("/a")\n@app.get("/b")\ndef a(): return {}', ["GET /a", "GET /b"]),
        ('def a(): return {}\napp.add_url_rule("/a", view_func=a, methods=("PATCH",))', ["PATCH /a"]),
        (
            "class A(views.MethodView):\n  def get(self): return {}\n  def post(self): return {}\n"
            'app.add_url_rule("/a", view_func=A.as_view("a"))',
            ["GET /a", "POST /a"],
        ),
        (
            'class A(views.MethodView):\n  def get(self): return {}\nview = A.as_view("a")\n'
            'app.add_url_rule("/a", view_func=view)',
            ["GET /a"],
        ),
        ('P = "/a"\n@app.get(P + "/b")\ndef a(): return {}', ["GET /a/b"]),
        ('def make():\n  inner = Flask("x")\n  @inner.get("/a")\n  def a(): return {}\n  return inner', ["GET /a"]),
    ],
)
def test_rules(text: str, found: list[str]) -> None:
    facts = read(read_flask, HEAD + text)
    assert (operations(facts), facts.unread) == (found, ())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("app.register_blueprint(bp)", ["GET /b/x"]),
        ('app.register_blueprint(bp, url_prefix="/v1")', ["GET /v1/x"]),
        (
            'app.register_blueprint(bp)\napp.register_blueprint(bp, url_prefix="/v2", name="c")',
            ["GET /b/x", "GET /v2/x"],
        ),
        (
            'top = Blueprint("t", __name__, url_prefix="/t")\ntop.register_blueprint(bp)\napp.register_blueprint(top)',
            ["GET /t/b/x"],
        ),
    ],
)
def test_prefixes(text: str, found: list[str]) -> None:
    facts = read(read_flask, BLUE + text)
    assert operations(facts) == found
    assert not any(route.unread for route in facts.routes)


def test_a_blueprint_of_another_file() -> None:
    files = {
        "shop/app.py": 'from flask import Flask\nfrom .orders import bp\napp = Flask("a")\n'
        'app.register_blueprint(bp, url_prefix="/v1")',
        "shop/orders.py": 'from flask import Blueprint\nbp = Blueprint("o", __name__)\n'
        '@bp.get("/x")\ndef x(): return {}',
    }
    route = only(read_flask, files)
    assert (route.path, route.spot.item, route.spot.path) == ("/v1/x", "EV-2", "shop/orders.py")


@pytest.mark.parametrize(
    ("text", "routes"),
    [
        (BLUE, 1),
        (BLUE + "import os\napp.register_blueprint(bp, url_prefix=os.environ['P'])", 0),
        (HEAD + "from .x import bp\napp.register_blueprint(bp)", 0),
        (HEAD + "for bp in BPS:\n  app.register_blueprint(bp)", 0),
        (HEAD + "@app.get(path())\ndef a(): return {}", 0),
        (HEAD + "@app.route('/a', methods=METHODS)\ndef a(): return {}", 0),
        (HEAD + "from .x import view\napp.add_url_rule('/a', view_func=view)", 0),
    ],
)
def test_what_is_named_as_unread(text: str, routes: int) -> None:
    facts = read(read_flask, text)
    assert len(facts.routes) == routes
    assert len(facts.unread) + sum(len(route.unread) for route in facts.routes) == 1


@pytest.mark.parametrize(
    ("rule", "schema", "exact"),
    [
        ("<x>", {"type": "string"}, True),
        ("<int:x>", {"type": "integer", "minimum": 0}, True),
        ("<int(min=1, max=9):x>", {"type": "integer", "minimum": 1, "maximum": 9}, True),
        ("<int(signed=True):x>", {"type": "integer"}, True),
        ("<float:x>", {"type": "number", "minimum": 0}, True),
        ("<uuid:x>", {"type": "string", "format": "uuid"}, True),
        ("<any(a, 'b-c'):x>", {"enum": ["a", "b-c"]}, True),
        ("<string(length=2):x>", {"type": "string", "minLength": 2, "maxLength": 2}, True),
        ("<path:x>", {"type": "string"}, True),
        ("<own:x>", {}, False),
    ],
)
def test_converters(rule: str, schema: Any, exact: bool) -> None:
    route = only(read_flask, HEAD + f'@app.get("/a/{rule}")\ndef a(x): return {{}}')
    assert route.path == "/a/{x}"
    assert parameters(route) == [("x", "path", True)]
    assert (route.parameters[0].schema, route.parameters[0].exact) == (schema, exact)


def test_other_frameworks_are_left_alone() -> None:
    text = "from fastapi import FastAPI\napp = FastAPI()\n@app.get('/a')\ndef a(): return {}\n"
    assert read(read_flask, text).routes == ()
