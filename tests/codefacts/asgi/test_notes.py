"""What else a handler shows, from small snippets: state, effects, limits."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Concern
from tests.codefacts.asgi.routes import APP, only

NOTES: list[tuple[str, str, Concern, str, Any, bool]] = [
    (
        "rate",
        "from slowapi import Limiter\nlim = Limiter()\n@app.get('/x')\n@lim.limit('5/minute')\ndef h(): return 1",
        Concern.RATE_LIMITS,
        "5/minute",
        "5/minute",
        True,
    ),
    (
        "size",
        "MOST = 10\n@app.post('/x')\ndef h(items: list[int]):\n    if len(items) > MOST: raise HTTPException(413)",
        Concern.LIMITS,
        "len(items) > MOST",
        10,
        True,
    ),
    (
        "pages",
        "@app.get('/x')\ndef h(limit: int = Query(20, le=50)): return 1",
        Concern.PAGINATION,
        "limit",
        {"maximum": 50, "default": 20},
        False,
    ),
    (
        "key",
        "@app.post('/x')\ndef h(request: Request): return request.headers.get('Idempotency-Key')",
        Concern.IDEMPOTENCY,
        "Idempotency-Key",
        "(absent)",
        True,
    ),
    (
        "commit",
        "@app.post('/x')\ndef h(session=None): session.commit()",
        Concern.SIDE_EFFECTS,
        "session.commit",
        "(absent)",
        False,
    ),
    (
        "task",
        "@app.post('/x')\ndef h(tasks: BackgroundTasks): tasks.add_task(print)",
        Concern.SIDE_EFFECTS,
        "tasks.add_task",
        "(absent)",
        False,
    ),
    ("file", "@app.post('/x')\ndef h(): open('a', 'w')", Concern.SIDE_EFFECTS, "open", "(absent)", False),
    (
        "call",
        "import httpx\n@app.post('/x')\ndef h(): httpx.post('a')",
        Concern.SIDE_EFFECTS,
        "httpx.post",
        "(absent)",
        False,
    ),
]


@pytest.mark.parametrize("row", NOTES, ids=[row[0] for row in NOTES])
def test_notes_say_what_shows(row: tuple[str, str, Concern, str, Any, bool]) -> None:
    found = [(note.concern, note.name, note.value, note.certain) for note in only(f"{APP}{row[1]}\n").notes]
    assert row[2:] in found


@pytest.mark.parametrize(
    "body", ["open('a')", "seen = set()\n    seen.add(1)", "if len('a') > 3: raise HTTPException(400)", "d.update_on()"]
)
def test_notes_say_no_more(body: str) -> None:
    assert only(f"{APP}@app.get('/x')\ndef h(d=None):\n    {body}\n").notes == ()
