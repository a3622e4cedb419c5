"""`evreview diff`: two contracts in, the ledger with verdicts and proofs out. No bundle, no kernel."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from evreview.commands.shell import clean, refuse, say, shown, working
from evreview.vocab import ContractKind, ExitStatus, ProofStatus, Verdict

if TYPE_CHECKING:
    from evreview.artifacts.ledger_formats import Lines
    from evreview.compare import Comparison
    from evreview.guard import Clean


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was asked: two contracts, how to read them, how to print the answer, and when to fail."""

    released: Path
    candidate: Path
    kind: ContractKind | None
    form: str
    fail_on: str


def diff(asked: Question, output: Path | None) -> int:
    """Write the ledger of two contracts; the exit status says whether `--fail-on` was met."""
    if asked.form == "parquet" and output is None and sys.stdout.isatty():
        return refuse("parquet is binary and cannot be shown on a terminal. Add -o FILE, or choose another --format")
    with working(f"comparing {asked.released} with {asked.candidate}") as tell:
        comparison, lines = _compare(asked, tell)
        tell("writing the ledger")
        body = _render(comparison, asked.form, _width(output), lines)
    _deliver(body, output)
    return ExitStatus.FAIL_ON if is_met(asked.fail_on, comparison) else ExitStatus.DONE


def is_met(fail_on: str, comparison: Comparison) -> bool:
    """True when `--fail-on` is met: a breaking row; for `unproven` also a row that nothing decided or proved."""
    if fail_on == "never":
        return False
    verdicts = {row.judgement.verdict for row in comparison.rows}
    if fail_on == "breaking":
        return Verdict.BREAKING in verdicts
    statuses = {row.proof.status for row in comparison.rows}
    return bool(verdicts & {Verdict.BREAKING, Verdict.UNKNOWN}) or ProofStatus.UNPROVEN in statuses


def _compare(asked: Question, tell: Callable[[str], None]) -> tuple[Comparison, Lines]:
    """The comparison of both contracts, their paths as named, and the lines of their parts."""
    from evreview.compare import compare
    from evreview.contracts.named import read_named
    from evreview.documents.text import line_of

    contracts, loads = [], {}
    for side, path in (("released", asked.released), ("candidate", asked.candidate)):
        tell(f"reading {path}")
        contract, loads[side] = read_named(path, asked.kind)
        contracts.append(contract)

    def lines(side: str, location: str) -> int | None:
        file, _, pointer = location.partition("#")
        return line_of(loads[side](file), pointer)

    tell("comparing")
    return compare(*contracts), lines


def _width(output: Path | None) -> int | None:
    """The terminal's width when the ledger goes to one, which then is coloured."""
    return get_terminal_size().columns if output is None and sys.stdout.isatty() else None


def _render(comparison: Comparison, form: str, width: int | None, lines: Lines) -> Clean | bytes:
    from evreview.artifacts.ledger_formats import render

    return render(comparison, form, width=width, lines=lines)


def _deliver(body: Clean | bytes, output: Path | None) -> None:
    if output is None:
        if isinstance(body, bytes):
            sys.stdout.buffer.write(body)
        else:
            say(body)
        return
    from evreview.artifacts.write import write_outputs

    write_outputs(output.parent, {output.name: body})
    say(clean(f"wrote {shown(output)}"))
