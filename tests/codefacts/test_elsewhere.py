"""Calls that lie outside the supplied files are named; those of known packages are not."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from tests.codefacts.snippets import sources

FAST = "from fastapi import Depends, FastAPI\napp = FastAPI()\n"
FLASK = "from functools import wraps\nfrom flask import Flask, g\napp = Flask('x')\n"
ROUTE = "@app.get('/a')\ndef a(key: int = 0):\n    {0}\n    return {{}}\n"


def named(text: str, **files: str) -> list[str]:
    """What is called outside, of the one route."""
    (route,) = read_sources(sources({"app.py": text} | {f"{name}.py": body for name, body in files.items()})).routes
    return [one.found.split("`")[1] for one in route.elsewhere]


@pytest.mark.parametrize("head", [FAST, FLASK])
@pytest.mark.parametrize(
    ("above", "body", "found"),
    [
        ("from .store import find", "find(key)", ["store.find"]),
        ("from . import store", "store.find(key)", ["store.find"]),
        ("import shop.store as s", "s.find(key)", ["shop.store.find"]),
        ("from shop.store import Orders\norders = Orders()", "orders.find(key)", ["shop.store.Orders.find"]),
        ("from .store import find\ndef load(key): return find(key)", "load(key)", ["store.find"]),
        # A relative import is nobody's library, whatever its name.
        ("from .queue import put", "put(key)", ["queue.put"]),
        ("from queue import Queue", "Queue()", []),
        ("import json", "json.loads('1')", []),
        ("from pydantic import TypeAdapter", "TypeAdapter(int).validate_python(key)", []),
        ("ORDERS = {}", "ORDERS.get(key)", []),
        ("def load(key): return key", "load(key)", []),
        ("", "len(str(key))", []),
    ],
)
def test_calls_outside_the_sources_are_named(head: str, above: str, body: str, found: list[str]) -> None:
    assert named(f"{head}{above}\n{ROUTE.format(body)}") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            FAST + "from .keys import check\ndef who():\n    check()\n"
            "@app.get('/a')\ndef a(user=Depends(who)): return {}\n",
            ["keys.check"],
        ),
        (
            FLASK + "from .keys import check\ndef needs(view):\n    @wraps(view)\n    def inner():\n"
            "        check()\n        return view()\n    return inner\n@app.get('/a')\n@needs\ndef a(): return {}\n",
            ["keys.check"],
        ),
        (FLASK + "from .errors import Missing\n@app.get('/a')\ndef a(): raise Missing\n", ["errors.Missing"]),
    ],
)
def test_guards_and_raised_errors_count(text: str, found: list[str]) -> None:
    assert named(text) == found


def test_a_supplied_file_is_inside() -> None:
    text = f"{FLASK}from .store import find\n{ROUTE.format('find(key)')}"
    assert named(text, store="def find(key): return key") == []
