"""What a handler stores beyond its own call shows as a lead, and nothing that it makes for the call does."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import CodeNote
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Concern
from tests.codefacts.snippets import source

FASTAPI = """from fastapi import Depends, FastAPI, Request, Response
import numpy
from shared import queue, send_mail
app = FastAPI()
ORDERS = {}
COUNT = 0
class Box:
    def __init__(self): self.items = {}
    def keep(self, name, order): self.items[name] = order
    def label(self, name): self.name = name
BOX = Box()
def put(where, order): where[1] = order
"""
FLASK = "from flask import Flask, g, request\napp = Flask(__name__)\nORDERS = {}\n"
AIOHTTP = "from aiohttp import web\napp = web.Application()\nasync def h(request):\n    {}\n    return web.Response()\n"


def leads(text: str) -> list[str]:
    """The names of the leads for side effects of the one route."""
    facts = read_sources((source(text),))
    (found,) = facts.routes
    notes: tuple[CodeNote, ...] = tuple(note for note in found.notes if note.concern is Concern.SIDE_EFFECTS)
    assert not any(note.certain for note in notes)
    return [note.name for note in notes]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return ORDERS.pop(name)", ["ORDERS.pop"]),
        ("ORDERS[name] = 1", ["ORDERS[name]"]),
        ("ORDERS[name] += 1", ["ORDERS[name]"]),
        ("del ORDERS[name]", ["del ORDERS[name]"]),
        ("ORDERS[name]['lines'].append(1)", ["ORDERS[name]['lines'].append"]),
        ("order = ORDERS[name]\n    order.status = 'paid'", ["order.status"]),
        ("found = ORDERS\n    found.update(a=1)", ["found.update"]),
        ("global COUNT\n    COUNT += 1", ["COUNT"]),
        ("a, ORDERS[name] = 1, 2", ["ORDERS[name]"]),
        ("queue.append(name)", ["queue.append"]),
        ("request.app.state.last = name", ["request.app.state.last"]),
        ("put(ORDERS, name)", ["where[1]"]),
        ("BOX.keep(name, 1)", ["self.items[name]"]),
        ("send_mail('ops@example.com', name)", ["send_mail"]),
        ("notify_all(name)", ["notify_all"]),
        ("ORDERS.get(name)", []),
        ("seen = []\n    seen.append(name)", []),
        ("seen = {}\n    seen[name] = 1\n    del seen[name]", []),
        ("put({}, name)", []),
        ("BOX.label(name)", []),
        ("numpy.append([1], 2)", []),
        ("response.headers['X-Total'] = '3'", []),
        ("name = name.strip()", []),
    ],
)
def test_what_outlives_the_call_is_a_lead(body: str, expected: list[str]) -> None:
    head = "@app.get('/orders/{name}')\ndef h(name: str, request: Request, response: Response):\n    "
    assert leads(f"{FASTAPI}{head}{body}\n") == expected


def test_what_a_dependency_counts_is_no_effect_of_the_operation() -> None:
    guard = "def counted(): ORDERS[1] = 2\n@app.get('/orders')\ndef h(one=Depends(counted)): return ORDERS[1]\n"
    assert leads(FASTAPI + guard) == []


@pytest.mark.parametrize(("body", "expected"), [("ORDERS.clear()", ["ORDERS.clear"]), ("g.user = 1", [])])
def test_flask(body: str, expected: list[str]) -> None:
    assert leads(f"{FLASK}@app.get('/orders')\ndef h():\n    {body}\n    return ''\n") == expected


def test_aiohttp() -> None:
    text = AIOHTTP.format("request.app['orders'].append(1)") + "app.router.add_get('/orders', h)\n"
    assert leads(text) == ["request.app['orders'].append"]
