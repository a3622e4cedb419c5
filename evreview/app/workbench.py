"""What the notebook calls: one object that runs the review when it is made and shows each part as a renderable.

It presents; steps, gates and the decision come from `workflows`. Everything shown passes the run's redactor.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import pandas as pd

from evreview.app.example_day import EXAMPLE_DAY, example_time, is_example
from evreview.core.assets import ARTIFACTS, demo_bundle
from evreview.core.errors import BadInput, EvreviewError, bad_input
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import StepState, WorkflowId
from evreview.evidence.bundle_folder import REVIEW, append_decision, set_review_date
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.records.review import Entry
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Redactor
from evreview.report import escape
from evreview.report.escape import csv_cell
from evreview.report.markdown import opening_of, section_of
from evreview.report.template_environment import output_contracts
from evreview.report.writer import replace_outputs
from evreview.workflows.engine.gates import Gate, GateState
from evreview.workflows.engine.halt import first_reason
from evreview.workflows.engine.journal import FILE, entry, extended, read_journal, resume_point, review_id
from evreview.workflows.engine.next_actions import told
from evreview.workflows.engine.step import StepResult
from evreview.workflows.session import Review, Run, begin, dated
from evreview.workflows.w1.timeline import timeline
from evreview.workflows.w1.widgets import compatibility_matrix
from evreview.workflows.w2.widgets.discrepancies import discrepancies, examples
from evreview.workflows.w2.widgets.matrix import evidence_matrix
from evreview.workflows.w3.widgets import abuse_cases, control_table, finding_board, trust_picture
from evreview.workflows.widgets.display_context import now
from evreview.workflows.widgets.first_screen import ANSWER, FirstScreen
from evreview.workflows.widgets.gate_form import Again, GateForm
from evreview.workflows.widgets.renderables import (
    Collapsible,
    DisplayContext,
    Document,
    Listing,
    Markup,
    Renderable,
    Stack,
    column,
    dressed,
    html_widget,
    joined,
    tag,
    text,
)
from evreview.workflows.widgets.row_table import TableRenderable
from evreview.workflows.widgets.styles import TONES
from evreview.workflows.widgets.table import text_of

P = ParamSpec("P")
T = TypeVar("T")

_RUNS: Final[dict[str, Run]] = {}
"""The last run per bundle of this kernel: a rerun of the notebook keeps the steps whose evidence did not change."""


class InputRefused(EvreviewError):
    """The input is bad: what is shown in a notebook cell instead of a traceback, one line per problem."""

    exit_status = BadInput.exit_status


def _told(method: Callable[P, T]) -> Callable[P, T]:
    """The method, with problems of the input shown as lines, redacted, instead of a traceback."""

    @wraps(method)
    def telling(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except BadInput as error:
            raise refusal(error) from None

    return telling


def refusal(error: BadInput) -> InputRefused:
    """The problems as one exception that prints as lines."""
    told = map(Redactor().clean_problem, error.problems)
    return InputRefused("\n".join(f"{problem} [{problem.code}]".replace("\n", " ") for problem in told))


def first_screen(review: Review, link: str = "") -> FirstScreen:
    """What a reader of the review sees first.

    Args:
        review: the finished review.
        link: the fragment where an open gate is answered, "" for none.
    """
    bundle, decision, clean = review.bundle, review.decision, review.redactor.clean
    few = "the request and the authorization alone"
    held = few if bundle.sealed else f"{len(bundle.items)} evidence items"
    judged = f", judged as of {bundle.request.as_of}" if bundle.request.as_of else ""
    return FirstScreen(
        title=clean(bundle.title),
        state=decision.state.value,
        headline=clean(decision.headline),
        reason="".join(clean(plain(each.text)) for each in first_reason(decision)),
        scope=clean(f"{bundle.title}: {held}{judged}, bundle {bundle.digest[:12]}."),
        actions=tuple(clean(plain(action.text)) for action in decision.next_actions),
        answer=link,
        opening=opening_of(review.artifact, _verdict_under(review)),
        timeline=timeline(review, clean),
    )


def _verdict_under(review: Review) -> str:
    """The heading under which the artifact has its verdict."""
    contract = next(each for each in output_contracts() if each.workflow == review.bundle.workflow)
    return contract.verdict.under if contract.verdict else contract.headings[0].name


class Workbench(Renderable):
    """A review in a notebook.

    Args:
        bundle_path: the evidence folder; "" for the bundled demo.
        repository: a git checkout against which commits in integrity statements are verified; "" for none.
        headless: True never makes a widget, False always does, None finds out.
        workflow: the only one that is taken, whose demo an empty path stands for; "" takes any, and W1's demo.

    Raises:
        InputRefused: the bundle has problems; every one is told.
    """

    def __init__(
        self,
        bundle_path: str | Path = "",
        *,
        repository: str | Path = "",
        headless: bool | None = None,
        workflow: str = "",
    ) -> None:
        self.headless = headless
        self._repository = Path(repository) if str(repository) else None
        self.path = Path(bundle_path) if str(bundle_path) else demo_bundle(workflow or "w1")
        self._review: Review | None = None
        self._run = self._begin(workflow)
        self._review = self.review
        self._screens: list[Any] = []

    @_told
    def _begin(self, workflow: str) -> Run:
        name = str(self.path.resolve())
        bundle = open_bundle(self.path, repository=self._repository)
        if workflow and bundle.request.workflow != workflow:
            found = f"the bundle is one of {bundle.request.workflow}, and these steps are those of {workflow}"
            advice = f"Open the notebook of {bundle.request.workflow}"
            raise bad_input("other-workflow", found, file=REVIEW, advice=advice)
        _RUNS[name] = begin(bundle, earlier=_RUNS.get(name))
        return _RUNS[name]

    def step(self, number: int) -> Renderable:
        """Step `number`: its state, reasons and tables."""
        last = len(self._run.flow.steps)
        if not 1 <= number <= last:
            raise ValueError(f"there are steps 1 to {last}")
        bar = StepBar(steps=self._marks(), current=number, headless=self.headless)
        return Stack(parts=[bar, *self._step_parts(number)], headless=self.headless)

    def steps(self) -> Renderable:
        """All nine steps, each folded behind its state, and what they read."""
        marks = self._marks()
        folded = [
            Collapsible(
                title=f"Step {mark.number}, {mark.word}: {mark.title}",
                part=Stack(parts=self._step_parts(mark.number)),
                group="steps",
            )
            for mark in marks
        ]
        read = Collapsible(title="What was read", part=self._read())
        return Stack(parts=[StepBar(steps=marks), read, *folded], headless=self.headless)

    def _step_parts(self, number: int) -> list[Renderable]:
        if number > len(self._run.steps):
            return [self._not_reached(number)]
        return self._step_renderables(self._run.steps[number - 1])

    def answer(self) -> Renderable:
        """The first screen: the decision, who has to act, where it breaks; then where the run stands."""
        link = "Gates" if self._is_open() else ""
        return Stack(parts=[self._first(link), self._standing()], headless=self.headless)

    def _first(self, link: str) -> Renderable:
        return first_screen(self.review, link)

    def _standing(self) -> Renderable:
        return StepBar(steps=self._marks(), short=True)

    def _is_open(self) -> bool:
        return any(gate.state is GateState.OPEN for gate in self.review.facts.gates)

    def section(self, name: str) -> Renderable:
        """A section or card of the artifact by its heading; a line that says so where there is none."""
        found = section_of(self.review.artifact, name)
        if not found:
            return Listing(title=f"The artifact has no section {name!r}.", headless=self.headless)
        if name != _verdict_under(self.review):
            return Document(source=found, headless=self.headless)
        # What the first screen shows is not shown twice.
        rest = found.replace(opening_of(self.review.artifact, name).strip(), "", 1)
        return Document(source=rest, role="matrix", headless=self.headless)

    @property
    @_told
    def review(self) -> Review:
        """The finished review."""
        if self._review is None:
            self._review = self._run.finish()
        return self._review

    def view(self, name: str) -> Renderable:
        """One of the views that the workflow offers; ValueError for one that it has not."""
        offered = VIEWS.get(self._run.bundle.workflow, {})
        if name not in offered:
            raise ValueError(f"{self._run.bundle.workflow} offers the views {', '.join(offered) or 'none'}")
        display = DisplayContext(
            review=self.review,
            name=str(self.path.resolve()),
            append=self._append,
            clean=self._clean,
            headless=self.headless,
        )
        return offered[name](display)

    def matrix(self) -> Renderable:
        """The workflow's matrix: interactive where somebody sits, tables elsewhere."""
        return self.view("matrix")

    def register(self, name: str) -> Renderable:
        """One register of the review as a table; a line that says so when the steps did not reach it."""
        frame = self.review.registers.get(name)
        if frame is None:
            return Listing(title=f"There is no {name} register: its step was not reached.", headless=self.headless)
        return self._table(name, frame)

    def gates(self) -> Renderable:
        """The approval gates; those that are open can be answered where somebody sits."""
        gates = self.review.facts.gates
        if not gates:
            return Listing(title="No gate is asked for, or step 9 was not reached.", headless=self.headless)
        example = is_example(self._run.bundle)
        again = Again(preview=self._as_of, run=self._again, decision=lambda: self.review.decision.headline)
        return GateForm(
            gates=gates,
            append=self._append,
            as_of=str(self.review.bundle.request.as_of or ""),
            clean=self._clean,
            again=again,
            clock=(lambda: example_time(self._run.bundle)) if example else now,
            told_first=EXAMPLE_DAY if example else "",
            headless=self.headless,
        )

    def artifact(self) -> Renderable:
        """The artifact, folded; its Markdown renderable is exactly the bytes that the library renders."""
        text = self.review.artifact
        folded = f"{ARTIFACTS[self._run.bundle.workflow.lower()]}, {text.count(chr(10))} lines"
        return Document(source=text, folded=folded, headless=self.headless)

    @_told
    def export(self, out_dir: str | Path = "") -> Renderable:
        """Write the artifact, the registers and the journal into `out_dir`, whole or not at all; "" writes nothing.

        What an earlier review wrote there and this one does not have is removed.
        """
        if not str(out_dir):
            return Listing(title="Nothing was written: no output folder is set.", headless=self.headless)
        folder = Path(out_dir)
        bundle = self.review.bundle
        earlier = read_journal(folder, review_id(bundle.workflow, bundle.title))
        resumed_at = resume_point(earlier[-1], self.review.steps) if earlier else self._run.resumed_at
        files = outputs(self.review, earlier, resumed_at)
        done = replace_outputs(folder, files, redactor=self.review.redactor)
        kept = tuple(f"{name}, a file that stood in an output's place" for name in done.kept)
        return Listing(title=f"{len(done.names)} files were written.", lines=done.names + kept, headless=self.headless)

    def to_text(self) -> str:
        return self.answer().to_text()

    def to_markdown(self) -> str:
        return self.answer().to_markdown()

    def to_html(self) -> Markup:
        return self.answer().to_html()

    def to_widget(self) -> Any:
        """The first screen, which an answered gate draws anew; open gates are answered right below the decision."""
        from evreview.workflows.widgets.key_guard import KeyGuard
        from evreview.workflows.widgets.row_table_panel import button

        first, standing = html_widget(dressed(self._first("").to_html())), html_widget(text(""))
        standing.value = dressed(self._standing().to_html())
        self._screens.append((first, standing))
        if not self._is_open():
            return column([first, standing])
        place = column([])

        def show() -> None:
            place.children = () if place.children else (self.gates().to_widget(),)

        return column([first, KeyGuard(), button(ANSWER, show), place, standing])

    def _read(self) -> Renderable:
        bundle = self._run.bundle
        counted = f"{len(bundle.items)} evidence items, {len(bundle.decisions.decisions)} recorded decisions"
        lines = (
            "only the request and the authorization were read" if bundle.sealed else counted,
            f"bundle digest sha256:{bundle.digest}",
            f"first step that runs now: {self._run.resumed_at}",
            *(warning.found for warning in bundle.warnings),
        )
        return Listing(title=self._clean(bundle.title), lines=tuple(map(self._clean, lines)))

    def _clean(self, value: str) -> str:
        return self._run.redactor.clean(value)

    def _append(self, entry: Entry) -> None:
        append_decision(self.path, entry)

    def _as_of(self, day: str) -> tuple[str, ...]:
        """What the review comes to on another day, and what is open then that is not now; nothing is written."""
        done = begin(dated(self._run.bundle, day)).finish()
        now = {plain(reason.text) for reason in self.review.decision.reasons}
        new = [text for reason in done.decision.reasons if (text := plain(reason.text)) not in now]
        gone = len(now) - (len(done.decision.reasons) - len(new))
        settled = (f"{gone} open points are settled",) if gone > 0 else ()
        return (f"decision: {done.decision.headline}", *settled, *(f"new: {text}" for text in new[:5]))

    def _again(self, day: str) -> Sequence[Gate]:
        """The gates of the review that takes in what was recorded since, for another day where one is named."""
        if day:
            set_review_date(self.path, day)
        self._run = self._begin("")
        self._review = self._run.finish()
        for first, standing in self._screens:
            first.value = dressed(self._first("").to_html())
            standing.value = dressed(self._standing().to_html())
        return self.review.facts.gates

    def _marks(self) -> tuple[StepMark, ...]:
        ran = {result.number: result for result in self._run.steps}
        return tuple(
            StepMark(number=step.number, title=step.title, state=ran[step.number].state, code=ran[step.number].code)
            if step.number in ran
            else StepMark(number=step.number, title=step.title)
            for step in self._run.flow.steps
        )

    def _not_reached(self, number: int) -> Renderable:
        last = self._run.steps[-1]
        how = "stopped" if last.state is StepState.STOP else "remains"
        code = f" with {last.code}" if last.code else ""
        return Listing(title=f"Step {number} was not reached: the run {how} at step {last.number}{code}.")

    def _step_renderables(self, result: StepResult) -> list[Renderable]:
        word = {StepState.ADVANCE: "done", StepState.REMAIN: "remains", StepState.STOP: "stopped"}[result.state]
        code = f" with {result.code}" if result.code else ""
        reasons = tuple(self._clean(str(reason)) for reason in result.reasons)
        head = Listing(title=f"Step {result.number} {word}{code}: {result.title}", lines=reasons)
        todo = tuple(self._clean(str(action)) for action in result.next_actions)
        renderables: list[Renderable] = [head, *([Listing(title="Next actions", lines=todo)] if todo else [])]
        return [*renderables, *(self._table(name, frame) for name, frame in result.tables.items())]

    def _table(self, name: str, frame: pd.DataFrame) -> Renderable:
        return TableRenderable(frame=frame, title=name.replace("-", " ").capitalize(), clean=self._clean)


# Everything that a finished review writes, by file name, redacted; `Workbench.export` writes it.


SUMMARY: Final = "review.json"
SCHEMA: Final = "evreview.review/1"


def outputs(review: Review, earlier: Sequence[Mapping[str, Any]], resumed_at: int) -> dict[str, Clean]:
    """The artifact, the registers as JSON and CSV, the decision as JSON, and the run journal."""
    redactor = review.redactor
    latest = entry(review.bundle.digest, review.steps, review.decision.headline, resumed_at)
    journal = extended(earlier, latest, review_id(review.bundle.workflow, review.bundle.title))
    files = {
        ARTIFACTS[review.bundle.workflow.lower()]: review.artifact,
        SUMMARY: _json(summary(review), redactor),
        FILE: _json(journal, redactor),
    }
    for name, frame in sorted(review.registers.items()):
        files[f"registers/{name}.json"] = _json(_records(frame), redactor)
        files[f"registers/{name}.csv"] = redactor.clean(_csv(frame, redactor))
    return files


def summary(review: Review) -> dict[str, Any]:
    """The decision and the exit status, for whoever runs the review."""
    decision = review.decision
    return {
        "schema": SCHEMA,
        "artifact": ARTIFACTS[review.bundle.workflow.lower()],
        "bundle": review.bundle.digest,
        "state": str(decision.state),
        "decision": decision.headline,
        "codes": list(decision.codes),
        "reasons": [str(reason) for reason in decision.reasons],
        "next_actions": told(decision.next_actions),
        "path": str(decision.path) if decision.path else None,
        "exit_status": decision.exit_status,
        **({"internal": True} if decision.internal else {}),
        "registers": sorted(review.registers),
    }


def _json(value: object, redactor: Redactor) -> Clean:
    """The value as JSON text, redacted before it is quoted and once more as a whole."""
    plain = json.loads(json.dumps(value, default=text_of))
    return redactor.clean(json.dumps(redactor.clean_json(plain), ensure_ascii=False, indent=2) + "\n")


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    names = [str(name) for name in frame.columns]
    rows = frame.itertuples(index=False, name=None)
    return [{name: _plain(value) for name, value in zip(names, row, strict=True)} for row in rows]


def _plain(value: Any) -> Any:
    """The cell as JSON; an empty one is null, whatever kind of nothing it holds."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return text_of(value) or None


def _csv(frame: pd.DataFrame, redactor: Redactor) -> str:
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow([csv_cell(str(name)) for name in frame.columns])
    for row in frame.itertuples(index=False, name=None):
        writer.writerow([csv_cell(redactor.clean(text_of(value))) for value in row])
    return held.getvalue()


# Where a run stands among its nine steps, in words first and colour second.


WORDS: Final = {StepState.ADVANCE: "done", StepState.REMAIN: "remains", StepState.STOP: "stopped"}
NOT_REACHED: Final = "not reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMark:
    """One step of the bar; `state` is None for a step that was not reached."""

    number: int
    title: str
    state: StepState | None = None
    code: str = ""

    @property
    def word(self) -> str:
        """The state in words, with the failure code."""
        known = WORDS[self.state] if self.state else NOT_REACHED
        return f"{known}, {self.code}" if self.code else known


@dataclass(frozen=True, kw_only=True)
class StepBar(Renderable):
    """All steps in order; `current` is the one being looked at, 0 for none; `short` has one line for each title."""

    steps: Sequence[StepMark]
    current: int = 0
    short: bool = False
    headless: bool | None = None

    def to_text(self) -> str:
        return "\n".join(f"{step.number} {step.title}: {step.word}" for step in self.steps)

    def to_markdown(self) -> str:
        head = "| Step | Title | State |\n|---|---|---|\n"
        return head + "\n".join(
            f"| {step.number} | {escape.cell(step.title)} | {escape.cell(step.word)} |" for step in self.steps
        )

    def to_html(self) -> Markup:
        look = "evr-steps evr-steps-short" if self.short else "evr-steps"
        return tag("ul", joined(self._item(step) for step in self.steps), class_=look, aria_label="Steps")

    def _item(self, step: StepMark) -> Markup:
        tone = TONES.get(str(step.state), "plain") if step.state else "plain"
        here = step.number == self.current
        return tag(
            "li",
            tag("b", text(f"{step.number} {step.word}")),
            tag("span", text(": "), class_="evr-hidden"),
            text(step.title),
            class_=f"evr-{tone}" + (" evr-now" if here else ""),
            aria_current="step" if here else "",
        )


# Which views each workflow offers, by name.


View = Callable[[DisplayContext], Renderable]

VIEWS: Final[Mapping[WorkflowId, Mapping[str, View]]] = {
    WorkflowId.W1: {"matrix": compatibility_matrix},
    WorkflowId.W2: {"matrix": evidence_matrix, "discrepancies": discrepancies, "examples": examples},
    WorkflowId.W3: {
        "trust": trust_picture,
        "controls": control_table,
        "cases": abuse_cases,
        "findings": finding_board,
    },
}
