"""Addresses: the set of URLs at which an operation is called.

OpenAPI 3.1, 4.8.5: the nearest list of servers counts (operation, path item, document), no list means `/`, a variable
stands for its enumerated values or for any text. Swagger 2.0: every scheme with the host and the base path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from tests.edit_space.forms import Form
from tests.edit_space.messages.edit import DONE, Edit, every_change, head, posting, sent_by, together
from tests.edit_space.oracle import Opinion

ANYTHING: Final = "(any text)"
A: Final = {"url": "https://a.example/v1"}
B: Final = {"url": "https://b.example/v1"}


def _region(default: str, *values: str) -> dict[str, Any]:
    listed = {"enum": list(values)} if values else {}
    return {"url": "https://{region}.example/v1", "variables": {"region": {"default": default, **listed}}}


LISTS: Final = (
    None,
    [],
    [{"url": "/"}],
    [{"url": "/v1"}],
    [A],
    [{**A, "description": "said"}],
    [{"url": "https://a.example/v1/"}],
    [{"url": "http://a.example/v1"}],
    [{"url": "https://a.example/v2"}],
    [A, B],
    [B, A],
    [_region("a", "a")],
    [_region("a", "a", "b")],
    [_region("b", "a", "b")],
    [_region("a")],
    [_region("b")],
)


def addresses(servers: Any, path: str) -> frozenset[str]:
    """Every URL of one operation."""
    found = set()
    for server in servers or [{"url": "/"}]:
        variables = server.get("variables", {})
        values = [variable.get("enum") or [variable["default"], ANYTHING] for variable in variables.values()]
        for chosen in product(*values):
            url = server["url"]
            for name, value in zip(variables, chosen, strict=True):
                url = url.replace("{" + name + "}", value)
            found.add(url.rstrip("/") + path)
    return frozenset(found)


def _ask(released: Any, candidate: Any) -> Opinion:
    served = addresses(candidate, "/a")
    shapes = [re.compile(re.escape(each).replace(re.escape(ANYTHING), "[^/]*")) for each in served]
    return sent_by(addresses(released, "/a"), lambda url: any(shape.fullmatch(url) for shape in shapes))


def _level(level: str, servers: Any) -> dict[str, Any]:
    said = {} if servers is None else {"servers": servers}
    operation = {"responses": DONE, **(said if level == "operation" else {})}
    item = {"post": operation, **(said if level == "path item" else {})}
    return {**head(Form.V31), "paths": {"/a": item}, **(said if level == "document" else {})}


SWAGGER: Final = (
    {"host": "a.example", "schemes": ["https"]},
    {"host": "a.example", "schemes": ["https"], "basePath": "/"},
    {"host": "a.example", "schemes": ["https"], "basePath": "/v1"},
    {"host": "a.example", "schemes": ["https", "http"]},
    {"host": "a.example", "schemes": ["http"]},
    {"host": "b.example", "schemes": ["https"]},
    {"basePath": "/v1", "schemes": ["https"]},
)


def _bases(state: dict[str, Any], hosted: str) -> frozenset[str]:
    base = state.get("basePath", "").rstrip("/")
    return frozenset(f"{scheme}://{state.get('host', hosted)}{base}/a" for scheme in state["schemes"])


def _ask_swagger(released: Any, candidate: Any) -> Opinion:
    """Where no host is named, it is the one that serves the document: any host may be it."""
    hosts = ("a.example", "b.example", "c.example")
    return together({h: sent_by(_bases(released, h), _bases(candidate, h).__contains__) for h in hosts})


def _moved(state: tuple[str, str]) -> dict[str, Any]:
    base, path = state
    return {**posting(Form.V31, path), "servers": [{"url": "https://a.example" + base}]}


def edits() -> Iterator[Edit]:
    """Every change of where an operation is called."""
    for level in ("document", "path item", "operation"):
        yield from every_change(f"servers, {level}", LISTS, lambda state, level=level: _level(level, state), _ask)
    yield from every_change(
        "host, schemes, basePath", SWAGGER, lambda state: {**posting(Form.V20), **state}, _ask_swagger
    )
    yield from every_change(
        "base path or path",
        (("", "/v1/a"), ("/v1", "/a"), ("/v2", "/a"), ("", "/v2/a")),
        _moved,
        lambda old, new: sent_by(
            *(lambda sent, taken: (sent, taken.__contains__))(
                *(frozenset({f"https://a.example{base}{path}"}) for base, path in (old, new))
            )
        ),
    )
