"""`evreview diff --history`: several releases in, the ledger of each pair and the compatibility levels out."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import clean, detecting, learn, learnt, put, refuse, say, shown, spare, warn, working
from evreview.core.vocabulary import Answer, ContractKind, ExitStatus

if TYPE_CHECKING:
    from evreview.comparison.history import History, Level

FORMS: Final = ("table", "json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked: the releases in order, how to read and print them, the level that counts, and when to fail."""

    releases: tuple[Path, ...]
    level: str
    kind: ContractKind | None
    form: str
    fail_on: str
    witnesses: bool = True
    include: tuple[Path, ...] = ()


def history(asked: Asked, output: Path | None) -> int:
    """Write the history; the exit status says whether `--fail-on` was met for the level.

    Args:
        asked: the question.
        output: where it goes; standard output for None and for `-`.
    """
    from evreview.comparison.history import Level, compare_history
    from evreview.kinds.load import options, read_all

    output = None if output == Path("-") else output
    if asked.form not in FORMS:
        return refuse(f"a history has no format {asked.form}. Use --format {' or --format '.join(FORMS)}")
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
        from evreview.report.history_text import render_history

        terminal = output is None and sys.stdout.isatty()
        width = get_terminal_size().columns if terminal else None
        body = render_history(found, asked.form, width=width, guard=learnt())
    if output is None:
        put(body, asked.form)
    else:
        from evreview.report.writer import deliver

        deliver(output, body, guard=detecting())
        (say if output.is_file() else warn)(clean(f"wrote {shown(output)}"))
    return ExitStatus.FAIL_ON if is_met(found, Level(asked.level), asked.fail_on) else ExitStatus.DONE


def misused(*, accept: bool) -> int:
    """Refuse options that do not go together: an accept file with a history, or parts of a history without one."""
    if accept:
        return refuse("an accept file is about two contracts. Leave --accept out, or compare two without --history")
    return refuse("more than two contracts, or a level, are a history. Add --history, or name two contracts")


def is_met(found: History, level: Level, fail_on: str) -> bool:
    """True when `--fail-on` is met: the level is broken, or for `unproven` unknown or without proof."""
    if fail_on == "never":
        return False
    holds = found.standing(level).holds
    return holds is Answer.NO or (fail_on == "unproven" and (holds is Answer.UNKNOWN or found.unproven(level)))
