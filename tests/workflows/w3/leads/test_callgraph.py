"""Which routes a scanner's line may be reached by: objects, callbacks and dependencies, and what nothing names."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import SourceText, Spot
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w3.abuse_cases.lead_intake import routes_at, routes_near
from evreview.workflows.w3.access_control.units import RuleInput, read

HEAD = "import functools\nimport httpx\nfrom fastapi import BackgroundTasks, Depends, FastAPI\napp = FastAPI()\n\n\n"
SOURCE = """class Source:
    default: str = ""

    def __init__(self, where):
        self.where = where

    def text(self):
        return httpx.get(self.where)  # HERE
"""
ROUTE = '\n\n@app.post("/previews")\ndef preview(url: str):\n'
CLIENT = "class Client:\n    def get(self, url):\n        return httpx.get(url)  # HERE\n"
REACHED = {
    "object made and called": SOURCE + ROUTE + "    return Source(url).text()\n",
    "object kept in a name": SOURCE + ROUTE + "    source = Source(url)\n    return source.text()\n",
    "one of two objects": SOURCE + ROUTE + "    source = Source(url) if url else None\n    return source.text()\n",
    "object of a module": CLIENT + "\n\nCLIENT = Client()\n" + ROUTE + "    return CLIENT.get(url)\n",
    "object of a member": CLIENT
    + "\n\nclass Desk:\n    def __init__(self):\n        self.client = Client()\n\n    def show(self, url):\n"
    + "        return self.client.get(url)\n" + ROUTE + "    return Desk().show(url)\n",
    "annotated member": CLIENT
    + "\n\nclass Desk:\n    client: Client\n\n    def show(self, url):\n        return self.client.get(url)\n"
    + ROUTE + "    return Desk().show(url)\n",
    "made by a function": SOURCE
    + "\n\ndef made(url):\n    return Source(url)\n" + ROUTE + "    return made(url).text()\n",
    "a dependency's object": CLIENT
    + "\n\ndef client():\n    return Client()\n\n\n"
    + '@app.post("/previews")\ndef preview(url: str, at=Depends(client)):\n    return at.get(url)\n',
    "an annotated parameter": CLIENT
    + "\n\ndef show(at: \"Client | None\", url):\n    return at.get(url)\n" + ROUTE + "    return show(None, url)\n",
    "a callback": "def fetch(url):\n    return httpx.get(url)  # HERE\n\n\n"
    + '@app.post("/previews")\ndef preview(url: str, tasks: BackgroundTasks):\n    tasks.add_task(fetch, url)\n',
    "a partial": "def fetch(url):\n    return httpx.get(url)  # HERE\n"
    + ROUTE + "    return functools.partial(fetch, url)()\n",
    "an inner function": "def fetch(url):\n    return httpx.get(url)  # HERE\n"
    + ROUTE + "    def later():\n        return fetch(url)\n    return later()\n",
    "a method replaced below": "class Base:\n    def text(self):\n        raise NotImplementedError\n\n\n"
    + SOURCE.replace("class Source:", "class Source(Base):")
    + "\n\ndef show(source: Base):\n    return source.text()\n" + ROUTE + "    return show(Source(url))\n",
    "a context": SOURCE.replace("    default", "    def __enter__(self):\n        return self\n\n    default")
    + ROUTE + "    with Source(url) as source:\n        return source.text()\n",
}  # fmt: skip
APART = {
    "never named": SOURCE + ROUTE + "    return url\n",
    "a method of the same name": SOURCE
    + "\n\nclass Other:\n    def text(self):\n        return ''\n" + ROUTE + "    return Other().text()\n",
    "an answer's member of the same name": SOURCE + ROUTE + "    return httpx.get('https://a.example').text\n",
    "only made": SOURCE + ROUTE + "    return Source(url).where\n",
    "named by a function that nothing runs": SOURCE
    + "\n\ndef tidy(url):\n    return Source(url).text()\n" + ROUTE + "    return url\n",
}  # fmt: skip


def at_mark(code: str) -> tuple[RuleInput, Spot]:
    text = HEAD + code
    source = SourceText(item=EvidenceId("E1"), path="desk/app.py", parts=("handler",), text=text)
    line = text.split("# HERE")[0].count("\n") + 1
    return read((source,), read_sources((source,))), Spot(EvidenceId("E1"), line, line, "desk/app.py")


@pytest.mark.parametrize("code", REACHED.values(), ids=REACHED)
def test_lines_that_a_route_may_come_to_have_it(code: str) -> None:
    assert routes_near(*at_mark(code)) == ("POST /previews",)


@pytest.mark.parametrize("code", APART.values(), ids=APART)
def test_lines_that_nothing_names_have_no_route(code: str) -> None:
    assert routes_near(*at_mark(code)) == ()


def test_what_a_reviewer_quotes_counts_only_where_it_surely_runs() -> None:
    assert routes_at(*at_mark(REACHED["object made and called"])) == ("POST /previews",)
    assert routes_at(*at_mark(REACHED["one of two objects"])) == ()
