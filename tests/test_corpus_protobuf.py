"""Real protobuf pairs, and buf beside them: its wire findings are rows; a row that is convention only says so."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.contract.model import Contract, ElementKind, Place
from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_named

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
CASES = CORPUS / "cases" / "proto_pairs"
PAIRS = ("cyclonedx-1.5_1.6", "etcd-3.4_3.5", "otlp-0.14_0.16", "otlp-1.7_1.9", "temporal-reset-heartbeats")

# buf's rule -> the facets of the rows that state the same fact
FACETS = {
    "ENUM_SAME_JSON_FORMAT": ("json_format",),
    "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED": ("",),
    "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED": ("",),
    "ENUM_VALUE_SAME_NAME": ("names",),
    "FIELD_NO_DELETE_UNLESS_NAME_RESERVED": ("",),
    "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED": ("",),
    "FIELD_SAME_DEFAULT": ("default",),
    "FIELD_SAME_JSON_NAME": ("json_name",),
    "FIELD_SAME_NAME": ("name", "json_name"),
    "FIELD_SAME_ONEOF": ("oneof",),
    "FIELD_WIRE_COMPATIBLE_CARDINALITY": ("cardinality", "type"),
    "FIELD_WIRE_COMPATIBLE_TYPE": ("type",),
    "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY": ("cardinality", "type"),
    "FIELD_WIRE_JSON_COMPATIBLE_TYPE": ("type",),
    "FILE_SAME_PACKAGE": ("package",),
    "MESSAGE_SAME_JSON_FORMAT": ("json_format",),
    "MESSAGE_SAME_REQUIRED_FIELDS": ("", "cardinality"),
    "RESERVED_ENUM_NO_DELETE": ("reserved numbers", "reserved names"),
    "RESERVED_MESSAGE_NO_DELETE": ("reserved numbers", "reserved names"),
    "RPC_SAME_IDEMPOTENCY_LEVEL": ("idempotency_level",),
}

# Findings without a row at their place, by case, rule, file and line, and why.
ADJUDICATED = {
    ("breaking_enum_value_same_name", "ENUM_VALUE_SAME_NAME", "1.proto", 47): "buf repeats one number at its second "
    "name; the row stands once, at the first name",
    ("breaking_field_same_cardinality", "MESSAGE_SAME_REQUIRED_FIELDS", "3.proto", 5): "buf does not count the "
    "edition's LEGACY_REQUIRED as required: the field is required on both sides, and reads alike",
}
# buf's findings that are no fact of a wire: the rule of the row says so, and its verdict is not breaking.
CONVENTIONS = {
    "proto-enum-and-integer": "an enum and an integer have the same bytes; without JSON names nothing differs",
    "proto-field-oneof-changed": "no other field shares the oneof: nothing is cleared",
    "proto-field-renamed": "the JSON name is the same: printers write what both sides read",
    "proto-json-not-promised": "the feature promises; what a runtime writes without the promise is not said",
    "proto-package-changed": "no message names its package",
}

# documented change -> (part of the address, rule), or why no row breaks
DOCUMENTED: dict[str, dict[str, tuple[str, str]]] = {
    "otlp-0.14_0.16": {"Remove deprecated LogRecord.Name": ("LogRecord > field name = 4", "proto-field-removed")},
    "otlp-1.7_1.9": {
        "profiles: remove default_sample_type": ("field default_sample_type_index = 9", "proto-json-name-changed"),
        "profiles: remove has_*": ("field has_functions = 6", "proto-field-removed"),
        "profiles: remove Location.is_folded": ("field is_folded = 4", "proto-json-name-changed"),
        "profiles: use single Profile.sample_type": ("field sample_type = 1", "proto-field-became-singular"),
        "profiles: unsigned time_nanos": ("field time_nanos = 4", "proto-number-range-changed"),
        "profiles: drop field profile.comment": ("field comment_strindices = 8", "proto-json-name-changed"),
        "profiles: remove aggregation": ("ValueType > field aggregation_temporality", "proto-field-removed"),
    },
    "temporal-reset-heartbeats": {"remove reset_heartbeats": ("field reset_heartbeat = 6", "proto-json-name-changed")},
}


def contract(path: Path, include: tuple[Path, ...] = ()) -> Contract:
    return read_named(path, include=include)[0]


@cache
def pair(name: str) -> Comparison:
    folder = CORPUS / "proto" / name
    include = tuple(sorted((CORPUS / "proto" / "_deps").iterdir()))
    return compare(*(contract(folder / side, include) for side in ("released", "candidate")))


@cache
def case(name: str) -> Comparison:
    return compare(*(contract(CASES / name / side) for side in ("released", "candidate")))


@pytest.fixture(autouse=True)
def _there(corpus: Path) -> None:
    """Skips without the corpus."""


@pytest.mark.parametrize("name", PAIRS)
def test_real_pairs_are_read_judged_and_witnessed(name: str) -> None:
    rows = pair(name).rows
    assert rows and not pair(name).unread
    assert not [row.delta.address for row in rows if row.judgement.rule is None]
    assert not [
        row.delta.address
        for row in rows
        if row.judgement.verdict is Verdict.BREAKING and row.proof.status is not ProofStatus.WITNESSED
    ]


@pytest.mark.parametrize("name", PAIRS)
def test_documented_changes_are_breaking_rows(name: str) -> None:
    meta = json.loads((CORPUS / "proto" / name / "meta.json").read_text(encoding="utf-8"))
    breaking = [entry["what"] for entry in meta["documented_changes"] if entry["breaking"]]
    known = DOCUMENTED.get(name, {})
    assert {next((start for start in known if what.startswith(start)), what) for what in breaking} == set(known)
    for part, rule in known.values():
        assert any(
            part in row.delta.address and row.judgement.rule == rule and row.judgement.verdict is Verdict.BREAKING
            for row in pair(name).rows
        ), part


def findings(name: str, category: str) -> Iterator[dict[str, Any]]:
    """What buf says of a case with one set of rules."""
    buf = shutil.which("buf", path=str(Path(sys.executable).parent)) or shutil.which("buf")
    if buf is None:
        pytest.skip("buf is not installed (pip install buf-bin)")
    config = json.dumps({"version": "v2", "breaking": {"use": [category]}})
    against = ["--against", str(CASES / name / "released"), "--config", config, "--against-config", config]
    command = [buf, "breaking", ".", "--error-format", "json", "--exclude-imports", *against]
    done = subprocess.run(command, cwd=CASES / name / "candidate", capture_output=True, text=True, check=False)
    assert done.returncode in (0, 100), done.stderr
    yield from (json.loads(line) for line in done.stdout.splitlines())


def at(place: Place | None, found: dict[str, Any]) -> bool:
    """True when a row's place is inside of what a finding points at."""
    if place is None or place.line is None or place.file != found.get("path", ""):
        return False
    return bool(found.get("start_line", 1) <= place.line <= found.get("end_line", 1))


def stating(name: str, found: dict[str, Any]) -> list[JudgedRow]:
    return [
        row
        for row in case(name).rows
        if row.delta.facet in FACETS[found["type"]] and at(row.delta.candidate_place, found)
    ]


NAMES = sorted(path.name for path in CASES.iterdir()) if CASES.is_dir() else ["absent"]


@pytest.mark.parametrize("category", ["WIRE", "WIRE_JSON"])
@pytest.mark.parametrize("name", NAMES)
def test_every_wire_finding_of_buf_is_a_row_at_its_place(name: str, category: str) -> None:
    for found in findings(name, category):
        rows = stating(name, found)
        if not rows:
            assert (name, found["type"], found["path"], found["start_line"]) in ADJUDICATED, found
        elif not any(row.judgement.verdict is Verdict.BREAKING for row in rows):
            assert {row.judgement.rule for row in rows} <= set(CONVENTIONS), found
            assert all("convention" in row.judgement.why for row in rows), found


@pytest.mark.parametrize("name", NAMES)
def test_no_row_of_the_cases_is_unexplained(name: str) -> None:
    rows = case(name).rows
    assert not [row.delta.address for row in rows if row.judgement.rule is None]
    open_rows = [row for row in rows if row.judgement.verdict is Verdict.BREAKING]
    assert not [row.delta.address for row in open_rows if row.proof.status is not ProofStatus.WITNESSED]


def test_files_that_moved_change_nothing() -> None:
    """Most of etcd's types moved to another folder between two releases: that is no difference."""
    gone = {row.delta.address for row in pair("etcd-3.4_3.5").rows if row.delta.element is ElementKind.TYPE}
    assert not any(address.startswith("type etcdserverpb.Put") for address in gone)
    assert pair("etcd-3.4_3.5").breaking
