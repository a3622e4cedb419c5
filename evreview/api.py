"""What `import evreview as ev` offers. Heavy rooms load when they are first used."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evreview.compare import Comparison
    from evreview.evidence.item import Bundle
    from evreview.vocab import ContractKind
    from evreview.widgets.workbench import Workbench
    from evreview.workflow.review import Progress, Review, Run


def open_bundle(path: str | Path, *, repository: str | Path | None = None) -> Bundle:
    """The verified, frozen bundle in a folder.

    Args:
        path: the folder that holds `review.yaml`.
        repository: a git checkout against which commits in integrity statements are verified.

    Raises:
        BadInput: every problem of the bundle, with file and place.
    """
    from evreview.evidence.intake import open_bundle as open_folder

    return open_folder(Path(path), repository=Path(repository) if repository else None)


def diff(released: str | Path, candidate: str | Path, *, kind: ContractKind | None = None) -> Comparison:
    """The ledger of two contract files with verdicts and proofs: `.frame`, `.row(id)`, `.breaking`.

    Raises:
        BadInput: a contract can't be read.
    """
    from evreview.compare import compare
    from evreview.contracts.named import read_named

    sides = [read_named(Path(path), kind)[0] for path in (released, candidate)]
    return compare(*sides)


def begin(bundle: Bundle, *, earlier: Run | None = None) -> Run:
    """A review before its first step; `.advance()` runs one, `.finish()` the rest."""
    from evreview.workflow.review import begin as begin_run

    return begin_run(bundle, earlier=earlier)


def review(bundle: Bundle, progress: Progress | None = None) -> Review:
    """The finished review: `.steps`, `.ledger`, `.findings`, `.clients`, `.decision`, `.artifact`."""
    from evreview.workflow.review import review as run_review

    return run_review(bundle, progress)


def workbench(bundle: str | Path) -> Workbench:
    """The notebook's view of a bundle: steps, matrix, gates and artifact to look at and to answer."""
    from evreview.widgets.workbench import Workbench

    return Workbench(bundle)
