"""Refusals of a handler that come after what it does, or for some callers only."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Area
from evreview.workflows.w3.inventory.routes import InspectedRoutes, read_area
from tests.codefacts.snippets import source

HEAD = """import jwt, store
from fastapi import Body, Depends, FastAPI, Header, HTTPException
app = FastAPI()
def user(sent):
  try:
    return jwt.decode(sent, store.KEY, algorithms=["HS256"])
  except jwt.PyJWTError:
    raise HTTPException(401)
def wipe(): store.delete_all()
def look(): return store.all()
@app.post("/a")
def a(full: bool = False, n: int = 0, sent: str = Header("")):
"""
KEYED = "if sent != store.KEY:\n    raise HTTPException(401)"
BODIES = {
    "who = user(sent)\n  store.delete_all()": "present",
    "who = look()\n  user(sent)": "present",
    "log.write(n)\n  user(sent)": "present",
    "store.delete_all()\n  user(sent)": "unknown",
    "wipe()\n  user(sent)": "unknown",
    "store.save(n)\n  user(sent)": "unknown",
    "if full:\n    user(sent)": "unknown",
    "if n > 3:\n    user(sent)": "unknown",
    "if full:\n    user(sent)\n  else:\n    raise HTTPException(401)": "present",
    "if full:\n    user(sent)\n  user(sent)": "present",
    "if full:\n    return {}\n  user(sent)": "unknown",
    "try:\n    user(sent)\n  except Exception:\n    pass": "absent",
    "try:\n    user(sent)\n  except KeyError:\n    pass": "present",
    "with store.open():\n    user(sent)": "present",
    f"{KEYED}\n  store.delete_all()": "present",
    f"store.delete_all()\n  {KEYED}": "unknown",
    f"wipe()\n  {KEYED}": "unknown",
}


@pytest.mark.req("W3S-007")
@pytest.mark.parametrize("body", BODIES)
def test_when_a_handler_refuses(body: str) -> None:
    sources = [source(f"{HEAD}  {body}\n  return look()\n")]
    (seen,) = InspectedRoutes(read_sources(sources), sources).all
    assert str(read_area(seen, Area.AUTHENTICATION).standing) == BODIES[body]
