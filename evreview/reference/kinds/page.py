"""The kinds of discrepancy as a section of the page about references."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from evreview.workflows.w2.discrepancy_kinds import KINDS
from evreview.workflows.w2.discrepancy_kinds.kind import DiscrepancyKind, KindExample
from evreview.workflows.w2.step3_reconcile.discrepancy_register import COLUMNS
from tools.pages.reference import Section, columns

_LEAD: Final = (
    "One row per deviation of contract, code and tests, where it is: a field's deviation is the field's row, not the "
    "body's. Only what is shown makes a row: what the code shows in outline never makes it wider than the contract, "
    "its silence counts where every source was read, and what nothing decides is listed apart. A discrepancy holds "
    "claims back until the owner's role disposes of it in `decisions.yaml`: a `disposition` with the discrepancy's id "
    "as `subject`, `publish: contract` or `publish: withhold`, what was `reviewed`, and as `of` the digest that the "
    "register prints as digest. The register's columns, and the kinds:"
)


def kinds_section() -> Section:
    """The register and every kind with who is hurt, the impact, and what shows it."""
    return Section("Discrepancies", _LEAD, (*columns(COLUMNS), "", *(line for kind in KINDS for line in _kind(kind))))


def _kind(kind: DiscrepancyKind) -> Iterator[str]:
    concerns = ", ".join(kind.concerns)
    yield from (f"### {kind.id}", "")
    yield f"Concern: {concerns}. Compares {kind.compares}. {kind.why}"
    yield ""
    yield f"- Hurt: {kind.breaks}. {kind.impact}"
    if kind.expands:
        yield "- Shows more than the contract says: publication waits for the API owner."
    yield f"- Example: {_example(kind.example)}"
    yield f"- Counter-example: {_example(kind.counter_example)}"
    yield ""


def _example(example: KindExample) -> str:
    """One line: the contract's paths, what stands beside them, the code, what was seen."""
    parts = [f"contract `{_json(example.paths)}`"]
    if example.schemes is not None:
        parts.append("the schemes `token`, `key` and `login`")
    parts.append(f"code `{'; '.join(line.strip() for line in example.code.splitlines() if line.strip())}`")
    parts += [f"declared: {concern} `{name}`" for concern, name, _ in example.declared]
    for seen in example.seen:
        what = f"asserted `{seen.asserts}`" if seen.asserts else f"`{_json(seen.body)}`"
        ended = " and failed" if seen.outcome == "failed" else ""
        parts.append(f"a test saw {seen.status or 'no status told,'} {what}{ended}")
    return "; ".join(parts)


def _json(value: object) -> str:
    return json.dumps(value, default=dict)
