"""`evreview leads`: what a scanner says of the sources is kept as evidence, and nothing that it repeats of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from evreview.app.commands.leads import LeadsRequest, leads
from evreview.core.errors import BadInput
from evreview.core.vocabulary import EvidenceType, ExitStatus
from evreview.evidence.bundle_reader import open_bundle
from evreview.sandbox.scanner import BANDIT, SEMGREP, Scan, scan
from evreview.workflows.w3.abuse_cases.sarif_import import of_bandit, of_sarif, read_sarif, unlooked_at
from evreview.workflows.w3.authorization import as_authorized, authorization_problems

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
VALUE = "zq8Rk2" + "vT5mWx7Ld"
FLAWED = f'import subprocess\nPASSWORD = "{VALUE}"\n\n\ndef tidy(name):\n    subprocess.run("rm " + name, shell=True)\n'


def copied(tmp_path: Path, name: str = "w3-tickets") -> Path:
    return Path(shutil.copytree(EXAMPLES / name, tmp_path / "bundle"))


def codes(asked: LeadsRequest) -> set[str]:
    with pytest.raises(BadInput) as error:
        leads(asked)
    return {problem.code for problem in error.value.problems}


def rules(data: bytes) -> list[tuple[str, str, int]]:
    return [(one.rule, one.uri, one.first) for one in read_sarif(data).results]


def test_what_bandit_says_is_a_new_item_of_an_authorized_review(tmp_path: Path) -> None:
    bundle = copied(tmp_path)
    known = {item.id for item in as_authorized(open_bundle(bundle)).items.values()}
    assert leads(LeadsRequest(bundle=bundle, tool=BANDIT)) == ExitStatus.DONE
    opened = open_bundle(bundle)
    assert not list(authorization_problems(opened))
    (added,) = [item for item in as_authorized(opened).items.values() if item.id not in known]
    assert added.type == EvidenceType.TEST_RECORD and added.file.startswith("leads/bandit")
    assert "B105" in {rule for rule, _, _ in rules(added.content.encode())}


def test_the_same_result_is_kept_once(tmp_path: Path) -> None:
    bundle = copied(tmp_path)
    leads(LeadsRequest(bundle=bundle, tool=BANDIT))
    before = (bundle / "review.yaml").read_bytes()
    leads(LeadsRequest(bundle=bundle, tool=BANDIT))
    assert (bundle / "review.yaml").read_bytes() == before


def test_a_review_in_json_gets_the_item_too(tmp_path: Path) -> None:
    bundle = copied(tmp_path)
    opened = open_bundle(bundle)
    stated = {"evreview": 1} | opened.request.model_dump(mode="json", exclude_none=True)
    stated["evidence"] = [
        {"id": str(one.id), "type": str(one.type), "file": one.file, "integrity": one.integrity,
         "establishes": one.establishes}
        for one in opened.items.values()
    ]  # fmt: skip
    (bundle / "review.yaml").write_text(json.dumps(stated, indent=1), encoding="utf-8")
    leads(LeadsRequest(bundle=bundle, tool=BANDIT))
    assert len(json.loads((bundle / "review.yaml").read_text(encoding="utf-8"))["evidence"]) == len(opened.items) + 1


def test_no_other_review_is_scanned(tmp_path: Path) -> None:
    assert codes(LeadsRequest(bundle=copied(tmp_path, "w1-orders"), tool=BANDIT)) == {"not-a-security-review"}


@pytest.mark.parametrize("technique", ["intake of scanner leads, ", ", intake of scanner leads"])
def test_a_review_that_may_not_take_in_leads_is_not_scanned(technique: str, tmp_path: Path) -> None:
    bundle = copied(tmp_path)
    record = bundle / "records" / "authorization.yaml"
    text = record.read_text(encoding="utf-8")
    assert technique in text
    record.write_text(text.replace(technique, ", " if technique.startswith(",") else "", 1), encoding="utf-8")
    assert codes(LeadsRequest(bundle=bundle, tool=BANDIT))
    assert not (bundle / "leads").exists()


def test_a_scanner_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert codes(LeadsRequest(bundle=copied(tmp_path), tool=SEMGREP)) == {"scanner-missing"}


@pytest.mark.parametrize("rules", [None, Path("none.yaml")])
def test_semgrep_fetches_no_rules(rules: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "semgrep"
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput) as error:
        scan(Scan(tool=SEMGREP, files={"a.py": b""}, rules=rules))
    assert {problem.code for problem in error.value.problems} == {"scanner-rules"}


def test_a_scan_that_fails_is_no_result_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "semgrep"
    said = '{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Semgrep OSS"}}, "results": []}]}'
    program.write_text(f"#!/bin/sh\necho '{said}' > \"$5\"\nexit 7\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput) as error:
        scan(Scan(tool=SEMGREP, files={"a.py": b""}, rules=program))
    assert {problem.code for problem in error.value.problems} == {"scan-failed"}


def _wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *runs: dict[str, object]) -> Path:
    """A stand-in for semgrep on PATH that ends well and writes such runs; gives its file of rules."""
    said = json.dumps({"version": "2.1.0", "runs": runs})
    program = tmp_path / "bin" / "semgrep"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho '{said}' > \"$6\"\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    given = tmp_path / "rules.yaml"
    given.write_text("rules: []\n", encoding="utf-8")
    return given


NONE = {"driver": {"name": "Semgrep OSS", "rules": []}}
SOME = [{"id": "py.sql"}]


@pytest.mark.parametrize(
    "runs",
    [
        [],
        [{"tool": NONE, "results": []}],
        [{"tool": {"driver": {"name": "Semgrep OSS"}}, "results": []}],
        [{"tool": {**NONE, "extensions": [{"name": "x", "rules": []}]}, "results": []}],
        [{"tool": NONE, "results": []}, {"tool": NONE, "results": []}],
    ],
)
def test_a_scan_that_had_no_rule_is_refused(
    runs: list[dict[str, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = _wrote(tmp_path, monkeypatch, *runs)
    bundle = copied(tmp_path)
    assert codes(LeadsRequest(bundle=bundle, tool=SEMGREP, rules=given)) == {"scan-failed"}
    assert not (bundle / "leads").exists()


@pytest.mark.parametrize(
    "tool",
    [{"driver": {"name": "Semgrep OSS", "rules": SOME}}, {**NONE, "extensions": [{"name": "x", "rules": SOME}]}],
)
def test_rules_that_found_nothing_are_a_result(
    tool: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = _wrote(tmp_path, monkeypatch, {"tool": tool, "results": []})
    bundle = copied(tmp_path)
    assert leads(LeadsRequest(bundle=bundle, tool=SEMGREP, rules=given)) == ExitStatus.DONE
    assert list((bundle / "leads").glob("semgrep*"))


def test_nothing_of_the_sources_tells_bandit_what_not_to_look_at() -> None:
    hushed = FLAWED.replace("shell=True)", "shell=True)  # nosec")
    files = {"desk/tool.py": hushed.encode(), ".bandit": b"[bandit]\nexclude: /desk\n", "setup.cfg": b"[bandit]\n"}
    found = rules(of_bandit(scan(Scan(tool=BANDIT, files=files))).encode())
    assert ("B602", "desk/tool.py", 6) in found


def test_what_is_kept_repeats_no_value() -> None:
    kept = of_bandit(scan(Scan(tool=BANDIT, files={"desk/tool.py": FLAWED.encode()})))
    assert VALUE not in kept and ("B105", "desk/tool.py", 2) in rules(kept.encode())


def test_what_is_kept_of_another_scanner_repeats_no_value() -> None:
    place = {
        "physicalLocation": {
            "artifactLocation": {"uri": "a.py"},
            "region": {"startLine": 2, "snippet": {"text": VALUE}},
        }
    }
    result = {"ruleId": "py.secret", "message": {"text": f"found '{VALUE}' here"}, "locations": [place]}
    log = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Semgrep OSS"}}, "results": [result]}]}
    kept = of_sarif(json.dumps(log).encode())
    assert VALUE not in kept and rules(kept.encode()) == [("py.secret", "a.py", 2)]


@pytest.mark.parametrize("name", ["../out.py", "/etc/out.py", "-r.py", "a/../../b.py", "a\nb.py"])
def test_a_path_that_leaves_the_folder_is_refused(name: str) -> None:
    with pytest.raises(BadInput) as error:
        scan(Scan(tool=BANDIT, files={name: b""}))
    assert {problem.code for problem in error.value.problems} == {"scan-file-name"}


RULES = "rules:\n- id: x\n  languages: [{0}]\n"


@pytest.mark.parametrize(
    ("languages", "left"),
    [
        ("python", ("a.js", "b.go")),
        ("javascript, go", ("c.py",)),
        ("generic", ()),
        ("py, js, golang", ()),
        ("java", ("a.js", "b.go", "c.py")),
    ],
)
def test_files_that_no_rule_looks_at_are_named(languages: str, left: tuple[str, ...]) -> None:
    unlooked = unlooked_at(["a.js", "b.go", "c.py"], [RULES.format(languages).encode()])
    assert unlooked == left
    kept = of_sarif(json.dumps({"version": "2.1.0", "runs": [{"tool": SARIF_TOOL, "results": []}]}).encode(), unlooked)
    unread = read_sarif(kept.encode()).unread
    assert [one.locator for one in unread] == (["#/runs/0/invocations"] if left else [])
    assert all(name in unread[0].found for name in left)


SARIF_TOOL = {"driver": {"name": "Semgrep OSS", "rules": SOME}}


def test_rules_for_another_language_are_no_clean_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = _wrote(tmp_path, monkeypatch, {"tool": SARIF_TOOL, "results": []})
    given.write_text(RULES.format("java"), encoding="utf-8")
    bundle = copied(tmp_path)
    assert codes(LeadsRequest(bundle=bundle, tool=SEMGREP, rules=given)) == {"scan-failed"}
    assert not (bundle / "leads").exists()
