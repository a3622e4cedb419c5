"""The exercises of every workshop: solutions are right, nothing else is, and no answer is told too early."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evreview.app.example_day import example_time
from evreview.app.workbench import InputRefused
from evreview.app.workshop import Workshop
from evreview.app.workshop.exercise import Exercise, Trial, Words
from evreview.app.workshop.folder import PROGRESS, lay_out
from evreview.app.workshop.w1 import NO_ROUTE
from evreview.app.workshop.w2 import MENDED
from evreview.app.workshop.workshop import EXERCISES
from evreview.evidence.bundle_folder import append_decision
from evreview.workflows.engine.gates import GateState
from evreview.workflows.widgets.gate_form import Answer, approval
from tools.pages.workshop import plan

EVERY = [(name, number) for name, exercises in EXERCISES.items() for number in range(1, len(exercises) + 1)]
ODD = (True, 3.5, {"a": 1}, object(), ["a", None], [[[]]], float("nan"), b"x", "x" * 10_000, "\ud800", "<b>|`x`\n</b>")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Workshop]:
    """The workshop of a workflow, in a folder that the tests of this file share."""
    made: dict[str, Workshop] = {}

    def open_workshop(name: str) -> Workshop:
        if name not in made:
            folder = tmp_path_factory.mktemp(name) / "shop"
            lay_out(folder, name, "{}")
            made[name] = Workshop(name, folder, headless=True)
        return made[name]

    return open_workshop


def answer_gates(workshop: Workshop) -> None:
    """Answer every open gate as its form would: each role in turn, with everything reviewed."""
    bench = workshop.review
    while waiting := [(gate, gate.waiting[0]) for gate in bench.review.facts.gates if gate.state is GateState.OPEN]:
        gate, seat = waiting[0]
        given = Answer(gate=gate.spec.id, seat=seat, decision="approved", reviewed=gate.spec.reviewed, about=gate.about)
        append_decision(bench.path, approval(given, example_time(bench._run.bundle)))
        bench._again("")


def act(workshop: Workshop, number: int) -> None:
    """Do what an exercise asks for besides an answer."""
    if (workshop.workflow, number) == ("w1", 6):
        answer_gates(workshop)
        assert "permitted" in workshop.review.review.decision.headline
        workshop.change(*NO_ROUTE)
    if (workshop.workflow, number) == ("w2", 6):
        workshop.change(*MENDED)


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_the_solution_is_right_and_nothing_else(opened: Callable[[str], Workshop], name: str, number: int) -> None:
    workshop = opened(name)
    before = workshop.solved
    key = workshop.exercises[number - 1].key(workshop)
    started = eval(workshop.exercises[number - 1].start)
    for wrong in ("", None, [], started, "nothing of the kind", *ODD):
        told = workshop.check(number, wrong).to_text()
        assert ": right." not in told
        assert not telling(key, told), f"an answer is told after {wrong!r}"
    assert workshop.solved == before
    act(workshop, number)
    right = workshop.check(number, key.solution).to_text()
    assert ": right." in right and workshop.progress in right
    assert workshop.solved == before | {number}
    assert "solved before" in workshop.check(number, "").to_text()
    assert repr(key.solution) in workshop.solution(number).to_text()
    again = Workshop(name, workshop._folder, headless=True)
    assert again.solved == workshop.solved, "what is solved is known when the notebook is opened again"


def telling(key: Words | Trial, told: str) -> list[str]:
    """The answers in a text that must hold none."""
    if isinstance(key, Trial):
        return [said for said in [json.dumps(key.solution)] if re.search(rf"\b{re.escape(said)}(?!\w)", told)]
    answers = [name for name, stands_for in key.among.items() if stands_for in key.right and not name.isdigit()]
    return [name for name in answers if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", told, re.I)]


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_no_task_or_hint_tells_the_answer(opened: Callable[[str], Workshop], name: str, number: int) -> None:
    workshop = opened(name)
    exercise = workshop.exercises[number - 1]
    key = exercise.key(workshop)
    assert not telling(key, f"{exercise.where} {workshop.hint(number).to_text()}")
    if isinstance(key, Words):
        assert key.right and key.right <= set(key.among.values())
        assert len(set(key.among.values())) > len(key.right), "there is something to choose from"


def test_answers_are_taken_leniently(opened: Callable[[str], Workshop]) -> None:
    workshop = opened("w1")
    key = workshop.exercises[0].key(workshop)
    assert isinstance(key, Words)
    (right,) = key.right
    for said in (f"  {right.lower()} ", f"`{right}`", right[:7], right[2:9], [right], right.replace("D-", "F-")):
        assert key.judge(said).right, said
    others = sorted(set(key.among.values()) - {right})
    assert not key.judge([right, others[0]]).right and not key.judge("D-").right
    two = Words(right=frozenset({"a b", "c d"}), among={"a b": "a b", "c d": "c d", "e f": "e f"}, why="")
    assert two.judge("A  B, c d.").right and two.judge({"c d", "a b"}).right
    assert two.judge("a b").told and not two.judge("a b").right and two.judge("e f").told == ()


def test_a_message_is_judged_by_both_contracts(opened: Callable[[str], Workshop]) -> None:
    workshop = opened("w1")
    key = workshop.exercises[2].key(workshop)
    assert isinstance(key, Trial)
    solution = json.loads(json.dumps(key.solution))
    both = json.loads(json.dumps(key.solution))
    both["items"][0]["deliveryEstimate"] = "2026-01-01"
    (admitted, also) = key.judge(both).told
    assert "admits" in admitted and "admits" in also
    del both["items"][0]["id"]
    assert all("required" in line and " id" in line for line in key.judge(both).told)
    assert key.judge(json.dumps(solution)).right


def test_another_change_than_the_proposed_one_counts(opened: Callable[[str], Workshop]) -> None:
    """The step is that of the participant's own change; a change that stops nothing is told so."""
    workshop = opened("w2")
    workshop.change("contract/orders.yaml", "maximum: 1000", "maximum: 999")
    assert workshop.exercises[5].key(workshop).judge(1).right
    workshop.change("README.md", "a", "b")
    assert not workshop.exercises[5].key(workshop).judge(1).right


@pytest.mark.parametrize(
    "change",
    [("nowhere.yaml", "a", "b"), ("../x", "a", "b"), ("review.yaml", "", "b"), ("review.yaml", "evreview: 1", "x: 1")],
)
def test_a_change_that_can_not_be_made_is_told_in_lines(
    opened: Callable[[str], Workshop], change: tuple[str, str, str]
) -> None:
    with pytest.raises(InputRefused) as caught:
        opened("w1").change(*change)
    assert str(caught.value).endswith("]")


def test_bad_calls_are_told_in_lines(opened: Callable[[str], Workshop], tmp_path: Path) -> None:
    workshop = opened("w3")
    for number in (0, 7, -1, True, "1", None, 1.0):
        for call in (workshop.check, workshop.hint, workshop.solution):
            assert "no such exercise" in call(number).to_text()  # type: ignore[arg-type]
    for call in (lambda: workshop.open_copy("yew"), lambda: Workshop("w9", tmp_path), lambda: Workshop("w1", tmp_path)):
        with pytest.raises(InputRefused):
            call()


@pytest.mark.parametrize("kept", ["", "[]", '{"solved": 3}', '{"solved": [1, 99, "2", true]}', "\x00", "[" * 9999])
def test_a_progress_file_that_says_nothing_readable_solves_nothing(tmp_path: Path, kept: str) -> None:
    lay_out(tmp_path / "shop", "w2", "{}")
    (tmp_path / "shop" / PROGRESS).write_text(kept)
    assert Workshop("w2", tmp_path / "shop", headless=True).solved <= {1}


@pytest.mark.parametrize("name", sorted(EXERCISES))
def test_the_words_are_simple(name: str) -> None:
    """Six exercises in one hour, in sentences of at most twenty words."""
    exercises = EXERCISES[name]
    assert len(exercises) == 6 and sum(minutes for minutes, _, _ in plan(exercises)) == 90
    long = [sentence for exercise in exercises for sentence in sentences(exercise) if len(sentence.split()) > 20]
    assert not long
    assert all(exercise.mistakes and exercise.where.endswith(".") for exercise in exercises)


def sentences(exercise: Exercise) -> Iterator[str]:
    """Every sentence that a participant or a trainer reads."""
    task = re.sub(r"```.*?```", "", exercise.task, flags=re.S)
    for text in (task, exercise.aim, exercise.where, exercise.hint, *exercise.mistakes):
        yield from re.split(r"(?<=[.?!:;])\s+", text)
