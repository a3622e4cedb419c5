"""What a Flask handler reads, answers, refuses and does."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.flask.read import read_flask
from evreview.codefacts.model import Route
from evreview.core.vocabulary import ABSENT, Concern
from tests.codefacts.routes import only, parameters, read, responses

HEAD = """from flask import *
from flask import request, jsonify, abort, make_response, Response, redirect
from werkzeug.exceptions import NotFound, HTTPException
from functools import wraps
app = Flask(__name__)
"""


def handler(body: str, before: str = "", decorators: str = "") -> Route:
    inner = "\n".join(f"  {line}" for line in body.splitlines())
    return only(read_flask, f'{HEAD}{before}\n@app.get("/a")\n{decorators}\ndef a():\n{inner}\n')


JSON, HTML = "application/json", "text/html"


@pytest.mark.parametrize(
    ("body", "status", "media", "headers"),
    [
        ("return {'a': 1}", 200, JSON, ()),
        ("return [1]", 200, JSON, ()),
        ("return jsonify(a=1), 201", 201, JSON, ()),
        ("return jsonify({'a': 1}), 201, {'X-A': 'b'}", 201, JSON, ("X-A",)),
        ("return 'text'", 200, HTML, ()),
        ("return '', 204", 204, "", ()),
        ("return {}, '418 I am a teapot'", 418, JSON, ()),
        ("from http import HTTPStatus\nreturn {}, HTTPStatus.CREATED", 201, JSON, ()),
        ("return make_response({'a': 1}, 202)", 202, JSON, ()),
        ("return Response('x', status=203, mimetype='text/csv')", 203, "text/csv", ()),
        ("return Response('x', 203, {'X-B': '1'}, content_type='text/csv; charset=utf-8')", 203, "text/csv", ("X-B",)),
        ("return redirect('/b')", 302, HTML, ("Location",)),
        ("return redirect('/b', code=303)", 303, HTML, ("Location",)),
        ("r = jsonify(a=1)\nr.status_code = 202\nr.headers['X-C'] = '1'\nreturn r", 202, JSON, ("X-C",)),
        ("return other()\ndef b(): pass", None, "", ()),
        ("return app.service.list()", None, "", ()),
    ],
)
def test_returned(body: str, status: int | None, media: str, headers: tuple[str, ...]) -> None:
    route = handler(body)
    (found,) = [one for one in route.responses if one.how == "returned"]
    assert (found.status, found.media_type, found.headers) == (status, media, headers)
    assert bool(route.unread) is (status is None)


def test_a_status_that_a_condition_chooses_is_not_told() -> None:
    route = handler("code = 200 if request.args.get('x') else 201\nreturn {}, code")
    assert responses(route) == {(None, "returned", JSON)} and route.unread


def test_the_answer_of_a_function_that_is_called() -> None:
    route = handler("return answer({'a': 1}, 201)", "def answer(body, status=200):\n  return jsonify(body), status\n")
    (found,) = route.responses
    assert (found.status, found.schema) == (
        201,
        {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"], "additionalProperties": False},
    )


@pytest.mark.parametrize(
    ("body", "schema", "exact"),
    [
        ("return {'a': x(), 'b': 'c'}", {"a": {}, "b": {"const": "c"}}, False),
        (
            "return {'a': str(x), 'n': len(x), 't': f'{x}', 'o': x == 1}",
            {"a": {"type": "string"}, "n": {"type": "integer"}, "t": {"type": "string"}, "o": {"type": "boolean"}},
            True,
        ),
        ("d = {'a': 1}\nreturn d", {"a": {"const": 1}}, True),
    ],
)
def test_bodies(body: str, schema: Any, exact: bool) -> None:
    (found,) = handler(body).responses
    assert isinstance(found.schema, dict)
    assert (found.schema["properties"], found.exact) == (schema, exact)


@pytest.mark.parametrize("change", ["d['b'] = 2", "d.update(b=2)", "d.pop('a')"])
def test_a_dict_that_is_changed_is_not_told(change: str) -> None:
    (found,) = handler(f"d = {{'a': 1}}\n{change}\nreturn d").responses
    assert found.schema is None


RAISED: list[Any] = [
    ("abort(404)", "", (404, "raised", HTML), ()),
    ("abort(404, description='gone')", "", (404, "raised", HTML), ()),
    ("raise NotFound()", "", (404, "raised", HTML), ()),
    ("find()", "def find():\n  abort(409)", (409, "raised", HTML), ()),
    ("abort(make_response({'code': 'x'}, 422))", "", (422, "raised", JSON), ("x",)),
    ("abort(404)", "@app.errorhandler(404)\ndef e(error): return {'code': 'nf'}, 404", (404, "raised", JSON), ("nf",)),
    (
        "abort(404)",
        "@app.errorhandler(NotFound)\ndef e(error): return {'code': 'nf'}, 404",
        (404, "raised", JSON),
        ("nf",),
    ),
    (
        "abort(409)",
        "@app.errorhandler(HTTPException)\ndef e(error): return {'k': 'v', 'error': 'v'}, error.code",
        (409, "raised", JSON),
        ("v",),
    ),
    (
        "raise Own()",
        "class Own(Exception):\n  status = 418\n@app.errorhandler(Own)\ndef e(error): return {'k': 'v'}, error.status",
        (418, "raised", JSON),
        (),
    ),
    ("raise Own()", "class Own(NotFound):\n  code = 410", (410, "raised", HTML), ()),
    (
        "abort(404)",
        "def e(error): return {'k': 'v', 'code': 'v'}, 404\napp.register_error_handler(404, e)",
        (404, "raised", JSON),
        ("v",),
    ),
]


@pytest.mark.parametrize(("body", "before", "found", "codes"), RAISED)
def test_raised(body: str, before: str, found: tuple[Any, ...], codes: tuple[str, ...]) -> None:
    route = handler(f"{body}\nreturn {{}}", before)
    assert responses(route) == {found, (200, "returned", JSON)}
    assert next(one for one in route.responses if one.how == "raised").codes == codes


def test_what_is_caught_is_not_sent() -> None:
    assert responses(handler("try:\n  raise NotFound()\nexcept NotFound:\n  pass\nreturn {}")) == {
        (200, "returned", JSON)
    }


@pytest.mark.parametrize(
    ("body", "found", "default"),
    [
        ("request.args.get('x', 5)", ("x", "query", False), 5),
        ("request.args.get('x')", ("x", "query", None), ABSENT),
        ("request.args['x']", ("x", "query", True), ABSENT),
        ("v = request.args['x']", ("x", "query", True), ABSENT),
        ("request.args.getlist('x')", ("x", "query", None), ABSENT),
        ("request.headers.get('X-A', 'b')", ("X-A", "header", False), "b"),
        ("if 'x' in request.cookies:\n  pass", ("x", "cookie", None), ABSENT),
        ("read()", ("x", "query", True), ABSENT),
    ],
)
def test_parameters(body: str, found: tuple[Any, ...], default: Any) -> None:
    route = handler(f"{body}\nreturn {{}}", "def read():\n  return request.args['x']")
    assert parameters(route) == [found]
    one = route.parameters[0]
    assert (one.default, one.schema, one.exact) == (default, {}, False)
    assert ((400, "framework", HTML) in responses(route)) is (found[2] is True)


@pytest.mark.parametrize(
    ("body", "media", "required"),
    [
        ("d = request.get_json()", JSON, True),
        ("d = request.json['a']", JSON, True),
        ("d = request.get_json(silent=True)", JSON, None),
        ("d = request.form['a']", "", None),
        ("d = request.files['a']", "multipart/form-data", None),
    ],
)
def test_request_bodies(body: str, media: str, required: bool | None) -> None:
    found = handler(f"{body}\nreturn {{}}").body
    assert found is not None
    assert (found.media_type, found.required, found.schema, found.exact) == (media, required, {}, False)


def test_a_conversion_that_does_not_refuse_is_a_note_and_no_schema() -> None:
    route = handler("request.args.get('limit', 20, type=int)\nreturn {}")
    assert route.parameters[0].schema == {}
    assert [(one.concern, one.name, one.value) for one in route.notes] == [(Concern.VALIDATION, "limit", "type=int")]


OWN = """def gate(f):
  @wraps(f)
  def inner(*a, **k):
    if request.headers.get('Authorization', '').startswith('Bearer ') is False: abort(%d)
    return f(*a, **k)
  return inner"""


@pytest.mark.parametrize(
    ("before", "decorator", "guards", "statuses"),
    [
        (
            "from flask_login import login_required",
            "@login_required",
            [("login_required", "authentication", "")],
            {None},
        ),
        (
            "from flask_jwt_extended import jwt_required",
            "@jwt_required()",
            [("jwt_required", "authentication", "http bearer")],
            {401},
        ),
        (
            "from flask_httpauth import HTTPBasicAuth\nauth = HTTPBasicAuth()",
            "@auth.login_required",
            [("auth.login_required", "authentication", "http basic")],
            {401},
        ),
        (OWN % 401, "@gate", [("gate", "authentication", "http bearer")], {401}),
        (OWN % 403, "@gate", [("gate", "authorization", "")], {403}),
        (
            "@app.before_request\ndef check():\n  if not g.user: abort(401)",
            "",
            [("check", "authentication", "")],
            {401},
        ),
        ("", "@wraps(print)", [], set()),
    ],
)
def test_guards(before: str, decorator: str, guards: list[Any], statuses: set[int]) -> None:
    route = handler("return {}", before, decorator)
    assert [(one.name, one.kind, one.scheme) for one in route.guards] == guards
    assert {status for status, *_ in responses(route)} == {200, *statuses}
    assert route.unread == ()


def test_a_gate_that_sends_callers_elsewhere() -> None:
    before = (
        "def gate(f):\n  @wraps(f)\n  def inner(**k):\n    if g.user is None:\n      return redirect('/prices')\n"
        "    return f(**k)\n  return inner"
    )
    route = handler("return {}", before, "@gate")
    assert [(one.name, one.kind) for one in route.guards] == [("gate", "unknown")]
    assert (302, "returned", HTML) in responses(route)


def test_one_view_for_several_methods_is_not_told_apart() -> None:
    text = (
        "@app.route('/a', methods=['GET', 'POST'])\ndef a():\n"
        "  if request.method == 'POST':\n    return {}, 201\n  return {}"
    )
    assert [len(route.unread) for route in read(read_flask, HEAD + text).routes] == [1, 1]


@pytest.mark.parametrize("before", ["from elsewhere import gate", "gate = make()"])
def test_an_unknown_decorator_is_unread(before: str) -> None:
    assert len(handler("return {}", before, "@gate").unread) == 1


def test_limits_and_side_effects() -> None:
    before = "from flask_limiter import Limiter\nlimiter = Limiter(app)\napp.config['MAX_CONTENT_LENGTH'] = 2 * 1024"
    route = handler("db.session.commit()\nreturn {}", before, "@limiter.limit('5/minute')")
    assert [(one.concern, one.name, one.value, one.certain) for one in route.notes] == [
        (Concern.RATE_LIMITS, "limiter.limit", "5/minute", True),
        (Concern.SIDE_EFFECTS, "db.session.commit", ABSENT, False),
        (Concern.LIMITS, "MAX_CONTENT_LENGTH", 2048, True),
    ]
    assert (429, "framework", "") in responses(route)


@pytest.mark.parametrize(
    "text",
    [
        "@app.get('/a')\ndef a(): return a()",
        "@app.get('/a')\ndef a():\n  return b()\ndef b():\n  return a()",
        "@app.errorhandler(404)\ndef e(x): abort(404)\n@app.get('/a')\ndef a(): abort(404)",
        "@app.get('/a')\ndef a(): return " + "(" * 80 + "1" + ")" * 80,
        "d = d\n@app.get('/a')\ndef a(): return d",
        "class A(A): pass\n@app.get('/a')\ndef a(): raise A()",
        "@app.get('/<<<x')\ndef a(): return {}",
        "@app.get()\ndef a(): return {}\n@app.route(*x, **y)\ndef b(): return {}",
        "app.register_blueprint()\napp.add_url_rule()\napp.register_error_handler()",
    ],
)
def test_odd_code_ends(text: str) -> None:
    read(read_flask, HEAD + text)


LOADS = (
    "from flask import Flask, request\nfrom marshmallow import Schema, ValidationError, fields\napp = Flask(__name__)\n"
    "class S(Schema):\n    a = fields.Str()\n"
)
HANDLES = "@app.errorhandler(ValidationError)\ndef refused(error): return {'code': 'invalid'}, 400\n"
POSTS = "@app.post('/a')\ndef a():\n    "


@pytest.mark.parametrize(
    ("around", "body", "expected"),
    [
        (HANDLES, "S().load(request.get_json())\n    return {}", {200, 400}),
        (HANDLES.replace("400", "422"), "S().load(request.get_json())\n    return {}", {200, 422}),
        ("", "S().load(request.get_json())\n    return {}", {200}),
        (HANDLES, "S().validate(request.get_json())\n    return {}", {200}),
        (HANDLES, "return {}", {200}),
        (
            HANDLES,
            "try:\n        S().load(request.get_json())\n    except ValidationError:\n        return {}, 409\n"
            "    return {}",
            {200, 409},
        ),
        (
            HANDLES,
            "try:\n        S().load(request.get_json())\n    except KeyError:\n        return {}, 409\n    return {}",
            {200, 400, 409},
        ),
    ],
)
def test_what_a_schema_refuses_goes_to_the_error_handler(around: str, body: str, expected: set[int]) -> None:
    found = only(read_flask, f"{LOADS}{around}{POSTS}{body}\n")
    assert {each.status for each in found.responses if each.how != "framework"} == expected
