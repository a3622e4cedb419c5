"""`python -m tests.mutations [ID ...] [--sample N]`: would the tests that claim a requirement see it break?

`mutations.csv` holds changes of the code, one at least for each requirement, which breaks it. Each is made in a copy
of the project, and the tests with the requirement's mark are run there: one of them has to fail. A mutation that all of
them survive says that nothing guards the requirement. `make mutations` tries all of them, CI another sample for each
commit.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
TABLE = HERE / "mutations.csv"
LEFT_OUT = shutil.ignore_patterns(".*", "out", "build", "dist")
"""What a copy does not need: environments, tools' caches, what the project writes. Bytecode saves half of the time."""
LIBRARIES = ("hypothesis", "jsonschema", "jsonschema_rs", "nbformat", "pandas", "pydantic", "rich", "typer", "yaml_rs")
"""What most tests load and takes long; it is loaded once."""
LIMIT_S = 600
"""A test that does not end by then is ended, and its mutation is no good one."""


class Outcome(StrEnum):
    """What the claiming tests made of a mutation. Only `SEEN` is right."""

    SEEN = "seen"
    SURVIVED = "survived"
    STALE = "stale: the text to replace does not stand exactly once in the file"
    BROKEN = "broken: the tests can't be collected, or none claims the requirement"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One change that breaks a requirement.

    Attributes:
        requirement: the id in the checklist.
        file: from the project's root: code, the data of an output contract, or a page.
        find, put: the text that is replaced, which stands once in the file, and what comes in its place.
        test: where the tests that have to see it stand, `file::function`; only its rows with the mark are run.
    """

    requirement: str
    file: str
    find: str
    put: str
    test: str

    def made_in(self, text: str) -> str | None:
        """The file's text with the change, None where the text to replace does not stand exactly once."""
        return text.replace(self.find, self.put) if text.count(self.find) == 1 else None


def table(path: Path = TABLE) -> tuple[Mutation, ...]:
    """The mutations, in the order of the file."""
    with path.open(encoding="utf-8", newline="") as handle:
        return tuple(Mutation(**row) for row in csv.DictReader(handle))


def sample(mutations: Sequence[Mutation], size: int, seed: str) -> tuple[Mutation, ...]:
    """`size` of them, others for another seed, in the order of the table."""
    ranked = sorted(mutations, key=lambda one: hashlib.sha256(f"{seed} {one.requirement} {one.find}".encode()).digest())
    chosen = set(ranked[:size])
    return tuple(one for one in mutations if one in chosen)


def tried(mutations: Iterable[Mutation]) -> Iterator[tuple[Mutation, Outcome]]:
    """Each mutation with what its tests made of it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(PROJECT, copy, ignore=LEFT_OUT)
        for turn, mutation in enumerate(mutations):
            yield mutation, _tried(mutation, copy, turn)


def _tried(mutation: Mutation, copy: Path, turn: int) -> Outcome:
    place = copy / mutation.file
    text = place.read_text(encoding="utf-8")
    changed = mutation.made_in(text)
    if changed is None:
        return Outcome.STALE
    try:
        _written(place, changed, 2 * turn + 1)
        return _judged(mutation, copy)
    finally:
        _written(place, text, 2 * turn + 2)


def _written(place: Path, text: str, stamp: int) -> None:
    """The text written with a time of its own: bytecode of the same second and length would be taken for it."""
    place.write_text(text, encoding="utf-8")
    os.utime(place, (stamp, stamp))


def _judged(mutation: Mutation, copy: Path) -> Outcome:
    """What the claiming tests say, in a fork: libraries are loaded once, the project anew each time."""
    child = os.fork()
    if child == 0:
        os._exit(_exit_status(mutation, copy))
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {0: Outcome.SURVIVED, 1: Outcome.SEEN}.get(ended, Outcome.BROKEN)


def _exit_status(mutation: Mutation, copy: Path) -> int:
    signal.alarm(LIMIT_S)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.chdir(copy)
    os.environ |= {"PYTHONPATH": str(copy), "CI": "1"}
    sys.path.insert(0, str(copy))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "evreview")]:
        del sys.modules[name]
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "tests.claiming", "--claiming", mutation.requirement]
    return int(pytest.main([*options, mutation.test]))


def commit() -> str:
    """The commit that is checked out, "" outside a clone: what makes CI's sample another one for each commit."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=PROJECT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def main() -> int:
    """Print each mutation that no test saw, then the count; the exit status is 1 when there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("ids", nargs="*", help="requirements; all of them where none is named")
    parser.add_argument("--sample", type=int, help="only so many, chosen by the commit that is checked out")
    parser.add_argument("--table", type=Path, default=TABLE, help="another table")
    asked = parser.parse_args()
    chosen = [one for one in table(asked.table) if not asked.ids or one.requirement in asked.ids]
    if asked.sample is not None:
        chosen = list(sample(chosen, asked.sample, commit()))
    for name in LIBRARIES:
        importlib.import_module(name)
    missed = 0
    for mutation, outcome in tried(chosen):
        if outcome is not Outcome.SEEN:
            missed += 1
            print(f"{mutation.requirement} {mutation.file}: {outcome} ({mutation.test})", flush=True)
    sys.stdout.write(
        f"{len(chosen) - missed} of {len(chosen)} mutations are seen by a test that claims the requirement\n"
    )
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
