"""Code that was written to keep a reader busy ends, and code that can't be parsed is left to the inventory."""

from __future__ import annotations

import time

import pytest

from tests.workflows.w3.leads.heads import FASTAPI
from tests.workflows.w3.leads.sources import leads

WIDE = " + ".join(["a{0}"] * 12)
SOURCES = {
    "every name used many times": FASTAPI
    + '@app.get("/x")\ndef x(a0: str):\n'
    + "".join(f"    a{n + 1} = {WIDE.format(n)}\n" for n in range(20))
    + "    if a20 != 'admin':\n        raise HTTPException(403)\n    return eval(a20)\n",
    "names in a ring": FASTAPI
    + '@app.get("/x")\ndef x(a: str):\n    b = c\n    c = b\n    if b == "admin":\n        return c\n    return b\n',
    "functions in a ring": FASTAPI
    + "def f(a):\n    return g(a)\ndef g(a):\n    return f(a)\n"
    + '@app.get("/x")\ndef x(role: str):\n    if f(role) != "admin":\n        raise HTTPException(403)\n    return 1\n',
    "classes in a ring": "class A(B):\n    owner_id: int\nclass B(A):\n    pass\n",
    "dependencies in a ring": FASTAPI
    + "def f(a=Depends(lambda: g)):\n    return a\ndef g(a=Depends(f)):\n    return a\n"
    + '@app.get("/x")\ndef x(role=Depends(g)):\n'
    + '    if role != "admin":\n        raise HTTPException(403)\n    return 1\n',
    "many conditions": FASTAPI
    + '@app.get("/x")\ndef x(role: str):\n    ok = '
    + " or ".join(f"(role == 'r{n}' and not (role != 's{n}'))" for n in range(300))
    + "\n    if not ok:\n        raise HTTPException(403)\n    return 1\n",
    "functions calling many": FASTAPI
    + "".join(f"def f{n}(a):\n    return f{n + 1}(a) + f{n + 1}(a) + f{n + 1}(a)\n" for n in range(30))
    + "def f30(a):\n    return a\n"
    + '@app.get("/x")\ndef x(a: str):\n    return eval(f0(a))\n',
    "not Python": "this is { no Python",
    "empty": "",
}


@pytest.mark.parametrize("name", SOURCES)
def test_it_ends(name: str) -> None:
    started = time.monotonic()
    leads(SOURCES[name])
    assert time.monotonic() - started < 20
