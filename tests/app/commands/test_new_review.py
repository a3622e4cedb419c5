"""From two tags to the last step: what a person types, what comes from the repository, what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.app.commands.bundles import outlook
from evreview.core.vocabulary import Remedy
from evreview.evidence.bundle_reader import examine_bundle, open_bundle
from evreview.evidence.renewed_digests import renew_digests
from evreview.workflows.session import Run
from tests.repositories import CANDIDATE, RELEASED, parcels, repository

NEW = ("--from", "v1.0", "--to", "v1.1", "--contract", "api/openapi.yaml", "--code", "parcels")


def evreview(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    return done.exit_code, done.output


def started(folder: Path, root: Path) -> Path:
    status, told = evreview("new", "w1", folder, "--repo", root, *NEW)
    assert status == 0, told
    return folder


def filled(folder: Path) -> int:
    """How many values a person typed to fill a bundle in."""
    typed = 0
    for name in ("review.yaml", "policy.yaml", "mapping.yaml"):
        text = (folder / name).read_text()
        text, marks = re.subn(r"(?m)^(\s*[a-z_]+: )FILL-IN$", r"\1API owner", text)
        text, drafts = re.subn(r"reviewed: false", "reviewed: true", text)
        text = re.sub(r'why: ""', "why: nothing of it is seen outside", text)
        (folder / name).write_text(text)
        typed += marks + drafts
    return typed


def test_two_tags_reach_the_last_step_with_at_most_ten_typed_values(tmp_path: Path) -> None:
    folder = started(tmp_path / "review", parcels(tmp_path / "r"))
    assert filled(folder) <= 10
    assert {one.file for one in renew_digests(folder, write=False)} == {"mapping.yaml", "policy.yaml"}
    assert evreview("seal", folder, "--check")[0] == 2
    assert evreview("seal", folder)[0] == 0
    assert evreview("seal", folder, "--check")[0] == 0
    ahead = outlook(open_bundle(folder))
    assert (ahead.problems, ahead.answers, ahead.reached) == ((), (), True)
    assert [(gate, seat.role, seat.stands_for) for gate, seat in ahead.waiting] == [
        ("ship-breaking-change", "API owner", "api-owner"),
        ("ship-breaking-change", "API owner", "release-manager"),
    ]
    bundle = open_bundle(folder)
    assert set(bundle.items["E1"].parts) == {"contracts/released/api/schemas.yaml"}
    record = bundle.items["E4"].record
    assert [(each.symbol, each.element.rpartition(" > ")[2]) for each in record.mappings] == [  # type: ignore[union-attr]
        ("STATES", "state"),
        ("shown", "weight"),
    ]


def test_what_is_marked_is_told_and_hides_nothing(tmp_path: Path) -> None:
    found = examine_bundle(started(tmp_path / "review", parcels(tmp_path / "r")))
    assert [problem.code for problem in found.problems] == ["not-filled-in"] * 3
    assert found.draft is not None
    assert {problem.code for problem in outlook(found.draft).problems} == {"remains-at-step-3"}


def test_every_one_of_two_hundred_functions_has_its_entry(tmp_path: Path) -> None:
    before = "\n\n".join(f"def read_{n}(value):\n    return value" for n in range(200)) + "\n"
    code = {"parcels/many.py": before}
    after = {"parcels/many.py": before.replace("return value", "return value or None")}
    root = repository(tmp_path / "r", ({**RELEASED, **code}, {**CANDIDATE, **after}))
    folder = started(tmp_path / "review", root)
    filled(folder)
    evreview("seal", folder)
    record = open_bundle(folder).items["E4"].record
    assert {f"read_{n}" for n in range(200)} <= {each.symbol for each in record.mappings}  # type: ignore[union-attr]
    assert outlook(open_bundle(folder)).problems == ()


def test_an_entry_over_a_whole_file_does_not_pass(tmp_path: Path) -> None:
    folder = started(tmp_path / "review", parcels(tmp_path / "r"))
    (folder / "mapping.yaml").write_text(
        "kind: implementation-mapping\ndiff: E3\nmappings:\n"
        "  - path: parcels/app.py\n    lines: 1-9\n    quote: STATES\n"
        "    element: GET /parcels/{} > response 200 > application/json > weight\n"
    )
    filled(folder)
    evreview("seal", folder)
    assert {problem.code for problem in outlook(open_bundle(folder)).problems} == {"remains-at-step-3"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--from", "nothing"), "ref-unknown"),
        (("--contract", "api/none.yaml"), "file-missing"),
        (("--contract", "../api/openapi.yaml"), "file-missing"),
        (("--from", ""), "option-missing"),
        (("--contract", ""), "option-missing"),
    ],
)
def test_what_the_repository_lacks_is_told_and_nothing_is_written(
    tmp_path: Path, words: tuple[str, ...], code: str
) -> None:
    root = parcels(tmp_path / "r")
    status, told = evreview("new", "w1", tmp_path / "review", "--repo", root, *NEW, *words)
    assert status == 2 and f"[{code}]" in told
    assert not (tmp_path / "review").exists()


def test_a_contract_with_conflict_markers_is_no_contract(tmp_path: Path) -> None:
    broken = {
        **CANDIDATE,
        "api/openapi.yaml": f"<<<<<<< ours\n{CANDIDATE['api/openapi.yaml']}=======\n>>>>>>> theirs\n",
    }
    root = repository(tmp_path / "r", (RELEASED, broken))
    status, told = evreview("new", "w1", tmp_path / "review", "--repo", root, *NEW)
    assert status == 2 and "v1.1:api/openapi.yaml" in told and not (tmp_path / "review").exists()


def test_a_folder_of_a_package_is_a_contract(tmp_path: Path) -> None:
    old = {"lib/parcels/__init__.py": "from parcels.a import go\n", "lib/parcels/a.py": "def go(x, y=1): ...\n"}
    root = repository(tmp_path / "r", (old, {"lib/parcels/a.py": "def go(x): ...\n"}))
    words = ("--from", "v1.0", "--to", "v1.1", "--contract", "lib", "--kind", "python")
    status, told = evreview("new", "w1", tmp_path / "review", "--repo", root, *words)
    assert status == 0, told
    found = examine_bundle(tmp_path / "review")
    assert found.draft is not None
    assert found.draft.items["E1"].file == "contracts/released/lib/parcels/__init__.py"
    assert "contracts/released/lib/parcels/a.py" in found.draft.items["E1"].parts


# Sealing: what an author may write is renewed, what is bound to a commit is not.


@pytest.mark.parametrize("name", ["contracts/candidate/api/schemas.yaml", "contracts/released/api/openapi.yaml",
                                  "implementation.diff"])  # fmt: skip
def test_what_is_bound_to_a_commit_is_never_sealed_anew(tmp_path: Path, name: str) -> None:
    folder = started(tmp_path / "review", parcels(tmp_path / "r"))
    before = (folder / "review.yaml").read_bytes()
    (folder / name).write_text((folder / name).read_text() + "\n# later\n")
    status, told = evreview("seal", folder)
    assert status == 2 and "[bound-to-commit]" in told
    assert (folder / "review.yaml").read_bytes() == before


def test_a_new_item_is_sealed_and_nothing_else_changes(tmp_path: Path) -> None:
    folder = started(tmp_path / "review", parcels(tmp_path / "r"))
    review = folder / "review.yaml"
    (folder / "clients.yaml").write_text("kind: client-inventory\nclients: []\n")
    entry = (
        "  - id: E6\n    type: client inventory\n    file: clients.yaml\n"
        "    integrity: FILL-IN  # mine\n    establishes: x\n"
    )
    review.write_text(review.read_text().rstrip("\n") + "\n" + entry)
    before = review.read_text().splitlines()
    (renewed,) = renew_digests(folder, write=True)
    assert (renewed.id, renewed.is_new) == ("E6", True)
    changed = [(old, new) for old, new in zip(before, review.read_text().splitlines(), strict=True) if old != new]
    assert len(changed) == 1 and changed[0][1].startswith("    integrity: sha256:") and changed[0][1].endswith("# mine")


# Approving: only who is asked, only what is shown, only once it is confirmed.


def ready(folder: Path, root: Path) -> Path:
    started(folder, root)
    filled(folder)
    evreview("seal", folder)
    return folder


def test_an_answer_names_what_was_shown(tmp_path: Path) -> None:
    folder = ready(tmp_path / "review", parcels(tmp_path / "r"))
    status, told = evreview("approve", folder, "ship-breaking-change", "--role", "API owner", "--yes")
    assert status == 0, told
    (answer,) = open_bundle(folder).decisions.approvals
    assert answer.of is not None and answer.of in told
    assert (answer.role, answer.decision, answer.stands_for) == ("API owner", "approved", "api-owner")


@pytest.mark.parametrize(
    "words",
    [
        ("ship-breaking-change", "--role", "Somebody", "--yes"),
        ("ship-breaking-change", "--role", "API owner", "--client", "x", "--yes"),
        ("remove-deprecated", "--role", "API owner", "--yes"),
        ("ship-breaking-change", "--role", "API owner"),
    ],
)
def test_nobody_else_and_nothing_unconfirmed_is_recorded(tmp_path: Path, words: tuple[str, ...]) -> None:
    folder = ready(tmp_path / "review", parcels(tmp_path / "r"))
    before = (folder / "decisions.yaml").read_bytes()
    assert evreview("approve", folder, *words)[0] == 2
    assert (folder / "decisions.yaml").read_bytes() == before


def test_the_code_of_a_library_is_its_contract_and_its_diff_too(tmp_path: Path) -> None:
    root = parcels(tmp_path / "r")
    words = ("--from", "v1.0", "--to", "v1.1", "--contract", "parcels", "--kind", "python", "--code", "parcels")
    status, told = evreview("new", "w1", tmp_path / "review", "--repo", root, *words)
    assert status == 0, told
    assert "parcels/app.py" in (tmp_path / "review/implementation.diff").read_text()


def test_a_contract_that_changed_alone_is_told_and_nothing_is_promised_of_a_mapping(tmp_path: Path) -> None:
    states = (RELEASED, {name: text for name, text in CANDIDATE.items() if not name.startswith("parcels/")})
    folder = started(tmp_path / "review", repository(tmp_path / "r", states))
    assert not (folder / "implementation.diff").exists()
    draft = examine_bundle(folder).draft
    assert draft is not None
    reasons = Run(draft).survey()[0][2].reasons
    assert {reason.remedy for reason in reasons} == {Remedy.SUPPLY_DIFF}
    assert not any("evreview map" in one.advice for one in outlook(draft).problems)
    status, told = evreview("map", folder)
    assert status == 2 and "docs/git.md" in told


@pytest.mark.parametrize("command", [("seal",), ("seal", "--check"), ("check",), ("map",), ("update", "--to", "v1")])
def test_a_folder_that_there_is_not_is_said_to_be_none(tmp_path: Path, command: tuple[str, ...]) -> None:
    status, told = evreview(command[0], tmp_path / "none", *command[1:])
    assert status == 2 and "[folder-missing]" in told
