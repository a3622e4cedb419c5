"""Controls at routes as a heat map, and every cell of the inventory as a table that opens its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import pandas as pd

from evreview.core.quoted_text import counted, plain
from evreview.core.vocabulary import Area
from evreview.evidence.records.security import TrustModel
from evreview.report import escape
from evreview.workflows.w3.artifact.overview import EVERY, squares_by_route
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import (
    AbuseCase,
    ControlCell,
    Disposition,
    RemediationRow,
    SecurityFinding,
    TrustMap,
)
from evreview.workflows.w3.registers import cases_frame, findings_frame, trust_frames
from evreview.workflows.w3.trust.trust_picture import mermaid, svg
from evreview.workflows.widgets.citation_card import Card, quotes
from evreview.workflows.widgets.heat_map import HeatLine, HeatMap
from evreview.workflows.widgets.renderables import (
    Clean,
    DisplayContext,
    Listing,
    Markup,
    Renderable,
    Stack,
    drawn,
    scroller,
    tag,
    text,
)
from evreview.workflows.widgets.row_table import LedgerView, TableRenderable
from evreview.workflows.widgets.table_markup import CAP, Column, Look

CONTROL_COLUMNS: Final = (
    Column("standing", "Standing", Look.BADGE),
    Column("odd", "Beside guarded"),
    Column("area", "Area"),
    Column("control", "Control", Look.CODE),
    Column("route", "Route", Look.CODE),
    Column("why", "Why"),
    Column("evidence", "Evidence", Look.CODE),
)


def control_table(display: DisplayContext) -> Renderable:
    """The control x route matrix of a W3 review, below it what each cell rests on."""
    facts = display.review.facts
    if not isinstance(facts, W3Facts) or facts.inventory is None:
        return Listing(title="There is no control matrix: step 3 was not reached.", headless=display.headless)
    cells = {f"{number}": cell for number, cell in enumerate(facts.inventory.cells, 1)}
    rows = [
        (key, str(each.standing), "yes" if each.odd else "", str(each.area), each.control, each.route, plain(each.why),
         ", ".join(map(str, each.citations)))
        for key, each in cells.items()
    ]  # fmt: skip
    return LedgerView(
        frame=pd.DataFrame(rows, columns=["cell", *(column.name for column in CONTROL_COLUMNS)]),
        key="cell",
        columns=CONTROL_COLUMNS,
        facets=("standing", "odd", "area", "control", "route"),
        heat=area_map(facts),
        detail=partial(_control_card, display, cells),
        clean=display.clean,
        name=f"controls of {display.name}",
        title="What each cell rests on",
        headless=display.headless,
    )


def area_map(facts: W3Facts) -> HeatMap:
    """Routes by areas of controls, in each square what the artifact says there."""
    lines = []
    for route, found in list(squares_by_route(facts).items())[:CAP]:
        values = tuple(dict.fromkeys((route, "", EVERY)))
        looks = tuple(each.challenge if each.holds else each.word for each in found.values())
        label = "every route" if route == EVERY else route
        lines.append(HeatLine(label=label, values=values, words=tuple(map(str, found.values())), looks=looks))
    title = "What the evidence shows of each area's controls at each route."
    return HeatMap(
        title=title, facets=("route", "area"), corner="Route", heads=tuple(map(str, Area)), lines=tuple(lines)
    )


def _words(cell: ControlCell) -> str:
    return f"{cell.standing}, beside guarded routes" if cell.odd else str(cell.standing)


def _control_card(display: DisplayContext, cells: Mapping[str, ControlCell], key: str) -> Card:
    """KeyError for a key that no cell has."""
    each = cells[key]
    facts = (("Area", str(each.area)), ("Route", each.route), ("Standing", _words(each)), ("Why", plain(each.why)))
    return Card(
        title=f"{each.control} on {each.route}",
        facts=facts,
        quotes=quotes(display.review.bundle, each.citations, display.clean),
        clean=display.clean,
        headless=display.headless,
    )


# The findings by disposition as a board, and as a table whose rows open everything that a finding rests on.


FINDING_COLUMNS: Final = (
    Column("disposition", "Disposition", Look.BADGE),
    Column("severity", "Severity"),
    Column("confidence", "Confidence"),
    Column("state", "State", Look.BADGE),
    Column("title", "Finding"),
    Column("route", "Route", Look.CODE),
    Column("evidence", "Evidence", Look.CODE),
)
FINDING_FACETS: Final = ("disposition", "severity", "confidence", "state", "area", "route")


def finding_board(display: DisplayContext) -> Renderable:
    """The findings of a W3 review by disposition."""
    facts = display.review.facts
    if not isinstance(facts, W3Facts) or not facts.rated:
        return Listing(title="Nothing is rated: step 7 was not reached.", headless=display.headless)
    found = {each.candidate.id: each for each in facts.findings}
    planned = {row.finding: row for row in facts.remediation}
    table = LedgerView(
        frame=findings_frame(facts.findings),
        key="finding",
        columns=FINDING_COLUMNS,
        facets=FINDING_FACETS,
        detail=partial(_finding_card, display, found, planned),
        clean=display.clean,
        name=f"findings of {display.name}",
        title="Findings",
        headless=display.headless,
    )
    return Stack(
        parts=[FindingBoard(findings=facts.findings, clean=display.clean, headless=display.headless), table],
        headless=display.headless,
    )


@dataclass(frozen=True, kw_only=True)
class FindingBoard(Renderable):
    """One column per disposition, a short card per finding."""

    findings: Sequence[SecurityFinding]
    clean: Clean = str
    headless: bool | None = None

    def to_text(self) -> str:
        return "\n".join(
            f"{disposition}: {counted(len(found), 'finding')}" + "".join(f"\n- {self._line(each)}" for each in found)
            for disposition, found in self._columns()
        )

    def to_markdown(self) -> str:
        columns = (
            "\n".join(
                [f"**{escape.prose(str(disposition))}** ({len(found)})", ""]
                + [f"- {escape.prose(self._line(each))}" for each in found]
            ).rstrip()
            for disposition, found in self._columns()
        )
        return "\n\n".join(columns)

    def to_html(self) -> Markup:
        columns = [
            tag(
                "div",
                tag("h3", text(f"{disposition} ({len(found)})")),
                *(tag("div", text(self._line(each), 300), class_="evr-card") for each in found),
            )
            for disposition, found in self._columns()
        ]
        label = "Findings by disposition"
        return tag("div", *columns, class_="evr-sides evr-four", role="group", aria_label=label, data_role="matrix")

    def _columns(self) -> Iterator[tuple[Disposition, list[SecurityFinding]]]:
        for disposition in Disposition:
            yield disposition, [each for each in self.findings if each.disposition is disposition]

    def _line(self, each: SecurityFinding) -> str:
        found = each.candidate
        rated = f"{each.severity}, {each.confidence} confidence"
        return self.clean(f"{found.id} ({rated}, {found.state}): {plain(found.title)}" + _at(found.route))


def _at(route: str) -> str:
    return f", {route}" if route else ""


def _finding_card(
    display: DisplayContext, found: Mapping[str, SecurityFinding], planned: Mapping[str, RemediationRow], key: str
) -> Card:
    """KeyError for a key that no finding has."""
    each = found[key]
    about, row = each.candidate, planned.get(key)
    challenged = (f"{plain(one.place)}: {one.standing}, {plain(one.why)}" for one in about.challenges)
    return Card(
        title=f"{about.id} {plain(about.title)}",
        facts=tuple(_facts(each)),
        lists=(
            ("Attacker preconditions", tuple(map(plain, about.preconditions))),
            ("Compensating controls challenged", tuple(challenged)),
            ("Missing", tuple(map(plain, about.missing))),
            ("Remediation", tuple(_remedy(row)) if row else ()),
        ),
        quotes=quotes(display.review.bundle, each.citations, display.clean),
        clean=display.clean,
        headless=display.headless,
    )


def _facts(each: SecurityFinding) -> Iterator[tuple[str, str]]:
    about = each.candidate
    yield "State", str(about.state)
    yield "Severity", f"{each.severity}: {plain(each.severity_why)}"
    yield "Confidence", f"{each.confidence}: {each.confidence_why}"
    yield "Disposition", f"{each.disposition}: {plain(each.disposition_why)}"
    yield "Protected asset", about.asset
    yield "Control", about.control
    yield "Route", about.route
    yield "Attacker position", about.attacker
    yield "Reachability", f"{about.reach}: {plain(about.reach_why)}"
    yield "Observed", plain(about.impact_observed)
    yield "Inferred", plain(about.impact_inferred)
    yield "Safe verification", plain(about.safe_verification)
    yield "Judged digest", about.slice


def _remedy(row: RemediationRow) -> Iterator[str]:
    yield f"Control change: {plain(row.control_change)}"
    yield f"Owner: {plain(row.owner_role)}"
    yield f"Positive tests: {plain(row.positive_tests)}"
    yield f"Negative tests: {plain(row.negative_tests)}"
    yield f"Deployment dependency: {plain(row.deployment)}"
    yield f"Exit evidence: {plain(row.exit_evidence)}"
    yield f"Rollback: {plain(row.rollback)}"
    if row.refused:
        yield f"The supplied remediation is refused: {plain(row.refused)}"


# The abuse cases as a table; a row opens what the case assumes and what evidence says of it.


CASE_COLUMNS: Final = (
    Column("state", "State", Look.BADGE),
    Column("boundary", "Boundary", Look.CODE),
    Column("attacker", "Attacker position", Look.CODE),
    Column("route", "Route", Look.CODE),
    Column("bypass", "Bypass attempted"),
    Column("consequence", "Consequence"),
    Column("candidates", "Findings", Look.CODE),
)
CASE_FACETS: Final = ("state", "boundary", "attacker", "route")


def abuse_cases(display: DisplayContext) -> Renderable:
    """The bounded abuse cases of a W3 review, each a hypothesis until evidence decides it."""
    facts = display.review.facts
    if not isinstance(facts, W3Facts) or not facts.cases:
        return Listing(title="There are no abuse cases: step 4 was not reached.", headless=display.headless)
    return LedgerView(
        frame=cases_frame(facts.cases),
        key="case",
        columns=CASE_COLUMNS,
        facets=CASE_FACETS,
        detail=partial(_case_card, display, {each.id: each for each in facts.cases}),
        clean=display.clean,
        name=f"abuse cases of {display.name}",
        title="Abuse cases",
        headless=display.headless,
    )


def _case_card(display: DisplayContext, found: Mapping[str, AbuseCase], key: str) -> Card:
    """KeyError for a key that no case has."""
    each = found[key]
    return Card(
        title=f"{each.id} at {each.boundary} over {each.route}",
        facts=(
            ("State", str(each.state)),
            ("Attacker position", each.attacker),
            ("Controlled input", plain(each.controlled_input)),
            ("Bypass attempted", plain(each.bypass)),
            ("Consequence", plain(each.consequence)),
        ),
        lists=(("Preconditions", tuple(map(plain, each.preconditions))), ("Findings behind it", each.candidates)),
        quotes=quotes(display.review.bundle, each.citations, display.clean),
        clean=display.clean,
        headless=display.headless,
    )


# The trust map as a picture, and as the table that it is drawn from.


def trust_picture(display: DisplayContext) -> Renderable:
    """Actors, entry points, boundaries and assets of a W3 review, drawn and listed."""
    facts = display.review.facts
    if not isinstance(facts, W3Facts) or facts.model is None or facts.trust is None:
        return Listing(title="There is no trust map: step 2 was not reached.", headless=display.headless)
    frames = trust_frames(facts.trust)
    shown = (("paths", "Ways to the assets"), ("backings", "Support of boundaries and identity transitions"))
    tables = [
        TableRenderable(frame=frames[name], title=title, clean=display.clean, headless=display.headless)
        for name, title in shown
    ]
    picture = TrustPicture(model=facts.model.record, found=facts.trust, clean=display.clean, headless=display.headless)
    return Stack(parts=[picture, *tables], headless=display.headless)


@dataclass(frozen=True, kw_only=True)
class TrustPicture(Renderable):
    """The picture alone: SVG where it can be shown, Mermaid in Markdown, the ways as text."""

    model: TrustModel
    found: TrustMap
    clean: Clean = str
    headless: bool | None = None

    def to_text(self) -> str:
        ways = (" > ".join((each.actor, each.entry_point, *each.boundaries, each.asset)) for each in self.found.paths)
        return "\n".join(["Trust map", *map(self.clean, ways)])

    def to_markdown(self) -> str:
        return escape.fence(mermaid(self.model, self.found, self.clean), "mermaid")

    def to_html(self) -> Markup:
        return scroller(drawn(svg(self.model, self.found, self.clean)), "Trust map")
