"""The trust map as a picture, and as the table that it is drawn from."""

from __future__ import annotations

from dataclasses import dataclass

from evreview.evidence.records.security import TrustModel
from evreview.report import escape
from evreview.security.trust.frames import trust_frames
from evreview.security.trust.picture.mermaid import mermaid
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import TrustMap
from evreview.workflows.w3.step2_trust_drawing import svg
from evreview.workflows.widgets.faces import Clean, Face, Listing, Markup, Scene, Stack, drawn, tag
from evreview.workflows.widgets.table import TableFace


def trust_picture(scene: Scene) -> Face:
    """Actors, entry points, boundaries and assets of a W3 review, drawn and listed."""
    facts = scene.review.facts
    if not isinstance(facts, W3Facts) or facts.model is None or facts.trust is None:
        return Listing(title="There is no trust map: step 2 was not reached.", headless=scene.headless)
    frames = trust_frames(facts.trust)
    shown = (("paths", "Ways to the assets"), ("backings", "Support of boundaries and identity transitions"))
    tables = [
        TableFace(frame=frames[name], title=title, clean=scene.clean, headless=scene.headless) for name, title in shown
    ]
    picture = TrustPicture(model=facts.model.record, found=facts.trust, clean=scene.clean, headless=scene.headless)
    return Stack(parts=[picture, *tables], headless=scene.headless)


@dataclass(frozen=True, kw_only=True)
class TrustPicture(Face):
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
        return tag("div", drawn(svg(self.model, self.found, self.clean)), class_="evr-wide")
