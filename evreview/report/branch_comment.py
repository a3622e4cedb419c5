"""What a branch does to its contracts as one comment of a code host: breaking first, and what to do next.

It is made from the JSON document of `evreview diff --against`, which is redacted. Every word of a contract stands in a
code span, where a code host makes no link, no mention and no reference of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from evreview.core.quoted_text import command_line, counted
from evreview.core.vocabulary import Verdict
from evreview.redaction.detector import Clean
from evreview.report.difference_text import contexts, said
from evreview.report.escape import code
from evreview.report.ledger_formats import NAMES, WORST_FIRST, is_accepted, not_understood, stale
from evreview.report.ledger_markdown import COLUMNS, cells, table

Document = Mapping[str, Any]
SHOWN: Final = 40
"""Rows of a comment; a code host takes 65,536 characters, and nobody reads more."""
_UNKNOWN_CONTRACT: Final = "can't be read"


def branch_comment(document: Document, most: int = SHOWN) -> Clean:
    """The comment, ending with a line end.

    Args:
        document: `evreview.branch/1`.
        most: the rows that are listed; the others are counted.
    """
    lines = [f"### evreview: {_headline(document)}", "", _compared(document), ""]
    contracts = sorted(document["contracts"], key=_gravity)
    room = most
    for contract in contracts:
        part = list(_contract(contract, room))
        room -= min(room, len(_rows(contract)))
        lines += [*part, ""]
    lines += _next_steps(contracts, document["head"])
    return Clean("\n".join(lines).rstrip() + "\n")


def _headline(document: Document) -> str:
    rows = [row for contract in document["contracts"] for row in _rows(contract)]
    counting = [row for row in rows if not is_accepted(row)]
    breaking = sum(row["verdict"] == Verdict.BREAKING for row in counting)
    unknown = sum(row["verdict"] == Verdict.UNKNOWN for row in counting)
    states = [contract["state"] for contract in document["contracts"]]
    parts = [
        f"{counted(breaking, 'difference')} {'breaks' if breaking == 1 else 'break'} old clients" if breaking else "",
        f"{counted(states.count('deleted'), 'contract')} deleted" if "deleted" in states else "",
        f"{counted(states.count('unreadable'), 'contract')} {_UNKNOWN_CONTRACT}" if "unreadable" in states else "",
        f"{unknown} not decided" if unknown else "",
        f"{len(rows) - len(counting)} accepted" if len(rows) > len(counting) else "",
    ]
    if told := ", ".join(part for part in parts if part):
        return told
    if rows:
        return f"{counted(len(rows), 'difference')}, all compatible"
    return "no difference on the wire" if states else "no contract changed"


def _compared(document: Document) -> str:
    """What was compared, and which configuration decides."""
    known = document["configuration"]
    told = f"Compared: {code(document['head'][:12])} with {code(document['base'][:12])}, the last common commit."
    told += f" {counted(document['unchanged'], 'contract')} unchanged."
    if known["file"]:
        told += f" Accepted is what {code(known['file'])} says."
    if known["changed_by_head"]:
        told += " **The configuration of this branch counts once it is merged.**"
    return told


def _rows(contract: Document) -> list[Document]:
    return list(contract["ledger"]["rows"]) if contract["ledger"] else []


def _gravity(contract: Document) -> tuple[bool, int, str]:
    """Contracts that fail first, then those that nobody could read, then the others by their worst row."""
    worst = min((WORST_FIRST[row["verdict"]] for row in _rows(contract)), default=2)
    state = {"unreadable": 0, "deleted": 1}.get(contract["state"], worst)
    return not contract["fails"], state, str(contract["path"])


def _contract(contract: Document, room: int) -> Iterator[str]:
    rows = sorted(_rows(contract), key=lambda row: (is_accepted(row), WORST_FIRST[row["verdict"]]))
    note = f" ({code(contract['note'])})" if contract["note"] else ""
    fails = " — fails this check" if contract["fails"] else ""
    yield f"#### {code(contract['path'])} {contract['kind']}: {contract['state']}{note}{fails}"
    if rows or contract["problems"] or contract["state"] == "changed":
        yield ""
    yield from (f"* {code(problem)}" for problem in contract["problems"])
    if not rows:
        yield from ("no difference on the wire",) * (contract["state"] == "changed")
        return
    if room:
        told = contexts(rows, contract["ledger"][NAMES])
        yield from table(COLUMNS, [cells(row, said(row, told[row["id"]])) for row in rows[:room]])
    if len(rows) > room:
        yield ""
        yield f"and {counted(len(rows) - room, 'more row')}, which the summary of the job lists as far as it has room"
    ledger = contract["ledger"]
    yield from (f"* {code(text)}" for text in (*(text for _, text in stale(ledger)), *not_understood(ledger)))


def _next_steps(contracts: list[Document], head: str) -> list[str]:
    """What to do: look at the worst row, mend or accept it; or read what can't be read."""
    failing = [
        (contract, row)
        for contract in contracts
        for row in sorted(_rows(contract), key=lambda row: WORST_FIRST[row["verdict"]])
        if not is_accepted(row) and row["verdict"] != Verdict.COMPATIBLE
    ]
    if not failing:
        deleted = any(contract["fails"] for contract in contracts)
        return (
            ["Next: keep the deleted contract, or add it to `ignore` of the base's configuration."] if deleted else []
        )
    contract, row = failing[0]
    sides = (contract["ledger"][side]["path"] for side in ("released", "candidate"))
    shown = command_line(("evreview", "diff", *map(str, sides), "--kind", contract["kind"], "--show", row["id"]))
    fetched = command_line(("git", "fetch", "origin", head))
    return [
        f"Next: {code(shown)} shows the first row in full;",
        f"{code(fetched)} brings the commit where your clone lacks it.",
        "Keep the old form beside the new one; or have an owner accept",
        f"{code(row['id'])} in `.evreview.toml` of the base branch, with a reason and a last day.",
    ]
