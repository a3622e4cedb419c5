"""Reading sources as a whole: every fact stands on its lines, nothing runs, and hostile files end soon."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evreview.codefacts.model import CodeFacts, Route, Spot
from evreview.codefacts.read import read_sources
from tests.codefacts.asgi.services import HEAD, SERVICES, one
from tests.codefacts.snippets import source, sources

SERVICE = one("""
bearer = HTTPBearer()
MOST = 100
class Taken(HTTPException):
    def __init__(self): super().__init__(status_code=409, detail="taken")
def paging(limit: int = Query(20, le=MOST)): return limit
def allowed(token=Depends(bearer)):
    raise HTTPException(403, "not yours")
app = FastAPI()
@app.post("/items/{item_id}", status_code=201)
def create(
    item_id: int,
    item: Item,
    response: Response,
    page: int = Depends(paging),
    key: str = Header(alias="Idempotency-Key"),
    user=Depends(allowed),
) -> User:
    if item.name == "x":
        raise Taken()
    if len(item.tags) > MOST:
        raise HTTPException(413, detail="too many tags")
    response.headers["Location"] = "/x"
    return {}
""")


def spots(facts: CodeFacts) -> Iterator[tuple[str, Spot]]:
    """Every fact, in short, with the lines that show it."""
    for route in facts.routes:
        yield "route", route.spot
        for part in (route.parameters, route.responses, route.guards, route.notes, route.unread):
            yield from ((type(one).__name__, one.spot) for one in part)
        if route.body is not None:
            yield "body", route.body.spot
    yield from (("unread", one.spot) for one in facts.unread)


@pytest.mark.parametrize("name", SERVICES)
def test_every_fact_stands_within_its_file(name: str) -> None:
    files = sources(SERVICES[name])
    lines = {file.item: file.text.count("\n") + 1 for file in files}
    paths = {file.item: file.path for file in files}
    for _, spot in spots(read_sources(files)):
        assert 1 <= spot.first <= spot.last <= lines[spot.item]
        assert spot.path == paths[spot.item]


def words(route: Route) -> set[tuple[str, ...]]:
    """What a route says, without where it says it."""
    said = {("parameter", one.location, one.name) for one in route.parameters}
    said |= {("response", str(one.status), one.how, *one.codes) for one in route.responses}
    said |= {("guard", one.name, one.kind) for one in route.guards}
    said |= {("note", one.concern, one.name) for one in route.notes}
    return said | ({("body", "")} if route.body else set())


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("    item_id: int,", set()),
        ("    item: Item,", {("body", "")}),
        ("    page: int = Depends(paging),", {("parameter", "query", "limit"), ("note", "pagination", "limit")}),
        (
            '    key: str = Header(alias="Idempotency-Key"),',
            {("parameter", "header", "Idempotency-Key"), ("note", "idempotency", "Idempotency-Key")},
        ),
        (
            "    user=Depends(allowed),",
            {
                ("guard", "bearer", "authentication"), ("guard", "allowed", "authorization"),
                ("response", "403", "raised"), ("response", "None", "framework"),
            },
        ),
        ("        raise Taken()", {("response", "409", "raised")}),
        (
            '        raise HTTPException(413, detail="too many tags")',
            {("response", "413", "raised"), ("note", "limits", "len(item.tags) > MOST")},
        ),
    ],
)  # fmt: skip
def test_without_its_line_a_fact_is_gone(line: str, lost: set[tuple[str, ...]]) -> None:
    text = SERVICE["main.py"]
    assert text.count(line + "\n") == 1
    (before,) = read_sources([source(text)]).routes
    kept = text.replace(line + "\n", "        pass\n" if "raise" in line else "")
    (after,) = read_sources([source(kept)]).routes
    gone = words(before) - words(after)
    assert gone - {("parameter", "path", "item_id")} == lost
    assert words(after) <= words(before)


def test_nothing_is_executed(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    text = f"import pathlib\npathlib.Path({str(mark)!r}).touch()\napp = FastAPI()\n@app.get('/x')\ndef h(): return 1\n"
    assert len(read_sources([source(HEAD + text)]).routes) == 1
    assert not mark.exists()


def test_two_readings_are_one() -> None:
    assert read_sources([source(SERVICE["main.py"])]) == read_sources([source(SERVICE["main.py"])])


def test_a_file_of_another_language_is_named() -> None:
    facts = read_sources([source("func main() {}\n", "main.go")])
    assert [(one.spot.path, one.spot.first) for one in facts.unread] == [("main.go", 1)]


ROUTE = "@app.get('/x')\ndef h({0}): return 1\n"
HOSTILE: dict[str, dict[str, str]] = {
    "routers in a circle": one("a = APIRouter()\nb = APIRouter()\na.include_router(b)\nb.include_router(a)\n"
                               "@a.get('/x')\ndef h(): return 1\n"),
    "routers in an application and a circle": one(
        "app = FastAPI()\na = APIRouter()\napp.include_router(a)\na.include_router(a)\n"
        "@a.get('/x')\ndef h(): return 1\n"),
    "dependencies in a circle": one(
        "def a(x=Depends(b)): ...\ndef b(x=Depends(a)): ...\napp = FastAPI()\n" + ROUTE.format("x=Depends(a)")),
    "models in a circle": one("class A(BaseModel):\n    b: 'B'\nclass B(BaseModel):\n    a: A\napp = FastAPI()\n"
                              + ROUTE.format("a: A")),
    "imports in a circle": {"a.py": "from b import *\nfrom b import app\n",
                            "b.py": "from a import *\nfrom a import app\n"
                            "@app.get('/x')\ndef h(): return 1\n"},
    "functions in a circle": one("def a(): return b()\ndef b(): return a()\napp = FastAPI()\n@app.get('/x')\n"
                                 "def h(): return a()\n"),
    "aliases in a circle": one("x = y\ny = x\napp = FastAPI()\n" + ROUTE.format("a: x = y")),
    "a class that is its own base": one("class A(A): ...\napp = FastAPI()\n" + ROUTE.format("a: A, b=Depends(A)")),
    "wide routers": one("app = FastAPI()\n" + "".join(
        f"r{n} = APIRouter()\nr{n - 1 if n else 'x'}.include_router(r{n})\n" for n in range(60))),
    "calls that fan out": one("".join(
        f"def f{n}():\n" + f"    f{n + 1}()\n" * 12 for n in range(12))
        + "def f12(): ...\napp = FastAPI()\n@app.get('/x')\n"
        "def h(): f0()\n"),
    "deep calls": one("app = FastAPI()\n@app.get('/x')\ndef h(): return " + "f(" * 60 + ")" * 60 + "\n"),
    "deep annotation": one("app = FastAPI()\n" + ROUTE.format("a: " + "list[" * 80 + "int" + "]" * 80)),
    "many unions": one("app = FastAPI()\n" + ROUTE.format("a: " + " | ".join(["int"] * 150))),
    "deep conditions": one("app = FastAPI()\n@app.get('/x')\ndef h():\n" + "".join(
        " " * (4 + n) + "if x:\n" for n in range(90)) + " " * 94 + "pass\n"),
    "marked by itself": one("M = Annotated[M, M]\napp = FastAPI()\n" + ROUTE.format("a: M")),
    "a string in a string": one("app = FastAPI()\n" + ROUTE.format("a: \"'\\\"int\\\"'\"")),
    "names of nothing": one("app = FastAPI()\n@app.get('')\n@app.get()\n@app.api_route('/x', methods=[])\n"
                            "def h(*a, **k): ...\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_soon(name: str) -> None:
    start = time.process_time()
    read_sources(sources(HOSTILE[name]))
    assert time.process_time() - start < 3


def test_a_large_file_is_read_in_time() -> None:
    body = "".join(f"@app.get('/x{n}')\ndef h{n}(a: int, b: Item): return {{'a': a}}\n\n" for n in range(300))
    filler = "".join(f"VALUE_{n} = {{'a': [{n}, 2, 3], 'b': 'text'}}\n" for n in range(25_000))
    text = HEAD + "app = FastAPI()\n" + body + filler
    assert len(text) > 900_000
    start = time.process_time()
    assert len(read_sources([source(text)]).routes) == 300
    assert time.process_time() - start < 20


@pytest.mark.parametrize("name", SERVICES)
def test_half_a_file_never_breaks_the_reader(name: str) -> None:
    for files in (SERVICES[name],):
        for path, text in files.items():
            for node in ast.parse(text).body[::3]:
                cut = "\n".join(text.splitlines()[: (node.end_lineno or 1) // 2])
                read_sources(sources(files | {path: cut}))
