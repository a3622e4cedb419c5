"""`evreview validate`: an artifact against its output contract, and against its bundle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import clean, say, shown
from evreview.core.errors import ContractBroken, Problem, bad_input
from evreview.core.vocabulary import ExitStatus
from evreview.report.output_contract import violation

if TYPE_CHECKING:
    from evreview.evidence.item import Bundle


def validate(artifact: Path, bundle: Path | None, repository: Path | None = None) -> int:
    """Print what breaks the output contract, contradicts the files beside, or is not what the bundle gives; 0 for none.

    Raises:
        BadInput: the artifact or the bundle cannot be read.
        ContractBroken: the artifact breaks its contract.
    """
    from evreview.evidence.bundle_reader import open_bundle
    from evreview.workflows.w3.authorization import as_authorized

    opened = as_authorized(open_bundle(bundle, repository=repository)) if bundle else None
    text = read_artifact(artifact)
    from evreview.report.validate_output_files import check_beside

    problems = [*_violations(text, opened), *check_beside(artifact, text)]
    problems += _differences(text, opened) if opened else ()
    if problems:
        raise ContractBroken(replace(problem, file=shown(artifact)) for problem in problems)
    checked = "its output contract and its citations, and is what the bundle gives" if bundle else "its output contract"
    say(clean(f"{shown(artifact)}: keeps {checked}"))
    return ExitStatus.DONE


def require_valid(artifact: Path, bundle: Bundle) -> None:
    """Nothing, when the artifact keeps its contract and every citation resolves.

    Raises:
        BadInput: the artifact cannot be read.
        ContractBroken: with every violation, its file and its line.
    """
    problems = _violations(read_artifact(artifact), bundle)
    if problems:
        raise ContractBroken(replace(problem, file=shown(artifact)) for problem in problems)


def _violations(text: str, bundle: Bundle | None) -> tuple[Problem, ...]:
    from evreview.report.validate import validate_artifact

    return validate_artifact(text, bundle=bundle)


def _differences(text: str, bundle: Bundle) -> Iterator[Problem]:
    """What a review of the bundle writes otherwise."""

    from evreview.workflows.session import review

    return check_reproduced(text, review(bundle).artifact)


def read_artifact(path: Path) -> str:
    """The artifact's text.

    Raises:
        BadInput: there is no such file, or it is not UTF-8 text.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        found = "this is a folder" if path.is_dir() else "there is no such file"
        raise bad_input("artifact-missing", found, file=str(path), advice="Name a Markdown artifact") from error
    except UnicodeDecodeError as error:
        raise bad_input(
            "artifact-not-text", "this is not UTF-8 text", file=str(path), advice="Name a Markdown artifact"
        ) from error


# An artifact against the one that its bundle gives. Equal evidence gives equal bytes, so any difference was made.


CODE: Final = "not-reproduced"
_ADVICE: Final = "Run the review again with this release, or name the bundle that the artifact was made from"


def check_reproduced(text: str, expected: str) -> Iterator[Problem]:
    """One problem per run of lines that the bundle does not give, or that it gives and the artifact lacks.

    Args:
        text: the artifact.
        expected: what a review of the bundle writes.
    """
    given, made = text.splitlines(), expected.splitlines()
    first = _common(given, made)
    last = _common(given[first:][::-1], made[first:][::-1])
    inner = (given[first : len(given) - last], made[first : len(made) - last])
    for tag, start, end, lacks, until in SequenceMatcher(None, *inner, autojunk=False).get_opcodes():
        line = first + start + 1
        if tag == "insert":
            yield violation(CODE, f"{_lines(until - lacks)} of the bundle's review missing here", line, _ADVICE)
        elif tag != "equal":
            yield violation(CODE, f"{_lines(end - start)} not what the bundle gives", line, _ADVICE)


def _common(one: list[str], other: list[str]) -> int:
    """How many lines both begin with."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))


def _lines(count: int) -> str:
    return "1 line is" if count == 1 else f"{count} lines are"
