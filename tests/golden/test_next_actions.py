"""Who acts next: one list, the same on every surface, that never sends people to answer what no answer can permit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from evreview.app.commands.run_summary import Summary, summary_lines
from evreview.app.workbench import first_screen, summary
from evreview.core.quoted_text import UserText, plain
from evreview.core.vocabulary import ExitStatus
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import Approval
from evreview.report.pages.artifact_page import page
from evreview.report.terminal_text import Screen
from evreview.workflows.engine.gates import Gate, GateState
from evreview.workflows.engine.next_actions import ActionKind, NextAction
from evreview.workflows.session import Review, review
from tests.golden import runs, w2_runs, w3_runs
from tests.golden.test_halted import Roles, flat, verdict_block
from tests.golden.unpermitted import UNPERMITTED
from tests.golden.variants import VARIANTS
from tests.golden.w2_variants import VARIANTS as W2_VARIANTS
from tests.golden.w3_variants import VARIANTS as W3_VARIANTS

EXAMPLES: Final = Path(__file__).resolve().parents[2] / "examples"
Finished = Callable[[str], Review]


@cache
def example(name: str) -> Review:
    return review(open_bundle(EXAMPLES / name))


EVERY: Final[list[tuple[Finished, str]]] = [
    *((example, path.name) for path in sorted(EXAMPLES.iterdir()) if path.is_dir()),
    *((runs.finished, one.name) for one in (*VARIANTS, *UNPERMITTED)),
    *((w2_runs.finished, one.name) for one in W2_VARIANTS),
    *((w3_runs.finished, one.name) for one in W3_VARIANTS),
]
each_review = pytest.mark.parametrize(
    ("finished", "name"), EVERY, ids=lambda value: value if isinstance(value, str) else ""
)


def told(done: Review, action: NextAction) -> str:
    return done.redactor.clean(plain(action.text)).rstrip(".")


def yes(gate: Gate, bundle: Bundle, turn: int) -> list[Approval]:
    """Every seat's yes to a gate, each stage behind the one before it, having seen all that is to be reviewed."""
    start = datetime.fromisoformat(f"{bundle.request.as_of}T23:00:00+00:00") + timedelta(minutes=10 * turn)
    order = {capacity: at for at, stage in enumerate(gate.spec.stages) for capacity in stage}
    return [
        Approval.model_validate(
            {
                "gate": gate.spec.id,
                "role": seat.role or "nobody",
                "stands_for": seat.stands_for,
                "client": seat.client or None,
                "decision": "approved",
                "at": start + timedelta(minutes=order[seat.stands_for]),
                "reviewed": gate.spec.reviewed,
                "of": gate.about or None,
            }
        )
        for seat in gate.seats
    ]


def answered(done: Review, rounds: int = 3) -> Review:
    """The review once every seat of every gate said yes, as often as an answer opens another gate."""
    for turn in range(rounds):
        waiting = [gate for gate in done.facts.gates if gate.state in (GateState.OPEN, GateState.REJECTED)]
        if not waiting:
            break
        given = [each for gate in waiting for each in yes(gate, done.bundle, turn)]
        every = done.bundle.decisions.model_copy(update={"decisions": (*done.bundle.decisions.decisions, *given)})
        done = review(replace(done.bundle, decisions=every))
    return done


@each_review
def test_the_first_action_is_the_same_everywhere(finished: Finished, name: str) -> None:
    done = finished(name)
    records = summary(done)["next_actions"]
    assert len(records) == len(done.decision.next_actions) > 0
    first, record = done.decision.next_actions[0], records[0]
    says = told(done, first)
    assert done.redactor.clean(f"{record['who']}: {record['what']}") == says
    assert first_screen(done).actions[0].rstrip(".") == says
    (line,) = [line for line in verdict_block(done) if line.startswith("* Next action: ")]
    assert flat(line).startswith(f"* Next action: {flat(says)}")
    assert flat(says) in flat(Roles(page(done.artifact)).told["next"])
    printed = Summary(headline="", about="", reasons=(), registers={}, artifact="", wrote=(), actions=tuple(records))
    lines = list(summary_lines(printed, Screen(10_000)))
    assert (
        next(flat(each) for each in lines if each.startswith("TO DO"))
        == f"TO DO 1 {flat(plain(first.text)).rstrip('.')}"
    )


@each_review
def test_every_surface_lists_them_in_one_order(finished: Finished, name: str) -> None:
    done = finished(name)
    says = [flat(told(done, each)).casefold() for each in done.decision.next_actions]
    assert [flat(each).rstrip(".").casefold() for each in first_screen(done).actions] == says
    if done.bundle.request.workflow != "w2":
        text = flat(done.artifact.replace("*", "")).casefold()
        places = [text.find(f"next action: {at}. ") for at in range(1, len(says) + 1)]
        assert all(0 <= one < two for one, two in pairwise(places)) and len(says) == len(places)


@each_review
def test_an_answer_comes_first_only_where_answers_permit(finished: Finished, name: str) -> None:
    done = finished(name)
    first = done.decision.next_actions[0]
    if first.kind is ActionKind.ANSWER:
        assert answered(done).exit_status == ExitStatus.DONE
    elif done.exit_status != ExitStatus.DONE and all(seat.is_named for gate in done.facts.gates for seat in gate.seats):
        assert answered(done).exit_status != ExitStatus.DONE


def test_the_examples_show_both() -> None:
    kinds = {name: finished(name).decision.next_actions[0].kind for finished, name in EVERY if finished is example}
    assert len(kinds) == 9 and kinds["w1-orders"] is ActionKind.ANSWER
    assert {kind for name, kind in kinds.items() if name != "w1-orders"} == {ActionKind.SUPPLY}


@each_review
def test_every_action_names_who_acts(finished: Finished, name: str) -> None:
    done = finished(name)
    roles = {value for value in done.bundle.request.roles.model_dump().values() if isinstance(value, str)}
    for each in done.decision.next_actions:
        assert each.who and plain(each.who).strip()
        named = [str(part) for part in each.who if isinstance(part, UserText)]
        assert named or plain(each.who).startswith("nobody is named as ")
        if each.kind is ActionKind.ANSWER:
            assert all(part.split(" for client ")[0] in roles or part in str(done.facts.gates) for part in named)


@pytest.mark.parametrize("workflow", ["w1", "w2", "w3"])
def test_what_is_left_after_a_permission_has_an_owner(workflow: str) -> None:
    done = {
        "w1": lambda: runs.finished("everything-approved"),
        "w2": lambda: w2_runs.with_dispositions("contract"),
        "w3": w3_runs.with_acceptance,
    }[workflow]()
    assert done.exit_status == ExitStatus.DONE
    assert all(isinstance(each.who[0], UserText) for each in done.decision.next_actions)


def test_a_review_of_which_nothing_was_read_cites_only_that() -> None:
    done = w3_runs.finished("f1-no-authorization")
    assert not [each for each in done.decision.next_actions if each.citations]
    assert not [each for each in done.decision.reasons if each.citations]
    assert "E2" in done.artifact
