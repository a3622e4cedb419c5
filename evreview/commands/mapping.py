"""`evreview map`: a draft of the mapping from changed code to contract elements."""

from __future__ import annotations

from pathlib import Path

from evreview.app.commands.shell import clean, refuse, say, shown
from evreview.core.vocabulary import ExitStatus


def draft(folder: Path) -> int:
    """Print a draft of mapping entries for each diff of a W1 bundle; every entry waits for its reviewer."""
    import json

    from evreview.app.api import open_bundle, review
    from evreview.workflows.w1.step3_implementation_diff import drafts, is_diff, parse_diff

    bundle = open_bundle(folder)
    diffs = [item for item in bundle.items.values() if item.type == "implementation diff" and is_diff(item.content)]
    if not diffs:
        return refuse(f"{shown(folder)} holds no implementation diff")
    ledger = review(bundle).ledger
    addresses = [] if ledger is None else [str(address) for address in ledger.frame["address"]]
    for item in diffs:
        lines = ["kind: implementation-mapping", f"diff: {item.id}", "mappings:"]
        for each in drafts(parse_diff(item.content, item.file or str(item.id)), addresses):
            where = {"symbol": each.symbol} if each.symbol else {"lines": each.lines, "quote": each.quote}
            told = {"path": each.path, **where, "element": each.element, "why": each.why, "reviewed": False}
            lines += [
                f"  {'-' if at == 0 else ' '} {name}: {json.dumps(value, ensure_ascii=False)}"
                for at, (name, value) in enumerate(told.items())
            ]
        say(clean("\n".join(lines)))
    return ExitStatus.DONE
