"""Operations: which method and path a contract answers, and which calls it makes itself.

Names between braces never reach the wire; a path without braces is matched before one with them (OpenAPI 3.1, 4.8.8).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from tests.edit_space.forms import Form
from tests.edit_space.messages.edit import DONE, Edit, every_change, head, sent_by, together
from tests.edit_space.oracle import Opinion

State = tuple[tuple[str, str], ...]
STATES: Final[tuple[State, ...]] = (
    (("get", "/things/{id}"),),
    (("get", "/things/{thing}"),),
    (("get", "/things/{id}"), ("post", "/things/{id}")),
    (("post", "/things/{id}"),),
    (("get", "/things/{id}"), ("get", "/things/mine")),
    (("get", "/things/mine"),),
    (("get", "/Things/{id}"),),
    (("get", "/things/{id}/"),),
    (("get", "/v2/things/{id}"),),
    (("get", "/things/{id}"), ("get", "/v2/things/{id}")),
    (("get", "/things/{id}/parts/{part}"),),
    (("get", "/things/{part}/parts/{id}"),),
    (("get", "/things/{id}.json"),),
)
CALLS: Final = (
    ("get", "/things/1"),
    ("get", "/things/mine"),
    ("post", "/things/1"),
    ("get", "/Things/1"),
    ("get", "/things/1/"),
    ("get", "/v2/things/1"),
    ("get", "/things/1/parts/2"),
    ("get", "/things/1.json"),
)


def answers(state: State, call: tuple[str, str]) -> str | None:
    """The operation that answers a call, with its variables by position; None where nothing does."""
    found = sorted(
        (path.count("{"), re.sub(r"\{[^}]*\}", "{}", path))
        for method, path in state
        if method == call[0] and re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", path), call[1])
    )
    return found[0][1] if found else None


def _ask(released: State, candidate: State) -> Opinion:
    sent = [call for call in CALLS if answers(released, call)]
    return together(
        {
            "any operation may answer": sent_by(sent, lambda call: answers(candidate, call) is not None),
            "the same operation has to": sent_by(
                sent, lambda call: answers(candidate, call) == answers(released, call)
            ),
        }
    )


def _build(state: State, form: Form) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for method, path in state:
        value = {"type": "string"} if form is Form.V20 else {"schema": {"type": "string"}}
        names = re.findall(r"\{([^}]*)\}", path)
        parameters = [{"name": name, "in": "path", "required": True, **value} for name in names]
        paths.setdefault(path, {})[method] = {"parameters": parameters, "responses": DONE}
    return {**head(form), "paths": paths}


HOOKS: Final = ((), ("made",), ("made", "gone"), ("gone",))


def _hook(names: tuple[str, ...]) -> dict[str, Any]:
    return {**head(Form.V31), "paths": {}, "webhooks": {name: {"post": {"responses": DONE}} for name in names}}


def _callback(names: tuple[str, ...]) -> dict[str, Any]:
    called = {name: {"{$request.query.url}": {"post": {"responses": DONE}}} for name in names}
    return {**head(Form.V30), "paths": {"/a": {"post": {"responses": DONE, "callbacks": called}}}}


def _calls(released: tuple[str, ...], candidate: tuple[str, ...]) -> Opinion:
    """A call that nobody asked for reaches nobody; a call that was promised may be waited for, or not."""
    gone = [name for name in released if name not in candidate]
    return together(
        {"calls are only announced": sent_by((), bool), "calls are promised": sent_by(gone, lambda name: False)}
    )


def edits() -> Iterator[Edit]:
    """Every change of the operations of a contract."""
    for form in Form:
        yield from every_change("operations and paths", STATES, lambda state, form=form: _build(state, form), _ask)
    yield from every_change("webhooks", HOOKS, _hook, _calls)
    yield from every_change("callbacks", HOOKS, _callback, _calls)
