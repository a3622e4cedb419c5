"""The findings by disposition as a board, and as a table whose rows open everything that a finding rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from evreview.core.quoted_text import counted, plain
from evreview.report import escape
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import Disposition, RemediationRow, SecurityFinding
from evreview.workflows.w3.step7_rating import findings_frame
from evreview.workflows.widgets.citation_card import Card, quotes
from evreview.workflows.widgets.faces import Clean, Face, Listing, Markup, Scene, Stack, tag, text
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table import Column

COLUMNS: Final = (
    Column("disposition", "Disposition", 12, "badge"),
    Column("severity", "Severity", 9),
    Column("confidence", "Confidence", 9),
    Column("state", "State", 11, "badge"),
    Column("area", "Area", 12),
    Column("title", "Finding", 28),
    Column("route", "Route", 18, "code"),
    Column("asset", "Asset", 10, "code"),
    Column("evidence", "Evidence", 14, "code"),
)
FACETS: Final = ("disposition", "severity", "confidence", "state", "area", "route")


def finding_board(scene: Scene) -> Face:
    """The findings of a W3 review by disposition."""
    facts = scene.review.facts
    if not isinstance(facts, W3Facts) or not facts.rated:
        return Listing(title="Nothing is rated: step 7 was not reached.", headless=scene.headless)
    found = {each.candidate.id: each for each in facts.findings}
    planned = {row.finding: row for row in facts.remediation}
    table = LedgerView(
        frame=findings_frame(facts.findings),
        key="finding",
        columns=COLUMNS,
        facets=FACETS,
        detail=partial(_card, scene, found, planned),
        clean=scene.clean,
        name=f"findings of {scene.name}",
        title="Findings",
        headless=scene.headless,
    )
    return Stack(
        parts=[FindingBoard(findings=facts.findings, clean=scene.clean, headless=scene.headless), table],
        headless=scene.headless,
    )


@dataclass(frozen=True, kw_only=True)
class FindingBoard(Face):
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
                tag("h5", text(f"{disposition} ({len(found)})")),
                *(tag("div", text(self._line(each), 300), class_="evr-card") for each in found),
            )
            for disposition, found in self._columns()
        ]
        return tag("div", *columns, class_="evr-sides evr-four", role="group", aria_label="Findings by disposition")

    def _columns(self) -> Iterator[tuple[Disposition, list[SecurityFinding]]]:
        for disposition in Disposition:
            yield disposition, [each for each in self.findings if each.disposition is disposition]

    def _line(self, each: SecurityFinding) -> str:
        found = each.candidate
        rated = f"{each.severity}, {each.confidence} confidence"
        return self.clean(f"{found.id} ({rated}, {found.state}): {plain(found.title)}" + _at(found.route))


def _at(route: str) -> str:
    return f", {route}" if route else ""


def _card(scene: Scene, found: Mapping[str, SecurityFinding], planned: Mapping[str, RemediationRow], key: str) -> Card:
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
        quotes=quotes(scene.review.bundle, each.citations, scene.clean),
        clean=scene.clean,
        headless=scene.headless,
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
