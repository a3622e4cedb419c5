"""Imports `jsonschema` without the grammars that it needs for `iri` and `iri-reference` alone.

The package that knows these two formats compiles 38 grammars when it is imported, which takes seconds. It is imported
when the first value is asked about one of them.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final

_PACKAGE: Final = "rfc3987_syntax"


def is_valid_syntax(term: str, value: str) -> bool:
    """What the package says of a value."""
    return bool(import_module(_PACKAGE).is_valid_syntax(term, value))


def _import_jsonschema() -> None:
    if _PACKAGE in sys.modules or find_spec(_PACKAGE) is None:
        import_module("jsonschema")
        return
    stand_in = ModuleType(_PACKAGE)
    vars(stand_in)["is_valid_syntax"] = is_valid_syntax
    sys.modules[_PACKAGE] = stand_in
    try:
        import_module("jsonschema")
    finally:
        del sys.modules[_PACKAGE]


_import_jsonschema()
