"""Which members an answer has: those of a literal and no others, those of a model without the excluded ones."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Json
from tests.codefacts.asgi.services import one
from tests.codefacts.snippets import sources

LITERAL = "app = FastAPI()\n@app.get('/x/{id}')\ndef h(id: int):\n    made = {'id': id}\n"
MODEL = "app = FastAPI()\n@app.get('/x', response_model=Item, response_model_exclude=%s)\ndef h(): return load()\n"


def body(text: str) -> tuple[Json, bool]:
    (route,) = read_sources(sources(one(text))).routes
    (sent,) = [each for each in route.responses if each.status == 200]
    return sent.schema, sent.exact


@pytest.mark.parametrize(
    ("lines", "closed"),
    [
        ("return JSONResponse({'id': id, 'name': 'a'})", True),
        ("return JSONResponse(made)", True),
        ("return made", True),
        ("return JSONResponse({**load(), 'id': id})", False),
        ("return JSONResponse({name(): 1, 'id': id})", False),
        ("made['name'] = 'a'\n    return JSONResponse(made)", False),
        ("made.update(load())\n    return made", False),
    ],
)
def test_a_literal_has_its_members_only(lines: str, closed: bool) -> None:
    schema, exact = body(f"{LITERAL}    {lines}\n")
    assert isinstance(schema, dict) and not exact
    assert (schema.get("additionalProperties") is False) is closed


@pytest.mark.parametrize(
    ("excluded", "members"),
    [
        ("{'tags', 'note'}", ["name", "price"]),
        ("['tags']", ["name", "note", "price"]),
        ("{'tags': {'a'}}", None),
        ("GONE", None),
        ("{'unknown'}", None),
    ],
)
def test_a_model_without_excluded_members(excluded: str, members: list[str] | None) -> None:
    schema, exact = body(MODEL % excluded)
    found = schema.get("properties") if isinstance(schema, dict) else None
    assert (sorted(found) if isinstance(found, dict) else None, exact) == (members, members is not None)
