"""Small contracts around one schema, and what independent validators say of an example of it."""

from __future__ import annotations

from typing import Any

import jsonschema
import jsonschema_rs

from evreview.contract.model import Contract, Element
from evreview.workflows.w2.examples.examples import Examples
from evreview.workflows.w2.facts import Example, Omitted
from tests.pipeline import contract

JSON = "application/json"


def posting(schema: Any, media: str = JSON, components: Any = None, *, version: str = "3.1.0") -> Contract:
    """A contract with one operation that takes and gives a body of a schema."""
    content = {media: {"schema": schema}}
    operation = {
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "done", "content": content}},
    }
    return contract(
        {
            "openapi": version,
            "info": {"title": "Things", "version": "1"},
            "paths": {"/things": {"post": operation}},
            "components": {"schemas": components or {}},
        }
    )


def calling(operation: Any, path: str = "/things", method: str = "get", **root: Any) -> Contract:
    """A contract with one operation as given."""
    stated = {"responses": {"204": {"description": "done"}}, **operation}
    document = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {path: {method: stated}}, **root}
    return contract(document)


def only(subject: Contract) -> Element:
    """The only operation."""
    (operation,) = subject.operations
    return operation


def both(subject: Contract) -> tuple[Example | Omitted, Example | Omitted]:
    """The request and the response example of the only operation."""
    examples = Examples(subject)
    (response,) = examples.responses(only(subject))
    return examples.request(only(subject)), response


def shown(found: Example | Omitted) -> Example:
    """The example.

    Raises:
        AssertionError: it is omitted, with the reason.
    """
    assert isinstance(found, Example), f"{found.why}: {found.part} {found.reason}"
    return found


def holds(schema: Any, value: Any, components: Any = None) -> bool:
    """Whether two validators, asked directly, accept a value of a 2020-12 schema."""
    whole = {**schema, "components": {"schemas": components or {}}} if isinstance(schema, dict) else schema
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    first = jsonschema.Draft202012Validator(whole, format_checker=checker).is_valid(value)
    return first and jsonschema_rs.Draft202012Validator(whole, validate_formats=True).is_valid(value)
