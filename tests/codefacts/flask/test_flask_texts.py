"""A text that a Flask handler returns is answered as HTML; what may be a response is not guessed."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from tests.codefacts.snippets import sources

HEAD = "from flask import Flask, request\napp = Flask(__name__)\n@app.get('/x')\ndef h():\n"


@pytest.mark.parametrize(
    ("value", "status", "media_type"),
    [
        ("'\\n'.join(names())", 200, "text/html"),
        ("'a'.join(names()), 202", 202, "text/html"),
        ("str(count())", 200, "text/html"),
        ("'{}'.format(count())", 200, "text/html"),
        ("'%s' % count()", 200, "text/html"),
        ("'a' + name()", 200, "text/html"),
        ("name()", None, ""),
        ("parts.join(names())", None, ""),
        ("count() + 1", None, ""),
    ],
)
def test_texts(value: str, status: int | None, media_type: str) -> None:
    (route,) = read_sources(sources({"app.py": f"{HEAD}    return {value}\n"})).routes
    assert [(one.status, one.media_type) for one in route.responses] == [(status, media_type)]
