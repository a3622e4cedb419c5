"""What the notebook calls, on the bundled review and on changed copies of it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

import evreview as ev
from evreview.app.cli import run_command
from evreview.app.workbench import InputRefused, Workbench
from evreview.core.assets import notebook as notebook_of
from evreview.core.errors import BadInput
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import DeltaId
from evreview.report import escape
from evreview.workflows.w1.facts import W1Facts
from evreview.workflows.w1.matrix import row_words
from evreview.workflows.widgets.gate_form import GateForm
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table import Query, forget

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def bench(demo_copy: Path) -> Workbench:
    """The workbench over a copy of the bundled review, headless."""
    forget()
    return Workbench(demo_copy, headless=True)


def test_the_review_runs_when_it_is_made(bench: Workbench) -> None:
    assert len(bench._run.steps) == 9
    kept = bench._run.steps
    assert "| 2 | Build the wire-difference ledger | done |" in bench.step(1).to_markdown()
    assert bench._run.steps == kept


@pytest.mark.parametrize("workflow", ["w1", "w2", "w3"])
def test_the_first_screen_answers_in_the_artifacts_words(workflow: str) -> None:
    bench = Workbench(headless=True, workflow=workflow)
    page, shown = bench.to_html(), bench.to_markdown()
    head, *rest = bench.review.artifact.split("\n## ")
    first = f"## {rest[0]}"
    verdict = [line for line in first.splitlines() if line.startswith("* **")][:5]
    assert [line for line in verdict if line not in shown] == []
    assert 'data-role="decision"' in page and page.index('data-role="decision"') < page.index("evr-steps")
    assert bench.review.decision.headline in shown and "not reached" not in shown
    assert head.splitlines()[0] in shown


def test_every_step_is_folded_behind_its_state(bench: Workbench) -> None:
    page = bench.steps().to_html()
    assert page.count('name="steps"') == 9 and "Step 9, remains: Package and approve" in page
    assert page.count('<details class="evr-fold"') == page.count("<summary>") == 10
    assert f"bundle digest sha256:{bench.review.bundle.digest}" in page


def test_a_section_is_the_artifacts_and_one_that_is_not_there_is_told(bench: Workbench) -> None:
    assert bench.section("Client-impact register").to_markdown() in bench.artifact().to_markdown()
    card = bench.section(bench.review.facts.rows[0].delta.id.lower()).to_text()  # type: ignore[union-attr]
    assert card.startswith("#### ") and card.count("####") == 1, "a card, and no other"
    assert "no section 'Nothing'" in bench.section("Nothing").to_text()


def test_the_artifact_is_folded_on_the_page_only(bench: Workbench) -> None:
    assert bench.artifact().to_html().startswith('<details class="evr-fold"><summary>api-contract-review.md, ')
    assert bench.artifact().to_markdown() == bench.review.artifact


@pytest.mark.parametrize("number", [0, 10, -1])
def test_there_are_nine_steps(bench: Workbench, number: int) -> None:
    with pytest.raises(ValueError, match="1 to 9"):
        bench.step(number)


def test_the_matrix_has_every_row_and_each_opens(bench: Workbench) -> None:
    view = bench.matrix()
    assert isinstance(view, LedgerView) and view.detail is not None
    rows = bench.review.facts.rows
    assert sorted(view.frame["delta_id"]) == sorted(row.delta.id for row in rows)
    for row in rows:
        text = view.detail(row.delta.id).to_text()
        assert row.judgement.why in text and "Evidence: E" in text and str(row.judgement.rule) in text
    with pytest.raises(KeyError):
        view.detail("D-000000000000")


def test_each_command_of_a_card_runs_in_the_folder_of_the_bundle(
    bench: Workbench, demo_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo_copy)
    view: Any = bench.view("matrix")
    commands = {command for key in view.frame[view.key] for _, command in view.detail(key).commands}
    assert sum(" replay " in each for each in commands) == 5
    assert [each for each in commands if run_command(shlex.split(each)[1:]) != 0] == []


def test_the_map_of_a_saved_notebook_is_a_table(bench: Workbench) -> None:
    view: Any = bench.view("matrix")
    tokens = MarkdownIt("commonmark").enable("table").parse(view.heat.to_markdown(str))
    assert [each.type for each in tokens].count("tr_open") == len(view.heat.lines) + 1


def test_the_matrix_says_what_the_artifact_says(bench: Workbench) -> None:
    view = bench.matrix()
    assert isinstance(view, LedgerView)
    facts = bench.review.facts
    assert isinstance(facts, W1Facts)
    words = row_words(facts)
    for row in view.table.page(Query(page_size=100)).rows:
        told = dict(zip([column.name for column in view.shown], row, strict=True))
        spoken = words.texts[DeltaId(told["delta_id"])]
        assert told["what"].startswith(plain(spoken.title)) and told["verdict"] == spoken.verdict
        assert (told["released"], told["candidate"]) == (plain(spoken.released), plain(spoken.candidate))
        assert escape.cell(told["what"].partition("; ")[2]) in bench.review.artifact


def test_the_opened_row_names_the_clients_and_keeps_declared_and_run_apart(bench: Workbench) -> None:
    view = bench.matrix()
    assert isinstance(view, LedgerView) and view.detail is not None
    key = next(iter(view.frame.loc[view.frame["client"].map(len) > 0, "delta_id"]))
    page = view.detail(key).to_html()
    assert "declared: " in page and "run: " in page


def test_the_artifact_is_the_librarys(bench: Workbench, demo_copy: Path) -> None:
    assert bench.artifact().to_markdown() == ev.review(ev.open_bundle(demo_copy)).artifact


DAY = date.today().isoformat()


@pytest.mark.parametrize(
    ("as_of", "today", "state", "then"),
    [(str(date.max), None, "rejected", str(date.max)), ("2026-11-20", True, "rejected", DAY),
     ("2026-11-20", False, "open", "2026-11-20")],
    ids=["in time", "later, and judged as of today", "later, recorded only"],
)  # fmt: skip
def test_an_answer_is_taken_in_at_once(demo_copy: Path, as_of: str, today: bool | None, state: str, then: str) -> None:
    review = demo_copy / "review.yaml"
    review.write_text(review.read_text(encoding="utf-8").replace("'2026-11-20'", f"'{as_of}'"), encoding="utf-8")
    review.write_text(
        review.read_text(encoding="utf-8").replace("title: Orders", "title: Own orders"), encoding="utf-8"
    )
    untouched = [line for line in review.read_text(encoding="utf-8").splitlines() if "as_of" not in line]
    bench = Workbench(demo_copy, headless=False)
    screen = bench.to_widget()
    form = bench.gates()
    assert isinstance(form, GateForm)
    first = screen.children[0]
    panel, before = form.panel, first.value
    gate = next(gate for gate in form.gates if gate.state == "open")
    assert (form.later_day == "") == (today is None)
    if today is not None:
        assert "As of today:" in panel.root.children[2].value and "decision: " in panel.root.children[2].value
        panel.today.value = today
    fields = panel.fields[gate.spec.id]
    fields.seat.value, fields.decision.value = 0, "rejected"
    fields.record.click()
    assert fields.record.disabled, fields.told.value
    assert {gate.spec.id: gate.state for gate in form.gates}[gate.spec.id] == state
    again = ev.open_bundle(demo_copy)
    assert again.request.as_of == then
    assert [line for line in review.read_text(encoding="utf-8").splitlines() if "as_of" not in line] == untouched
    if state == "rejected":
        assert bench.review.artifact == ev.review(again).artifact
        assert "rejected" in first.value and first.value != before and "Decision: " in panel.told.value
        assert (bench._run.resumed_at == 9) == (today is None)
    else:
        assert "as_of in review.yaml" in fields.told.value and first.value == before


def test_the_demo_can_be_answered_to_its_end(demo_copy: Path) -> None:
    """Three answers, each with everything reviewed: the last one permits what was blocked."""
    bench = Workbench(demo_copy, headless=False)
    (first, *_), form = bench.to_widget().children, bench.gates()
    assert isinstance(form, GateForm)
    headlines = [bench.review.decision.headline]
    for _ in range(3):
        gate = next(gate for gate in form.gates if gate.waiting)
        fields = form.panel.fields[gate.spec.id]
        fields.seat.value = gate.seats.index(gate.waiting[0])
        fields.decision.value = "approved"
        for box in fields.reviewed:
            box.value = True
        fields.record.click()
        headlines.append(bench.review.decision.headline)
        assert headlines[-1] in first.value
    assert headlines[-1].startswith("shipment and removal permitted"), (headlines, bench.review.decision.reasons)
    assert ev.review(ev.open_bundle(demo_copy)).exit_status == 0


def test_a_review_that_states_its_day_oddly_is_told_and_loses_nothing(demo_copy: Path) -> None:
    review = demo_copy / "review.yaml"
    own = review.read_text(encoding="utf-8").replace("title: Orders", "title: Own orders")
    odd = own.replace("as_of: '2026-11-20'", "? as_of\n: '2026-11-20'")
    review.write_text(odd, encoding="utf-8")
    form = Workbench(demo_copy, headless=False).gates()
    assert isinstance(form, GateForm)
    gate = next(gate for gate in form.gates if gate.state == "open")
    fields = form.panel.fields[gate.spec.id]
    fields.seat.value, fields.decision.value = 0, "rejected"
    fields.record.click()
    assert "could not be made again" in fields.told.value and "yourself" in fields.told.value
    assert review.read_text(encoding="utf-8") == odd


def test_bad_input_is_told_in_lines_with_every_problem(demo_copy: Path) -> None:
    (demo_copy / "review.yaml").write_text("evreview: 1\nworkflow: w1\nnonsense: 1\n")
    with pytest.raises(InputRefused) as caught:
        Workbench(demo_copy)
    (shown,) = caught.value._render_traceback_()
    with pytest.raises(BadInput) as bad:
        ev.open_bundle(demo_copy)
    assert len(shown.splitlines()) == len(bad.value.problems)
    assert all(f"[{problem.code}]" in shown for problem in bad.value.problems)


def test_a_bundle_of_another_workflow_is_refused_in_words(demo_copy: Path) -> None:
    with pytest.raises(InputRefused) as caught:
        Workbench(demo_copy, headless=True, workflow="w3")
    (shown,) = caught.value._render_traceback_()
    assert "[other-workflow]" in shown and len(shown.splitlines()) == 1
    for name in ("w1", "w2", "w3"):
        assert Workbench(headless=True, workflow=name).path.exists()


def test_a_run_that_stops_says_so_at_every_later_step(demo_copy: Path) -> None:
    name = next((demo_copy / "contracts").glob("*1.5.yaml"))
    name.write_text("openapi: 3.0.3\n  broken: [")
    review = (demo_copy / "review.yaml").read_text(encoding="utf-8")
    stated = [line for line in review.splitlines() if "at commit d8a4b0cf" in line]
    (demo_copy / "review.yaml").write_text(
        review.replace(stated[0], "    integrity: commit d8a4b0cf43fc3f63dc72bdfbb56dcf14e7425530")
    )
    bench = Workbench(demo_copy, headless=True)
    pages = [bench.step(number).to_markdown() for number in range(1, 10)]
    assert len(bench._run.steps) == 1
    assert all("was not reached" in page and "W1-F1" in page for page in pages[1:])
    assert "step 2 was not reached" in bench.matrix().to_text() and "step 9 was not reached" in bench.gates().to_text()
    assert bench.artifact().to_markdown().startswith("# ")


def test_the_export_is_whole_redacted_and_json(bench: Workbench, tmp_path: Path) -> None:
    bench.export(tmp_path / "out")
    names = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert {"api-contract-review.md", "review.json", "journal.json", "registers/gates.csv"} <= names
    summary = json.loads((tmp_path / "out" / "review.json").read_text())
    assert summary["exit_status"] == bench.review.exit_status
    rows = json.loads((tmp_path / "out" / "registers" / "compatibility-matrix.json").read_text())
    assert [row["delta_id"] for row in rows] == [row.delta.id for row in bench.review.facts.rows]


def test_without_a_folder_nothing_is_written(bench: Workbench) -> None:
    assert "Nothing was written" in bench.export("").to_text()


def test_what_is_shown_passes_the_guard(demo_copy: Path) -> None:
    text = (demo_copy / "review.yaml").read_text(encoding="utf-8")
    (demo_copy / "review.yaml").write_text(text.replace("title: Orders API 1.4 to 1.5", f"title: Orders {SECRET}", 1))
    bench = Workbench(demo_copy, headless=True)
    renderables = [bench, bench.matrix(), bench.gates(), bench.artifact(), *(bench.step(n) for n in range(1, 10))]
    for renderable in renderables:
        assert not [kind for kind, data in renderable._repr_mimebundle_().items() if SECRET in str(data)]


@pytest.mark.parametrize("workflow", ["w1", "w2", "w3"])
def test_headless_nothing_needs_ipywidgets(workflow: str) -> None:
    """The extra `run` has none."""
    notebook = json.loads(notebook_of(workflow).read_text(encoding="utf-8"))
    calls = [line for cell in notebook["cells"] if cell["cell_type"] == "code"
             for line in "".join(cell["source"]).splitlines() if line.startswith("review")]  # fmt: skip
    shown = "\n".join(f"({call})._repr_mimebundle_()" for call in ("review", *calls))
    code = f"""
import sys
sys.modules["ipywidgets"] = None
out_dir = ""
from evreview.app.workbench import Workbench
review = Workbench(headless=True, workflow="{workflow}")
{shown}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert len(calls) >= 7 and done.returncode == 0, done.stderr


def test_a_square_of_a_review_says_what_the_client_meets_and_filters_to_it(demo_copy: Path) -> None:
    bench = Workbench(demo_copy, headless=False)
    view: Any = bench.view("matrix")
    facts: Any = bench.review.facts
    panel, heat = view.panel, view.heat
    failing = {(each.client, each.delta_id) for each in facts.impacts if each.executed == "failed"}
    pressed = 0
    for at, line in enumerate(heat.lines):
        for place, (client, word) in enumerate(zip(heat.heads, line.words, strict=True)):
            of = f"{at}:{place}"
            if f'data-of="{of}"' not in panel.widget.controls:
                continue
            panel.receive({"do": "filter", "of": of})
            shown = set(panel.page.keys)
            assert shown and all(client in view.frame.set_index("delta_id")["client"][key] for key in shown)
            assert word != "fails" or any((client, key) in failing for key in shown)
            panel.receive({"do": "filter", "of": of})
            pressed += 1
    assert pressed >= 3 and any("fails" in line.words for line in heat.lines)
