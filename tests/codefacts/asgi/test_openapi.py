"""What is read from FastAPI code agrees with what FastAPI itself says of the running application."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evreview.codefacts.model import CodeBody, CodeResponse, Route
from evreview.codefacts.read import read_sources
from tests.codefacts.asgi.services import SERVICES
from tests.codefacts.snippets import sources

RUN = """
import importlib, json, sys, warnings
warnings.simplefilter("ignore")
out = {}
for root in sys.argv[1:]:
    sys.path.insert(0, root)
    for name in [n for n in sys.modules if n == "main" or n.split(".")[0] == "app"]:
        del sys.modules[name]
    main = importlib.import_module("main")
    documents = {"": main.app.openapi()}
    if hasattr(main, "sub"):
        documents["/sub"] = main.sub.openapi()
    out[root] = documents
    sys.path.pop(0)
print(json.dumps(out))
"""


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The OpenAPI documents of all services, from one process of their own; mounted ones by their prefix."""
    root = tmp_path_factory.mktemp("services")
    for name, files in SERVICES.items():
        for path, text in files.items():
            target = root / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", RUN, *(str(root / name) for name in SERVICES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": ""})
    assert done.returncode == 0, done.stderr
    return {Path(key).name: value for key, value in json.loads(done.stdout).items()}


def unfolded(schema: Any, whole: Mapping[str, Any], depth: int = 0) -> Any:
    """A schema without words for readers, each reference by what it means, choices in one order."""
    if isinstance(schema, list):
        return [unfolded(part, whole, depth) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        rest = {key: part for key, part in schema.items() if key != "$ref"}
        return unfolded(whole[name] | rest, whole, depth + 1) if depth < 6 else {}
    drop = {"title", "description", "$defs", "contentMediaType", "format", "contentEncoding"}
    rest = {key: unfolded(part, whole, depth) for key, part in schema.items() if key not in drop}
    if "anyOf" in rest:
        rest["anyOf"] = sorted(rest["anyOf"], key=lambda branch: json.dumps(branch, sort_keys=True))
    if "default" in rest and rest["default"] is None:
        del rest["default"]
    if rest.get("items") == {}:
        del rest["items"]
    return rest


def own(schema: Any) -> Any:
    return unfolded(schema, schema.get("$defs", {}) if isinstance(schema, dict) else {})


def expected_parameters(operation: dict[str, Any], whole: dict[str, Any]) -> dict[tuple[str, str], Any]:
    return {
        (one["in"], one["name"].lower()): (one["required"], unfolded(one["schema"], whole))
        for one in operation.get("parameters", [])
    }


def read_parameters(route: Route) -> dict[tuple[str, str], Any]:
    found = {}
    for one in route.parameters:
        schema = own(one.schema)
        if str(one.default) != "(absent)" and one.default is not None:
            schema = schema | {"default": one.default}
        found[(one.location, one.name.lower())] = (one.required, schema)
    return found


def expected_body(operation: dict[str, Any], whole: dict[str, Any]) -> Any:
    body = operation.get("requestBody")
    if body is None:
        return None
    ((media, content),) = body["content"].items()
    return media, body.get("required", False), unfolded(content["schema"], whole)


def read_body(body: CodeBody | None) -> Any:
    return None if body is None else (body.media_type, body.required, own(body.schema))


def operations(documents: dict[str, Any]) -> dict[tuple[str, str], tuple[dict[str, Any], dict[str, Any]]]:
    found = {}
    for prefix, document in documents.items():
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                found[method.upper(), prefix + path] = operation, document.get("components", {}).get("schemas", {})
    return found


def shown(response: CodeResponse) -> tuple[str, Any]:
    """Media type and schema of a response, without two things that FastAPI does not say: what is sent has no other
    members, and members with defaults are always there."""

    def relaxed(schema: Any) -> Any:
        if isinstance(schema, list):
            return [relaxed(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        rest = {key: relaxed(part) for key, part in schema.items() if (key, part) != ("additionalProperties", False)}
        if "required" in rest:
            rest["required"] = [name for name in rest["required"] if "default" not in schema["properties"][name]]
            rest = {key: part for key, part in rest.items() if (key, part) != ("required", [])}
        return rest

    return response.media_type, own(relaxed(response.schema))


@pytest.mark.parametrize("name", SERVICES)
def test_operations_and_inputs_are_those_of_the_application(name: str, documents: dict[str, Any]) -> None:
    expected = operations(documents[name])
    facts = read_sources(sources(SERVICES[name]))
    routes = {(route.method, route.path): route for route in facts.routes}
    assert set(routes) == set(expected)
    assert [one.found for route in facts.routes for one in route.unread] == []
    assert facts.unread == ()
    for key, (operation, whole) in expected.items():
        assert read_parameters(routes[key]) == expected_parameters(operation, whole), key
        assert read_body(routes[key].body) == expected_body(operation, whole), key


@pytest.mark.parametrize("name", SERVICES)
def test_answers_are_those_of_the_application(name: str, documents: dict[str, Any]) -> None:
    facts = read_sources(sources(SERVICES[name]))
    for route in facts.routes:
        operation, whole = operations(documents[name])[route.method, route.path]
        said = set(operation["responses"])
        found = {str(one.status) for one in route.responses if one.how != "framework"}
        assert found == said - {"422"}, route.path
        if any(one.status == 422 for one in route.responses):
            assert "422" in said, route.path
        for one in route.responses:
            content = operation["responses"].get(str(one.status), {}).get("content", {})
            for media, stated in content.items():
                if stated.get("schema") and one.how == "returned" and media == "application/json" and name != "raw":
                    assert shown(one) == (media, unfolded(stated["schema"], whole)), (route.path, one.status)


@pytest.mark.parametrize("name", SERVICES)
def test_guards_are_the_security_of_the_application(name: str, documents: dict[str, Any]) -> None:
    schemes = documents[name][""].get("components", {}).get("securitySchemes", {})

    def spelled(scheme: dict[str, Any]) -> str:
        words = {"http": ("scheme",), "apiKey": ("in", "name")}.get(scheme["type"], ())
        return " ".join([scheme["type"], *(scheme[word] for word in words)])

    for route in read_sources(sources(SERVICES[name])).routes:
        operation, _ = operations(documents[name])[route.method, route.path]
        stated = [pair for one in operation.get("security", []) for pair in one.items()]
        said = [(spelled(schemes[key]), tuple(scopes)) for key, scopes in stated]
        assert sorted((guard.scheme, guard.scopes) for guard in route.guards) == sorted(said)
