"""`evreview diff`: two contracts in, the ledger with verdicts and proofs out; of more releases their history.

No bundle, no kernel; a plain line is read without the command-line library.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final, TextIO

from evreview.app.commands.shell import (
    clean,
    detecting,
    learn,
    learnt,
    prepare_streams,
    put,
    refuse,
    say,
    shown,
    spare,
    status_of,
    stop_in_order,
    warn,
    working,
)
from evreview.core.errors import one_line
from evreview.core.frozen import frozen
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import (
    CompatibilityLevel,
    ContractKind,
    ExitStatus,
    FailOn,
    ProofStatus,
    Tristate,
    Verdict,
)

if TYPE_CHECKING:
    from evreview.comparison.accepted_differences import Acceptance, Entry
    from evreview.comparison.comparison import Comparison, JudgedRow
    from evreview.comparison.history import History
    from evreview.redaction.detector import Clean
    from evreview.report.ledger_formats import Compared, Lines


class DiffForm(StrEnum):
    """How `diff` writes what it found: for people, for programs, or as an accept file to fill in."""

    TEXT = "text"
    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    PARQUET = "parquet"
    MARKDOWN = "markdown"
    SARIF = "sarif"
    GITHUB = "github"
    HTML = "html"
    ACCEPT = "accept"


@frozen(kw_only=True)
class Question:
    """What was asked: two contracts, how to read them, how to print the answer, and when to fail.

    `witnesses`: False when verdicts and containment are enough, and no messages are to be looked for.
    `fail_on`: None where the configuration is to say it; without one, never.
    `show`, `everything`, `noise`, `verdict`: which rows `text` shows, see `View`; "" for no id.
    `config`, `no_config`: the configuration that holds, or that none does; the one around the user where neither is.
    """

    released: Path
    candidate: Path
    kind: ContractKind | None
    form: DiffForm
    fail_on: FailOn | None
    accept: tuple[Path, ...] = ()
    witnesses: bool = True
    include: tuple[Path, ...] = ()
    show: str = ""
    everything: bool = False
    noise: bool = False
    verdict: Verdict | None = None
    config: Path | None = None
    no_config: bool = False

    @property
    def chooses(self) -> bool:
        """True when rows are chosen, which only `text` does."""
        return bool(self.show or self.everything or self.noise or self.verdict)

    @property
    def contracts(self) -> tuple[str, ...]:
        """Both contracts and the options that they are read with, as words of a command line."""
        from evreview.kinds.load import options

        return (self.released.as_posix(), self.candidate.as_posix(), *options(self.kind, self.include))

    @property
    def review(self) -> tuple[str, ...]:
        """The command that makes a review of one contract at two commits; none where no repository has both."""
        from evreview.kinds.load import git_place

        sides = [git_place(each) for each in (self.released, self.candidate)]
        places = [each for each in sides if each is not None]
        paths = {path for _, path in places}
        if len(places) < len(sides) or len(paths) > 1 or min(paths).startswith(("./", "../")):
            return ()
        (old, path), (new, _) = places
        kind = ("--kind", self.kind) if self.kind else ()
        return (
            "evreview",
            "new",
            "w1",
            "my-review",
            "--repo",
            ".",
            "--from",
            old,
            "--to",
            new,
            "--contract",
            path,
            *kind,
        )

    @property
    def options(self) -> tuple[str, ...]:
        """What else decides on the rows, as words of a command line."""
        accept = (word for file in self.accept for word in ("--accept", file.as_posix()))
        chosen = ("--config", self.config.as_posix()) if self.config else ("--no-config",) if self.no_config else ()
        return (*accept, *(() if self.witnesses else ("--no-witnesses",)), *chosen)


def diff(asked: Question, output: Path | None) -> int:
    """Write the ledger of two contracts; the exit status says whether `--fail-on` was met.

    Args:
        asked: the question.
        output: where the ledger goes; standard output for None and for `-`.
    """
    output = None if output == Path("-") else output
    if asked.chooses and asked.form is not DiffForm.TEXT:
        return refuse("--show, --all, --noise and --verdict choose rows of --format text. Leave --format out")
    if asked.form is DiffForm.PARQUET and output is None and not _is_file(sys.stdout):
        return refuse("parquet is binary and goes to no terminal and no log. Add -o FILE, or choose another --format")
    from evreview.core.document_text import without_gc

    if output is not None:
        from evreview.report.writer import require_apart

        require_apart(output, (asked.released, asked.candidate, *asked.accept, *asked.include))
    asked, known = configured(asked)
    entries = accepted(asked.accept, known)
    # Next to nothing that a comparison makes goes before it ends.
    with without_gc(), working(f"comparing {asked.released} with {asked.candidate}") as tell:
        comparison, lines = compare_contracts(asked, tell)
        acceptance = joined(entries, comparison)
        warn_of_stale(acceptance)
        tell("writing the ledger")
        body = render_ledger(comparison, acceptance, asked, (width_of(output), lines))
    deliver_ledger(body, output, asked.form)
    if not meets_fail_on(asked.fail_on, comparison, acceptance):
        return ExitStatus.DONE
    if asked.form is DiffForm.TEXT:
        count = sum(1 for _ in _counting(asked.fail_on, comparison, acceptance))
        met = counted(count, "row") if count else "a part that could not be understood"
        say(clean(f"\nfailed: --fail-on {asked.fail_on} is met by {met} (exit {ExitStatus.FAIL_ON})"))
    return ExitStatus.FAIL_ON


def _is_file(stream: TextIO) -> bool:
    """True for a stream that a shell sends to a file. In a log a build would search the bytes for its commands."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def meets_fail_on(fail_on: FailOn | None, comparison: Comparison, acceptance: Acceptance | None = None) -> bool:
    """True when `--fail-on` is met: a breaking row; for `unproven` also what nothing decided or proved.

    That is a row, or a part that nobody could read and that may differ. A row that is accepted today does not count.
    """
    if fail_on in (None, FailOn.NEVER):
        return False
    return any(_counting(fail_on, comparison, acceptance)) or (fail_on is FailOn.UNPROVEN and comparison.doubted)


def _counting(fail_on: FailOn | None, comparison: Comparison, acceptance: Acceptance | None) -> Iterator[JudgedRow]:
    """The rows that meet `--fail-on`; without one, the rows that would meet `breaking`."""
    for row in comparison.rows:
        verdict = row.judgement.verdict
        counts = verdict is Verdict.BREAKING or (
            fail_on is FailOn.UNPROVEN and (verdict is Verdict.UNKNOWN or row.proof.status is ProofStatus.UNPROVEN)
        )
        if counts and (acceptance is None or not acceptance.covers(row.delta.id)):
            yield row


def configured(asked: Question) -> tuple[Question, tuple[Entry, ...] | None]:
    """The question with what the configuration adds, and the differences that it accepts, None where it lists none."""
    if asked.config is None and (asked.no_config or not _is_configured()):
        return replace(asked, fail_on=asked.fail_on or FailOn.NEVER), None
    from evreview.app.commands.configuration import ConfigurationOption, fail_on_of, on_disk, on_the_disk

    found = on_disk(ConfigurationOption(asked.config, none=asked.no_config))
    contracts = (asked.candidate, asked.released) if found is not None and asked.kind is None else ()
    kinds = [found.kind_of(on_the_disk(each)) for each in contracts] if found is not None else []
    kind = next((each for each in kinds if each is not None), asked.kind)
    asked = replace(asked, kind=kind, fail_on=fail_on_of(asked.fail_on, found))
    return asked, (found.entries or None) if found is not None else None


def _is_configured() -> bool:
    """True where a configuration stands around the user; what reads it is loaded for nobody else."""
    from evreview.evidence.files import configurations_around

    return any(files for _, files in configurations_around(Path.cwd()))


def accepted(files: tuple[Path, ...], known: tuple[Entry, ...] | None = None) -> tuple[Entry, ...] | None:
    """The entries of the configuration and of the accept files, None when there is no such list.

    They are read before the contracts, their problems first.
    """
    if not files:
        return known
    from evreview.comparison.accepted_differences import read_accept_files
    from evreview.evidence.files import read_bytes
    from evreview.kinds.rule_catalogue import BY_ID

    read = ((path.as_posix(), read_bytes(path, path.as_posix())) for path in files)
    return (*(known or ()), *read_accept_files(read, BY_ID.keys, known or ()))


def joined(entries: tuple[Entry, ...] | None, comparison: Comparison) -> Acceptance | None:
    """The entries beside today's rows, None where no accept file was named."""
    if entries is None:
        return None
    from evreview.comparison.accepted_differences import Contents, join

    deltas = {row.delta.id: row.delta for row in comparison.rows}
    rows = {name: delta.operations for name, delta in deltas.items()}
    contents = Contents(comparison.ledger)
    noise = [each.delta.id for each in comparison.noise]
    today = datetime.now(UTC).date()
    rules = {row.delta.id: row.judgement.rule for row in comparison.rows}
    return join(entries, rows, noise, today=today, content=lambda name: contents.of(deltas[name]), rules=rules)


def warn_of_stale(acceptance: Acceptance | None) -> None:
    """Tell on standard error the entries that accept nothing any more."""
    for stale in acceptance.stale if acceptance else ():
        told = f"{stale.entry.file} line {stale.entry.line}: {stale.entry.named}: {one_line(stale.found)}"
        warn(f"warning: {told} [accepted-nothing]")


def compare_contracts(asked: Question, tell: Callable[[str], None]) -> tuple[Comparison, Lines]:
    """The comparison of both contracts, their paths as named, and the lines of their parts."""
    from evreview.contract.model import Place
    from evreview.core.document_text import line_of
    from evreview.kinds.compare import compare
    from evreview.kinds.load import options, read_all

    tell("reading both contracts")
    read = read_all((asked.released, asked.candidate), asked.kind, seen=learn, include=asked.include)
    spare(contract for contract, _ in read)
    loads = {side: load for side, (_, load) in zip(("released", "candidate"), read, strict=True)}

    def lines(side: str, location: str) -> int | None:
        file, pointer = Place.read(location)
        if pointer.startswith("L"):
            # It may stand in an archive, which no loader looks into.
            return int(pointer[1:])
        return line_of(loads[side](file), pointer)

    tell("comparing")
    found = compare(*(contract for contract, _ in read), witnesses=asked.witnesses)
    return found.read_with(options(asked.kind, asked.include)), lines


def width_of(output: Path | None) -> int | None:
    """The terminal's width when the ledger goes to one, which then is coloured."""
    if output is not None or not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def render_ledger(
    comparison: Comparison,
    acceptance: Acceptance | None,
    asked: Question,
    place: tuple[int | None, Lines],
    *,
    worded: bool = False,
) -> Clean | bytes:
    """The ledger in the format asked for.

    Args:
        comparison: the ledger.
        acceptance: what is accepted of it.
        asked: the question.
        place: the terminal's width, None for a file, and the lines of parts.
        worded: whether `json` has what the words of its rows are made from, too.
    """
    from evreview.report.ledger_formats import render, worded_json

    if asked.form is DiffForm.ACCEPT:
        from evreview.comparison.accepted_differences import Contents, skeleton

        counting = _counting(asked.fail_on, comparison, acceptance)
        return clean(skeleton(counting, acceptance, clean, Contents(comparison.ledger).of))
    width, lines = place
    if asked.form in (DiffForm.TEXT, DiffForm.HTML):
        return _said(comparison, acceptance, asked, place)
    found: Compared = comparison
    if acceptance is not None:
        from evreview.comparison.accepted_differences import AcceptedComparison

        found = AcceptedComparison(comparison, acceptance)
    if worded and asked.form is DiffForm.JSON:
        return worded_json(found, learnt())
    return render(found, asked.form, width=width, lines=lines, redactor=learnt())


def _said(
    comparison: Comparison, acceptance: Acceptance | None, asked: Question, place: tuple[int | None, Lines]
) -> Clean:
    from evreview.report.ledger_text import Printing, View, ledger_text
    from evreview.report.terminal_text import USUAL, Screen

    width, lines = place
    known = None if acceptance is None else {str(name): each.to_dict() for name, each in acceptance.by_id.items()}
    printing = Printing(
        screen=Screen(columns=width or USUAL, colour=width is not None and not os.environ.get("NO_COLOR")),
        redactor=learnt(),
        contracts=asked.contracts,
        options=asked.options,
        review=asked.review,
        lines=lines,
        accepted=known,
        stale=[] if acceptance is None else [entry.to_dict() for entry in acceptance.stale],
    )
    if asked.form is DiffForm.HTML:
        from evreview.report.pages.ledger_page import ledger_page

        return ledger_page(comparison, printing)
    view = View(show=asked.show, everything=asked.everything, noise=asked.noise, verdict=asked.verdict)
    return ledger_text(comparison, view, printing)


def deliver_ledger(body: Clean | bytes, output: Path | None, form: str) -> None:
    """Write the ledger to a file, to standard output for None."""
    if output is None:
        if isinstance(body, bytes):
            sys.stdout.buffer.write(body)
        else:
            put(body, form)
        return
    from evreview.report.writer import deliver

    deliver(output, body, redactor=detecting())
    # A device may be this very terminal, and then the ledger ends where it ends.
    (say if output.is_file() else warn)(clean(f"wrote {shown(output)}"))


# `evreview diff --history`: several releases in, the ledger of each pair and the compatibility levels out.


@frozen(kw_only=True)
class HistoryRequest:
    """What was asked: the releases in order, how to read and print them, the level that counts, and when to fail."""

    releases: tuple[Path, ...]
    level: CompatibilityLevel
    kind: ContractKind | None
    form: DiffForm
    fail_on: FailOn
    witnesses: bool = True
    include: tuple[Path, ...] = ()


def history(asked: HistoryRequest, output: Path | None) -> int:
    """Write the history; the exit status says whether `--fail-on` was met for the level.

    Args:
        asked: the question.
        output: where it goes; standard output for None and for `-`.
    """
    from evreview.app.commands.history_text import FORMATS, render_history
    from evreview.kinds.compare import compare_history
    from evreview.kinds.load import options, read_all

    output = None if output == Path("-") else output
    if asked.form not in FORMATS:
        return refuse(f"a history has no format {asked.form}. Use --format {' or --format '.join(FORMATS)}")
    if output is not None:
        from evreview.report.writer import require_apart

        require_apart(output, (*asked.releases, *asked.include))
    with working(f"comparing {len(asked.releases)} releases") as tell:
        read = read_all(asked.releases, asked.kind, seen=learn, include=asked.include)
        spare(contract for contract, _ in read)
        tell("comparing")
        compared = compare_history([contract for contract, _ in read], witnesses=asked.witnesses)
        found = compared.read_with(options(asked.kind, asked.include))
        tell("writing the ledgers")
        terminal = output is None and sys.stdout.isatty()
        width = get_terminal_size().columns if terminal else None
        body = render_history(found, asked.form, width=width, redactor=learnt())
    if output is None:
        put(body, asked.form)
    else:
        from evreview.report.writer import deliver

        deliver(output, body, redactor=detecting())
        (say if output.is_file() else warn)(clean(f"wrote {shown(output)}"))
    return ExitStatus.FAIL_ON if history_meets_fail_on(found, asked.level, asked.fail_on) else ExitStatus.DONE


def misused(*, accept: bool) -> int:
    """Refuse options that do not go together: an accept file with a history, or parts of a history without one."""
    if accept:
        return refuse("an accept file is about two contracts. Leave --accept out, or compare two without --history")
    return refuse("more than two contracts, or a level, are a history. Add --history, or name two contracts")


def history_meets_fail_on(found: History, level: CompatibilityLevel, fail_on: FailOn) -> bool:
    """True when `--fail-on` is met: the level is broken, or for `unproven` unknown or without proof."""
    if fail_on is FailOn.NEVER:
        return False
    holds = found.standing(level).holds
    return holds is Tristate.NO or (fail_on is FailOn.UNPROVEN and (holds is Tristate.UNKNOWN or found.unproven(level)))


# A `diff` line without the command-line library, which takes as long to load as a large contract takes to read.
#
# Only a line that is surely right is taken here. Help, abbreviations and every mistake are left to `evreview.app.cli`,
# which stays the description of all commands; a test compares both over generated lines.


VALUED: Final = frozenset(
    {"--kind", "--format", "--fail-on", "--accept", "--output", "-o", "--show", "--verdict", "--config"}
)
FLAGS: Final = frozenset({"--no-witnesses", "--all", "--noise", "--no-config"})
_REPEATED: Final = "--accept"


@dataclass(slots=True)
class _Line:
    """The words of a command line by what they are."""

    paths: list[str] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    def one(self, name: str, default: str) -> str:
        return self.values.get(name, [default])[0]


def plain_question(words: Sequence[str]) -> tuple[Question, Path | None] | None:
    """The question and the output file of a `diff` line, None when the library has to look at it.

    Args:
        words: the command line behind `evreview`.
    """
    line = _line(words[1:]) if words[:1] == ["diff"] else None
    if line is None or len(line.paths) != 2:
        return None
    form, fail_on = line.one("--format", DiffForm.TEXT), line.one("--fail-on", "")
    kind, verdict = line.one("--kind", ""), line.one("--verdict", "")
    if form not in frozenset(DiffForm) or fail_on not in ("", *FailOn):
        return None
    if kind not in ("", *ContractKind) or verdict not in ("", *Verdict):
        return None
    output = line.one("--output", "")
    asked = Question(
        released=Path(line.paths[0]),
        candidate=Path(line.paths[1]),
        kind=ContractKind(kind) if kind else None,
        form=DiffForm(form),
        fail_on=FailOn(fail_on) if fail_on else None,
        accept=tuple(Path(file) for file in line.values.get(_REPEATED, ())),
        witnesses="--no-witnesses" not in line.flags,
        show=line.one("--show", ""),
        everything="--all" in line.flags,
        noise="--noise" in line.flags,
        verdict=Verdict(verdict) if verdict else None,
        config=Path(line.one("--config", "")) if line.one("--config", "") else None,
        no_config="--no-config" in line.flags,
    )
    return asked, Path(output) if output else None


def run_plainly(asked: Question, output: Path | None) -> int:
    """The exit status of a `diff` line that `plain_question` took."""
    prepare_streams()
    stop_in_order()
    return status_of(lambda: diff(asked, output))


def _line(words: Sequence[str]) -> _Line | None:
    """The words sorted out, None for anything out of the ordinary."""
    line = _Line()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, sign, value = word.partition("=")
        if not word.startswith("-"):
            line.paths.append(word)
        elif word in FLAGS:
            line.flags.add(word)
        elif name in VALUED and (sign or rest) and not (sign and name == "-o"):
            given = value if sign else rest.pop(0)
            known = line.values.setdefault("--output" if name == "-o" else name, [])
            if not given or given.startswith("-") or (known and name != _REPEATED):
                return None
            known.append(given)
        else:
            return None
    return line if all(line.paths) else None
