"""Who FastAPI code lets in, from small snippets: the guards of a route and what they answer."""

from __future__ import annotations

import pytest

from tests.codefacts.asgi.routes import APP, only

GUARDS: list[tuple[str, str, list[tuple[str, str]], list[int | None]]] = [
    (
        "scheme",
        "b = HTTPBearer()\n@app.get('/x')\ndef h(t=Depends(b)): return 1",
        [("authentication", "http bearer")],
        [200, None],
    ),
    (
        "password",
        "b = OAuth2PasswordBearer('t')\n@app.get('/x')\ndef h(t=Depends(b)): return 1",
        [("authentication", "oauth2")],
        [200, 401],
    ),
    (
        "silent",
        "b = HTTPBearer(auto_error=False)\n@app.get('/x')\ndef h(t=Depends(b)): return 1",
        [],
        [200],
    ),
    (
        "own",
        "def user(t: str = Header('')):\n    raise HTTPException(401)\n@app.get('/x', dependencies=[Depends(user)])\n"
        "def h(): return 1",
        [("authentication", "")],
        [401, 200],
    ),
    (
        "role",
        "def admin():\n    raise HTTPException(403)\n@app.get('/x')\ndef h(a=Depends(admin)): return 1",
        [("authorization", "")],
        [403, 200],
    ),
    (
        "subclass",
        "class B(HTTPBearer): ...\nb = B()\n@app.get('/x')\ndef h(t=Depends(b)): return 1",
        [("authentication", "http bearer")],
        [200],
    ),
    (
        "middleware",
        "@app.middleware('http')\nasync def m(request, call_next):\n    if HEAD: return JSONResponse({}, 401)\n"
        "    return await call_next(request)\n@app.get('/x')\ndef h(): return 1",
        [("authentication", "")],
        [401, 200],
    ),
    (
        "middleware by function",
        "from starlette.middleware.base import BaseHTTPMiddleware\nasync def m(request, call_next):\n"
        "    if HEAD: return JSONResponse({}, 401)\n    return await call_next(request)\n"
        "app.add_middleware(BaseHTTPMiddleware, dispatch=m)\n@app.get('/x')\ndef h(): return 1",
        [("authentication", "")],
        [401, 200],
    ),
    (
        "decorator",
        "def signed(f):\n    def wrapper():\n        raise HTTPException(401)\n    return wrapper\n"
        "@app.get('/x')\n@signed\ndef h(): return 1",
        [("authentication", "")],
        [401, 200],
    ),
    ("none", "@app.get('/x')\ndef h(): return 1", [], [200]),
]


@pytest.mark.parametrize(("name", "text", "guards", "statuses"), GUARDS, ids=[row[0] for row in GUARDS])
def test_guards_are_found_with_what_they_answer(
    name: str, text: str, guards: list[tuple[str, str]], statuses: list[int | None]
) -> None:
    route = only(f"{APP}{text}\n")
    assert [(guard.kind, guard.scheme) for guard in route.guards] == guards
    assert [response.status for response in route.responses] == statuses
