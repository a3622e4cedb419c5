"""What a request class of an application's own reads is read by whoever asks for its members, and by nobody else."""

from __future__ import annotations

from typing import Final

import pytest

from tests.workflows.w2.services import FLASK, judged, rows, undecided

PAGED: Final = (
    "from flask import Request, abort\nclass Paged(Request):\n"
    "    @property\n    def page(self): return self.args.get('page', 1, type=int)\n"
    "    @property\n    def both(self): return [self.page, self.org]\n"
    "    @property\n    def org(self): return self.cookies['org']\n"
    "    def asked(self, name): return self.args[name]\n"
    "    def whole(self): return gone.read(self)\n"
    "    def named(self): return helper(self)\n"
    "    def again(self): return request.again() or self.args.get('page')\n"
    "    @property\n    def known(self):\n        if not self.args.get('page'): abort(404)\n        return 1\n"
    "def helper(asked): return asked.args.get('page')\n"
)
GIVEN: Final = {
    "by name": PAGED + "app = Flask('x')\napp.request_class = Paged\n",
    "of a subclass": PAGED + "class Api(Flask):\n    request_class = Paged\napp = Api('x')\n",
    "of a subclass, from outside": PAGED + "class Api(Flask): pass\nApi.request_class = Paged\napp = Api('x')\n",
    "in a factory": PAGED + "def make():\n    made = Flask('x')\n    made.request_class = Paged\n    return made\n"
    "app = make()\n",
    "below another": PAGED + "class More(Paged): pass\napp = Flask('x')\napp.request_class = More\n",
}


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize(
    ("body", "unread"),
    [
        ("jsonify(request.page)", ["never"]),
        ("jsonify(request.both)", ["never"]),
        ("jsonify(request.asked('page'))", []),
        ("jsonify(request.named())", ["never"]),
        ("jsonify(request.again())", ["never"]),
        ("jsonify(request.known)", ["never"]),
        ("jsonify(request.whole())", []),
        ("jsonify(request.org)", ["never", "page"]),
        ("jsonify(request.method)", ["never", "page"]),
        ("jsonify({})", ["never", "page"]),
    ],
)
def test_members_of_an_own_request_are_read(given: str, body: str, unread: list[str]) -> None:
    code = f"{FLASK}{GIVEN[given]}@app.get('/a')\ndef a(): return {body}\n"
    found = judged(code, "GET /a 200 404 free ?page ?never")
    said = [row.rpartition(" ")[2] for row in rows(found) if row.startswith("parameter-unread")]
    assert sorted(said) == unread
    answers = "known" in body or "whole" in body
    assert ("error-unsent GET /a 404" in rows(found)) is not answers


@pytest.mark.parametrize(
    ("made", "body", "unread"),
    [
        ("app.request_class = gone.Paged\n", "request.page", False),
        ("class Paged(gone.Base): pass\napp.request_class = Paged\n", "request.page", False),
        ("app.request_class = make()\n", "request.page", False),
        ("app.request_class = gone.Paged\n", "request.method", True),
        ("", "request.page", True),
        ("app.request_class = Request\n", "request.page", True),
    ],
)
def test_a_request_class_that_nobody_supplied_may_read_anything(made: str, body: str, unread: bool) -> None:
    code = (
        f"{FLASK}from flask import Request\napp = Flask('x')\n{made}@app.get('/a')\ndef a(): return jsonify({body})\n"
    )
    found = judged(code, "GET /a 200 free ?page")
    assert ("parameter-unread GET /a query page" in rows(found)) is unread
    assert ("GET /a parameters" in undecided(found)) is not unread
