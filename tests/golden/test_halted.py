"""The first screen of every review that a step ends: the step, the reason, and who must act, in each form alike."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from evreview.app.workbench import first_screen
from evreview.core.quoted_text import UserText, bare, plain
from evreview.report.markdown import opening_of
from evreview.report.pages.artifact_page import page
from evreview.report.template_environment import output_contracts
from evreview.report.validate import validate_artifact
from evreview.workflows.session import Review
from tests.golden import runs, w2_runs, w3_runs
from tests.golden.editing import Variant
from tests.golden.variants import VARIANTS
from tests.golden.w2_variants import VARIANTS as W2_VARIANTS
from tests.golden.w3_variants import VARIANTS as W3_VARIANTS
from tests.report.problem_codes import codes

_EVERY = [
    *((runs.finished, one) for one in VARIANTS),
    *((w2_runs.finished, one) for one in W2_VARIANTS),
    *((w3_runs.finished, one) for one in W3_VARIANTS),
]
HALTED = [
    (finished, one) for finished, one in _EVERY if one.state == "stop" or (one.state == "remain" and one.step < 9)
]
Finished = Callable[[str], Review]
each_halted = pytest.mark.parametrize(("finished", "variant"), HALTED, ids=lambda value: getattr(value, "name", ""))
VOID = {"br", "input", "meta", "link", "hr", "img"}


class Roles(HTMLParser):
    """The text of the elements with each `data-role`."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.told: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append(dict(attrs).get("data-role") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        for role in set(filter(None, self._open)):
            self.told[role] = self.told.get(role, "") + data


def verdict_block(done: Review) -> list[str]:
    """The lines of the verdict, without the marks of Markdown."""
    contract = next(each for each in output_contracts() if each.workflow == done.bundle.workflow)
    assert contract.verdict is not None
    block = opening_of(done.artifact, contract.verdict.under).split("\n\n")[0]
    return block.replace("`", "").replace("**", "").replace("\\", "").splitlines()


def flat(text: str) -> str:
    return " ".join(text.replace("`", "").replace("\\", "").split())


def said(done: Review) -> tuple[str, str]:
    """The first reason and what names who must act, as the model has them."""
    first = done.decision.next_actions[0].text[0]
    roles = {value for value in done.bundle.request.roles.model_dump().values() if isinstance(value, str)}
    seats = {str(seat) for gate in done.facts.gates for seat in gate.seats}
    if isinstance(first, UserText):
        assert str(first) in roles | seats
    return flat(done.redactor.clean(plain(bare(done.decision.reasons[0].text)))), flat(str(first))


def test_every_workflow_has_reviews_that_a_step_ends() -> None:
    assert {finished("demo").bundle.workflow for finished, _ in HALTED} == {"W1", "W2", "W3"}
    assert {one.state for _, one in HALTED} == {"stop", "remain"}


@each_halted
def test_decision_reason_and_role_stand_in_the_verdict_block(finished: Finished, variant: Variant) -> None:
    done = finished(variant.name)
    decision, reason, *rest = verdict_block(done)
    why, who = said(done)
    assert f"step {variant.step}" in decision and variant.code in decision and done.decision.headline in decision
    assert why in flat(reason)
    (action,) = [line for line in rest if line.startswith("* Next action: ")]
    assert action.startswith(f"* Next action: {who}: ")


@each_halted
def test_page_and_widget_say_the_same_in_their_blocks(finished: Finished, variant: Variant) -> None:
    done = finished(variant.name)
    why, who = said(done)
    for html in (page(done.artifact), first_screen(done).to_html()):
        told = Roles(html).told
        assert f"step {variant.step}" in told["decision"] and why in flat(told["decision"])
        assert who in flat(told["next"])


@pytest.mark.parametrize(
    ("finished", "variant"),
    [each for each in HALTED if each[1].name in ("step-1-no-api-owner-named", "missing-api-owner")],
    ids=lambda value: getattr(value, "name", ""),
)
def test_where_nobody_is_named_it_says_so(finished: Finished, variant: Variant) -> None:
    done = finished(variant.name)
    assert done.bundle.request.roles.api_owner is None
    assert isinstance(done.decision.next_actions[0].text[0], str)


@pytest.mark.parametrize(("finished", "name"), [
    (runs.finished, "step-4-no-policy"), (w2_runs.finished, "missing-command"),
    (w3_runs.finished, "f2-negative-tests-unstated"),
], ids=["w1", "w2", "w3"])  # fmt: skip
@pytest.mark.parametrize(
    ("mark", "change", "code"),
    [
        (": Reason 1 of ", lambda line: "", "reason-missing"),
        (": Reason 1 of ", lambda line: line.replace("Reason 1 of 1", "Reason 1 of 2"), "count-differs"),
        (": Reason 1 of ", lambda line: line.replace("Reason 1 of 1: ", "Reason 1 of 1: Nearly. "), "said-differently"),
        ("**Next action:**", lambda line: "", "next-action-missing"),
    ],
    ids=["reason-struck", "count", "reason-edited", "action-struck"],
)
def test_a_verdict_that_hides_why_or_who_is_refused(
    finished: Finished, name: str, mark: str, change: Callable[[str], str], code: str
) -> None:
    done = finished(name)
    lines = done.artifact.splitlines(keepends=True)
    at = next(place for place, line in enumerate(lines) if mark.strip(": ") in line)
    lines[at] = change(lines[at])
    assert code in codes(validate_artifact("".join(lines)))
