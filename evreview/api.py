"""What `import evreview as ev` offers. Heavy rooms load when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

if TYPE_CHECKING:
    from evreview.compare import Comparison
    from evreview.evidence.item import Bundle
    from evreview.vocab import ContractKind
    from evreview.widgets.workbench import Workbench
    from evreview.workflow.review import Progress, Review, Run


def _told(function: Callable[P, T]) -> Callable[P, T]:
    """The function, with problems of the input redacted: a notebook keeps the message of an exception."""

    @wraps(function)
    def telling(*args: P.args, **kwargs: P.kwargs) -> T:
        from evreview.errors import BadInput

        try:
            return function(*args, **kwargs)
        except BadInput as error:
            from evreview.guard import Guard

            raise BadInput(map(Guard().clean_problem, error.problems)) from None

    return telling


def _words(bundle: Bundle) -> Iterator[tuple[str, str]]:
    """Every item with what it says; of a sealed bundle too, as far as its authorization lets it be read."""
    from evreview.errors import BadInput
    from evreview.workflow.opening import as_authorized

    with suppress(BadInput):
        bundle = as_authorized(bundle)
    yield from ((str(item.id), item.content) for item in bundle.items.values())


@_told
def open_bundle(path: str | Path, *, repository: str | Path | None = None) -> Bundle:
    """The verified, frozen bundle in a folder.

    What a notebook shows of it passes a guard that has learnt its items; `items[id].content` is raw.

    Args:
        path: the folder that holds `review.yaml`.
        repository: a git checkout against which commits in integrity statements are verified.

    Raises:
        BadInput: every problem of the bundle, with file and place.
    """
    from evreview.evidence.intake import open_bundle as open_folder
    from evreview.guard import Guard
    from evreview.guard.display import remember, veil

    bundle = open_folder(Path(path), repository=Path(repository) if repository else None)
    remember(lambda: Guard.over(_words(bundle)))
    veil()
    return bundle


@_told
def diff(released: str | Path, candidate: str | Path, *, kind: ContractKind | None = None) -> Comparison:
    """The ledger of two contract files with verdicts and proofs: `.frame`, `.row(id)`, `.breaking`.

    `.frame` is redacted by what both files tell; `.raw_frame` and `.to_dict()` are not.

    Raises:
        BadInput: a contract can't be read.
    """
    from evreview.artifacts.ledger_secrets import learning
    from evreview.compare import compare
    from evreview.contracts.named import read_named
    from evreview.guard.display import remember, veil

    texts: list[tuple[str, bytes]] = []
    sides = [
        read_named(Path(path), kind, seen=lambda name, data: texts.append((name, data)))[0]
        for path in (released, candidate)
    ]
    comparison = compare(*sides)
    learn = learning(comparison, texts)
    remember(learn)
    veil()
    return comparison.redacting(learn)


@_told
def begin(bundle: Bundle, *, earlier: Run | None = None) -> Run:
    """A review before its first step; `.advance()` runs one, `.finish()` the rest."""
    from evreview.workflow.review import begin as begin_run

    return begin_run(bundle, earlier=earlier)


@_told
def review(bundle: Bundle, progress: Progress | None = None) -> Review:
    """The finished review: `.steps`, `.ledger`, `.findings`, `.clients`, `.decision`, `.artifact`, `.registers`."""
    from evreview.workflow.review import review as run_review

    return run_review(bundle, progress)


def workbench(bundle: str | Path) -> Workbench:
    """The notebook's view of a bundle: steps, matrix, gates and artifact to look at and to answer."""
    from evreview.widgets.workbench import Workbench

    return Workbench(bundle)
