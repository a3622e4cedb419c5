"""What lines keep about the caller, and conditions that ask for it."""

from __future__ import annotations

import ast

import pytest

from evreview.codefacts.control_flow import asks_for, kept


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("g.user = verify()", {"user"}),
        ("request.state.user = verify()", {"user"}),
        ("request['user'] = verify()", {"user"}),
        ("g.user, g.role = verify()", {"user", "role"}),
        ("g.user: object = verify()", {"user"}),
        ("self.user = verify()", set()),
        ("user = verify()", set()),
        ("print(g.user)", set()),
    ],
)
def test_what_is_kept(code: str, names: set[str]) -> None:
    assert kept(ast.parse(code)) == names


@pytest.mark.parametrize(
    ("code", "asks"),
    [
        ("if not g.user: abort(401)", True),
        ("if g.get('user') is None: abort(401)", True),
        ("who = getattr(g, 'user', None)\nif who is None: abort(401)", True),
        ("if 'user' not in g: abort(401)", True),
        ("assert request.state.user.is_admin", True),
        ("if not request['user']: abort(401)", True),
        ("if not g.agent: abort(401)", False),
        ("if not user: abort(401)", False),
        ("use(g.user)\nif late: abort(401)", False),
        ("if not row.user: abort(404)", False),
    ],
)
def test_what_is_asked_for(code: str, asks: bool) -> None:
    assert asks_for(ast.parse(code), {"user"}) is asks
