"""`evreview validate`: an artifact against its output contract, and against its bundle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from evreview.app.commands.shell import clean, say, shown
from evreview.core.errors import ContractBroken, Problem, bad_input
from evreview.core.vocabulary import ExitStatus

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
    from evreview.artifacts.reproduced import check_reproduced
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
