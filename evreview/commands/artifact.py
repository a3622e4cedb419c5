"""`evreview validate`: an artifact against its output contract, and against its bundle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from evreview.commands.shell import clean, say, shown
from evreview.errors import ContractBroken, bad_input
from evreview.vocab import ExitStatus

if TYPE_CHECKING:
    from evreview.evidence.item import Bundle


def validate(artifact: Path, bundle: Path | None) -> int:
    """Print every violation of the output contract with its line; 0 when there is none.

    Raises:
        BadInput: the artifact or the bundle cannot be read.
        ContractBroken: the artifact breaks its contract.
    """
    from evreview.evidence.intake import open_bundle

    require_valid(artifact, open_bundle(bundle) if bundle else None)
    checked = "its output contract and its citations" if bundle else "its output contract"
    say(clean(f"{shown(artifact)}: keeps {checked}"))
    return ExitStatus.DONE


def require_valid(artifact: Path, bundle: Bundle | None) -> None:
    """Nothing, when the artifact keeps its contract and, with a bundle, every citation resolves.

    Raises:
        BadInput: the artifact cannot be read.
        ContractBroken: with every violation, its file and its line.
    """
    from evreview.artifacts.validate import validate_artifact

    problems = validate_artifact(read_artifact(artifact), bundle=bundle)
    if problems:
        raise ContractBroken(replace(problem, file=shown(artifact)) for problem in problems)


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
