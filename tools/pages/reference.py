"""The documentation page about references, made from the rules themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.model import Route
from evreview.workflows.w2.contract_words import SIGNALS, STRUCTURES
from evreview.workflows.w2.discrepancy_kinds import KINDS
from evreview.workflows.w2.discrepancy_kinds.kind import DiscrepancyKind, KindExample
from evreview.workflows.w2.examples.examples import page_lines
from evreview.workflows.w2.matrix import concerns, evidence_matrix
from evreview.workflows.w2.matrix import evidence_matrix as w2_evidence_matrix
from evreview.workflows.w2.matrix.concerns import Inapplicable, Sample
from evreview.workflows.w2.matrix.gap_rules import GapRule
from evreview.workflows.w2.reconcile.reconcile import COLUMNS

HEAD: Final = (
    "# References",
    "",
    "Made from the code by `make docs`; a test keeps it current. A reference says only what the contract",
    "defines. What contract, implementation and tests say of each concern stands in the operation evidence matrix;",
    "what nobody defines is said to be undefined.",
)


@dataclass(frozen=True, slots=True)
class Section:
    """One second-level section of the page: its title, a paragraph, and what follows, line by line."""

    title: str
    lead: str
    lines: tuple[str, ...]


def reference_page() -> str:
    """The page."""
    parts = [*HEAD]
    for section in (*sections(), kinds_section()):
        parts += ["", f"## {section.title}", "", section.lead, "", *section.lines]
    return "\n".join(parts).rstrip("\n") + "\n"


def sections() -> tuple[Section, ...]:
    """Matrix, concerns that do not apply, gaps, and how statements are recognised."""
    return (
        Section(
            "The operation evidence matrix",
            "One row per operation, concern and source. Every concern of every operation is there.",
            columns(evidence_matrix.MATRIX_COLUMNS),
        ),
        Section(
            "When a concern does not apply",
            "The first rule that holds gives the reason. Silence of the code counts only when all of it was read.",
            tuple(line for rule in concerns.RULES for line in _inapplicable(rule)),
        ),
        Section(
            "Gaps",
            "What the evidence lacks, and the reference therefore omits or states to be undefined.",
            (
                *columns(w2_evidence_matrix.GAP_COLUMNS),
                "",
                *(line for rule in w2_evidence_matrix.RULES for line in _gap(rule)),
            ),
        ),
        Section(
            "Statements that OpenAPI has no keyword for",
            "Limits, idempotency, side effects, pagination and rate limits are quoted where a signal is found.",
            tuple(_signals()),
        ),
        Section(
            "Examples",
            "Composed from the contract, accepted by two validators, passed by the guard. The contract's own example is"
            " used, with its place, when it is valid and plainly invented. What the frame holds, why an example is "
            "omitted, and which values stand for which fields and formats:",
            page_lines(),
        ),
    )


def columns(meanings: Mapping[str, str]) -> tuple[str, ...]:
    """A table of columns with their meanings."""
    return ("| Column | Meaning |", "| --- | --- |", *(f"| `{name}` | {says} |" for name, says in meanings.items()))


def _inapplicable(rule: Inapplicable) -> Iterator[str]:
    yield from (f"### {rule.id}", "", f"Concern: {rule.concern}. {rule.why}", "")
    yield from _both(rule.example, rule.counter_example)


def _gap(rule: GapRule) -> Iterator[str]:
    ends = " The operation can't be used without it." if rule.blocks else ""
    absent = " Stated as an absence." if rule.absence else ""
    yield from (f"### {rule.id}", "", f"Concern: {rule.concern}. {rule.why}{ends}{absent}", "")
    yield from _both(rule.example, rule.counter_example)


def _both(example: Sample, counter_example: Sample) -> Iterator[str]:
    yield f"- Example: {_sample(example)}"
    yield f"- Counter-example: {_sample(counter_example)}"
    yield ""


def _sample(sample: Sample) -> str:
    """One line: method and path, the operation as JSON, what stands beside it, and what the code shows."""
    parts = [f"`{sample.method} {sample.path}` `{_json(sample.operation)}`"]
    if sample.document:
        parts.append(f"document `{_json(sample.document)}`")
    parts.append(f"code: {_code(sample.route)}" if sample.route else "code: not read whole")
    return "; ".join(parts)


def _json(value: object) -> str:
    return json.dumps(value, default=dict)


def _code(route: Route) -> str:
    shown: list[str] = [f"reads {each.location} `{each.name}`" for each in route.parameters]
    shown += ["reads a body"] * (route.body is not None)
    shown += [f"sends `{each.status}` with {', '.join(each.headers) or 'no headers'}" for each in route.responses]
    shown += [f"shows {each.concern}" for each in route.notes]
    return ", ".join(shown) or "shows nothing"


def _signals() -> Iterable[str]:
    yield "| Signal | Concern | Where | Found in | Not in | Why |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for each in SIGNALS:
        found, other = each.example, each.counter_example
        yield f"| `{each.id}` | {each.concern} | {each.where} | `{found}` | `{other}` | {each.why} |"
    for name, concern, why in STRUCTURES:
        yield f"| `{name}` | {concern} | structure | | | {why} |"


# The kinds of discrepancy as a section of the page about references.


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
    parts = [f"contract `{_json_text(example.paths)}`"]
    if example.schemes is not None:
        parts.append("the schemes `token`, `key` and `login`")
    parts.append(f"code `{'; '.join(line.strip() for line in example.code.splitlines() if line.strip())}`")
    parts += [f"declared: {concern} `{name}`" for concern, name, _ in example.declared]
    for seen in example.seen:
        what = f"asserted `{seen.asserts}`" if seen.asserts else f"`{_json_text(seen.body)}`"
        ended = " and failed" if seen.outcome == "failed" else ""
        parts.append(f"a test saw {seen.status or 'no status told,'} {what}{ended}")
    return "; ".join(parts)


def _json_text(value: object) -> str:
    return json.dumps(value, default=dict)
