"""The abuse cases as a table; a row opens what the case assumes and what evidence says of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from evreview.core.quoted_text import plain
from evreview.workflow.w3.frames import cases_frame
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import AbuseCase
from evreview.workflows.widgets.citation_card import Card, quotes
from evreview.workflows.widgets.faces import Face, Listing, Scene
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table import Column

COLUMNS: Final = (
    Column("state", "State", 12, "badge"),
    Column("boundary", "Boundary", 10, "code"),
    Column("attacker", "Attacker position", 11, "code"),
    Column("route", "Route", 20, "code"),
    Column("bypass", "Bypass attempted", 24),
    Column("consequence", "Consequence", 24),
    Column("candidates", "Findings", 12, "code"),
)
FACETS: Final = ("state", "boundary", "attacker", "route")


def abuse_cases(scene: Scene) -> Face:
    """The bounded abuse cases of a W3 review, each a hypothesis until evidence decides it."""
    facts = scene.review.facts
    if not isinstance(facts, W3Facts) or not facts.cases:
        return Listing(title="There are no abuse cases: step 4 was not reached.", headless=scene.headless)
    return LedgerView(
        frame=cases_frame(facts.cases),
        key="case",
        columns=COLUMNS,
        facets=FACETS,
        detail=partial(_card, scene, {each.id: each for each in facts.cases}),
        clean=scene.clean,
        name=f"abuse cases of {scene.name}",
        title="Abuse cases",
        headless=scene.headless,
    )


def _card(scene: Scene, found: Mapping[str, AbuseCase], key: str) -> Card:
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
        quotes=quotes(scene.review.bundle, each.citations, scene.clean),
        clean=scene.clean,
        headless=scene.headless,
    )
