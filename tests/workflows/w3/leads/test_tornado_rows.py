"""Leads in handlers of Tornado: the flawed one is named at its route, its mended twin is not."""

from __future__ import annotations

import pytest

from tests.workflows.w3.leads.sources import leads

HEAD = (
    "import os, sqlite3, subprocess\nimport requests\nimport tornado.web\nfrom tornado.web import authenticated\n"
    "class Base(tornado.web.RequestHandler):\n  def get_current_user(self): return self.get_signed_cookie('who')\n"
)
APP = "\napp = tornado.web.Application([(r'/cases/([^/]+)', Case)])\n"
ROWS = [
    ("file-by-request", "self.write(open('/srv/' + self.get_argument('name')).read())",
     "self.write(open('/srv/' + os.path.basename(self.get_argument('name'))).read())"),
    ("sql-by-string", "self.db.execute(\"select * from cases where id = '%s'\" % case)",
     "self.db.execute('select * from cases where id = ?', (case,))"),
    ("sql-by-string", "self.db.execute(f\"select * from cases where a = '{self.get_query_argument('a')}'\")",
     "self.db.execute('select * from cases where a = ?', (self.get_query_argument('a'),))"),
    ("command-by-string", "subprocess.run('tar cf x ' + self.get_body_argument('name'), shell=True)",
     "subprocess.run(['tar', 'cf', 'x', '--', self.get_body_argument('name')])"),
    ("address-by-request", "self.write(requests.get(self.get_argument('url')).text)",
     "self.write(requests.get('https://files.example/x').text)"),
    ("redirect-by-request", "self.redirect(self.get_argument('next', '/'))", "self.redirect('/cases')"),
    ("redirect-by-request", "self.redirect('&'.join([self.get_argument('next'), 'again=1']))",
     "self.redirect('?'.join([self.application.settings['home'], self.request.query]))"),
    ("markup-by-string", "self.write('<b>' + self.get_argument('q') + '</b>')",
     "self.write('<b>' + tornado.escape.xhtml_escape(self.get_argument('q')) + '</b>')"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "flawed", "mended"), ROWS)
def test_a_value_of_the_caller(rule: str, flawed: str, mended: str) -> None:
    for line, named in ((flawed, ["POST /cases/{case}"]), (mended, [])):
        text = HEAD + f"class Case(Base):\n  @authenticated\n  def post(self, case):\n    {line}\n" + APP
        assert [lead.route for lead in leads(text, rule)] == named


@pytest.mark.parametrize(
    ("guard", "named"),
    [("", ["DELETE /cases/{case}"]), ("@authenticated\n  ", []), ("@unseen\n  ", [])],
)
def test_an_absent_guard_beside_a_guarded_sibling(guard: str, named: list[str]) -> None:
    text = (
        HEAD + "class Case(Base):\n  @authenticated\n  def get(self, case): self.write({})\n"
        "  @authenticated\n  def put(self, case): self.write({})\n"
        f"  {guard}def delete(self, case):\n    self.db.remove(case)\n"
    )
    assert [lead.route for lead in leads(text + APP, "unguarded-sibling")] == named
