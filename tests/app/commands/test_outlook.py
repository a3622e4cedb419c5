"""`check` tells at once what a run tells one step at a time, and passes nothing that a run then refuses."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evreview.app.commands.bundles import ADVICE, REMEDIES, _about, _alike, outlook
from evreview.core.document_text import parse_text
from evreview.core.quoted_text import UserText, plain
from evreview.core.vocabulary import EvidenceType, ExitStatus, Remedy, StepState, WorkflowId
from evreview.evidence.bundle_reader import examine_bundle, open_bundle
from evreview.report.statement import observed
from evreview.workflows.session import Run, review
from evreview.workflows.w3.authorization import as_authorized
from tests.app.commands.test_new_review import evreview
from tests.conftest import PROJECT
from tests.golden.editing import Append, Delete, Edit, Replace, Set, Variant, build

EXAMPLES = PROJECT / "examples"
MAPPING = "implementation/mapping.yaml"


def edited(folder: Path, example: str, *edits: Edit) -> Path:
    one = Variant(name="one", edits=edits, step=0, state="", exit_status=0)
    return build(one, EXAMPLES / example, folder / "bundle")


@pytest.mark.req("W1I-008", "W1S-012")
@pytest.mark.parametrize(
    ("edits", "codes"),
    [
        ((), []),
        ((Delete("review.yaml", "/protocol"),), ["remains-at-step-1"]),
        ((Delete("review.yaml", "/roles/api_owner"), Delete("review.yaml", "/surface")), ["remains-at-step-1"] * 2),
        ((Delete("review.yaml", "/evidence/E5"),), ["remains-at-step-4", "remains-at-step-8"]),
        (
            (Delete("review.yaml", "/protocol"), Delete(MAPPING, "/mappings/0"), Delete("review.yaml", "/evidence/E5")),
            [f"remains-at-step-{step}" for step in (1, 3, 4, 8)],
        ),
        ((Set("review.yaml", "/plan/mechanisms/0/name", "mesh"),), ["w1-f4"]),
    ],
)
def test_every_step_that_would_not_advance_is_told_at_once(
    tmp_path: Path, edits: tuple[Edit, ...], codes: list[str]
) -> None:
    ahead = outlook(open_bundle(edited(tmp_path, "w1-orders", *edits)))
    assert sorted({problem.code for problem in ahead.problems}) == sorted(set(codes))
    assert len(ahead.problems) >= len(codes)
    assert ahead.reached is not bool(codes)


def test_an_unmapped_branch_is_told_with_its_line_and_the_command_that_maps_it(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w1-orders", Delete(MAPPING, "/mappings/0"))
    (told,) = (one for one in outlook(open_bundle(folder)).problems if one.file.endswith(".diff"))
    assert told.place.startswith("line ") and f"evreview map {folder}" in told.advice


def test_who_has_to_answer_is_named_once_and_no_answer_is_a_problem() -> None:
    ahead = outlook(open_bundle(EXAMPLES / "w1-orders"))
    assert len(ahead.waiting) == len(set(ahead.waiting)) == 3
    assert (ahead.problems, ahead.warnings, ahead.reached) == ((), (), True)


CHECKS, INVENTORY = "checks/contract-checks.yaml", "clients/inventory.yaml"


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (Set(CHECKS, "/checks/1/operation", "GET /v1/order/{orderId}"), "joins-nothing"),
        (Set(CHECKS, "/checks/1/field", "deliveryEstimat"), "joins-nothing"),
        (Set(CHECKS, "/checks/1/aspect", "absent"), "joins-nothing"),
        (Set(INVENTORY, "/clients/1/uses/0/operation", "POST /v1/order"), "joins-nothing"),
        (Set(INVENTORY, "/clients/1/uses/0/fields", ["id", "stat"]), "joins-nothing"),
        (Delete(CHECKS, "/checks/1/parses"), "form-unstated"),
    ],
)
def test_a_record_that_counts_for_nothing_is_named_with_its_place(
    tmp_path: Path, edit: Set | Delete, code: str
) -> None:
    ahead = outlook(open_bundle(edited(tmp_path, "w1-orders", edit)))
    told = [one for one in ahead.warnings if one.code == code]
    assert [(one.file, one.place.startswith("line ")) for one in told] == [(edit.file, True)]


def test_nobody_answers_for_an_owner_that_is_not_named(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w1-orders", Delete(INVENTORY, "/clients/0/owner_role"))
    told = evreview("check", folder)[1]
    assert not [line for line in told.splitlines() if "unknown owner" in line and "evreview approve" in line]
    before = (folder / "decisions.yaml").read_bytes()
    words = ("approve", folder, "ship-breaking-change", "--role", "unknown owner", "--client", "ledger-export", "--yes")
    assert evreview(*words)[0] == 2
    assert (folder / "decisions.yaml").read_bytes() == before


EXPANDS = Set("records/test-run.yaml", "/asserts/1/field", "2020-01-01")
"""The run shows a field that the contract lacks."""


def commands(told: str) -> list[list[str]]:
    """The `evreview` commands that are printed, as words."""
    return [
        shlex.split(line[line.index("evreview approve") :])[1:] for line in told.splitlines() if "waits for" in line
    ]


UNANSWERED = tuple(Set("records/approval.yaml", f"/{field}", "FILL-IN") for field in ("role", "decision", "at"))
"""Nobody has approved the contract of the reference yet."""


@pytest.mark.parametrize(
    ("example", "edits"),
    [
        ("w1-orders", ()),
        ("w2-orders", (EXPANDS,)),
        ("w2-orders", UNANSWERED),
        ("w2-orders", (*UNANSWERED, EXPANDS)),
        ("w3-tickets", ()),
    ],
)
def test_a_missing_answer_is_no_problem_and_its_command_gives_it(
    tmp_path: Path, example: str, edits: tuple[Edit, ...]
) -> None:
    folder = edited(tmp_path, example, *edits)
    ahead = outlook(examine_bundle(folder, whole=True).draft)  # type: ignore[arg-type]
    assert (ahead.problems, ahead.reached, bool(ahead.answers)) == ((), True, bool(edits))
    status, told = evreview("check", folder)
    assert status == 0 and len(commands(told)) == len(ahead.waiting) > 0
    assert review(as_authorized(open_bundle(folder))).exit_status in (ExitStatus.STOPPED, ExitStatus.BLOCKED)
    status, _ = evreview(*commands(told)[0], "--yes")
    assert status == 0
    left = outlook(examine_bundle(folder, whole=True).draft)  # type: ignore[arg-type]
    assert set(left.waiting) < set(ahead.waiting) and len(left.answers) <= len(ahead.answers)


@pytest.mark.parametrize(
    ("words", "status", "decision"),
    [
        (("--role", "Somebody", "--yes"), 2, "FILL-IN"),
        (("--role", "Orders API owner"), 2, "FILL-IN"),
        (("--role", "Orders API owner", "--yes", "--reject"), 0, "rejected"),
    ],
)
def test_only_the_owner_approves_the_contract_and_only_when_asked(
    tmp_path: Path, words: tuple[str, ...], status: int, decision: str
) -> None:
    folder = edited(tmp_path, "w2-orders", *UNANSWERED)
    assert evreview("approve", folder, "contract-approval", *words)[0] == status
    assert parse_text((folder / "records/approval.yaml").read_bytes(), "x")["decision"] == decision  # type: ignore[index, call-overload]
    assert (evreview("check", folder)[0] == 2) is (decision == "rejected")


def test_a_rejected_gate_before_the_last_step_stays_a_problem(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w2-orders", EXPANDS)
    (words,) = commands(evreview("check", folder)[1])
    assert evreview(*words, "--reject", "--yes", "--today")[0] == 0
    ahead = outlook(open_bundle(folder))
    assert ({one.code for one in ahead.problems}, ahead.reached) == ({"stops-at-step-8"}, False)


def test_no_step_is_promised_while_anything_is_wrong(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w1-orders")
    (folder / "clients/inventory.yaml").open("a").write("# read again\n")
    ahead = outlook(examine_bundle(folder).draft)  # type: ignore[arg-type]
    status, told = evreview("check", folder)
    assert (status, ahead.reached) == (2, True) and "will be reached" not in told and "waits for" not in told


SECRET = "token=ghp_abcdefghijklmnopqrstuvwxyz0123456789"
DRAFT = (Set(MAPPING, "/mappings/0/reviewed", False),)


@pytest.mark.parametrize(
    ("edits", "remedies"),
    [
        ((Delete(MAPPING, "/mappings/0"),), {Remedy.MAP}),
        (DRAFT, {Remedy.REVIEW}),
        ((Set(MAPPING, "/mappings/0/quote", "nothing"),), {Remedy.CORRECT_ENTRY, Remedy.MAP}),
        ((Set(MAPPING, "/mappings/6/element", "none"), Set(MAPPING, "/mappings/6/why", "x")), {Remedy.NAME_DIFFERENCE}),
    ],
)
def test_each_cause_of_the_third_step_has_an_advice_of_its_own(
    tmp_path: Path, edits: tuple[Edit, ...], remedies: set[Remedy]
) -> None:
    results, _ = Run(open_bundle(edited(tmp_path, "w1-orders", *edits))).survey()
    assert remedies <= {reason.remedy for reason in results[2].reasons} <= {*remedies, Remedy.NAME_DIFFERENCE}
    assert None not in {reason.remedy for reason in results[2].reasons}


def test_a_secret_in_a_payload_is_told_with_its_line(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w1-orders")
    item = next(one for one in open_bundle(folder).items.values() if one.type == EvidenceType.TEST_RECORD and one.file)
    path = folder / item.file
    path.write_text(f"{path.read_text()}# {SECRET}\n")
    evreview("seal", folder)
    line = len(path.read_text().splitlines())
    (told,) = outlook(open_bundle(folder)).problems
    assert (told.file, told.place, told.advice) == (
        item.file,
        f"line {line}",
        REMEDIES[Remedy.SANITIZE].format(bundle=folder),
    )


def test_what_the_last_step_stands_on_is_told_before_it_runs(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w1-orders", Set("review.yaml", "/surface_complete", False))
    ahead = outlook(open_bundle(folder))
    assert ahead.problems == () and "remains-at-step-9" in {one.code for one in ahead.warnings}


def test_markers_and_digests_hide_nothing_else(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w1-orders", Replace("review.yaml", "title: Orders API 1.4 to 1.5", "title: FILL-IN"),
                    Delete("review.yaml", "/protocol"))  # fmt: skip
    inventory = folder / "clients" / "inventory.yaml"
    inventory.write_text(inventory.read_text() + "# read again\n")
    found = examine_bundle(folder)
    assert {problem.code for problem in found.problems} == {"not-filled-in", "digest-mismatch"}
    assert found.bundle is None and found.draft is not None
    assert [problem.code for problem in outlook(found.draft).problems] == ["remains-at-step-1"]


def test_a_draft_is_no_bundle_where_more_is_wrong(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w1-orders", Set("review.yaml", "/as_of", "soon"))
    assert examine_bundle(folder).draft is None


def test_every_step_has_its_advice() -> None:
    assert set(REMEDIES) == set(Remedy) - {Remedy.ANSWER}
    for workflow in WorkflowId:
        assert set(ADVICE[workflow]) >= {1, 2, 3, 4, 6, 7, 8, 9}


@pytest.mark.parametrize("name", ["w1-orders", "w2-orders", "w3-tickets"])
def test_a_scan_and_a_configuration_are_not_called_plain_text(name: str) -> None:
    assert [warning for warning in examine_bundle(EXAMPLES / name).warnings if warning.code == "plain-text"] == []


# Broken bundles by the hundred: what `check` passes, `run` does not refuse, and it has said every reason of a stop.

BROKEN = 60
"""Of each example; as many again break two things at once."""


def pointers(value: Any, at: str = "") -> Iterator[str]:
    """Every place of a document below its root."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        here = f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
        yield here
        yield from pointers(part, here)


def broken(example: str, seed: int) -> tuple[Edit, ...]:
    """One or two random edits of the request or of a typed body."""
    drawn = random.Random(f"{example} {seed}")
    root = EXAMPLES / example
    documents = {}
    for path in sorted(root.rglob("*.yaml")):
        name = str(path.relative_to(root))
        value = parse_text(path.read_bytes(), name)
        if name == "review.yaml" or (isinstance(value, dict) and "kind" in value):
            documents[name] = sorted(set(pointers(value)) - {"/kind", "/workflow", "/evreview"})
    edits: list[Edit] = []
    for name in drawn.sample(sorted(documents), 1 + seed % 2):
        place = drawn.choice(documents[name])
        change = drawn.choice(["delete", "set", "empty"])
        new: Any = drawn.choice(["changed", 0, None, [], "2020-01-01"]) if change == "set" else []
        edits.append(Delete(name, place) if change == "delete" else Set(name, place, new))
    return tuple(edits)


@pytest.mark.parametrize("seed", range(BROKEN))
@pytest.mark.parametrize("example", ["w1-orders", "w2-orders", "w3-tickets"])
def test_what_check_passes_run_does_not_refuse(tmp_path: Path, example: str, seed: int) -> None:
    found = examine_bundle(edited(tmp_path, example, *broken(example, seed)), whole=True)
    if found.bundle is None:
        assert found.problems
        return
    ahead = outlook(found.bundle)
    run = Run(found.bundle)
    while not run.ended:
        run.advance()
    last = run.steps[-1]
    passes = last.number == 9
    asks = all(reason.remedy is Remedy.ANSWER for reason in last.reasons)
    assert ahead.reached is not bool(ahead.problems) and ahead.reached is (passes or (asks and bool(ahead.answers)))
    told = "\n".join(str(problem) for problem in (*ahead.problems, *ahead.answers, *ahead.warnings))
    if last.state is not StepState.ADVANCE and not passes:
        missed = [plain(reason.text) for reason in last.reasons if plain(reason.text).rstrip(".") not in told]
        # Of a contract that can't be read the reader's own words are told.
        assert missed == [] or (last.code == "W1-F1" and len(ahead.problems) >= len(missed))


def test_the_generated_bundles_are_of_every_sort() -> None:
    edits = [edit for example in ("w1-orders", "w2-orders") for seed in range(BROKEN) for edit in broken(example, seed)]
    assert {type(edit) for edit in edits} == {Delete, Set} and Append not in {type(edit) for edit in edits}
    assert len({(edit.file, getattr(edit, "pointer", "")) for edit in edits}) > BROKEN


@pytest.mark.parametrize("count", [1, 3, 4, 200])
def test_many_reasons_that_say_the_same_are_one_that_names_each(count: int) -> None:
    rows = [f"D-{at:012x}" for at in range(count)]
    alike = [observed("Nothing is mapped to ", UserText(row), ".", remedy=Remedy.MAP) for row in rows]
    others = [
        observed("Nothing is mapped to ", UserText("x"), ".", remedy=Remedy.REVIEW),
        observed("Nothing is mapped to ", UserText("x"), " or ", UserText("y"), "."),
        *[observed("Nothing is mapped.")] * 5,
    ]
    told = list(_alike([*alike, *others]))
    assert [len(each) for each in told] == [*([count] if count > 3 else [1] * count), *[1] * len(others)]
    assert [plain((_about(each),)) for each in told[0]] == rows[: len(told[0])]


def test_check_names_every_row_that_an_unmapped_diff_leaves(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w1-orders", *[Delete(MAPPING, "/mappings/0")] * 6)
    found = examine_bundle(folder).draft
    assert found is not None
    (step,) = [each for each in Run(found).survey()[0] if each.number == 3]
    said = " ".join(problem.found for problem in outlook(found).problems)
    named = [str(part) for each in step.reasons for part in each.text if isinstance(part, UserText)]
    assert len(step.reasons) > 4 and [each for each in named if each not in said] == []


@pytest.mark.parametrize(("name", "answers"), [("w1-orders", 3), ("w3-tickets", 1)])
def test_the_example_can_be_answered_to_its_end_on_any_day(tmp_path: Path, name: str, answers: int) -> None:
    folder = edited(tmp_path, name)
    given = 0
    while asked := commands(evreview("check", folder)[1]):
        assert evreview(*asked[0], "--yes")[0] == 0
        given += 1
    bundle = open_bundle(folder)
    gates = Run(bundle).survey()[1]
    assert given == answers and not [gate for gate in gates if gate.waiting or gate.missing]
    assert bundle.request.as_of == open_bundle(EXAMPLES / name).request.as_of


def test_who_answers_after_others_is_told_so_and_nothing_is_recorded(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w1-orders")
    before = (folder / "decisions.yaml").read_bytes()
    words = ("approve", folder, "ship-breaking-change", "--role", "Release manager", "--yes")
    assert evreview(*words)[0] == 2
    assert (folder / "decisions.yaml").read_bytes() == before
    assert evreview(*words, "--reject")[0] == 0, "a no stands whenever it is said"


def test_what_an_answer_leaves_open_is_told_before_it_is_recorded(tmp_path: Path) -> None:
    """Of the gate after the answer, and of the others where the review's date moves past their evidence."""
    folder = edited(tmp_path, "w1-orders", Set("review.yaml", "/title", "Another review"))
    words = ("--role", "Finance integrations owner", "--client", "ledger-export", "--today", "--yes")
    told = evreview("approve", folder, "ship-breaking-change", *words)[1].splitlines()
    begun = [line.split("  ")[0] for line in told]
    assert [line for line in told if line.startswith("missing")] == ["missing    Release manager has not answered"]
    assert begun.count("then") == 1 and begun.count("as of") == 1


def test_an_answer_is_not_missing_once_it_is_given(tmp_path: Path) -> None:
    folder = edited(tmp_path, "w3-tickets", Set("review.yaml", "/title", "Another review"))
    told = evreview("approve", folder, "execute-locally", "--role", "Product security owner", "--today", "--yes")[1]
    assert not [line for line in told.splitlines() if line.startswith("missing")]
