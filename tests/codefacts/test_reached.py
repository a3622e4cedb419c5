"""Which lines belong to a route: what its handler's code refers to, and nothing else."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import Route
from evreview.codefacts.names import Modules, ReachableDefinitions, overlapping
from evreview.codefacts.read import read_sources
from tests.codefacts.snippets import sources

FASTAPI = {
    "app.py": """
        from fastapi import FastAPI, Depends, APIRouter
        from checks import principal, Model, traced
        router = APIRouter(dependencies=[Depends(outer)])
        def outer(): ...
        def unused(): ...
        LIMIT = 10
        def helper():
            return inner()
        def inner():
            return LIMIT
        @router.get("/a")
        @traced
        def a(body: Model, who=Depends(principal)):
            def nested(): return helper()
            return nested()
        @router.get("/b")
        def b(x: int = LIMIT): return x
        app = FastAPI()
        app.include_router(router)
    """,
    "checks.py": """
        from pydantic import BaseModel
        from settings import KEY
        class Base(BaseModel): ...
        class Model(Base):
            name: str
        def principal(): return KEY
        def traced(function): return function
        def unused(): ...
    """,
    "settings.py": "KEY = 'k'\nOTHER = 'o'\n",
}
FLASK = {
    "app.py": """
        from flask import Flask
        from flask.views import MethodView
        app = Flask(__name__)
        class Store:
            def load(self): return self.open()
            def open(self): return 1
        store = Store()
        @app.get("/a")
        def a(): return store.load()
        class View(MethodView):
            limit = 3
            def get(self): return self.help()
            def help(self): return {}
        app.add_url_rule("/v", view_func=View.as_view("v"))
    """,
}


CLASSES = {
    "app.py": """
        from fastapi import Depends, FastAPI
        from pydantic import BaseModel, validator
        app = FastAPI()
        class Store:
            limit = 3
            def __init__(self): ...
            def load(self): return self.open()
            def open(self): return 1
            def guarded(self): return 2
        class Model(BaseModel):
            name: str
            @validator("name")
            def check(cls, value): return value
            @property
            def title(self): return self.name
            @action
            def other(self): ...
        @app.get("/a")
        def a(store: Store = Depends()) -> Model:
            return store.load()
    """
}


def reached(files: dict[str, str], operation: str) -> set[str]:
    texts = sources(files)
    route = next(one for one in read_sources(texts).routes if f"{one.method} {one.path}" == operation)
    found = ReachableDefinitions(Modules(texts))
    handler = found.handler(route)
    assert handler is not None
    return {one.qualname for one in found.definitions(handler)}


@pytest.mark.parametrize(
    ("files", "operation", "names"),
    [
        (FASTAPI, "GET /a", {"a", "router", "outer", "traced", "Model", "Base", "principal", "KEY", "helper", "inner",
                             "LIMIT"}),
        (FASTAPI, "GET /b", {"b", "router", "outer", "LIMIT"}),
        (FLASK, "GET /a", {"a", "app", "store", "Store", "Store.load", "Store.open"}),
        (FLASK, "GET /v", {"View.get", "View", "View.help"}),
        (CLASSES, "GET /a", {"a", "app", "Store", "Store.__init__", "Store.load", "Store.open", "Model",
                             "Model.check"}),
    ],
)  # fmt: skip
def test_what_a_handlers_code_refers_to(files: dict[str, str], operation: str, names: set[str]) -> None:
    assert reached(files, operation) == names


def test_the_lines_of_a_class_are_those_at_its_level() -> None:
    texts = sources(CLASSES)
    found = ReachableDefinitions(Modules(texts))
    (store,) = found.named("Store")
    assert [(spot.first, spot.last) for spot in found.lines(store)] == [(5, 5), (6, 6)]
    (model,) = found.named("Model")
    assert [(spot.first, spot.last) for spot in found.lines(model)] == [(11, 11), (12, 12)]


def test_a_declared_route_has_no_handler() -> None:
    texts = sources(FASTAPI)
    route = read_sources(texts).routes[0]
    declared = Route(method="GET", path="/x", handler="", framework="declared", spot=route.spot)
    assert ReachableDefinitions(Modules(texts)).handler(declared) is None


def test_code_that_refers_to_itself_ends() -> None:
    files = {
        "app.py": """
        from fastapi import FastAPI
        app = FastAPI()
        def one(): return two()
        def two(): return one()
        @app.get("/a")
        def a(): return one()
    """
    }
    assert reached(files, "GET /a") == {"a", "app", "one", "two"}


def test_the_smallest_lines_that_overlap_are_named() -> None:
    texts = sources(FASTAPI)
    route = read_sources(texts).routes[0]
    found = ReachableDefinitions(Modules(texts))
    handler = found.handler(route)
    assert handler is not None
    item = texts[0].item
    spot = overlapping(found.spots(handler), item, 8, 8)
    assert spot is not None
    assert (spot.first, spot.last) == (8, 9)
    assert overlapping(found.spots(handler), item, 6, 6) is None
    assert overlapping(found.spots(handler), "E99", 8, 8) is None
