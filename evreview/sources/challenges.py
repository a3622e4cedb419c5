"""Schemes of credentials that the texts in code tell: names of headers, and the words before credentials."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

_WORD: Final = re.compile(r"(bearer|basic)\s*", re.IGNORECASE)
_KEY: Final = re.compile(r"x-[a-z0-9-]*(?:key|token)", re.IGNORECASE)


def texts_in(node: ast.AST) -> Iterator[str]:
    """The constant texts below a node."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


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
