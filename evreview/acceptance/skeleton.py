"""An accept file to fill in: an entry for every row that counts, nothing decided in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from evreview.acceptance.join import Acceptance, State
from evreview.comparison.comparison import Row
from evreview.evidence.typed_reader import MARK
from evreview.ledger.delta import Delta

_HEAD = """\
# Differences that we accept. Fill in every {mark}; delete the entries that you do not accept.
# reason: why; owner: the role that answers for it; expires: the last day on which it holds, such as 2027-01-31.
# Then: evreview diff RELEASED CANDIDATE --fail-on breaking --accept FILE
"""


def skeleton(
    rows: Iterable[Row], acceptance: Acceptance | None, clean: Callable[[str], str], content: Callable[[Delta], str]
) -> str:
    """The text of an accept file with an entry per row, its reason, owner and expiry left to fill in.

    Args:
        rows: those that count for `--fail-on`.
        acceptance: what is accepted already; rows that it names only get a comment that tells where.
        clean: makes a text of the contracts fit to be printed.
        content: what a row takes in that its id does not say, see `Contents`.
    """
    known = acceptance.by_id if acceptance is not None else {}
    wanted = list(rows)
    lines = [_HEAD.format(mark=MARK)]
    for row in wanted:
        found = known.get(row.delta.id)
        if found is not None and found.state is State.EXPIRED:
            lines.append(clean(f"# {row.delta.id} expired: renew it in {found.entry.file} line {found.entry.line}\n"))
    entries = [_entry(row, clean, content(row.delta)) for row in wanted if row.delta.id not in known]
    return "".join([*lines, "accept:\n" if entries else "accept: []\n", *entries])


def _entry(row: Row, clean: Callable[[str], str], content: str) -> str:
    delta = row.delta
    reached = list(delta.operations)
    # An operation that is not fit to be printed can't be listed: then the id alone decides.
    listed = bool(reached) and all(clean(each) == each for each in reached)
    about = f"{row.judgement.verdict.value}: {row.judgement.rule or 'no rule'} at {delta.address}"
    return (
        f"  - id: {delta.id}\n"
        f"    reason: {MARK}\n"
        f"    owner: {MARK}\n"
        f"    expires: {MARK}\n"
        + (f"    operations: {json.dumps(reached, ensure_ascii=False)}\n" if listed else "")
        + (f'    content: "{content}"\n' if content else "")
        + f"    note: {json.dumps(clean(about))}\n"
    )
