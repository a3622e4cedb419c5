"""Tornado: which rules become operations, and what handlers, `prepare` and decorators show."""

from __future__ import annotations

import pytest

from evreview.codefacts.tornado.read import read_tornado
from tests.codefacts.routes import only, operations, parameters, read

HEAD = "import tornado.web\nfrom tornado.web import Application, RequestHandler, URLSpec, authenticated, url\n"
PLAIN = HEAD + "class A(RequestHandler):\n  def get(self, case): self.write({})\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"app = Application([(r'/cases/(\d+)', A)])", ["GET /cases/{case}"]),
        (r"app = tornado.web.Application(handlers=[(r'^/cases/(?P<key>[^/]+)$', A, {'x': 1})])", ["GET /cases/{key}"]),
        (r"def make():\n  return Application([url(r'/a/([a-z]{2,3})/?', A, name='a')])", ["GET /a/{case}"]),
        (r"rules = [URLSpec(r'/v1\.0/(\w+)', A)]\nrules += [(r'/more', A)]\napp = Application(rules)",
         ["GET /v1.0/{case}", "GET /more"]),
        (r"class App(Application):\n  def __init__(self):\n    rules = [('/a', A)]\n    super().__init__(rules)",
         ["GET /a"]),
        (r"app = Application([('/a', A)] + [('/b', A)])", ["GET /a", "GET /b"]),
        (r"app = Application()\napp.add_handlers('.*', [('/a', A)])", ["GET /a"]),
        (r"app = Application([('/s/(.*)', tornado.web.StaticFileHandler), ('/a', A)])", ["GET /a"]),
        (r"import tornado.httpserver\ns = tornado.httpserver.HTTPServer(Application([('/a', A)]))", ["GET /a"]),
    ],
)  # fmt: skip
def test_rules_are_operations(text: str, found: list[str]) -> None:
    facts = read(read_tornado, PLAIN + text.replace("\\n", "\n"))
    assert (operations(facts), facts.unread) == (found, ())
    assert not any(route.unread for route in facts.routes)


@pytest.mark.parametrize(
    "text",
    [
        "app = Application(made())",
        "app = Application([('/a', B)])",
        "app = Application([('/[ab]c', A)])",
        "app = Application(*given)",
        "rules = [('/a', A)]",
        "class B(Unseen, RequestHandler):\n  def get(self): self.write('')\napp = Application([('/a', B)])",
        "class B(A):\n  @unseen\n  def get(self): self.write('')\napp = Application([('/a', B)])",
    ],
)
def test_what_is_not_read_is_named(text: str) -> None:
    facts = read(read_tornado, PLAIN + text)
    assert len(facts.unread) + sum(len(route.unread) for route in facts.routes) == 1


GUARDS = [
    ("@authenticated\n  def get(self): self.write('')", [("authenticated", "authentication")]),
    ("def prepare(self):\n    if not self.current_user: raise tornado.web.HTTPError(401)\n"
     "  def get(self): self.write('')", [("B.prepare", "authentication")]),
    ("def get(self):\n    if self.request.headers.get('Authorization') != KEY: raise tornado.web.HTTPError(401)\n"
     "    self.write('')", [("get", "authentication")]),
    ("def prepare(self): self.started = 1\n  def get(self): self.write('')", []),
    ("def get(self): self.write('')", []),
]  # fmt: skip


@pytest.mark.parametrize(("body", "guards"), GUARDS)
def test_guards(body: str, guards: list[tuple[str, str]]) -> None:
    route = only(read_tornado, HEAD + f"class B(RequestHandler):\n  {body}\napp = Application([('/a', B)])")
    assert [one.kind for one in route.guards] == [kind for _, kind in guards]
    assert not route.unread


@pytest.mark.parametrize(
    ("body", "statuses"),
    [
        ("self.write('')", {200}),
        ("self.set_status(204)", {204}),
        ("self.redirect('/b')", {302}),
        ("if self.x: raise tornado.web.HTTPError(404)\n    self.write('')", {200, 404}),
        ("if self.x:\n      self.send_error(409)\n      return\n    self.finish({})", {200, 409}),
        ("raise tornado.web.HTTPError(403)", {403}),
    ],
)
def test_answers(body: str, statuses: set[int]) -> None:
    text = f"class B(RequestHandler):\n  def get(self):\n    {body}\napp = Application([('/a', B)])"
    assert {one.status for one in only(read_tornado, HEAD + text).responses} == statuses


def test_inputs() -> None:
    text = (
        "class B(RequestHandler):\n  def get(self, key):\n    self.get_argument('a')\n    self.get_argument('b', '')\n"
        "    self.get_cookie('c')\n    self.request.headers['X-D']\n"
        "  def post(self, key):\n    self.get_body_argument('e')\n"
        "app = Application([('/a/([0-9]+)', B)])"
    )
    get, post = read(read_tornado, HEAD + text).routes
    assert parameters(get) == [
        ("key", "path", True), ("a", "query", True), ("b", "query", False), ("c", "cookie", None),
        ("X-D", "header", None),
    ]  # fmt: skip
    assert parameters(post) == [("key", "path", True)]
    assert post.body is not None and get.body is None


def test_rules_and_handlers_of_several_files() -> None:
    files = {
        "desk/base.py": "from tornado.web import RequestHandler, HTTPError\nclass Base(RequestHandler):\n"
        "  def prepare(self):\n    if not self.current_user: raise HTTPError(401)\n",
        "desk/cases.py": "from desk.base import Base\nclass Cases(Base):\n  def get(self): self.write({})\n"
        "rules = [('/cases', Cases)]\n",
        "desk/app.py": "from tornado.web import Application\nfrom desk.cases import rules\napp = Application(rules)\n",
    }
    route = only(read_tornado, files)
    assert (route.path, [one.kind for one in route.guards], route.unread) == ("/cases", ["authentication"], ())
