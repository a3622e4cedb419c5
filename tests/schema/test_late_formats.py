"""`jsonschema` knows every format as before, and compiles the grammars of `iri` for nobody who does not ask."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = """
import sys
from evreview.schema.cross_check_validator import CrossCheckValidator
before = "rfc3987_syntax" in sys.modules
ask = CrossCheckValidator().prepared({"type": "string", "format": %r})
print(before, [bool(ask(value)) for value in %r], "rfc3987_syntax" in sys.modules)
"""


@pytest.mark.parametrize(
    ("name", "values", "wrong", "loads"),
    [
        ("iri", ["https://example.com/\u00e4", "no iri", 1], [False, True, True], True),
        ("iri-reference", ["../x", "a b"], [False, True], True),
        ("uri", ["https://example.com/", "no uri"], [False, True], False),
        ("date", ["2026-01-31", "2026-02-31"], [False, True], False),
    ],
)
def test_a_format_is_asserted_and_loads_what_it_needs(
    name: str, values: list[object], wrong: list[bool], loads: bool
) -> None:
    done = subprocess.run([sys.executable, "-c", LOADED % (name, values)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"False {wrong} {loads}"
