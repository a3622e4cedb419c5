"""A kind of contract is one folder: nobody else asks for it by name, and comparing two contracts loads no other one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evreview.comparison.rules.example import pair
from evreview.comparison.rules.rule import Whole
from evreview.core.vocabulary import ContractKind
from evreview.kinds.python import SPEC as PYTHON
from evreview.kinds.python import signatures as sig
from evreview.kinds.registry import KINDS, spec_of

PROJECT = Path(__file__).resolve().parents[2]
LOADED = """
import json, sys
from evreview.__main__ import main
sys.argv = ["evreview", "diff", *sys.argv[1:]]
try:
    main()
except SystemExit:
    pass
print(json.dumps(sorted(name for name in sys.modules if name.startswith("evreview.kinds."))), file=sys.stderr)
"""
MEMBER = re.compile(r"\bContractKind\.[A-Z]")


def test_no_kind_is_asked_for_by_name_outside_its_folder() -> None:
    """Not even by readers of stored kinds: they make the word from the text, `ContractKind(text)`, and ask its spec."""
    sources = sorted((PROJECT / "evreview").rglob("*.py"))
    outside = [path for path in sources if path.relative_to(PROJECT).parts[1] != "kinds"]
    above = [path for path in sources if path.parent == PROJECT / "evreview" / "kinds"]
    found = [str(path.relative_to(PROJECT)) for path in (*outside, *above) if MEMBER.search(path.read_text("utf-8"))]
    assert found == []


def test_every_word_of_the_vocabulary_is_one_kind_of_the_registry() -> None:
    assert sorted(spec.kind for spec in KINDS) == sorted(ContractKind)
    folders = {path.parent.name for path in (PROJECT / "evreview" / "kinds").glob("*/__init__.py")}
    assert {type(spec).__module__.rpartition(".")[2] for spec in KINDS} == folders


@pytest.mark.parametrize("kind", list(ContractKind))
def test_comparing_loads_the_files_of_one_kind(kind: ContractKind, tmp_path: Path) -> None:
    """Of the others the `__init__` alone, which recognises files and holds the spec."""
    rule = next(one for one in spec_of(kind).rules() if _is_own(one.example.slot, kind))
    names = []
    for side, (name, data) in zip(("old", "new"), pair(rule.example), strict=True):
        (tmp_path / side).mkdir()
        (tmp_path / side / name).write_bytes(data)
        names.append(str(tmp_path / side / name))
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *names],
        env={**os.environ},
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    modules = json.loads(done.stderr.splitlines()[-1])
    folder = type(spec_of(kind)).__module__
    inside = [name for name in modules if name.count(".") > 2]
    assert inside and {name.rpartition(".")[0] for name in inside} == {folder}


def _is_own(slot: object, kind: ContractKind) -> bool:
    """True for an example that is written in the kind; those of shared rules are OpenAPI."""
    return kind is ContractKind.OPENAPI or (isinstance(slot, Whole) and slot.file != "api.json")


def test_the_names_of_a_library_stand_in_these_facets() -> None:
    assert PYTHON.name_facets == {
        sig.ANCESTORS, sig.OPEN, sig.BASES, sig.METACLASS, sig.CONSTRUCTOR, sig.STANDS_FOR, sig.TARGET,
        sig.ANNOTATION, sig.RETURNS, sig.TYPE,
    }  # fmt: skip
