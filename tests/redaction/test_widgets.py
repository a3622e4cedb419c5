"""What a notebook saves of a live review: outputs, widget state, and what shows when a face is printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import ipywidgets
import pytest

from evreview.app.workbench import VIEWS, Workbench
from evreview.workflows.widgets.renderables import Renderable
from evreview.workflows.widgets.table import forget
from tests.redaction.seeding import kept, seeded


def faces(bench: Workbench) -> Iterator[tuple[str, Renderable]]:
    """Every face that the notebook can show."""
    for number in range(1, 10):
        yield f"step {number}", bench.step(number)
    for name in VIEWS.get(bench._run.bundle.workflow, {}):
        yield f"view {name}", bench.view(name)
    for name in bench.review.registers:
        yield f"register {name}", bench.register(name)
    yield "gates", bench.gates()
    yield "artifact", bench.artifact()


@pytest.mark.req("C-027", "C-028", "C-029", "C-030", "C-031", "C-032", "C-033", "C-034")
@pytest.mark.parametrize("workflow", ["w1-orders", "w2-orders", "w3-tickets"])
def test_no_output_and_no_widget_state_holds_a_planted_value(workflow: str, project: Path, tmp_path: Path) -> None:
    forget()
    seeded(project / "examples" / workflow, tmp_path / "bundle", values=True)
    bench = Workbench(tmp_path / "bundle", headless=False)
    found, live = {}, 0
    for name, face in faces(bench):
        shown = json.dumps(face._repr_mimebundle_(), ensure_ascii=False)
        live += "application/vnd.jupyter.widget-view+json" in shown
        if held := kept(shown) + kept(f"{face!r} {face} {[face]}"):
            found[name] = held
    assert found == {}
    # The security review stops at the planted secrets, before anything can be answered or turned over.
    assert live > 0 or workflow == "w3-tickets"
    assert kept(json.dumps(ipywidgets.Widget.get_manager_state(), default=str)) == []
