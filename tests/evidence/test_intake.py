"""What opens, what it opens as, and what is said about it."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evreview.core.errors import BadInput
from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity, WorkflowId
from evreview.evidence.bundle_reader import check_bundle, examine_bundle, open_bundle
from evreview.evidence.files import contract_source
from evreview.evidence.records.compatibility import ClientInventory, Policy, RolloutRecord, UsageMetrics
from evreview.evidence.records.test_runs import ClientExamples, ImplementationMapping, Observations, TestRecord
from tests.requirements import checklist

Write = Callable[[Any], Path]
KINDS = re.findall(
    r"^Evidence type '(.+)' is accepted$", "\n".join(row["requirement"] for row in checklist().values()), re.M
)
"""The types as the checklist writes them."""
HOSTILE = "| a | <script>x()</script> \x1b[31m [E1](javascript:x) \u202e**b** {{ 7*7 }} `c`\n# H\n"


@pytest.mark.req("EV-001", "EV-002", "EV-003", "EV-004", "EV-005")
def test_a_bundle_opens_with_its_five_fields(draft: Any, write: Write) -> None:
    bundle = open_bundle(write(draft))
    item = bundle.items[EvidenceId("E2")]
    assert (bundle.workflow, bundle.title) == (WorkflowId.W1, "Orders")
    assert list(bundle.items) == ["E1", "E2", "E3"]
    assert item.type is EvidenceType.CONTRACT
    assert item.content == draft.files["contracts/candidate.yaml"]
    assert item.integrity == draft.item(2)["integrity"]
    assert item.establishes == "The wire contract."
    assert item.sha256 == hashlib.sha256(item.content.encode()).hexdigest()
    assert item.integrity_state is Integrity.VERIFIED
    assert isinstance(bundle.items[EvidenceId("E3")].record, Policy)


def test_review_yaml_stands_for_its_folder(draft: Any, write: Write) -> None:
    root = write(draft)
    assert open_bundle(root / "review.yaml").digest == open_bundle(root).digest


@pytest.mark.req(
    "EV-007",
    "EV-008",
    "EV-009",
    "EV-010",
    "EV-011",
    "EV-012",
    "EV-013",
    "EV-014",
    "EV-015",
    "EV-016",
    "EV-017",
    "EV-018",
)
@pytest.mark.parametrize("kind", KINDS)
def test_each_known_type_is_accepted(kind: str, draft: Any, write: Write) -> None:
    draft.add("Plain words.", type=kind)
    found = examine_bundle(write(draft))
    assert found.bundle is not None
    item = found.bundle.items[EvidenceId("E4")]
    assert isinstance(item.type, EvidenceType)
    assert item.type == kind and item.record is None and item.content == "Plain words."
    assert found.bundle.of_type(item.type)[-1] is item
    assert "unknown-evidence-type" not in {warning.code for warning in found.warnings}


def test_another_type_is_text_with_a_warning(draft: Any, write: Write) -> None:
    draft.add("kind: policy\nnonsense: true\n", type="polcy")
    found = examine_bundle(write(draft))
    assert found.bundle is not None and found.bundle.items[EvidenceId("E4")].type == "polcy"
    assert [(warning.code, warning.place) for warning in found.warnings] == [
        ("unknown-evidence-type", "#/evidence/3/type")
    ]
    assert len(found.bundle.warnings) == 1


WORDS = "Nothing breaks without notice."
PLAIN = {"content": WORDS, "integrity": f"sha256:{hashlib.sha256(WORDS.encode()).hexdigest()}"}
"""The policy as words, so that it stands beside no typed one."""
BODIES = {
    "policy": ("policy", "policy_version: '1'\nsurface: a\n", Policy),
    "client-inventory": ("client inventory", "clients: [{id: a, name: A}]\n", ClientInventory),
    "rollout-record": ("rollout record", "separations: [{name: gateway, separates: [/v1]}]\n", RolloutRecord),
    "usage-metrics": ("execution and approval record", "aggregation: weekly\n", UsageMetrics),
    "test-record": ("test record", "checks: [{id: C-1, what: parses}]\n", TestRecord),
    "observations": ("test record", "observations: [{id: O-1, operation: GET /a, status: 200}]\n", Observations),
    "client-examples": (
        "client inventory",
        "client: till\ncontract_version: 1.4.0\nexamples: [{id: one, operation: GET /a, status: 200, body: null}]\n",
        ClientExamples,
    ),
    "implementation-mapping": (
        "implementation diff",
        "diff: E1\nmappings: [{path: a.py, lines: '1-2', quote: x, element: none, why: none}]\n",
        ImplementationMapping,
    ),
}


@pytest.mark.parametrize("kind", BODIES)
def test_a_typed_body_is_read(kind: str, draft: Any, write: Write) -> None:
    type_, text, record = BODIES[kind]
    draft.item(3).update(PLAIN)
    draft.add(f"# a comment first\nkind: {kind}\n{text}", type=type_)
    assert isinstance(open_bundle(write(draft)).items[EvidenceId("E4")].record, record)


@pytest.mark.parametrize("kind", BODIES)
def test_a_typed_body_with_an_unknown_key_is_refused(kind: str, draft: Any, write: Write) -> None:
    type_, text, _ = BODIES[kind]
    draft.add(f"kind: {kind}\n{text}unheard: 1\n", type=type_)
    found = check_bundle(write(draft))
    assert [(p.code, p.file, p.place) for p in found] == [("unknown-key", "review.yaml (E4)", "#/unheard")]


@pytest.mark.parametrize("type_", ["test record", "execution and approval record"])
def test_a_recording_is_kept_as_text(type_: str, draft: Any, write: Write) -> None:
    draft.add('{"log": {"version": "1.2", "entries": []}}', type=type_)
    found = examine_bundle(write(draft))
    assert found.bundle is not None and found.bundle.items[EvidenceId("E4")].record is None
    assert found.warnings == ()


def test_plain_text_where_a_body_is_usual_is_said(draft: Any, write: Write) -> None:
    draft.add("clients:\n- id: a\n", type="client inventory")
    assert [warning.code for warning in examine_bundle(write(draft)).warnings] == ["plain-text"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_hostile_text_passes_through_as_data(newline: str, draft: Any, write: Write) -> None:
    text = HOSTILE.replace("\n", newline)
    draft.review |= {"title": text.strip(), "surface": text.strip(), "exclusions": [text.strip()]}
    draft.add(text, establishes=text.strip(), type=text.strip())
    bundle = open_bundle(write(draft))
    item = bundle.items[EvidenceId("E4")]
    assert bundle.title == bundle.request.surface == bundle.request.exclusions[0] == text.strip()
    assert (item.content, item.establishes, item.type) == (text, text.strip(), text.strip())


def test_two_openings_are_equal(draft: Any, write: Write) -> None:
    root = write(draft)
    assert open_bundle(root) == open_bundle(root)


CHANGES: dict[str, Callable[[Any], None]] = {
    "title": lambda draft: draft.review.update(title="Other"),
    "content": lambda draft: draft.add("more"),
    "establishes": lambda draft: draft.item(1).update(establishes="Less."),
    "decisions": lambda draft: draft.files.update(
        {"decisions.yaml": "decisions: [{kind: note, subject: a, role: b, at: 2026-11-20T10:00:00Z, text: c}]"}
    ),
    "a part": lambda draft: draft.files.update({"contracts/part.yaml": "b"}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_digest_covers(change: str, draft: Any, write: Write) -> None:
    text = "openapi: 3.1.0\npaths:\n  /a:\n    $ref: 'part.yaml#/x'\n"
    draft.files |= {"contracts/candidate.yaml": text, "contracts/part.yaml": "a"}
    draft.item(2)["integrity"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    before = open_bundle(write(draft))
    assert list(before.items[EvidenceId("E2")].parts) == ["contracts/part.yaml"]
    CHANGES[change](draft)
    assert open_bundle(write(draft)).digest != before.digest


ONE_EACH = {
    "policy": ("policy", "policy_version: '1'\nsurface: a\n"),
    "severity-rubric": ("policy", "policy_version: '1'\nseverities: [High]\nrules: []\n"),
    "trust-model": ("data-flow description", ""),
    "security-inventory": ("test inventory", "controls: []\n"),
    "rollout-record": ("rollout record", "separations: []\n"),
}


@pytest.mark.parametrize("kind", ONE_EACH)
def test_two_bodies_of_which_one_is_taken_are_refused(kind: str, draft: Any, write: Write) -> None:
    type_, text = ONE_EACH[kind]
    draft.item(3).update(PLAIN)
    for number in range(2):
        draft.add(f"kind: {kind}\n{text}# {number}\n", type=type_)
    found = [(each.code, each.place) for each in check_bundle(write(draft))]
    assert found == [("record-twice", "#/evidence/4")]


@pytest.mark.req("W1S-013", "C-008")
def test_a_client_is_listed_once(draft: Any, write: Write) -> None:
    draft.item(3).update(PLAIN)
    for number in range(2):
        clients = "clients: [{id: till, name: Till}]"
        draft.add(f"kind: client-inventory\n{clients}\n# {number}\n", type="client inventory")
    found = [(each.code, each.place) for each in check_bundle(write(draft))]
    assert found == [("client-twice", "#/evidence/4")]


@pytest.mark.req("C-007", "EV-005")
@pytest.mark.parametrize(
    ("establishes", "taken"),
    [
        ("What was planned. Not that any check was executed.", False),
        ("How the checks ended. Not what is deployed.", True),
    ],
)
def test_an_item_that_takes_back_what_it_is_read_for_is_refused(
    draft: Any, write: Write, establishes: str, taken: bool
) -> None:
    draft.item(3).update(PLAIN)
    checks = "checks: [{id: c, what: it parses}]"
    draft.add(f"kind: test-record\n{checks}\n", type="test record", establishes=establishes)
    found = [(each.code, each.place) for each in check_bundle(write(draft))]
    assert found == ([] if taken else [("establishes-denies", "#/evidence/3/establishes")])


def test_an_item_gives_its_source(draft: Any, write: Write) -> None:
    draft.files["contracts/part.yaml"] = "part"
    bundle = open_bundle(write(draft))
    entry, load, parts = bundle.source(EvidenceId("E2"))
    assert (entry, load(entry), load("contracts/part.yaml"), parts) == (
        "contracts/candidate.yaml",
        draft.files["contracts/candidate.yaml"].encode(),
        b"part",
        (),
    )
    entry, load, _ = bundle.source(EvidenceId("E1"))
    assert load(entry) == draft.item(1)["content"].encode()


def test_a_contract_source_stays_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "api" / "parts").mkdir(parents=True)
    (tmp_path / "secret.yaml").write_text("s")
    (tmp_path / "api" / "a.yaml").write_text("a")
    (tmp_path / "api" / "parts" / "b.yaml").write_text("b")
    (tmp_path / "api" / "out.yaml").symlink_to(tmp_path / "secret.yaml")
    (tmp_path / "api" / "in.yaml").symlink_to("parts/b.yaml")
    entry, load, names = contract_source(tmp_path / "api" / "a.yaml")
    assert (entry, load("a.yaml"), load("parts/b.yaml"), load("in.yaml")) == ("a.yaml", b"a", b"b", b"b")
    assert names == ()
    for name, code in {
        "../secret.yaml": "file-outside",
        "parts/../../secret.yaml": "file-outside",
        "/etc/passwd": "file-absolute",
        "https://example.com/a.yaml": "file-absolute",
        "file:///etc/passwd": "file-absolute",
        "C:\\x.yaml": "file-not-posix",
        "c:/x.yaml": "file-not-posix",
        "..\\secret.yaml": "file-not-posix",
        "out.yaml": "file-outside",
        "none.yaml": "file-missing",
        "parts": "file-not-regular",
        "": "file-not-posix",
        "a.yaml\x00": "file-not-posix",
        "a.yaml/x": "file-missing",
    }.items():
        with pytest.raises(BadInput) as caught:
            load(name)
        assert [problem.code for problem in caught.value.problems] == [code], name


def test_a_folder_is_listed_without_links_and_hidden_files(tmp_path: Path) -> None:
    for name in ("api/a.proto", "api/deep/b.proto", "api/.git/config", "api/.hidden", "secret"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "api" / "out.proto").symlink_to(tmp_path / "secret")
    entry, load, names = contract_source(tmp_path / "api")
    assert (entry, names, load("deep/b.proto")) == ("", ("a.proto", "deep/b.proto"), b"api/deep/b.proto")
    with pytest.raises(BadInput):
        load("out.proto")


def test_listed_parts_belong_to_the_item(draft: Any, write: Write) -> None:
    draft.files["contracts/imported.proto"] = "part"
    draft.item(2)["parts"] = ["contracts/imported.proto"]
    bundle = open_bundle(write(draft))
    assert bundle.source(EvidenceId("E2"))[2] == ("contracts/imported.proto",)
    draft.item(2)["parts"] = ["contracts/imported.proto", "contracts/none.proto", "../out"]
    problems = check_bundle(write(draft))
    assert [(problem.code, problem.place) for problem in problems] == [
        ("file-missing", "#/evidence/1/parts"),
        ("file-outside", "#/evidence/1/parts"),
    ]


@pytest.mark.req("EV-020", "W1P-001")
def test_a_digest_binds_every_file_of_a_contract(draft: Any, write: Write) -> None:
    draft.files["contracts/imported.proto"] = "part"
    item = draft.item(2)
    item["parts"] = ["contracts/imported.proto"]
    first = open_bundle(write(draft)).items[EvidenceId("E2")]
    assert (first.integrity_state, item["integrity"]) == (Integrity.DECLARED, f"sha256:{first.sha256}")
    told = next(problem for problem in examine_bundle(write(draft)).warnings if problem.code == "integrity-declared")
    item["integrity"] = re.search(r"sha256:[0-9a-f]{64}", told.advice)[0]  # type: ignore[index]
    assert open_bundle(write(draft)).items[EvidenceId("E2")].integrity_state is Integrity.VERIFIED
    draft.files["contracts/imported.proto"] = "another"
    assert [(problem.code, problem.place) for problem in check_bundle(write(draft))] == [
        ("digest-mismatch", "#/evidence/1/integrity")
    ]


@pytest.mark.parametrize(("name", "code"), [("none.yaml", "file-missing"), ("none/", "file-missing")])
def test_a_contract_source_that_is_no_file(name: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        contract_source(tmp_path / name)
    assert [problem.code for problem in caught.value.problems] == [code]


def test_problems_have_the_line_of_their_place(draft: Any, write: Write) -> None:
    draft.files["review.yaml"] = "title: a\nworkflow: w1\nas_of: '2026-11-20'\nevidence:\n  - id: E1\n    typo: x\n"
    draft.files["decisions.yaml"] = "# first\ndecisions:\n  - kind: notes\n"
    lines = {(p.file, p.place): p.line for p in check_bundle(write(draft))}
    assert lines["review.yaml", "#/evidence/0/typo"] == 6
    assert lines["decisions.yaml", "#/decisions/0/kind"] == 3


def test_a_problem_of_a_body_file_has_its_line(draft: Any, write: Write) -> None:
    draft.files["policy.yaml"] = "kind: policy\npolicy_version: '1'\nsurfaces: a\nsurface: b\n"
    draft.add("", type="policy", file="policy.yaml", integrity="0" * 40)
    del draft.item(4)["content"]
    found = check_bundle(write(draft))
    assert [(p.code, p.file, p.place, p.line) for p in found] == [("unknown-key", "policy.yaml", "#/surfaces", 3)]


def test_the_bundled_review_opens_in_under_a_second(demo_bundle: Path) -> None:
    started = time.perf_counter()
    bundle = open_bundle(demo_bundle)
    assert time.perf_counter() - started < 1
    assert all(item.integrity_state is Integrity.VERIFIED for item in bundle.items.values())


@pytest.mark.parametrize("kind", ["source excerpt", "configuration excerpt", "test inventory"])
@pytest.mark.parametrize("text", ["", "\n"])
def test_an_empty_file_of_the_repository_is_an_item(kind: str, text: str, draft: Any, write: Write) -> None:
    draft.files["desk/__init__.py"] = text
    digest = hashlib.sha256(text.encode()).hexdigest()
    draft.add("", type=kind, file="desk/__init__.py", integrity=f"sha256:{digest}", establishes="The package.")
    del draft.item(4)["content"]
    found = open_bundle(write(draft)).items[EvidenceId("E4")]
    assert (found.content, found.sha256, found.integrity_state) == (text, digest, Integrity.VERIFIED)


@pytest.mark.parametrize("kind", ["contract artifact", "policy", "authorization record", "implementation diff"])
def test_an_empty_file_of_another_kind_is_refused(kind: str, draft: Any, write: Write) -> None:
    draft.files["empty.yaml"] = ""
    draft.add("", type=kind, file="empty.yaml", integrity=f"sha256:{hashlib.sha256(b'').hexdigest()}")
    del draft.item(4)["content"]
    with pytest.raises(BadInput) as caught:
        open_bundle(write(draft))
    assert "empty-content" in {problem.code for problem in caught.value.problems}
