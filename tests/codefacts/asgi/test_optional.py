"""Optional security schemes: a guard where something refuses for them, else none."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from tests.codefacts.snippets import source

BEFORE = """
import tokens
from dataclasses import dataclass
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import APIKeyHeader, HTTPBearer
app = FastAPI()
bearer = HTTPBearer(auto_error=False)
key = APIKeyHeader(name="X-Key", auto_error=False)
@dataclass
class User:
    name: str
"""
USED = "@app.get('/x')\ndef h(user=Depends(user)):\n    return user.name\n"
REFUSED = "@app.get('/x')\ndef h(user=Depends(user)):\n    if user is None: raise HTTPException(401)\n    return user\n"
MISSING = "@app.get('/x')\ndef h(user=Depends(user)):\n    if not rows: raise HTTPException(404)\n    return user\n"
TAKES = "def user(sent=Depends(bearer)):\n"
BOTH = "def user(sent=Depends(bearer), own=Depends(key)):\n"
REQUIRED = (
    "def needed(sent=Depends(bearer)):\n    if not sent: raise HTTPException(403)\n    return sent\n"
    "@app.get('/x', dependencies=[Depends(needed)])\ndef h(user=Depends(user)): return 1\n"
)


@pytest.mark.parametrize(
    ("code", "guards"),
    [
        (TAKES + "    return User(sent.credentials if sent else 'anonymous')\n" + USED, []),
        (TAKES + "    return None\n" + USED, []),
        (TAKES + "    return None\n" + MISSING, []),
        (TAKES + "    return None\n" + REFUSED, ["bearer"]),
        (TAKES + "    if not sent: raise HTTPException(401)\n    return sent\n" + USED, ["bearer"]),
        (TAKES + "    if not sent: raise HTTPException(403)\n    return sent\n" + USED, ["bearer"]),
        (TAKES + "    if sent is None: return None\n    return tokens.verify(sent)\n" + USED, []),
        (TAKES + "    if sent is None: return None\n    return tokens.verify(sent)\n" + REFUSED, ["bearer"]),
        (TAKES + "    if not sent: return None\n    if odd(sent): raise HTTPException(401)\n" + USED, []),
        (TAKES + "    return tokens.verify(sent.credentials)\n" + USED, ["bearer"]),
        (TAKES + "    raw = sent.credentials\n    return tokens.verify(raw)\n" + USED, ["bearer"]),
        (TAKES + "    try:\n        return tokens.verify(sent)\n    except Exception:\n        return 1\n" + USED, []),
        (TAKES + "    try:\n        tokens.verify(sent)\n    except Exception:\n        raise\n" + USED, ["bearer"]),
        (BOTH + "    if sent is None: return tokens.by_key(own)\n    return tokens.verify(sent)\n" + USED,
         ["bearer", "key"]),
        (BOTH + "    return User('anonymous')\n" + USED, []),
        (TAKES + "    return None\n" + REQUIRED, ["bearer"]),
        ("@app.get('/x')\ndef h(sent=Depends(bearer)):\n    if not sent: raise HTTPException(403)\n", ["bearer"]),
        ("@app.get('/x')\ndef h(sent=Depends(bearer)): return 1\n", []),
        ("class Own(HTTPBearer):\n    async def __call__(self, request): raise HTTPException(401)\n"
         "own = Own(auto_error=False)\n@app.get('/x')\ndef h(sent=Depends(own)): return 1\n", ["own"]),
    ],
)  # fmt: skip
def test_who_refuses_for_an_optional_scheme(code: str, guards: list[str]) -> None:
    (route,) = read_sources([source(BEFORE + code)]).routes
    assert [guard.name for guard in route.guards if guard.kind == "authentication"] == guards
