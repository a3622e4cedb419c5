"""The output contract of an artifact: what it must contain, read from `templates/*.contract.toml`, and some checks.

Checked here: title, preamble, headings and registers. The other checks are beside `validate`.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Self

from pydantic import Field, ValidationError, model_validator

from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import StatementKind, StepState, WorkflowId
from evreview.evidence.claim_types import ClaimKind
from evreview.report.agreement_rules import (
    Agreement,
    Beside,
    Breakdown,
    Closed,
    Count,
    Data,
    Entries,
    Glance,
    Header,
    Index,
    Keyed,
    Measured,
    Naming,
    Pairs,
    Period,
    Quote,
    Recorded,
    RowRule,
    Rows,
    Tally,
)
from evreview.report.escape import NOTHING
from evreview.report.markdown import LABELS, Cell, Document, Heading, Table


class RequiredHeading(Data):
    """A required heading: its exact name and its level."""

    name: str
    level: int = 2

    @property
    def line(self) -> str:
        """The whole line as it must be written."""
        return f"{'#' * self.level} {self.name}"


class Rubric(Data):
    """The column that takes its words from the supplied policy and quotes it, and the words for none."""

    column: str
    unrated: str


class Inventory(Data):
    """The column that names a known client, the row for the others, and the step that fills the register."""

    column: str
    others: str
    step: int


class Identifiers(Data):
    """The ids that a register gives out: its column, and how they read."""

    column: str
    reads: str


class DecisionForm(Data):
    """One way to word the decision: a pattern (groups `step` and `code`), and the state of the last step run.

    `final` says that every step was run; `gates` that no gate may be unanswered; `none` and `some` that there is no
    such row, or one at least.
    """

    says: str
    ends: StepState
    final: bool = False
    gates: bool = False
    none: Rows | None = None
    some: Rows | None = None


class DecisionRule(Data):
    """The decision: how a statement of it starts, under which headings it stands, and what it must agree with.

    `steps` and `gates` are the header lines of those registers, `answered` the states of a gate that keep nothing back,
    `last` the number of the last step. A decision that a step before it ended is followed by a statement that starts
    as `reason` says and repeats one under the second heading; who must act for it is a next action under the first.
    """

    says: str
    reason: str
    under: tuple[str, ...]
    steps: Header
    gates: Header
    answered: tuple[str, ...]
    last: int
    forms: tuple[DecisionForm, ...]


class RunColumns(Data):
    """The columns of a report that tell a retained run: whether it ran, where and how, and how its case ended.

    Without `status` every row ran; without `command` and `revision` the column of the environment tells these too.
    """

    environment: str
    result: str
    status: str = ""
    command: str = ""
    revision: str = ""

    @property
    def named(self) -> frozenset[str]:
        """The columns that there are."""
        every = (self.status, self.environment, self.result, self.command, self.revision)
        return frozenset(name for name in every if name)


class RequiredTable(Data):
    """A register: under which heading it stands and how its header line reads.

    `literal` marks the specification's own headers; `labelled` columns hold labelled fragments only; `leads` is the
    pattern that the first cell starts with; `rows` are first cells that must occur; `column` takes `allowed` values
    only; `status` says that the rows are executed or proposed checks; `claim` is what an item cited in a row permits.
    `words` are the words that a cell of a column starts with; `record` ties columns to the members of the cited record
    whose values they print; `both_contracts` wants the released and the candidate item cited; `gives` are the ids that
    the register gives out, `refers` the columns whose ids some register must have given out. `run` are the columns that
    print what a retained test run and its output hold. A table that is `optional` may be missing.
    """

    under: str
    header: Header
    literal: bool = False
    labelled: tuple[str, ...] = ()
    leads: str = ""
    rows: tuple[str, ...] = ()
    column: str = ""
    allowed: tuple[str, ...] = ()
    status: str = Field(default="", pattern="^(|executed|proposed)$")
    claim: ClaimKind | None = None
    words: dict[str, tuple[str, ...]] = {}
    record: dict[str, tuple[str, ...]] = {}
    rubric: Rubric | None = None
    inventory: Inventory | None = None
    both_contracts: bool = False
    gives: Identifiers | None = None
    refers: tuple[str, ...] = ()
    run: RunColumns | None = None
    optional: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(part.strip() for part in self.header.strip("|").split("|"))

    @model_validator(mode="after")
    def _columns_exist(self) -> Self:
        named = {*self.labelled, *self.words, *self.record, *self.refers, *([self.column] if self.column else [])}
        named |= {part.column for part in (self.rubric, self.inventory, self.gives) if part is not None}
        named |= self.run.named if self.run else frozenset()
        unknown = named - set(self.columns)
        if unknown:
            raise ValueError(f"no such column: {', '.join(sorted(unknown))}")
        return self


class Requirement(Data):
    """Something that a section must say: a statement with `label`, or words that match `says`."""

    code: str
    under: str
    why: str
    label: StatementKind | None = None
    says: str = ""


class Forbidden(Data):
    """Words of ours that a section must not say; words of the subject stand in code and are not meant."""

    code: str
    under: str
    why: str
    says: str


class Statements(Data):
    """The labels, and which kinds cite.

    `results` are patterns of statements and fragments that print how a retained check ended.
    """

    labels: tuple[StatementKind, ...]
    cite: tuple[StatementKind, ...]
    results: tuple[str, ...] = ()


class Verdict(Data):
    """Where the verdict block opens, and how many lines it may have.

    It tells the first of the next actions: of those numbered under the heading `actions`, or of the table `table`,
    whose columns `what` and `who` tell them.
    """

    under: str
    lines: int
    actions: str
    table: str = ""
    what: str = ""
    who: str = ""


class OutputContract(Data):
    """One artifact type: identifier, version, base address, file, audience, and what the document holds."""

    identifier: str
    version: str
    base: str
    workflow: WorkflowId
    file: str
    audience: str
    least_citations: int
    headings: tuple[RequiredHeading, ...]
    statements: Statements
    tables: tuple[RequiredTable, ...]
    requires: tuple[Requirement, ...]
    forbids: tuple[Forbidden, ...] = ()
    verdict: Verdict | None = None
    decision: DecisionRule | None = None
    items: Header | None = None
    """The register of the evidence items: whatever is cited stands in it."""
    counts: tuple[Count, ...] = ()
    rules: tuple[RowRule, ...] = ()
    periods: tuple[Period, ...] = ()
    agrees: tuple[Agreement, ...] = ()
    told: tuple[Keyed, ...] = ()
    same: tuple[tuple[Header, ...], ...] = ()
    """Registers whose first cells give the same ids."""
    tallies: tuple[Tally, ...] = ()
    recorded: tuple[Recorded, ...] = ()
    names_of: tuple[Naming, ...] = ()
    quotes: tuple[Quote, ...] = ()
    closed: tuple[Closed, ...] = ()
    pairs: tuple[Pairs, ...] = ()
    glances: tuple[Glance, ...] = ()
    breakdowns: tuple[Breakdown, ...] = ()
    indexes: tuple[Index, ...] = ()
    entries: tuple[Entries, ...] = ()
    beside: tuple[Beside, ...] = ()
    measured: tuple[Measured, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of the required headings."""
        return frozenset(heading.name for heading in self.headings)

    @property
    def audience_line(self) -> str:
        """The line that names the audience."""
        return f"Audience: {self.audience}"

    @property
    def identity_line(self) -> str:
        """The line that names the contract, its version and its base address."""
        return f"Output contract: {self.identifier}, version {self.version}, {self.base}"

    @property
    def literals(self) -> tuple[str, ...]:
        """The lines that the specification wants exactly as written: its table headers and third-level headings."""
        tables = tuple(table.header for table in self.tables if table.literal)
        return tables + tuple(heading.line for heading in self.headings if heading.level > 2)

    @model_validator(mode="after")
    def _places_exist(self) -> Self:
        places = {table.under for table in self.tables} | {need.under for need in self.requires}
        places |= {rule.under for rule in self.forbids}
        if self.verdict:
            places.add(self.verdict.under)
        if self.decision:
            places |= set(self.decision.under)
        if unknown := places - self.names:
            raise ValueError(f"no such heading: {', '.join(sorted(unknown))}")
        return self


def parse_contract(text: str, file: str) -> OutputContract:
    """The output contract in a TOML text.

    Raises:
        BadInput: it is no TOML, or not an output contract; every problem at once.
    """
    try:
        return OutputContract.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as fault:
        raise BadInput([Problem(code="contract-not-toml", found=str(fault), file=file)]) from None
    except ValidationError as fault:
        raise BadInput(
            Problem(
                code="contract-malformed",
                found=str(error["msg"]),
                file=file,
                place="#/" + "/".join(map(str, error["loc"])),
            )
            for error in fault.errors()
        ) from None


# Title, preamble and headings.


_NEAR = 0.8


def violation(code: str, found: str, line: int, advice: str = "") -> Problem:
    """One violation with its line."""
    return Problem(code=code, found=found, place=f"line {line}", advice=advice)


def check_title(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Exactly one first-level heading, on the first line."""
    titles = [heading for heading in document.headings if heading.level == 1]
    if not titles:
        yield violation("title-missing", "there is no first-level heading", 1, "Write `# <title>` on the first line")
    elif titles[0].line != 1 or not re.match(r"# \S", titles[0].written):
        yield violation("title-not-first", "the title does not stand on the first line as `# <title>`", titles[0].line)
    for extra in titles[1:]:
        yield violation("title-repeated", f"a second first-level heading: {extra.text}", extra.line)


def check_preamble(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Audience and output contract, and nothing else, between the title and the first section."""
    first = next((heading.line for heading in document.headings if heading.level == 2), len(document.lines) + 1)
    written = {line.strip() for line in document.lines[1 : first - 1] if line.strip()}
    for code, line in (("audience-unstated", contract.audience_line), ("contract-unstated", contract.identity_line)):
        if line not in written:
            yield violation(code, f"the line `{line}` is missing below the title", 1)
    for number, line in enumerate(document.lines[1 : first - 1], 2):
        if line.strip() and line.strip() not in (contract.audience_line, contract.identity_line):
            yield violation(
                "preamble-unknown", "only the audience and the output contract stand below the title", number
            )


def check_headings(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every required heading exactly as written, once, in order; other headings are deeper and differ in name."""
    yield from _each_once(document, contract)
    yield from _in_order(document, contract)
    exact = {required.line for required in contract.headings}
    for heading in document.headings:
        if heading.written not in exact and heading.level > 1:
            yield from _other(heading, contract)


def _each_once(document: Document, contract: OutputContract) -> Iterator[Problem]:
    for required in contract.headings:
        lines = [heading.line for heading in document.headings if heading.written == required.line]
        if not lines:
            advice = f"Write `{required.line}` as a whole line"
            yield violation("heading-missing", f"the heading {required.name!r} is missing", len(document.lines), advice)
        for line in lines[1:]:
            yield violation("heading-repeated", f"the heading {required.name!r} appears again", line)


def _in_order(document: Document, contract: OutputContract) -> Iterator[Problem]:
    wanted = [required.line for required in contract.headings]
    last, name = -1, ""
    for heading in document.headings:
        if heading.written in wanted:
            place = wanted.index(heading.written)
            if place < last:
                yield violation("heading-order", f"{heading.text!r} stands after {name!r}", heading.line)
            else:
                last, name = place, heading.text


def _other(heading: Heading, contract: OutputContract) -> Iterator[Problem]:
    for required in contract.headings:
        if heading.text == required.name:
            code = "heading-reused" if heading.level > required.level else "heading-level"
            yield violation(code, f"{heading.written!r} is not {required.line!r}", heading.line)
            return
    near = next((name for name in (required.name for required in contract.headings) if is_near(heading.text, name)), "")
    if near:
        yield violation("heading-near-miss", f"{heading.text!r} is not {near!r}", heading.line, f"Write {near!r}")
    elif heading.level == 2:
        yield violation("heading-unknown", f"{heading.text!r} is no heading of this artifact", heading.line)


def is_near(text: str, name: str) -> bool:
    """True for a heading that reads nearly as another one."""
    one, two = (re.sub(r"[\W_]+", " ", value).strip().lower() for value in (text, name))
    return one == two or difflib.SequenceMatcher(None, one, two).ratio() > _NEAR


def sections(document: Document, contract: OutputContract) -> dict[int, str]:
    """For each 1-based line, the required heading that it stands under, "" before the first."""
    exact = {required.line: required.name for required in contract.headings}
    starts = {heading.line: exact[heading.written] for heading in document.headings if heading.written in exact}
    out: dict[int, str] = {}
    current = ""
    for number in range(1, len(document.lines) + 1):
        current = starts.get(number, current)
        out[number] = current
    return out


# Registers: header lines, places, cells, labels, executed and proposed rows.


EVIDENCE = "Evidence"
_FRAGMENT = re.compile(rf"(?:{'|'.join(LABELS)}):")
_STATUS = {
    "executed": re.compile(r"\b(?:proposed|unexecuted|not executed)\b", re.I),
    "proposed": re.compile(r"\bexecuted:", re.I),
}
_OTHER = {"executed": "Proposed check", "proposed": "Executed check"}


def check_tables(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every register stands under its heading with its header line; rows are as wide as the header and not empty."""
    under = sections(document, contract)
    for required in contract.tables:
        yield from _required(document, required, under)
    for table in document.tables:
        yield from _shape(table)
    for required, table in required_tables(document, contract):
        yield from _rows(required, table)


def required_tables(document: Document, contract: OutputContract) -> Iterator[tuple[RequiredTable, Table]]:
    """The registers of the document with their part of the contract."""
    under = sections(document, contract)
    for table in document.tables:
        for required in contract.tables:
            if table.header == required.header and under[table.line] == required.under:
                yield required, table


def is_empty_row(row: tuple[Cell, ...]) -> bool:
    """True for the row that says that a register has none."""
    return bool(row) and row[0].full.startswith(NOTHING)


def _required(document: Document, required: RequiredTable, under: dict[int, str]) -> Iterator[Problem]:
    lines = [
        number
        for number, line in enumerate(document.lines, 1)
        if line == required.header and number not in document.literal_lines
    ]
    tables = {table.line for table in document.tables if table.header == required.header}
    code = "literal-header-missing" if required.literal else "register-missing"
    if not required.optional and not any(under[line] == required.under for line in tables & set(lines)):
        start = next((line for line, name in under.items() if name == required.under), len(document.lines))
        yield violation(code, f"the table {required.header!r} is missing under {required.under!r}", start)
    for line in lines:
        if line not in tables:
            yield violation("delimiter-row-missing", "the header line has no delimiter row of its width", line)


def _shape(table: Table) -> Iterator[Problem]:
    width = table.widths[0]
    for offset, found in enumerate(table.widths[1:], 1):
        if found != width:
            yield violation("row-width", f"the row has {found} cells, its header {width}", table.line + offset)
    if not table.rows:
        yield violation("register-without-row", f"the table has no row; say {NOTHING!r} in one", table.line)


def _rows(required: RequiredTable, table: Table) -> Iterator[Problem]:
    for index, row in enumerate(table.rows):
        line = table.row_line(index)
        for column, cell in zip(table.columns, row, strict=False):
            if not cell.full.strip():
                yield violation("empty-cell", f"the cell under {column!r} is empty", line)
        if is_empty_row(row):
            continue
        yield from _row(required, table, dict(zip(table.columns, row, strict=False)), line)
    firsts = {row[0].full.strip().lower() for row in table.rows if row and not is_empty_row(row)}
    for name in required.rows:
        if name.lower() not in firsts and not any(is_empty_row(row) for row in table.rows):
            yield violation("row-missing", f"the row {name!r} is missing", table.line)


def not_allowed(  # noqa: PLR0913  all that the message names
    table: Table, row: str, column: str, word: str, allowed: Iterable[str], line: int
) -> Problem:
    """That a cell has a word which its column does not take, with table, row, column and the words that it takes."""
    where = f"the row {row.strip()[:60]!r} of the table under {table.heading!r}"
    return violation(
        "value-not-allowed", f"{column!r} takes only: {' | '.join(allowed)}; {where} has {word[:60]!r}", line
    )


def _row(required: RequiredTable, table: Table, row: dict[str, Cell], line: int) -> Iterator[Problem]:
    first = next(iter(row.values()))
    if required.leads and not re.match(required.leads, first.full):
        yield violation("identifier-missing", "the first cell does not start with its identifier", line)
    for column in required.labelled:
        yield from _labelled(column, row[column], line)
    if required.column and not _allowed(row[required.column].full, required.allowed):
        yield not_allowed(table, first.full, required.column, row[required.column].full, required.allowed, line)
    for column, allowed in required.words.items():
        if row[column].full.strip().split(" (")[0] not in allowed:
            yield not_allowed(table, first.full, column, row[column].full, allowed, line)
    if required.status:
        yield from _status(required, row, line)


def _allowed(text: str, allowed: tuple[str, ...]) -> bool:
    return re.split(r"[:;,(]", text.strip().lower())[0].strip() in allowed


def _labelled(column: str, cell: Cell, line: int) -> Iterator[Problem]:
    for part in cell.fragments:
        labels = _FRAGMENT.findall(part)
        if not labels or not part.startswith(labels[0]):
            yield violation("fragment-unlabelled", f"a fragment under {column!r} has no label", line)
        elif len(labels) > 1:
            yield violation("fragment-mixed", f"a fragment under {column!r} has more than one label", line)


def _status(required: RequiredTable, row: dict[str, Cell], line: int) -> Iterator[Problem]:
    text = " ".join(cell.text for cell in row.values())
    if _OTHER[required.status] + ":" in text or _STATUS[required.status].search(text):
        yield violation(f"not-{required.status}", f"the row under {required.under!r} is not {required.status}", line)
    for column in ("Command", "Revision", "Fixture or environment", "Result"):
        said = row[column].full.strip().lower() if column in row else "-"
        if required.status == "executed" and said in ("", "n/a", "none", "unknown", "(empty)", "not recorded"):
            yield violation("executed-incomplete", f"an executed check names its {column.lower()}", line)
