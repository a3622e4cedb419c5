"""What `import evreview as ev` offers. Heavy packages load when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

if TYPE_CHECKING:
    from evreview.app.batch.portfolio_view import Portfolio
    from evreview.app.explorer import LedgerExplorer
    from evreview.app.workbench import Workbench
    from evreview.comparison.history import History
    from evreview.contract.model import Contract
    from evreview.core.vocabulary import ContractKind
    from evreview.evidence.item import Bundle
    from evreview.workflows.session import Progress, Review, Run


def _told(function: Callable[P, T]) -> Callable[P, T]:
    """The function, with problems of the input redacted: a notebook keeps the message of an exception."""

    @wraps(function)
    def telling(*args: P.args, **kwargs: P.kwargs) -> T:
        from evreview.core.errors import BadInput

        try:
            return function(*args, **kwargs)
        except BadInput as error:
            from evreview.redaction.redactor import Redactor

            raise BadInput(map(Redactor().clean_problem, error.problems)) from None

    return telling


def redact(text: str, learn: Iterable[str] = ()) -> str:
    """The text without secrets and personal data: `[redacted: token]` stands in their place.

    Args:
        text: what is to be shown.
        learn: texts whose values go from it too, wherever and however they stand there.
    """
    from evreview.redaction.redactor import Redactor

    return str(Redactor.over([(f"text {number}", each) for number, each in enumerate(learn, 1)]).clean(text))


def _words(bundle: Bundle) -> Iterator[tuple[str, str]]:
    """Every item with what it says; of a sealed bundle too, as far as its authorization lets it be read."""
    from evreview.core.errors import BadInput
    from evreview.workflows.w3.authorization import as_authorized

    with suppress(BadInput):
        bundle = as_authorized(bundle)
    yield from ((str(item.id), item.content) for item in bundle.items.values())


@_told
def open_bundle(path: str | Path, *, repository: str | Path | None = None) -> Bundle:
    """The verified, frozen bundle in a folder.

    What a notebook shows of it passes a redactor that has learnt its items; `items[id].content` is raw.

    Args:
        path: the folder that holds `review.yaml`.
        repository: a git checkout against which commits in integrity statements are verified.

    Raises:
        BadInput: every problem of the bundle, with file and place.
    """
    from evreview.evidence.bundle_reader import open_bundle as open_folder
    from evreview.redaction.redactor import Redactor
    from evreview.redaction.sinks import remember, veil

    bundle = open_folder(Path(path), repository=Path(repository) if repository else None)
    remember(lambda: Redactor.over(_words(bundle)))
    veil()
    return bundle


@_told
def diff(
    released: str | Path,
    candidate: str | Path,
    *,
    kind: ContractKind | str | None = None,
    include: Sequence[str | Path] = (),
) -> LedgerExplorer:
    """The ledger of two contract files with verdicts and proofs: `.frame`, `.row(id)`, `.breaking`, `.where(...)`.

    It shows itself in Jupyter, and so does what `.breaking`, `.where(...)` and `.row(id)` give.

    `.frame` is redacted by what both files tell; `.raw_frame` and `.to_dict()` are not.

    Args:
        released: the contract that clients rely on, a file or a folder.
        candidate: the proposed one.
        kind: detected when left out.
        include: folders that hold what the contracts import and their own folders have not.

    Raises:
        BadInput: a contract can't be read.
    """
    from evreview.app.explorer import explored
    from evreview.kinds.compare import compare
    from evreview.redaction.sinks import remember, veil
    from evreview.report.ledger_formats import learning

    sides, texts, options = _read((released, candidate), kind, include)
    comparison = compare(*sides).read_with(options)
    learn = learning([comparison], texts)
    remember(learn)
    veil()
    return explored(comparison.redacting(learn))


@_told
def history(
    releases: Sequence[str | Path],
    *,
    level: str = "full",
    kind: ContractKind | str | None = None,
    include: Sequence[str | Path] = (),
) -> History:
    """Each release compared with every later one: `.holds`, `.standings`, `.frame`, `.pairs`.

    `.holds` says of the level what `evreview diff --history --level` says. `.frame` has one row per difference of a
    pair, key `earlier`, `later`, `delta_id`; it is redacted by what all files tell.

    Args:
        releases: files or folders, the oldest first.
        level: a compatibility level, such as `backward-transitive`.
        kind: detected when left out.
        include: folders that hold what the contracts import and their own folders have not.

    Raises:
        BadInput: every contract that can't be read; the list is too short or too long; there is no such level.
    """
    from evreview.comparison.history import level_named
    from evreview.kinds.compare import compare_history
    from evreview.redaction.sinks import remember, veil
    from evreview.report.ledger_formats import learning

    wanted = level_named(level)
    sides, texts, options = _read(releases, kind, include)
    found = compare_history(sides, level=wanted).read_with(options)
    learn = learning((pair.comparison for pair in found.pairs), texts)
    remember(learn)
    veil()
    return found.redacting(learn)


def _read(
    paths: Sequence[str | Path], kind: ContractKind | str | None, include: Sequence[str | Path]
) -> tuple[list[Contract], list[tuple[str, bytes]], list[str]]:
    """The contracts, name and bytes of every file that was read for them, and the options that say how.

    Raises:
        BadInput: every problem of all of them.
    """
    from evreview.core.errors import bad_input
    from evreview.core.vocabulary import ContractKind
    from evreview.kinds.load import options, read_all

    try:
        kind = ContractKind(kind) if kind is not None else None
    except ValueError:
        advice = f"name one of {', '.join(ContractKind)}"
        raise bad_input("kind-unknown", f"there is no kind of contract {kind!r}", advice=advice) from None
    odd = [type(path).__name__ for path in (*paths, *include) if not isinstance(path, str | Path)]
    if odd:
        raise bad_input("path-expected", f"a contract is named by a path, not by {', '.join(odd)}")
    texts: list[tuple[str, bytes]] = []
    folders = [Path(folder) for folder in include]
    read = read_all(
        [Path(path) for path in paths], kind, seen=lambda name, data: texts.append((name, data)), include=folders
    )
    return [contract for contract, _ in read], texts, options(kind, folders)


@_told
def portfolio(results: str | Path) -> Portfolio:
    """What `evreview batch` has kept so far: `.frame`, `.contracts()`, `.rules()`, `.reviews()`, `.ledger(name)`.

    Args:
        results: the folder or URL that the batch writes to.

    Raises:
        BadInput: nothing is recorded there, or it can't be read.
    """
    from evreview.app.batch.portfolio_view import portfolio_at

    return portfolio_at(str(results))


@_told
def begin(bundle: Bundle | str | Path, *, earlier: Run | None = None) -> Run:
    """A review of a bundle, or of a folder, before its first step; `.advance()` runs one, `.finish()` the rest."""
    from evreview.workflows.session import begin as begin_run

    return begin_run(_opened(bundle), earlier=earlier)


@_told
def review(bundle: Bundle | str | Path, progress: Progress | None = None) -> Review:
    """The finished review: `.steps`, `.ledger`, `.findings`, `.clients`, `.decision`, `.artifact`, `.registers`.

    Args:
        bundle: an opened one, or the folder of one.
        progress: called with what is being done.

    Raises:
        BadInput: every problem of the folder, with file and place.
    """
    from evreview.app.explorer import reviewed
    from evreview.workflows.session import review as run_review

    return reviewed(run_review(_opened(bundle), progress))


def _opened(bundle: Bundle | str | Path) -> Bundle:
    return open_bundle(bundle) if isinstance(bundle, str | Path) else bundle


def workbench(bundle: str | Path) -> Workbench:
    """The notebook's view of a bundle: steps, matrix, gates and artifact to look at and to answer."""
    from evreview.app.workbench import Workbench

    return Workbench(bundle)
