"""Werkzeug's path rules: converters as schemas."""

from __future__ import annotations

import ast
import re
from typing import Final

from evreview.codefacts.constants import whole
from evreview.codefacts.model import CodeParameter, Spot
from evreview.core.vocabulary import Form, Json

KNOWN: Final = frozenset({"any", "default", "float", "int", "path", "string", "uuid"})
"""The converters that Werkzeug brings."""
_PART: Final = re.compile(r"<(?:(?P<converter>[A-Za-z_]\w*)(?:\((?P<arguments>[^<>]*?)\))?:)?(?P<name>[A-Za-z_]\w*)>")


def read_path(rule: str, spot: Spot) -> tuple[str, tuple[CodeParameter, ...]]:
    """The path with `{name}`, and its parameters."""
    found = tuple(_parameter(match, spot) for match in _PART.finditer(rule))
    return _PART.sub(lambda match: f"{{{match['name']}}}", rule), found


def converters_of(rule: str) -> tuple[str, ...]:
    """The names of the converters that a rule asks for."""
    return tuple(match["converter"] for match in _PART.finditer(rule) if match["converter"])


def joined(prefix: str, rule: str) -> str:
    """A rule below a prefix, as Flask joins them."""
    if not prefix:
        return rule if rule.startswith("/") else f"/{rule}"
    if not rule:
        return prefix
    return f"{prefix.rstrip('/')}/{rule.lstrip('/')}"


def _parameter(match: re.Match[str], spot: Spot) -> CodeParameter:
    schema, exact = _schema(match["converter"] or "string", match["arguments"] or "")
    return CodeParameter(name=match["name"], location="path", spot=spot, required=True, schema=schema, exact=exact)


def _schema(converter: str, written: str) -> tuple[Json, bool]:
    words, values = _arguments(written)
    match converter:
        case "int" | "float":
            least = words.get("min", None if words.get("signed") is True else 0)
            bounds = {"minimum": least, "maximum": words.get("max")}
            kind = "integer" if converter == "int" else "number"
            return {"type": kind} | {name: value for name, value in bounds.items() if isinstance(value, int)}, True
        case "uuid":
            return {"type": "string", "format": "uuid"}, True
        case "any":
            texts: list[Json] = [value for value in values if isinstance(value, str)]
            return {"enum": texts}, len(texts) == len(values)
        case "string":
            length = whole(words.get("length"))
            sizes = {
                "minLength": whole(words.get("minlength")) or length,
                "maxLength": whole(words.get("maxlength")) or length,
            }
            return {"type": "string"} | {name: value for name, value in sizes.items() if value is not None}, True
        case "path":
            return {"type": "string"}, True
    return {}, False


def _arguments(written: str) -> tuple[dict[str, Form], list[Form]]:
    """The arguments of a converter; bare words of `any(a, b)` are texts."""
    try:
        call = ast.parse(f"f({written})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}, [None]
    if not isinstance(call, ast.Call):
        return {}, [None]
    words = {word.arg: word.value.value for word in call.keywords if word.arg and isinstance(word.value, ast.Constant)}
    values = [one.id if isinstance(one, ast.Name) else getattr(one, "value", None) for one in call.args]
    return words, values  # type: ignore[return-value]
