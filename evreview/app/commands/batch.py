"""`evreview batch`: many pairs or bundles in, a record each and a table out. Run again, it goes on where it ended."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import AFTER_CTRL_C, Stopped, clean, refuse, say, warn, working
from evreview.core.errors import bad_input, one_line
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import ExitStatus, FailOn

if TYPE_CHECKING:
    from evreview.app.batch.pairs import TaggedContracts
    from evreview.app.batch.storage import Storage
    from evreview.app.batch.task import BatchSettings, Task, TaskOutcome

PAIR, BUNDLE = "pair", "bundle"
SHOWN: Final = 10
"""Pairs without a ledger that are told; the table has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """What was asked: a list or a folder of bundles, where results go, who works, what one may take, when to fail."""

    pairs: Path | None
    output: str
    tagged: TaggedContracts | None = None
    workers: int = 2
    scheduler: str = ""
    seconds: int = 60
    megabytes: int = 2048
    fail_on: FailOn = FailOn.NEVER


@dataclass(slots=True)
class _Tally:
    """What has come of the pairs or bundles so far."""

    every: int
    noun: str
    started: float = field(default_factory=monotonic)
    states: Counter[str] = field(default_factory=Counter)
    known: int = 0
    breaking: int = 0
    refusing: int = 0
    failing: int = 0
    lacking: list[tuple[str, TaskOutcome]] = field(default_factory=list)

    def add(self, task: Task, outcome: TaskOutcome, fail_on: FailOn) -> None:
        self.states[outcome.status.value] += 1
        self.known += outcome.known
        self.breaking += bool(outcome.breaking)
        self.refusing += outcome.refuses
        self.failing += outcome.fails(fail_on)
        if outcome.code:
            self.lacking.append((task.name, outcome))

    @property
    def ended(self) -> int:
        return sum(self.states.values())

    def line(self) -> str:
        """One line: how many are done, and how long the rest will take at this speed."""
        left = (monotonic() - self.started) / max(1, self.ended) * (self.every - self.ended)
        rest = f", about {left / 60:.0f} min left" if left > 90 else ""
        return f"{self.ended:,} of {counted(self.every, self.noun)}, {self.breaking:,} breaking{rest}"

    def sentence(self) -> str:
        """What came of all of them; the counts add up."""
        states = ", ".join(f"{count:,} {state}" for state, count in sorted(self.states.items()))
        left = f", {self.every - self.ended:,} not started" if self.ended < self.every else ""
        without = f"{self.refusing:,} without permission, " if self.noun == BUNDLE else ""
        counts = f"{self.breaking:,} breaking, {without}{self.known:,} known from before"
        return f"{counted(self.every, self.noun)}: {states or 'none done'}{left}; {counts}"


def batch(asked: BatchRequest) -> int:
    """Compare all pairs or review all bundles; the exit status says what is lacking, or whether `--fail-on` was met.

    Raises:
        BadInput: the list, the clone or the output can't be used, or Dask is not there.
    """
    from evreview.app.batch.storage import is_url, storage_at
    from evreview.app.batch.task import BatchSettings

    if (asked.pairs is None) == (asked.tagged is None):
        return refuse("name a list of pairs, a folder of bundles, or a clone with --git, --contract and --tags")
    if min(asked.workers, asked.seconds, asked.megabytes) < 1:
        return refuse("--workers, --limit-seconds and --limit-mb are 1 at least")
    tasks = _tasks(asked)
    output = asked.output if is_url(asked.output) else str(Path(asked.output).absolute())
    settings = BatchSettings(output=output, seconds=asked.seconds, megabytes=asked.megabytes)
    storage = storage_at(output)
    storage.clear()
    try:
        tally = _performed(tasks, settings, asked)
    except KeyboardInterrupt as error:
        warn("evreview: interrupted; what is done is kept. Run the same command again")
        return error.exit_status if isinstance(error, Stopped) else AFTER_CTRL_C
    return _told(tally, storage, asked)


def _tasks(asked: BatchRequest) -> tuple[Task, ...]:
    from evreview.app.batch.pairs import read_pairs, tagged_pairs

    if asked.pairs is None:
        return tagged_pairs(_required(asked.tagged))
    return _bundles(asked.pairs, asked.output) if asked.pairs.is_dir() else read_pairs(asked.pairs)


def _bundles(folder: Path, output: str) -> tuple[Task, ...]:
    """The bundles of a folder.

    Raises:
        BadInput: there is none, reviews can't be run here, or their output would stand among the evidence.
    """
    from evreview.app.batch.reviews import read_bundles
    from evreview.app.batch.storage import is_url
    from evreview.app.commands.run import lacks

    if lacking := lacks("run"):
        raise bad_input("run-not-installed", lacking)
    if not is_url(output) and folder.resolve() in {place := Path(output).resolve(), *place.parents}:
        found, advice = "the outputs would stand among the evidence", "Choose a folder beside it with -o"
        raise bad_input("output-is-bundle", found, file=output, advice=advice)
    return read_bundles(folder)


def _required(tagged: TaggedContracts | None) -> TaggedContracts:
    assert tagged is not None
    return tagged


def _performed(tasks: Sequence[Task], settings: BatchSettings, asked: BatchRequest) -> _Tally:
    """Every task done, or as many as the output had room for."""
    from evreview.app.batch.engine import EngineChoice, run
    from evreview.app.batch.task import PairTask, TaskStatus

    # One command is asked for one sort of them.
    noun = PAIR if isinstance(tasks[0], PairTask) else BUNDLE
    tally = _Tally(len(tasks), noun)
    choice = EngineChoice(workers=asked.workers, scheduler=asked.scheduler)
    with (
        working(f"{'comparing' if noun == PAIR else 'reviewing'} {counted(len(tasks), noun)}") as tell,
        closing(run(tasks, settings, choice, warn)) as done,
    ):
        for task, outcome in done:
            tally.add(task, outcome, asked.fail_on)
            tell(tally.line())
            if outcome.status is TaskStatus.UNWRITTEN:
                # The store has refused more than once: further pairs would be compared for nothing.
                break
    return tally


def _told(tally: _Tally, storage: Storage, asked: BatchRequest) -> int:
    from evreview.app.batch.portfolio import write_portfolio
    from evreview.app.batch.storage import StorageFailed
    from evreview.app.batch.task import TaskStatus

    say(clean(tally.sentence()))
    for name, outcome in tally.lacking[:SHOWN]:
        first, *others = outcome.found.splitlines() or [""]
        more = f", and {counted(len(others), 'more problem')}" if others else ""
        warn(f"{one_line(name)}: {outcome.status.value}: {one_line(first)}{more} [{outcome.code}]")
    if len(tally.lacking) > SHOWN:
        warn(f"{len(tally.lacking) - SHOWN:,} more without a result; the table names them")
    if tally.states[TaskStatus.UNWRITTEN]:
        return _unwritten(asked, tally.lacking[-1][1].found)
    try:
        say(clean(f"wrote {os.path.join(asked.output, write_portfolio(storage))}"))  # noqa: PTH118  it may be a URL
    except StorageFailed as error:
        return _unwritten(asked, error.found)
    return _status(tally)


def _unwritten(asked: BatchRequest, why: str) -> int:
    advice = "What is done is kept: make room or choose another with -o, and run the same command again"
    raise bad_input("not-writable", f"the output can't be written: {why}", file=asked.output, advice=advice)


def _status(tally: _Tally) -> int:
    from evreview.app.batch.task import TaskStatus

    if tally.states[TaskStatus.REFUSED]:
        return ExitStatus.BAD_INPUT
    if tally.refusing or any(tally.states[state] for state in (TaskStatus.LIMIT, TaskStatus.LOST, TaskStatus.FAULT)):
        return ExitStatus.BLOCKED
    return ExitStatus.FAIL_ON if tally.failing else ExitStatus.DONE


# The notebook over what is kept.


NOTEBOOK: Final = "portfolio.ipynb"


def portfolio(results: str, output: Path, *, html: bool) -> int:
    """Write the table, the executed notebook and the report of everything that a batch has kept so far.

    Raises:
        BadInput: nothing is kept there, or the folder can't be written.
    """
    from evreview.app.batch.portfolio import table_of
    from evreview.app.batch.portfolio_view import portfolio_at
    from evreview.app.batch.storage import is_url
    from evreview.app.commands.run import lacks
    from evreview.report.writer import replace_outputs, require_writable

    if lacks("run"):
        return refuse(lacks("run"))
    place = results if is_url(results) else str(Path(results).absolute())
    kept = portfolio_at(place)
    require_writable(output)
    with working("running the notebook"):
        name, table = table_of(kept.storage)
        files = {**_notebook(place, output, html=html), name: table}
        written = replace_outputs(output, files)
    say(clean("\n".join(f"wrote {output / each}" for each in written.names)))
    return ExitStatus.DONE


def _notebook(place: str, output: Path, *, html: bool) -> dict[str, bytes]:
    """The executed notebook and what it reports, by the names of their files."""
    from evreview.app.notebook import execute, export_html, export_markdown
    from evreview.app.notebook.notebook_content import written
    from evreview.core.assets import folder

    done = execute(folder("notebooks") / NOTEBOOK, Path(), output, {"results": place})
    files = {NOTEBOOK: written(done.notebook).encode(), "portfolio.md": export_markdown(done.notebook).encode()}
    return {**files, "portfolio.html": export_html(done.notebook).encode()} if html else files
