"""A contract read from a path, every message and place naming the file as the user named it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from evreview.contracts.model import Contract
from evreview.contracts.read import read_contract
from evreview.errors import BadInput, Problem
from evreview.evidence.contract_file import contract_source
from evreview.vocab import ContractKind


def read_named(path: Path, kind: ContractKind | None = None) -> tuple[Contract, Callable[[str], bytes]]:
    """The contract in a file, and the loader of the files beside it.

    Raises:
        BadInput: it can't be read; a file that it refers to is named beside it.
    """
    try:
        entry, load = contract_source(path)
        return replace(read_contract(entry, load, kind=kind), path=path.as_posix()), load
    except BadInput as error:
        raise BadInput([_named(problem, path) for problem in error.problems]) from None


def _named(problem: Problem, path: Path) -> Problem:
    """The problem with its file below the folder that the user named."""
    as_named = problem.file in ("", str(path), path.as_posix()) or Path(problem.file).is_absolute()
    return problem if as_named else replace(problem, file=(path.parent / problem.file).as_posix())
