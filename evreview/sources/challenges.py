"""Schemes of credentials that the texts in code tell: names of headers, and the words before credentials."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.codefacts.control_flow import Event
from evreview.codefacts.modules import arguments, defaults
from evreview.sources.resolved import Definition

_WORD: Final = re.compile(r"(bearer|basic)(?:\s*|\s+\S+)", re.IGNORECASE)
"""The word by itself, before what is joined to it, or with one credential: `Bearer t`."""
_KEY: Final = re.compile(r"x-[a-z0-9-]*(?:key|token)", re.IGNORECASE)


def texts_in(node: ast.AST) -> Iterator[str]:
    """The constant texts below a node."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, bytes):  # names of headers in ASGI
            yield inner.value.decode("ascii", "replace")


def asked_for(events: Iterable[Event], names: Iterable[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The scheme of credentials that the texts of what runs tell, "" for none, and further ones.

    Args:
        events: what happens; the functions in which it does are searched.
        names: of headers that are taken as arguments.
    """
    nodes: dict[int, ast.AST] = {}
    for event in events:
        nodes.setdefault(id(event.frame.scope.node), event.frame.scope.node)
    texts = [*names, *(text for node in nodes.values() if _runs(node) for text in texts_in(node))]
    told = schemes_told(texts)
    return (told[0], told[1:]) if told else ("", ())


def _runs(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def headers_taken(function: Definition) -> Iterator[str]:
    """The headers that a function of FastAPI takes as arguments: `x_api_key: str = Header()`."""
    node = function.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    given = defaults(node)
    for argument in arguments(node):
        for part in (argument.annotation, given.get(argument.arg)):
            made = [one for one in ast.walk(part) if isinstance(one, ast.Call)] if part is not None else []
            for call in made:
                if ast.unparse(call.func).rpartition(".")[2] == "Header":
                    alias = next((word.value for word in call.keywords if word.arg == "alias"), None)
                    named = alias.value if isinstance(alias, ast.Constant) else None
                    yield named if isinstance(named, str) else argument.arg.replace("_", "-")


def schemes_told(texts: Iterable[str]) -> tuple[str, ...]:
    """Every scheme that the texts tell, those of `Authorization` first; () when it is in use and nothing tells how."""
    given = tuple(texts)
    keys = [f"apiKey header {text}" for text in given if _KEY.fullmatch(text)]
    if not any(text.lower() == "authorization" for text in given):
        return tuple(dict.fromkeys(keys))
    told = challenges(given)
    return tuple(dict.fromkeys([*told, *keys])) if told else ()


def challenges(texts: Iterable[str]) -> tuple[str, ...]:
    """`http bearer` and `http basic`, where the texts hold the word that stands before such credentials."""
    found = (_WORD.fullmatch(text) for text in texts)
    return tuple(dict.fromkeys(f"http {match[1].lower()}" for match in found if match))
