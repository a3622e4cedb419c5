"""From a file of another tool to an item of a bundle, and what is refused with nothing written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from evreview.evidence.bundle_reader import examine_bundle
from evreview.evidence.files import MAX_BYTES
from evreview.evidence.imports.formats import FORMATS
from evreview.evidence.item import EvidenceItem
from tests.app.commands.test_new_review import evreview, started
from tests.generated import imports_table
from tests.repositories import parcels

OPTIONS: dict[str, tuple[str, ...]] = {
    "codeowners": (),
    "junit": ("--command", "python -m pytest tests"),
    "junit-run": ("--command", "python -m pytest tests", "--fixture", "here", "--isolated", "--exit-status", "0"),
    "sarif": (),
    "openapi-security": (),
    "cyclonedx": (),
    "spdx": (),
    "pact": (),
    "har": ("--side", "candidate"),
    "gateway-log": ("--since", "2026-01-01", "--until", "2026-01-31"),
    "openapi-client": ("--client", "shop"),
    "oasdiff-ignore": (),
    "buf-yaml": (),
    "redocly-ignore": (),
}
"""What each format needs beside its file."""
OWNERS = "* @parcels/all\napi/ @parcels/api-owners\nclients/shop/ @shop/web\n"


@pytest.fixture(scope="module")
def new_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle as `evreview new` writes it, with its markers."""
    folder = tmp_path_factory.mktemp("new")
    return started(folder / "review", parcels(folder / "r"))


@pytest.fixture
def bundle(new_bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(new_bundle, tmp_path / "review"))


def state(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def brought_in(bundle: Path, form: str, name: str, text: str, *words: str) -> tuple[EvidenceItem, str]:
    """The last item after an import that went well, and what was told; the bundle has no new problem then."""
    before = {(one.code, one.place) for one in examine_bundle(bundle).problems}
    file = bundle.parent / name
    if text:
        file.write_text(text, encoding="utf-8")
    status, told = evreview("import", bundle, form, file, *words)
    assert status == 0, told
    found = examine_bundle(bundle)
    assert {(one.code, one.place) for one in found.problems} <= before
    assert found.draft is not None
    assert evreview("check", bundle)[0] == 2  # its markers are still there
    return list(found.draft.items.values())[-1], told


def refused(bundle: Path, form: str, file: Path, code: str, *words: str) -> str:
    """What is told of an import that is refused; nothing is written then."""
    before = state(bundle)
    status, told = evreview("import", bundle, form, file, *words)
    assert (status, f"[{code}]" in told) == (2, True), told
    assert state(bundle) == before
    return told


def record_of(item: EvidenceItem) -> dict[str, object]:
    assert item.record is not None
    return item.record.model_dump(mode="json", exclude_unset=True)


# What holds for every format.


def test_each_format_is_tried_here() -> None:
    assert set(OPTIONS) == set(FORMATS)


def test_the_page_shows_the_table_of_formats() -> None:
    text = (Path(__file__).parents[3] / "docs/imports.md").read_text(encoding="utf-8")
    assert imports_table() in text


@pytest.mark.parametrize("form", OPTIONS)
@pytest.mark.parametrize("content", [b"", b" \n", b"\x00\x01\x02", b"<html><body/></html>", b"[1, 2]", b"{]"])
def test_what_is_not_of_the_format_is_refused(bundle: Path, form: str, content: bytes) -> None:
    if FORMATS[form].folder:
        (file := bundle.parent / "code").mkdir()
        (file / f"x{FORMATS[form].folder}").write_bytes(content)
    else:
        (file := bundle.parent / "file").write_bytes(content)
    before = state(bundle)
    status, told = evreview("import", bundle, form, file, *OPTIONS[form])
    assert status == 2 and state(bundle) == before, told


@pytest.mark.parametrize("form", [name for name, known in FORMATS.items() if not known.folder and "junit" not in name])
def test_a_file_of_an_unfinished_merge_is_refused(bundle: Path, form: str) -> None:
    file = bundle.parent / "merged"
    file.write_text("<<<<<<< ours\napi/ @parcels/api-owners\n=======\napi/ @all\n>>>>>>> theirs\n", encoding="utf-8")
    refused(bundle, form, file, "conflict-markers", *OPTIONS[form])


@pytest.mark.parametrize("form", [name for name, known in FORMATS.items() if not known.folder])
def test_a_file_that_is_too_large_is_refused_unread(bundle: Path, form: str) -> None:
    file = bundle.parent / "large"
    with file.open("wb") as stream:
        stream.truncate(200_000_000)
    assert MAX_BYTES < 200_000_000
    refused(bundle, form, file, "text-too-large", *OPTIONS[form])


@pytest.mark.parametrize(("form", "code"), [("codeowner", "not-allowed"), ("", "not-allowed")])
def test_a_format_that_there_is_not_is_refused(bundle: Path, form: str, code: str) -> None:
    refused(bundle, form, bundle / "review.yaml", code)


def test_options_that_mean_nothing_are_refused(bundle: Path) -> None:
    (file := bundle.parent / "CODEOWNERS").write_text(OWNERS)
    refused(bundle, "codeowners", file, "not-allowed", "--side", "released")


def test_a_missing_file_and_a_folder_are_refused(bundle: Path) -> None:
    refused(bundle, "codeowners", bundle.parent / "none", "file-missing")
    refused(bundle, "codeowners", bundle.parent, "file-not-regular")


def test_only_a_contract_review_takes_imports(tmp_path: Path) -> None:
    evreview("new", "w3", tmp_path / "security")
    (file := tmp_path / "CODEOWNERS").write_text(OWNERS)
    refused(tmp_path / "security", "codeowners", file, "not-allowed")


# CODEOWNERS.


def test_the_contracts_team_is_filled_in_where_the_marker_stands(bundle: Path) -> None:
    item, told = brought_in(bundle, "codeowners", "CODEOWNERS", OWNERS)
    draft = examine_bundle(bundle).draft
    assert draft is not None and draft.request.roles is not None
    assert draft.request.roles.api_owner == "@parcels/api-owners"
    assert draft.request.roles.release_manager == "FILL-IN"
    assert "clients/shop/: @shop/web (line 3) -> client shop" in told
    assert item.content == OWNERS and draft.decisions.decisions == ()


def test_a_role_that_somebody_wrote_stays(bundle: Path) -> None:
    review = bundle / "review.yaml"
    review.write_text(review.read_text().replace("api_owner: FILL-IN", "api_owner: API guild"))
    brought_in(bundle, "codeowners", "CODEOWNERS", OWNERS)
    draft = examine_bundle(bundle).draft
    assert draft is not None and draft.request.roles is not None
    assert draft.request.roles.api_owner == "API guild"


def test_the_same_file_is_kept_once(bundle: Path) -> None:
    brought_in(bundle, "codeowners", "CODEOWNERS", OWNERS)
    before = state(bundle)
    brought_in(bundle, "codeowners", "CODEOWNERS", OWNERS)
    assert state(bundle) == before


# JUnit XML.

JUNIT = """<testsuite name="shop" tests="3" failures="1" skipped="1">
<testcase classname="shop" name="reads a weightless parcel">
  <properties><property name="evreview.operation" value="getParcel"/><property name="evreview.field" value="weight"/>
  <property name="evreview.parses" value="candidate"/></properties>
  <failure message="KeyError: weight">in shop.py</failure></testcase>
<testcase classname="shop" name="GET /parcels/{id} answers"/>
<testcase classname="shop" name="later"><skipped/></testcase>
</testsuite>
"""


def test_a_report_becomes_checks_at_the_revision_under_review(bundle: Path) -> None:
    words = (*OPTIONS["junit"], "--fixture", "shop 3.1", "--client", "shop")
    item, _ = brought_in(bundle, "junit", "results.xml", JUNIT, *words)
    draft = examine_bundle(bundle).draft
    assert draft is not None
    shared = {
        "command": "python -m pytest tests",
        "revision": draft.request.implementation_revision,
        "fixture": "shop 3.1",
        "client": "shop",
    }
    failed = {"operation": "getParcel", "field": "weight", "parses": "candidate", "result": "failed"}
    assert record_of(item)["checks"] == [
        {**shared, **failed, "id": "shop::reads a weightless parcel", "what": "reads a weightless parcel",
         "output": "KeyError: weight\nin shop.py"},
        {**shared, "operation": "GET /parcels/{id}", "result": "passed", "id": "shop::GET /parcels/{id} answers",
         "what": "GET /parcels/{id} answers"},
        {**shared, "result": "skipped", "id": "shop::later", "what": "later"},
    ]  # fmt: skip
    raw = list(draft.items.values())[-2]
    assert raw.content == JUNIT and raw.sha256 in item.establishes
    assert item.content.count('# "results.xml:L') == 3


TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
LEAKING = f"""<testsuite><testcase classname="a" name="password={TOKEN}">
<properties><property name="evreview.operation" value="GET /parcels/{{id}}"/></properties>
<failure>
told {TOKEN}
</failure></testcase></testsuite>
"""


@pytest.mark.parametrize("words", [("--command", f"run --token={TOKEN}"), ("--command", "run", "--fixture", TOKEN)])
def test_secrets_are_told_with_their_lines_and_no_record_repeats_them(bundle: Path, words: tuple[str, ...]) -> None:
    item, told = brought_in(bundle, "junit", "results.xml", LEAKING, *words)
    assert [name for name in ("results.xml line 1", "results.xml line 4", words[-2]) if name not in told] == []
    assert TOKEN not in told
    checks = record_of(item)["checks"]
    assert isinstance(checks, list)
    (check,) = checks
    assert check["operation"] == "GET /parcels/{id}"
    assert [key for key in ("what", "output", "command", "fixture") if TOKEN in check.get(key, "")] == []
    file = (bundle / "imports/junit-E6.xml").read_bytes()
    assert file == LEAKING.encode()


def test_what_holds_nothing_to_be_redacted_is_told_as_before(bundle: Path) -> None:
    assert "holds  " not in brought_in(bundle, "junit", "results.xml", JUNIT, *OPTIONS["junit"])[1]


def test_a_report_that_was_brought_in_before_is_replaced(bundle: Path) -> None:
    ids = ["E6", "E7"]
    for words in (("--command", "a"), ("--command", "b"), ("--command", "b", "--fixture", "c", "--side", "released")):
        item, told = brought_in(bundle, "junit", "results.xml", JUNIT, *words)
        draft = examine_bundle(bundle).draft
        assert draft is not None and [name for name, one in draft.items.items() if "junit" in one.file] == ids
    assert "replaced    E7" in told
    checks = record_of(item)["checks"]
    assert isinstance(checks, list)
    assert {(one["command"], one["fixture"]) for one in checks} == {("b", "c")}


def test_a_record_that_somebody_edited_is_not_replaced(bundle: Path) -> None:
    brought_in(bundle, "junit", "results.xml", JUNIT, *OPTIONS["junit"])
    record = bundle / "imports/junit-E7.yaml"
    record.write_text(record.read_text().replace('result: "failed"', 'result: "passed"'))
    refused(bundle, "junit", bundle.parent / "results.xml", "import-edited", "--command", "b")


def test_a_case_may_tell_several_operations(bundle: Path) -> None:
    names = ("evreview.client", "shop"), ("evreview.operation", "a"), ("evreview.operation", "b")
    properties = "".join(f'<property name="{name}" value="{value}"/>' for name, value in names)
    text = f'<testsuite><testcase name="x"><properties>{properties}</properties></testcase></testsuite>'
    item, _ = brought_in(bundle, "junit", "r.xml", text, *OPTIONS["junit"])
    checks = record_of(item)["checks"]
    assert isinstance(checks, list)
    assert [(one["id"], one["client"], one["operation"]) for one in checks] == [
        ("x", "shop", "a"),
        ("x #2", "shop", "b"),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="&a;"/></testsuite>', "results-entities"),
        ("<" + "a>" + "<a>" * 100, "text-too-deep"),
        ('<testsuite tests="2"><testcase name="a"/></testsuite>', "results-incomplete"),
        ('<testsuite><testcase name="a"/><testc', "results-incomplete"),
        ("<testsuite/>", "import-empty"),
        ('{"tests": []}', "import-format"),
        (JUNIT.replace('value="candidate"', 'value="both"'), "not-allowed"),
    ],
)
def test_a_report_that_is_none_or_lost_a_part_is_refused(bundle: Path, text: str, code: str) -> None:
    (file := bundle.parent / "results.xml").write_text(text)
    refused(bundle, "junit", file, code, *OPTIONS["junit"])


def test_hostile_names_stay_values(bundle: Path) -> None:
    name = "x&#10;kind: policy&#10;- id: E1 # &quot;{}&#x2028;"
    text = f'<testsuite><testcase name="{name}"><failure>&#10;evidence: []</failure></testcase></testsuite>'
    item, _ = brought_in(bundle, "junit", 'a"\nkind: b.xml', text, *OPTIONS["junit"])
    checks = record_of(item)["checks"]
    assert isinstance(checks, list) and len(checks) == 1 and "kind: policy" in checks[0]["id"]


# Pact.


def pact(version: str) -> dict[str, object]:
    """One interaction of a client, as each version of the format writes it."""
    body = {"state": "new", "boxes": [{"size": 1}]}
    old = {"$.body.state": {"match": "type"}, "$.body.sender['name']": {"match": "type"}}
    new = {"body": {"$.state": {"matchers": [{"match": "type"}]}, "$.sender['name']": {"matchers": []}}}
    response: dict[str, object] = {"status": 200, "body": body, "matchingRules": old if version == "2.0.0" else new}
    interaction: dict[str, object] = {
        "description": "a parcel",
        "request": {"method": "get", "path": "/parcels/123"},
        "response": response,
    }
    if version == "4.0":
        response["body"] = {"contentType": "application/json", "encoded": False, "content": body}
        interaction["type"] = "Synchronous/HTTP"
    return {
        "consumer": {"name": "shop"},
        "provider": {"name": "parcels"},
        "interactions": [interaction],
        "metadata": {"pactSpecification": {"version": version}},
    }


@pytest.mark.parametrize("version", ["2.0.0", "3.0.0", "4.0"])
def test_a_pact_of_each_version_gives_the_same_client(bundle: Path, version: str) -> None:
    item, _ = brought_in(bundle, "pact", "shop-parcels.json", json.dumps(pact(version)))
    uses = {"operation": "GET /parcels/{}", "fields": ["state", "boxes[].size", "sender.name"], "statuses": ["200"]}
    assert record_of(item)["clients"] == [{"id": "shop", "name": "shop", "uses": [uses]}]
    assert '# "shop-parcels.json#/interactions/0"' in item.content


@pytest.mark.parametrize("sign", ["\n", "\r", "\r\n", "\u2028", "\x85"])
def test_no_name_begins_a_line_of_what_is_told(bundle: Path, sign: str) -> None:
    one = {**pact("4.0"), "consumer": {"name": f"shop{sign}::error::x"}}
    _, told = brought_in(bundle, "pact", "p.json", json.dumps(one))
    assert [line for line in told.splitlines() if line.startswith("::")] == []


def test_two_clients_of_one_name_are_refused(bundle: Path) -> None:
    brought_in(bundle, "pact", "shop-parcels.json", json.dumps(pact("3.0.0")))
    (file := bundle.parent / "other.json").write_text(json.dumps(pact("4.0")))
    refused(bundle, "pact", file, "client-twice")


def test_what_no_interaction_names_is_not_known(bundle: Path) -> None:
    one = pact("2.0.0")
    one["interactions"] = [{"request": {"method": "GET", "path": "/else"}, "response": {"status": 404}}]
    item, told = brought_in(bundle, "pact", "p.json", json.dumps(one))
    assert record_of(item)["clients"] == [
        {"id": "shop", "name": "shop", "uses": [{"operation": "GET /else", "statuses": ["404"]}]}
    ]
    assert "neither contract has GET /else" in told


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"metadata": {"pactSpecification": {"version": "9.0"}}}, "import-format"),
        ({"interactions": [{"request": {}, "response": {}}]}, "bad-pact"),
        ({"interactions": [{"type": "Asynchronous/Messages"}]}, "import-empty"),
        ({"interactions": []}, "import-empty"),
        ({"consumer": {}}, "import-format"),
    ],
)
def test_a_pact_that_gives_no_client_is_refused(bundle: Path, change: dict[str, object], code: str) -> None:
    (file := bundle.parent / "p.json").write_text(json.dumps({**pact("4.0"), **change}))
    refused(bundle, "pact", file, code)


# HAR.


def exchange(path: str, body: object, **more: object) -> dict[str, object]:
    secret = {"name": "Authorization", "value": "Bearer not-for-you-81f3"}
    headers = [{"name": "Set-Cookie", "value": "sid=not-for-you-77a1"}, {"name": "X-Version", "value": "7"}]
    content = {"mimeType": "application/json", "text": json.dumps(body)}
    return {
        "request": {"method": "GET", "url": f"https://api.example.test{path}", "headers": [secret],
                    "cookies": [{"name": "sid", "value": "not-for-you-77a1"}]},
        "response": {"status": 200, "headers": headers, "cookies": [], "content": content},
        **more,
    }  # fmt: skip


def test_recorded_responses_become_observations_without_what_tells_a_person(bundle: Path) -> None:
    parcel = {"id": "p1", "weight": 3, "state": "new"}
    entries = [
        exchange("/parcels/p1?token=not-for-you-5c", parcel),
        exchange("/parcels/p2", {**parcel, "id": "jane.doe@parcelmail.com"}),
        exchange("/basket", {}),
    ]
    text = json.dumps({"log": {"entries": entries}})
    item, told = brought_in(bundle, "har", "traffic.har", text, *OPTIONS["har"])
    known = {"operation": "GET /parcels/{}", "status": 200, "content_type": "application/json"}
    last = {"headers": {"x-version": "7"}, "source": "HAR recording", "answers": "candidate"}
    assert record_of(item)["observations"] == [
        {**known, **last, "id": "entry-0", "body": parcel},
        {**known, **last, "id": "entry-1", "body_recorded": False},
    ]
    for hidden in ("not-for-you", "jane.doe", "example.test", "/basket"):
        assert hidden not in item.content
        assert all(hidden.encode() not in data for data in state(bundle).values())
    for line in ("1 bodies that", "3 cookies", "6 headers with", "1 entries of no operation", "GET /basket"):
        assert line in told


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("Location", "https://inside.corp.example/parcels/1?X-Amz-Signature=deadbeef", False),
        ("Location", "/cb?code=OAUTHCODE99", False),
        ("Content-Location", "/parcels/p1", False),
        ("Refresh", "0; url=/a?token=SECRETREFRESH", False),
        ("Link", "</parcels?page=2>; rel=next", False),
        ("X-Served-By", "node-17", False),
        ("X-Backend-Server", "blue", False),
        ("Access-Control-Allow-Origin", "https://shop.example", False),
        ("Content-Security-Policy-Report-Only", "default-src cdn.corp", False),
        ("X-Trace", "from 10.1.2.3", False),
        ("X-Trace", "fe80::1", False),
        ("X-Env", "db7.corp.example:5432", False),
        ("X-Next", "//inside/parcels", False),
        ("X-Version", "7.2.1", True),
        ("Accept-Patch", "application/vnd.parcels.v1+json", True),
        ("Cache-Control", "max-age=60, private", True),
        ("ETag", '"5f-1a"', True),
        ("Retry-After", "120", True),
    ],
)
def test_a_header_that_holds_an_address_is_left_out(bundle: Path, name: str, value: str, kept: bool) -> None:
    one = exchange("/parcels/p1", {"id": "p1", "weight": 3, "state": "new"})
    one["response"]["headers"] = [{"name": name, "value": value}]  # type: ignore[index]
    item, told = brought_in(bundle, "har", "traffic.har", json.dumps({"log": {"entries": [one]}}), *OPTIONS["har"])
    (found,) = record_of(item)["observations"]
    assert found.get("headers", {}) == ({name.lower(): value} if kept else {})
    assert ("1 headers that hold an address" in told) is not kept


@pytest.mark.parametrize("entries", [[], [exchange("/basket", {})], [{"request": 1}], [None]])
def test_traffic_of_another_api_is_refused(bundle: Path, entries: list[object]) -> None:
    (file := bundle.parent / "t.har").write_text(json.dumps({"log": {"entries": entries}}))
    refused(bundle, "har", file, "import-empty", *OPTIONS["har"])


# Gateway logs.


LINES = (
    '{"time": "2026-01-02T03:04:05Z", "method": "GET", "path": "/parcels/1?key=not-for-you", "remote": "203.0.113.9"}',
    '{"ts": 1768000000.5, "request": {"method": "GET", "uri": "/parcels/2", "headers": {"Authorization": ["x"]}}}',
    '{"time_local": "12/Jan/2026:10:00:00 +0000", "request": "GET /parcels/3 HTTP/1.1"}',
    '{"httpMethod": "GET", "path": "/parcels/4", "requestTime": "13/Jan/2026:10:00:00 +0000"}',
    '{"time": "2026-02-02T03:04:05Z", "method": "GET", "path": "/parcels/5"}',
    '{"method": "GET", "path": "/parcels/6"}',
    '{"time": "2026-01-02T03:04:05", "method": "GET", "path": "/parcels/7"}',
    '{"time": "2026-01-02T03:04:05Z", "method": "POST", "path": "/basket"}',
    "not a line",
)


def test_lines_are_counted_by_operation_and_nothing_else_is_kept(bundle: Path) -> None:
    item, told = brought_in(bundle, "gateway-log", "access.jsonl", "\n".join(LINES) + "\n", *OPTIONS["gateway-log"])
    count = {"element": "GET /parcels/{}", "since": "2026-01-01", "until": "2026-01-31", "uses": 4}
    assert record_of(item) == {"kind": "usage-metrics", "counts": [count]}
    for hidden in ("203.0.113.9", "not-for-you", "/parcels/1", "basket"):
        assert all(hidden.encode() not in data for data in state(bundle).values())
    for line in ("1 lines of another day", "2 lines without a time", "1 lines of no operation", "no request: 9"):
        assert line in told


@pytest.mark.parametrize(
    ("text", "words", "code"),
    [
        (LINES[0], ("--since", "2026-02-01", "--until", "2026-01-01"), "bad-period"),
        (LINES[0], ("--since", "2026-02-01", "--until", "2026-02-01"), "import-empty"),
        (LINES[0], ("--since", "2026-02-01"), "option-missing"),
        (LINES[-1], OPTIONS["gateway-log"], "import-format"),
        (LINES[-2], OPTIONS["gateway-log"], "import-empty"),
    ],
)
def test_a_log_of_which_no_line_counts_is_refused(bundle: Path, text: str, words: tuple[str, ...], code: str) -> None:
    (file := bundle.parent / "access.jsonl").write_text(text)
    refused(bundle, "gateway-log", file, code, *words)


# Generated clients.


GENERATORS = {
    "openapi-generator": {
        "parcels/api/default_api.py": """
class DefaultApi:
    def get_parcel(self, id, _headers=None):
        _param = self._get_parcel_serialize(id=id)
        _response_types_map: Dict[str, Optional[str]] = {"200": "Parcel"}
        return self.api_client.response_deserialize(response_types_map=_response_types_map)

    def _get_parcel_serialize(self, id, limit):
        _query_params: List[Tuple[str, str]] = []
        _body_params: Optional[bytes] = None
        if limit is not None:
            _query_params.append(("limit", limit))
        return self.api_client.param_serialize(method="GET", resource_path="/parcels/{id}", body=_body_params)

    def add_parcel(self, parcel):
        _response_types_map: Dict[str, Optional[str]] = {"201": "Parcel"}

    def _add_parcel_serialize(self, parcel):
        if parcel is not None:
            _body_params = parcel
        return self.api_client.param_serialize(method="POST", resource_path="/parcels", body=_body_params)

    def anything(self, method, path):
        return self.api_client.param_serialize(method=method, resource_path=path)
""",
        "parcels/models/parcel.py": """
class Parcel(BaseModel):
    @classmethod
    def from_dict(cls, obj):
        return cls.model_validate({"id": obj.get("id"), "state": obj.get("state")})
""",
    },
    "openapi-python-client": {
        "parcels/api/default/get_parcel.py": """
def _get_kwargs(id: str, *, limit) -> dict[str, Any]:
    params: dict[str, Any] = {}
    params["limit"] = limit
    _kwargs: dict[str, Any] = {"method": "get", "url": "/parcels/{id}".format(id=id), "params": params}
    return _kwargs

def _parse_response(*, client, response):
    if response.status_code == 200:
        response_200 = Parcel.from_dict(response.json())
        return response_200
""",
        "parcels/api/default/add_parcel.py": """
def _get_kwargs(*, body) -> dict[str, Any]:
    _kwargs: dict[str, Any] = {"method": "post", "url": "/parcels"}
    _kwargs["json"] = body.to_dict()
    return _kwargs

def _parse_response(*, client, response):
    if response.status_code == 201:
        return Parcel.from_dict(response.json())
""",
        "parcels/models/parcel.py": """
class Parcel:
    @classmethod
    def from_dict(cls, src_dict):
        d = dict(src_dict)
        id = d.pop("id")
        state = ParcelState(d.pop("state", UNSET))
""",
    },
}


def code(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        path = folder / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return "code"


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_generated_client_tells_what_its_code_calls_and_reads(bundle: Path, generator: str) -> None:
    name = code(bundle.parent, GENERATORS[generator])
    item, told = brought_in(bundle, "openapi-client", name, "", *OPTIONS["openapi-client"])
    (client,) = record_of(item)["clients"]  # type: ignore[misc]
    uses = {use["operation"]: use for use in client["uses"]}  # type: ignore[index]
    assert uses == {
        "GET /parcels/{}": {
            "operation": "GET /parcels/{}", "fields": ["limit", "id", "state"], "statuses": ["200"]
        },
        "POST /parcels": {"operation": "POST /parcels", "statuses": ["201"]},
    }  # fmt: skip
    assert "neither contract has POST /parcels" in told


def test_fields_that_are_not_told_for_certain_are_not_known(bundle: Path) -> None:
    files = dict(GENERATORS["openapi-python-client"])
    files["parcels/api/default/get_parcel.py"] += """
    if response.status_code == 404:
        return make(response)
"""
    files["broken.py"] = "def ("
    item, told = brought_in(bundle, "openapi-client", code(bundle.parent, files), "", *OPTIONS["openapi-client"])
    (client,) = record_of(item)["clients"]  # type: ignore[misc]
    assert ["200", "404"] in [use["statuses"] for use in client["uses"]]  # type: ignore[index]
    assert all("fields" not in use for use in client["uses"])  # type: ignore[index]
    assert "broken.py" in told


def test_code_is_parsed_and_never_run(bundle: Path) -> None:
    files = {"a.py": f"import pathlib\npathlib.Path({str(bundle.parent / 'ran')!r}).touch()\n", "b.py": "(" * 5000}
    refused(bundle, "openapi-client", bundle.parent / code(bundle.parent, files), "import-format", "--client", "x")
    assert not (bundle.parent / "ran").exists()


# Ignore files.


@pytest.mark.parametrize(
    ("form", "name", "text", "told_of"),
    [
        (
            "oasdiff-ignore",
            ".oasdiff-ignore",
            "# known\n\nGET /parcels/{id} removed the optional property 'weight' from the response\n",
            (":3: GET /parcels/{id} removed",),
        ),
        (
            "buf-yaml",
            "buf.yaml",
            "version: v2\nmodules:\n  - path: proto\n    breaking:\n      ignore:\n        - proto/old\n"
            "breaking:\n  use: [FILE]\n  except:\n    - FIELD_SAME_NAME\n"
            "lint:\n  ignore_only:\n    ENUM_ZERO:\n      - proto/a.proto\n",
            (":6: breaking of module proto: path proto/old", ":10: breaking: rule FIELD_SAME_NAME", ":14: lint: rule"),
        ),
        (
            "redocly-ignore",
            ".redocly.lint-ignore.yaml",
            "# This file instructs Redocly's linter to ignore the rules\nopenapi.yaml:\n  spec:\n"
            "    - '#/paths/~1parcels/get'\n",
            (":4: spec at openapi.yaml#/paths",),
        ),
    ],
)
def test_known_exceptions_are_told_with_their_lines_and_approve_nothing(
    bundle: Path, form: str, name: str, text: str, told_of: tuple[str, ...]
) -> None:
    before = examine_bundle(bundle).draft
    item, told = brought_in(bundle, form, name, text)
    after = examine_bundle(bundle).draft
    assert before is not None and after is not None
    assert item.content == text and item.record is None
    assert all(f"{name}{each}" in told for each in told_of)
    assert after.decisions == before.decisions and after.request == before.request


@pytest.mark.parametrize(
    ("form", "text", "code"),
    [
        ("oasdiff-ignore", "hello\n", "import-format"),
        ("buf-yaml", "version: v9\n", "import-format"),
        ("buf-yaml", "version: v1\nlint: {use: [DEFAULT]}\n", "import-empty"),
        ("redocly-ignore", "a.yaml: [x]\n", "import-format"),
        ("redocly-ignore", "a.yaml: {spec: []}\n", "import-empty"),
    ],
)
def test_what_lets_nothing_pass_is_refused(bundle: Path, form: str, text: str, code: str) -> None:
    (file := bundle.parent / "ignored").write_text(text)
    refused(bundle, form, file, code)
