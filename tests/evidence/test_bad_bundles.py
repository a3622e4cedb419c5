"""Every broken bundle says what is wrong and where; nothing else, and everything at once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evreview.core.errors import BadInput
from evreview.evidence import files
from evreview.evidence.bundle_reader import check_bundle, examine_bundle, open_bundle
from evreview.evidence.item_reader import ReviewFile
from evreview.evidence.json_schemas import schemas

Write = Callable[[Any], Path]
Found = set[tuple[str, str, str]]
ITEM = "#/evidence/3"


def R(code: str, place: str) -> tuple[str, str, str]:
    return code, "review.yaml", place


def item(**changes: Any) -> Callable[[Any], None]:
    def change(draft: Any) -> None:
        draft.add("Text.", **changes)
        for key in [key for key, value in draft.item(4).items() if value is None]:
            del draft.item(4)[key]

    return change


def again(*ids: str) -> Callable[[Any], None]:
    """One more item for each id, each with a text of its own."""

    def change(draft: Any) -> None:
        for number, name in enumerate(ids):
            draft.add(f"Text {number}.", id=name)

    return change


def review(**changes: Any) -> Callable[[Any], None]:
    return lambda draft: draft.review.update(changes)


def without(key: str) -> Callable[[Any], None]:
    return lambda draft: draft.review.pop(key)


def body(type_: str, text: str) -> Callable[[Any], None]:
    return lambda draft: draft.add(text, type=type_)


def file(data: str | bytes, name: str = "item.txt") -> Callable[[Any], None]:
    def change(draft: Any) -> None:
        draft.files["item.txt"] = data
        draft.add("", file=name, integrity="0" * 40)
        del draft.item(4)["content"]

    return change


def kind(name: str) -> Callable[[Any], None]:
    return lambda draft: draft.item(4).update(type=name)


def all_of(*changes: Callable[[Any], None]) -> Callable[[Any], None]:
    def change(draft: Any) -> None:
        for one in changes:
            one(draft)

    return change


def decisions(text: str) -> Callable[[Any], None]:
    return lambda draft: draft.files.update({"decisions.yaml": text})


NOTE = "{kind: note, subject: a, role: b, text: c, at: '2026-11-20T10:00:00Z'"
CASES: dict[str, tuple[Callable[[Any], None], Found]] = {
    "no title": (without("title"), {R("missing-field", "#/title")}),
    "no workflow": (without("workflow"), {R("missing-field", "#/workflow")}),
    "no date": (without("as_of"), {R("missing-field", "#/as_of")}),
    "no evidence": (lambda draft: draft.review.pop("evidence"), {R("missing-field", "#/evidence"), *(
        R("unknown-item", f"#/contracts/{side}") for side in ("released", "candidate"))}),
    "evidence is no list": (review(evidence="E1", contracts=None), {R("wrong-type", "#/evidence")}),
    "one item": (
        lambda draft: draft.review.update(evidence=draft.review["evidence"][:1], contracts=None),
        {R("too-few-items", "#/evidence")},
    ),
    "unknown key": (review(titel="x"), {R("unknown-key", "#/titel")}),
    "unknown nested key": (review(roles={"api_owners": "a"}), {R("unknown-key", "#/roles/api_owners")}),
    "key with a slash": (review(**{"a/b~c": 1}), {R("unknown-key", "#/a~1b~0c")}),
    "unknown workflow": (review(workflow="w4"), {R("not-allowed", "#/workflow")}),
    "unknown ask": (review(asks=["ships"]), {R("not-allowed", "#/asks/0")}),
    "asks nothing": (review(asks=[]), {R("empty-value", "#/asks")}),
    "unknown format version": (review(evreview=2), {R("not-allowed", "#/evreview")}),
    "empty title": (review(title="  "), {R("empty-value", "#/title")}),
    "title is a number": (review(title=5), {R("wrong-type", "#/title")}),
    "truth is a text": (review(surface_complete="yes"), {R("wrong-type", "#/surface_complete")}),
    "no such day": (review(as_of="2026-02-30"), {R("bad-value", "#/as_of")}),
    "day in another form": (review(as_of="20.11.2026"), {R("bad-value", "#/as_of")}),
    "no item of that id": (
        review(contracts={"released": "E1", "candidate": "E9"}),
        {R("unknown-item", "#/contracts/candidate")},
    ),
    "notice item unknown": (
        review(removals=[{"address": "a", "notice_evidence": "E99"}]),
        {R("unknown-item", "#/removals/0/notice_evidence")},
    ),
    "unknown path": (review(plan={"path": "in place"}), {R("not-allowed", "#/plan/path")}),
    "marker left": (review(title="FILL-IN"), {R("not-filled-in", "#/title")}),
    "item without id": (item(id=None), {R("missing-field", f"{ITEM}/id")}),
    "item without type": (item(type=None), {R("missing-field", f"{ITEM}/type")}),
    "item without integrity": (item(integrity=None), {R("missing-field", f"{ITEM}/integrity")}),
    "item without establishes": (item(establishes=None), {R("missing-field", f"{ITEM}/establishes")}),
    "item without content": (item(content=None), {R("content-or-file", f"{ITEM}/content")}),
    "content and file": (item(file="contracts/candidate.yaml"), {R("content-or-file", f"{ITEM}/content")}),
    "empty id": (item(id=""), {R("bad-evidence-id", f"{ITEM}/id")}),
    "empty type": (item(type=""), {R("empty-value", f"{ITEM}/type")}),
    "empty content": (item(content=" \n"), {R("empty-content", f"{ITEM}/content")}),
    "empty integrity": (item(integrity=""), {R("empty-value", f"{ITEM}/integrity")}),
    "empty establishes": (item(establishes=""), {R("empty-value", f"{ITEM}/establishes")}),
    "unknown item key": (item(filename="x"), {R("unknown-key", f"{ITEM}/filename")}),
    "content is a mapping": (item(content={"kind": "policy"}), {R("wrong-type", f"{ITEM}/content")}),
    "item is a text": (lambda draft: draft.review["evidence"].append("E4"), {R("wrong-type", ITEM)}),
    "one id twice": (item(id="E2"), {R("duplicate-id", f"{ITEM}/id")}),
    "the first id at the end": (item(id="E1"), {R("duplicate-id", f"{ITEM}/id")}),
    "one id three times": (again("E3", "E3"), {R("duplicate-id", f"#/evidence/{at}/id") for at in (3, 4)}),
    "two ids twice": (again("E1", "E3"), {R("duplicate-id", f"#/evidence/{at}/id") for at in (3, 4)}),
    "one item twice, alike": (
        lambda draft: draft.review["evidence"].append(dict(draft.item(3))),
        {R("duplicate-id", f"{ITEM}/id")},
    ),
    "parent folder": (file("x", "../review.yaml"), {R("file-outside", f"{ITEM}/file")}),
    "hidden parent": (file("x", "a/../../x"), {R("file-outside", f"{ITEM}/file")}),
    "absolute": (file("x", "/etc/passwd"), {R("file-absolute", f"{ITEM}/file")}),
    "home": (file("x", "~/x"), {R("file-absolute", f"{ITEM}/file")}),
    "url": (file("x", "https://example.com/x"), {R("file-absolute", f"{ITEM}/file")}),
    "backslash": (file("x", "a\\b"), {R("file-not-posix", f"{ITEM}/file")}),
    "missing file": (file("x", "none.txt"), {R("file-missing", f"{ITEM}/file")}),
    "folder as file": (file("x", "contracts"), {R("file-not-regular", f"{ITEM}/file")}),
    "empty file": (all_of(file(""), kind("contract artifact")), {R("empty-content", f"{ITEM}/file")}),
    "binary file": (file(b"\x89PNG\x00\x01"), {("text-binary", "item.txt", "")}),
    "utf-16 file": (file("text".encode("utf-16")), {("text-encoding", "item.txt", "")}),
    "latin-1 file": (file(b"ok\ncaf\xe9"), {("text-encoding", "item.txt", "line 2")}),
    "body of no known kind": (body("policy", "kind: polici\n"), {("unknown-kind", "review.yaml (E4)", "#/kind")}),
    "body of another type": (
        body("policy", "kind: test-record\nchecks: []\n"),
        {("kind-does-not-fit", "review.yaml (E4)", "#/kind")},
    ),
    "body in JSON": (
        body("policy", '{"kind": "policy", "surface": "a"}'),
        {("missing-field", "review.yaml (E4)", "#/policy_version")},
    ),
    "body with a wrong word": (
        body("policy", "kind: policy\npolicy_version: a\nsurface: b\n"
             "rules: [{id: r, text: t, when: {aspects: [enum]}}]\n"),
        {("not-allowed", "review.yaml (E4)", "#/rules/0/when/aspects/0")},
    ),
    "body with a number for a text": (
        body("policy", "kind: policy\npolicy_version: 1.2\nsurface: b\n"),
        {("wrong-type", "review.yaml (E4)", "#/policy_version")},
    ),
    "severity that the policy does not list": (
        body("policy", "kind: policy\npolicy_version: a\nsurface: b\nseverities: [High]\n"
             "rules: [{id: r, text: t, severity: Hihg}]\n"),
        {("unknown-severity", "review.yaml (E4)", "#/rules/0/severity")},
    ),
    "severity that the rubric does not list": (
        body("policy", "kind: severity-rubric\npolicy_version: a\nseverities: [High]\n"
             "rules: [{id: r, text: t, severity: Hihg}]\n"),
        {("unknown-severity", "review.yaml (E4)", "#/rules/0/severity")},
    ),
    "holding severity that the rubric does not list": (
        body("policy", "kind: severity-rubric\npolicy_version: a\nseverities: [High]\nrules: []\n"
             "holds_deployment: [High, hihg]\n"),
        {("unknown-severity", "review.yaml (E4)", "#/holds_deployment/1")},
    ),
    "rubric of which nothing holds": (
        body("policy", "kind: severity-rubric\npolicy_version: a\nseverities: [P1, P2]\nrules: []\n"),
        {("holds-deployment-unnamed", "review.yaml (E4)", "#/holds_deployment")},
    ),
    "one rule id twice": (
        body("policy", "kind: policy\npolicy_version: a\nsurface: b\nrules: [{id: r, text: t}, {id: r, text: u}]\n"),
        {("duplicate-id", "review.yaml (E4)", "#/rules/1/id")},
    ),
    "a union's wrong word": (
        body("client inventory", "kind: client-inventory\nclients: [{id: a, name: A, accepts_null: some}]\n"),
        {("not-allowed", "review.yaml (E4)", "#/clients/0/accepts_null")},
    ),
    "mapping of an unknown item": (
        body("implementation diff", "kind: implementation-mapping\ndiff: E77\nmappings: []\n"),
        {("unknown-item", "review.yaml (E4)", "#/diff")},
    ),
    "period that ends before it starts": (
        body("rollout record", "kind: usage-metrics\n"
             "counts: [{element: a, since: '2026-02-01', until: '2026-01-01', uses: 0}]\n"),
        {("bad-period", "review.yaml (E4)", "#/counts/0/until")},
    ),
    "decision without a time zone": (
        decisions("decisions:\n- {kind: note, subject: a, role: b, text: c, at: '2026-11-20T10:00:00'}\n"),
        {("time-zone-missing", "decisions.yaml", "#/decisions/0/at")},
    ),
    "decision of no known kind": (
        decisions("decisions:\n- {kind: notes}\n"),
        {("not-allowed", "decisions.yaml", "#/decisions/0/kind")},
    ),
    "decision without a kind": (
        decisions("decisions:\n- {subject: a}\n"),
        {("missing-field", "decisions.yaml", "#/decisions/0/kind")},
    ),
    "decision with an unknown key": (
        decisions(f"decisions:\n- {NOTE}, gate: x}}\n"),
        {("unknown-key", "decisions.yaml", "#/decisions/0/gate")},
    ),
    "approval with an unknown gate": (
        decisions("decisions:\n- {kind: approval, gate: ship, role: a, stands_for: api-owner, decision: approved, "
                  "at: '2026-11-20T10:00:00Z', evidence: [E8]}\n"),
        {("not-allowed", "decisions.yaml", "#/decisions/0/gate")},
    ),
    "approval of an unknown item": (
        decisions("decisions:\n- {kind: approval, gate: remove-deprecated, role: a, stands_for: api-owner, "
                  "decision: approved, at: '2026-11-20T10:00:00Z', evidence: [E8]}\n"),
        {("unknown-item", "decisions.yaml", "#/decisions/0/evidence/0")},
    ),
    "decisions are a list": (decisions("- a\n"), {("wrong-type", "decisions.yaml", "#")}),
}  # fmt: skip
CASES |= {
    f"id {name}": (item(id=name), {R("bad-evidence-id", f"{ITEM}/id")})
    for name in ("E0", "E01", "e1", "E-1", "E1a", "EE1", "1", "E 1", "E1 ")
}


@pytest.mark.req("EV-001", "EV-002", "EV-003", "EV-004", "EV-005", "EV-006", "C-004", "C-005", "C-006")
@pytest.mark.parametrize("name", CASES)
def test_a_broken_bundle_says_what_and_where(name: str, draft: Any, write: Write) -> None:
    change, expected = CASES[name]
    change(draft)
    root = write(draft)
    problems = check_bundle(root)
    assert {(problem.code, problem.file, problem.place) for problem in problems} == expected
    assert len(problems) == len(expected)
    with pytest.raises(BadInput) as caught:
        open_bundle(root)
    assert caught.value.problems == problems and caught.value.exit_status == 2


SYNTAX = {
    "no JSON value": b"title: .inf",
    "half a character": b'title: "\\ud800"',
    "a list as a key": b"? [a]\n: b\n",
    "itself": b"a: &a [*a]\n",
    "not yaml": b"title: [",
    "two documents": b"a: 1\n---\nb: 2\n",
    "a key twice": b"title: a\ntitle: b\n",
    "binary": b"\x00\x01\x02",
    "utf-16": "title: a".encode("utf-16"),
    "latin-1": b"title: caf\xe9\n",
    "a list": b"- a\n",
    "a scalar": b"just text\n",
    "nested deep": b"a: " + b"[" * 5000,
    "alias bomb": b"a: &a [x, x, x, x, x, x, x, x, x]\n"
    + b"".join(b"%c: &%c [%s]\n" % (i, i, b", ".join([b"*%c" % (i - 1)] * 9)) for i in range(98, 110)),
}


@pytest.mark.parametrize("name", SYNTAX)
def test_a_review_file_that_is_none(name: str, draft: Any, write: Write) -> None:
    draft.files["review.yaml"] = SYNTAX[name]
    problems = check_bundle(write(draft))
    assert problems and all(problem.file == "review.yaml" for problem in problems)
    assert len(problems) == 1


@pytest.mark.parametrize("name", ["none", "file"])
def test_a_bundle_that_is_no_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    code = {"none": "folder-missing", "file": "not-a-folder"}[name]
    assert [problem.code for problem in check_bundle(tmp_path / name)] == [code]


_KEYS = sorted(
    {key for schema in schemas().values() for node in [schema, *schema.get("$defs", {}).values()]  # type: ignore[union-attr]
     for key in node.get("properties", {})}
)  # fmt: skip
_WORDS = ["E1", "E2", "w1", "policy", "2026-11-20", "contract artifact", "note", "FILL-IN", "kind: policy\nrules: 5\n"]
_LEAF = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(_WORDS)
_VALUE = st.recursive(
    _LEAF,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), part, max_size=5),
    max_leaves=15,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from([*ReviewFile.model_fields, "x"]), _VALUE), _VALUE)
def test_no_document_makes_a_fault(tmp_path: Path, review_file: dict[str, Any], entries: Any) -> None:
    (tmp_path / "review.yaml").write_text(json.dumps(review_file))
    (tmp_path / "decisions.yaml").write_text(json.dumps({"decisions": entries}))
    found = examine_bundle(tmp_path)
    assert (found.bundle is None) is bool(found.problems)
    assert all(problem.code and problem.file and str(problem) for problem in found.problems)


def test_a_number_without_end(draft: Any, write: Write) -> None:
    draft.files["review.yaml"] = b"evreview: " + b"9" * 6000
    assert ("bad-value", "#") in {(p.code, p.place) for p in check_bundle(write(draft))}


def test_a_folder_without_review(tmp_path: Path) -> None:
    assert [(p.code, p.file) for p in check_bundle(tmp_path)] == [("file-missing", "review.yaml")]


def test_an_empty_review_lists_every_required_field(draft: Any, write: Write) -> None:
    draft.files["review.yaml"] = b""
    found = {(p.code, p.place) for p in check_bundle(write(draft))}
    assert found == {("missing-field", f"#/{name}") for name in ("workflow", "title", "as_of", "evidence")}


def test_links_and_pipes_are_refused(draft: Any, write: Write, tmp_path: Path) -> None:
    root = write(draft)
    (tmp_path / "secret").write_text("s")
    (root / "contracts" / "candidate.yaml").unlink()
    (root / "contracts" / "candidate.yaml").symlink_to(tmp_path / "secret")
    (root / "decisions.yaml").symlink_to(tmp_path / "secret")
    found = {(p.code, p.file, p.place) for p in check_bundle(root)}
    assert found == {R("file-outside", "#/evidence/1/file"), ("file-outside", "decisions.yaml", "")}
    (root / "contracts" / "candidate.yaml").unlink()
    (root / "decisions.yaml").unlink()
    os.mkfifo(root / "contracts" / "candidate.yaml")
    assert [p.code for p in check_bundle(root)] == ["file-not-regular"]
    (root / "contracts" / "candidate.yaml").unlink()
    (root / "contracts" / "candidate.yaml").symlink_to("candidate.yaml")
    assert [p.code for p in check_bundle(root)] == ["file-missing"]


def test_a_huge_file_is_refused_before_it_is_read(draft: Any, write: Write) -> None:
    root = write(draft)
    with (root / "contracts" / "candidate.yaml").open("wb") as stream:
        stream.truncate(files.MAX_BYTES + 1)
    assert [(p.code, p.place) for p in check_bundle(root)] == [("text-too-large", "#/evidence/1/file")]


def test_everything_is_said_at_once(draft: Any, write: Write) -> None:
    draft.review |= {"titel": "x", "as_of": "today"}
    draft.item(1)["integrity"] = "main"
    draft.add("kind: policy\nsurfaces: a\n", type="policy", id="E03")
    draft.files["decisions.yaml"] = "decisions: [{kind: note}]"
    codes = [problem.code for problem in check_bundle(write(draft))]
    assert {"unknown-key", "bad-value", "moving-reference", "bad-evidence-id", "missing-field"} <= set(codes)
    assert {p.file for p in check_bundle(write(draft))} == {"review.yaml", "review.yaml (E03)", "decisions.yaml"}


def test_advice_names_the_closest_word(draft: Any, write: Write) -> None:
    draft.review |= {"titel": "x", "asks": ["asess"]}
    advice = {problem.code: problem.advice for problem in check_bundle(write(draft))}
    assert "`title`" in advice["unknown-key"] and "`assess`" in advice["not-allowed"]
