"""Whether anybody here reads a regular expression: Python's engine, the one for ECMA-262, or the validator."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

import jsonschema_rs


@lru_cache(maxsize=4096)
def is_readable(pattern: str) -> bool:
    """True for an expression that one of the engines compiles; one that none does says nothing about texts."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return _by_others(pattern)
    return True


def _by_others(pattern: str) -> bool:
    # Loaded for the few expressions that the standard library does not know.
    from evreview.schema.second_validator import NoPattern, compiled

    try:
        compiled(pattern)
    except NoPattern:
        try:
            jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
        except (ValueError, jsonschema_rs.ReferencingError):
            return False
    return True
