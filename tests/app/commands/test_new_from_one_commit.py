"""From one commit to the last step of a reference and of a security review: what is drafted, typed, and refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evreview.app.commands.bundles import outlook
from evreview.core.vocabulary import EvidenceType
from evreview.evidence.bundle_reader import examine_bundle, open_bundle
from evreview.evidence.imports.formats import FORMATS
from evreview.evidence.records.reference import PublicationScope, SourceMap
from evreview.evidence.records.security import SecurityInventory, TrustModel
from evreview.evidence.records.test_runs import TestRun
from tests.app.commands.test_import_evidence import state
from tests.app.commands.test_new_review import evreview
from tests.repositories import SERVICE, SERVICE_CODE, TEST_NAMES, git, report, repository, service

W2 = ("--at", "v1.0", "--contract", "api/openapi.yaml", "--code", "parcels", "--tests", "tests")
W1 = ("--from", "first", "--to", "v1.0", "--contract", "api/openapi.yaml")
W3 = ("--at", "v1.0", "--code", "parcels", "--tests", "tests")
RUN = (
    "--command",
    "python -m pytest tests",
    "--fixture",
    "test client, one process",
    "--isolated",
    "--exit-status",
    "0",
)
AUTHORIZATION = """\
kind: authorization
approving_role: Security owner
decision: approved
at: 2026-01-10T10:00:00Z
form: written
channel: the security team's ticket queue
revision: {revision}
owns: the parcel service
environment: the repository at this revision
paths: [parcels/**, tests/**, deploy/**]
techniques: [static inspection, configuration inspection, intake of retained results]
prohibited_targets: [every host]
prohibited_actions: [running the service]
period: {{since: 2026-01-01, until: 2999-12-31}}
exclusions: []
active_testing: {{permitted: false}}
recipients: [Security owner]
stop_conditions: [a secret is found]
cleanup: nothing is left behind
rollback: nothing is changed
"""


def made(workflow: str, folder: Path, root: Path, *words: str) -> tuple[Path, str]:
    status, told = evreview("new", workflow, folder, "--repo", root, *words)
    assert status == 0, told
    return folder, told


def typed(path: Path, *values: tuple[str, str]) -> int:
    """The number of values that a person typed in a file, each in the place of a marker."""
    text = path.read_text(encoding="utf-8")
    count = 0
    for field, value in values:
        text, changed = re.subn(rf'(?m)^([ -]*{field}: )\[?"?FILL-IN"?\]?$', rf"\g<1>{value}", text)
        assert changed, field
        count += changed
    path.write_text(text, encoding="utf-8")
    return count


def record(folder: Path, kind: type) -> object:
    found = examine_bundle(folder, whole=True)
    assert found.draft is not None
    return next(item.record for item in found.draft.items.values() if isinstance(item.record, kind))


def test_a_reference_comes_to_its_last_step_in_one_round(tmp_path: Path) -> None:
    folder, _ = made("w2", tmp_path / "review", service(tmp_path / "r"), *W2)
    (tmp_path / "results.xml").write_text(report(), encoding="utf-8")
    status, told = evreview("import", folder, "junit-run", tmp_path / "results.xml", *RUN)
    assert status == 0 and "6 assertions" in told, told
    count = typed(folder / "review.yaml", ("api_owner", "API owner"))
    count += typed(folder / "records/scope.yaml", ("audience", "Shops"))
    count += typed(
        folder / "records/approval.yaml",
        ("role", "API owner"),
        ("decision", "approved"),
        ("at", "2026-01-30T12:00:00Z"),
    )
    assert count + len(RUN) // 2 <= 10
    assert evreview("seal", folder)[0] == 0
    ahead = outlook(open_bundle(folder))
    assert (ahead.problems, ahead.reached) == ((), True)


def test_what_the_contract_and_the_code_say_is_drafted(tmp_path: Path) -> None:
    root = service(tmp_path / "r")
    folder, _ = made("w2", tmp_path / "review", root, *W2)
    scope, sources = record(folder, PublicationScope), record(folder, SourceMap)
    assert isinstance(scope, PublicationScope) and isinstance(sources, SourceMap)
    assert scope.operations == ("GET /parcels/{id}", "DELETE /parcels/{id}/label")
    assert (scope.revision, scope.api_version) == (git(root, "rev-parse", "v1.0"), "1.0")
    assert {(each.path, each.part) for each in sources.sources} == {
        ("parcels/app.py", "handler"),
        ("parcels/app.py", "validator"),
        ("parcels/guards.py", "middleware"),
    }
    found = examine_bundle(folder).draft
    assert found is not None
    assert {item.file for item in found.of_type(EvidenceType.TEST_INVENTORY)} == {"repository/tests/test_parcels.py"}
    assert set(found.items["E1"].parts) == {"repository/api/schemas.yaml"}


def test_an_imported_run_is_bound_to_report_and_revision(tmp_path: Path) -> None:
    root = service(tmp_path / "r")
    folder, _ = made("w2", tmp_path / "review", root, *W2)
    (tmp_path / "results.xml").write_text(report(("test_a_parcel_needs_a_token", "test_unknown")), encoding="utf-8")
    words = ("import", folder, "junit-run", tmp_path / "results.xml", *RUN)
    status, told = evreview(*words)
    assert status == 0 and "test_unknown" in told
    run = record(folder, TestRun)
    assert isinstance(run, TestRun)
    revision = git(root, "rev-parse", "v1.0")
    assert (run.output, run.revision, run.contract) == ("E8", revision, revision)
    assert (run.environment, run.isolated, run.exit_status) == ("test client, one process", True, 0)
    assert [(each.operation, each.status) for each in run.asserts] == [("GET /parcels/{}", 401)]
    before = (folder / "review.yaml").read_bytes()
    assert evreview(*words)[0] == 0 and (folder / "review.yaml").read_bytes() == before
    assert evreview(*words, "--exit-status", "1")[0] == 0
    assert len(examine_bundle(folder).draft.items) == 9  # type: ignore[union-attr]
    run = record(folder, TestRun)
    assert isinstance(run, TestRun) and run.exit_status == 1


def test_what_the_new_reference_prints_names_every_option_that_the_import_needs(tmp_path: Path) -> None:
    _, told = made("w2", tmp_path / "review", service(tmp_path / "r"), *W2)
    (line,) = (line for line in told.splitlines() if "junit-run" in line)
    assert set(re.findall(r"--([a-z-]+)", line)) == {each.replace("_", "-") for each in FORMATS["junit-run"].needs}


ONE = '<testsuite {0}><testcase classname="tests.test_parcels" name="{1}">{2}</testcase></testsuite>'
ASKS = TEST_NAMES[0]


@pytest.mark.parametrize(
    ("text", "words", "codes"),
    [
        (ONE.format("", ASKS, ""), RUN, set()),
        (ONE.format("", ASKS, ""), RUN[:2], {"option-missing"}),
        (ONE.format("", "test_nothing", ""), RUN, {"run-asserts-nothing"}),
        (ONE.format("", ASKS, "<skipped/>"), RUN, {"run-skipped"}),
        (ONE.format('timestamp="2999-01-01T10:00:00Z"', ASKS, ""), RUN, {"run-later"}),
        (
            ONE.format("", "test_nothing", "<skipped/>"),
            ("--command", "run https://api.parcels.com/v1", *RUN[2:]),
            {"run-reaches-out", "run-skipped", "run-asserts-nothing"},
        ),
    ],
)
def test_a_run_that_the_first_step_would_not_take_is_not_brought_in(
    tmp_path: Path, text: str, words: tuple[str, ...], codes: set[str]
) -> None:
    folder, _ = made("w2", tmp_path / "review", service(tmp_path / "r"), *W2)
    (tmp_path / "results.xml").write_text(text, encoding="utf-8")
    status, told = evreview("import", folder, "junit-run", tmp_path / "results.xml", *words)
    assert (status, set(re.findall(r"\[([a-z-]+)\]$", told, re.MULTILINE))) == (2 if codes else 0, codes), told
    assert (folder / "imports").exists() is not bool(codes)
    if not codes:
        draft = examine_bundle(folder).draft
        assert draft is not None
        assert [one for one in outlook(draft).problems if one.file.startswith("imports/")] == []


def modelled(folder: Path) -> None:
    """Fill in the trust model and the inventory, as shortly as they may be."""
    for name, values in (
        ("trust-model", (("position", "x"), ("classification", "x"), ("attacker_positions", "[caller]"),
                         ("excluded_capabilities", "[]"))),
        ("inventory", (("deployment", "[]"), ("why", "x"))),
    ):  # fmt: skip
        typed(folder / f"records/{name}.yaml", *values)


def authorized(folder: Path, root: Path) -> int:
    """A security review whose owner wrote the authorization; the number of values typed beside it."""
    text = AUTHORIZATION.format(revision=git(root, "rev-parse", "v1.0"))
    (folder / "records/authorization.yaml").write_text(text, encoding="utf-8")
    return typed(
        folder / "review.yaml",
        ("security_owner", "Security owner"),
        ("release_manager", "Release manager"),
        ("reviewer", "Reviewer"),
        ("recipients", "[Security owner]"),
    )


def test_a_security_review_comes_to_its_last_step_in_two_rounds(tmp_path: Path) -> None:
    root = service(tmp_path / "r")
    folder, _ = made("w3", tmp_path / "review", root, *W3)
    assert outlook_of(folder) is None
    count = authorized(folder, root)
    evreview("seal", folder)
    status, told = evreview("check", folder)
    assert status == 2 and told.count("[not-filled-in]") == 10
    count += typed(
        folder / "records/trust-model.yaml",
        ("position", "any network"),
        ("classification", "customer-confidential"),
        ("attacker_positions", "[caller]"),
        ("excluded_capabilities", "[access to the machine]"),
    )
    count += typed(folder / "records/inventory.yaml", ("deployment", "[]"), ("why", "another review looks at it"))
    assert count == 14
    assert evreview("seal", folder)[0] == 0
    ahead = outlook(open_bundle(folder).unsealed())
    assert (ahead.problems, ahead.reached) == ((), True)


def outlook_of(folder: Path) -> object:
    """What `check` would look ahead to; nothing while the review is not authorized."""
    found = examine_bundle(folder)
    return None if found.draft is None or found.draft.sealed else outlook(found.draft)


def test_routes_guards_and_their_tests_are_drafted_and_nothing_of_the_authorization(tmp_path: Path) -> None:
    folder, _ = made("w3", tmp_path / "review", service(tmp_path / "r"), *W3)
    model, inventory = record(folder, TrustModel), record(folder, SecurityInventory)
    assert isinstance(model, TrustModel) and isinstance(inventory, SecurityInventory)
    points = {each.route: each.boundaries for each in model.entry_points or ()}
    assert points == {
        "GET /parcels/{id}": ("token-required",),
        "DELETE /parcels/{id}/label": ("token-required", "desk-only"),
    }
    controls = {each.id: each for each in inventory.controls}
    assert {name: each.area.value for name, each in controls.items()} == {
        "token-required": "authentication",
        "desk-only": "authorization",
    }
    desk = controls["desk-only"]
    assert [each.test.rpartition("::")[2] for each in desk.negative_tests or ()] == ["test_others_drop_no_label"]
    assert [(each.lines, each.quote) for each in desk.source or ()] == [("16-23", "def desk_only(view):")]
    assert all(each.deployment is None for each in inventory.controls)
    fields = re.findall(r"(?m)^ *[a-z_]+: (.+)$", (folder / "records/authorization.yaml").read_text())
    assert {value.strip('[]"') for value in fields} == {"FILL-IN", "authorization"}


def test_a_proxy_that_is_named_is_wiring_and_other_files_of_a_folder_are_counted(tmp_path: Path) -> None:
    files = {**SERVICE, "deploy/proxy.conf": "location / { deny all; }\n", "parcels/notes.txt": "x\n"}
    root = repository(tmp_path / "r", (files,), tags=("v1.0",))
    folder, told = made("w3", tmp_path / "review", root, *W3, "--code", "deploy/proxy.conf")
    assert "left out   1 file" in told
    authorized(folder, root)
    evreview("seal", folder)
    bundle = open_bundle(folder).unsealed() if not examine_bundle(folder, whole=True).problems else None
    found = examine_bundle(folder, whole=True).draft
    assert bundle is None and found is not None
    (wiring,) = found.of_type(EvidenceType.CONFIGURATION_EXCERPT)
    sources = record(folder, SourceMap)
    assert isinstance(sources, SourceMap)
    assert (wiring.id, "deploy/proxy.conf", "deployment") in {
        (each.item, each.path, each.part) for each in sources.sources
    }
    assert [action.technique.value for action in found.request.actions] == [
        "static inspection",
        "static inspection",
        "configuration inspection",
    ]


def test_a_run_of_a_security_review_is_taken_in_once_it_is_authorized(tmp_path: Path) -> None:
    root = service(tmp_path / "r")
    folder, _ = made("w3", tmp_path / "review", root, *W3)
    (tmp_path / "results.xml").write_text(report(), encoding="utf-8")
    words = ("import", folder, "junit-run", tmp_path / "results.xml", *RUN)
    before = (folder / "review.yaml").read_bytes()
    assert evreview(*words)[0] == 2 and (folder / "review.yaml").read_bytes() == before
    authorized(folder, root)
    modelled(folder)
    evreview("seal", folder)
    status, told = evreview(*words)
    assert status == 0, told
    assert isinstance(record(folder, TestRun), TestRun)


SARIF = '{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "scan"}}, "results": []}]}'
BOM = '{"bomFormat": "CycloneDX", "specVersion": "1.5", "components": [{"name": "flask", "version": "3.0"}]}'
RECORD = '"kind": "test-run", "command": "x", '
SPDX = "SPDXVersion: SPDX-2.3\nPackageName: flask\n"


@pytest.mark.parametrize(
    ("form", "techniques", "text", "code"),
    [
        ("sarif", "intake of scanner leads", SARIF, ""),
        ("sarif", "intake of retained results", SARIF, "not-authorized"),
        ("sarif", "intake of scanner leads", '{"version": "1", "log": {}}', "import-format"),
        ("openapi-security", "intake of retained results", SERVICE["api/openapi.yaml"], ""),
        ("openapi-security", "configuration inspection", SERVICE["api/openapi.yaml"], "not-authorized"),
        ("openapi-security", "intake of retained results", "a: 1\n", "import-format"),
        ("cyclonedx", "intake of retained results", BOM, ""),
        ("cyclonedx", "intake of scanner leads", BOM, "not-authorized"),
        ("cyclonedx", "intake of retained results", BOM.replace("{", "{" + RECORD, 1), "import-format"),
        ("cyclonedx", "intake of retained results", BOM.replace("1.5", "0.5"), "import-format"),
        ("spdx", "intake of retained results", SPDX, ""),
        ("spdx", "intake of scanner leads", SPDX, "not-authorized"),
        ("junit-run", "configuration inspection", report(), "not-authorized"),
    ],
)
def test_what_another_tool_wrote_is_taken_in_where_the_authorization_allows_it(
    tmp_path: Path, form: str, techniques: str, text: str, code: str
) -> None:
    root = service(tmp_path / "r")
    folder, _ = made("w3", tmp_path / "review", root, *W3)
    authorized(folder, root)
    written = folder / "records/authorization.yaml"
    written.write_text(
        re.sub("(?m)^techniques: .*$", f"techniques: [static inspection, {techniques}]", written.read_text())
    )
    modelled(folder)
    evreview("seal", folder)
    assert evreview("check", folder)[0] == 0
    (tmp_path / "file").write_text(text, encoding="utf-8")
    before = state(folder)
    status, told = evreview("import", folder, form, tmp_path / "file", *(RUN if form == "junit-run" else ()))
    assert (status, f"[{code}]" in told) == ((2, True) if code else (0, False)), told
    new = state(folder).keys() - before.keys()
    if code:
        assert state(folder) == before
        return
    (name,) = new
    assert ("`intake of retained results`" in told) is (form != "sarif")
    assert (folder / name).read_text(encoding="utf-8") == text
    assert {each: data for each, data in state(folder).items() if each not in (name, "review.yaml")} == {
        each: data for each, data in before.items() if each != "review.yaml"
    }
    # A scanner's log is a lead wherever leads are allowed; for anything else an action has to be planned.
    if form != "sarif":
        assert evreview("check", folder)[0] == 2
        planned = (
            "  - {id: intake, technique: intake of retained results, items: [E8], purpose: read what was supplied}\n"
        )
        review = folder / "review.yaml"
        review.write_text(re.sub("(?m)^actions:\n", f"actions:\n{planned}", review.read_text(encoding="utf-8")))
    assert evreview("check", folder)[0] == 0
    assert evreview("import", folder, form, tmp_path / "file")[0] == 0 and state(folder).keys() - before.keys() == new


def test_the_controls_of_the_inventory_stand_beside_what_a_document_declares(tmp_path: Path) -> None:
    root = service(tmp_path / "r")
    folder, _ = made("w3", tmp_path / "review", root, *W3)
    authorized(folder, root)
    modelled(folder)
    evreview("seal", folder)
    text = SERVICE["api/openapi.yaml"].replace("security: [{token: []}]", "security: []", 1)
    (tmp_path / "api.yaml").write_text(text + "    spare: {type: http, scheme: basic}\n", encoding="utf-8")
    status, told = evreview("import", folder, "openapi-security", tmp_path / "api.yaml")
    assert status == 0, told
    (line,) = re.findall("(?m)^act on .*$", told)
    assert "api.yaml:6: GET /parcels/{id} " in line and "token-required" in line
    assert re.findall("(?m)^unused .*$", told) == ["unused      spare (api.yaml:32)"]


@pytest.mark.parametrize(
    ("workflow", "words", "codes"),
    [
        ("w2", ("--at", "nothing"), {"ref-unknown"}),
        ("w2", ("--at", ""), {"option-missing"}),
        ("w2", ("--contract", "../api/openapi.yaml"), {"file-missing"}),
        ("w2", ("--contract", "api/nothing.yaml"), {"file-missing"}),
        ("w2", ("--code", "nothing", "--code", "nowhere"), {"file-missing"}),
        ("w2", ("--code", "../parcels"), {"file-missing"}),
        ("w2", ("--code", "link"), {"file-missing"}),
        ("w2", ("--code", "sub"), {"file-missing"}),
        ("w2", ("--code", "docs"), {"file-missing"}),
        ("w2", ("--code", "merge"), {"conflict-markers"}),
        ("w2", ("--code", "binary"), {"text-binary"}),
        ("w2", ("--contract", "merge/openapi.yaml"), {"conflict-markers"}),
        ("w2", ("--contract", "events.yaml"), {"not-allowed"}),
        ("w2", ("--from", "v1.0", "--kind", "openapi"), {"not-allowed"}),
        ("w3", ("--contract", "api/openapi.yaml"), {"not-allowed"}),
        ("w3", ("--code", "link", "--tests", "merge"), {"conflict-markers", "file-missing"}),
        ("w2", ("--contract", "merge/openapi.yaml", "--code", "sub"), {"conflict-markers", "file-missing"}),
        ("w1", ("--at", "v1.0", "--from", ""), {"option-missing", "not-allowed"}),
        ("w1", ("--code", "nothing", "--code", "link", "--code", "sub"), {"file-missing"}),
        ("w1", ("--from", "nothing", "--contract", "merge/openapi.yaml"), {"ref-unknown", "conflict-markers"}),
        ("w1", ("--from", "nothing", "--code", "nowhere"), {"ref-unknown", "file-missing"}),
        ("w1", ("--contract", "merge/openapi.yaml", "--code", "nowhere"), {"conflict-markers", "file-missing"}),
    ],
)
def test_what_a_commit_lacks_is_told_and_nothing_is_written(
    odd: Path, tmp_path: Path, workflow: str, words: tuple[str, ...], codes: set[str]
) -> None:
    usual = {"w1": W1, "w2": W2, "w3": W3}[workflow]
    status, told = evreview("new", workflow, tmp_path / "review", "--repo", odd, *usual, *words)
    assert status == 2 and set(re.findall(r"\[([a-z-]+)\]$", told, re.MULTILINE)) == codes, told
    assert not (tmp_path / "review").exists()


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The service with a link, a submodule, files of an unfinished merge, a binary one, and a contract of events."""
    folder = tmp_path_factory.mktemp("odd")
    other = repository(folder / "other", ({"a.py": "a = 1\n"},), tags=("v1",))
    merge = "<<<<<<< ours\n{0}=======\n>>>>>>> theirs\n"
    files = {
        **SERVICE,
        "merge/app.py": merge.format(SERVICE_CODE),
        "merge/openapi.yaml": merge.format(SERVICE["api/openapi.yaml"]),
        "binary/a.py": "a = '\0'\n",
        "docs/a.md": "# a\n",
        "events.yaml": "asyncapi: 2.6.0\ninfo: {title: e, version: '1'}\nchannels: {}\n",
    }
    root = repository(folder / "r", (files,), tags=("first",))
    (root / "link").symlink_to("parcels")
    git(root, "submodule", "add", "-q", str(other), "sub")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "odd")
    git(root, "tag", "v1.0")
    return root


def test_a_shallow_clone_says_that_it_is_one(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", (SERVICE, {"README.md": "# New\n"}))
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{root}", str(tmp_path / "shallow"))
    status, told = evreview("new", "w2", tmp_path / "review", "--repo", tmp_path / "shallow", *W2)
    assert status == 2 and "[ref-unknown]" in told and "shallow" in told
    assert not (tmp_path / "review").exists()
