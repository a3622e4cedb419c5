"""Several releases of one contract: which compatibility levels hold between neighbours, and which across all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evreview.app.cli import run_command
from evreview.comparison.history import MOST, SCHEMA, History
from evreview.contract.model import Contract
from evreview.core.errors import BadInput
from evreview.core.vocabulary import CompatibilityLevel, ExitStatus, Json, ProofStatus
from evreview.kinds.compare import compare_history
from evreview.kinds.load import read_contract
from tests.comparison import pairs as http

FIRST: Json = {"name": "a", "type": "string"}
PLAIN: Json = {"name": "b", "type": "string"}
WITH_DEFAULT: Json = {"name": "b", "type": "string", "default": "x"}


def record(*fields: Json) -> Json:
    return {"type": "record", "name": "Event", "fields": [FIRST, *fields]}


# Avro: without the field, with a default, with the default taken back.
LADDER = [record(), record(WITH_DEFAULT), record(PLAIN)]
CLOSED: dict[str, Json] = {
    "$schema": "http://json-schema.org/draft-07/schema",
    "type": "object",
    "additionalProperties": False,
}


def avro(document: Json) -> Contract:
    return read_contract("event.avsc", lambda _: json.dumps(document).encode())


def event(**properties: Json) -> Contract:
    schema = {**CLOSED, "properties": properties}
    return read_contract("event.json", lambda _: json.dumps(schema).encode())


def holds(history: History) -> dict[str, str]:
    return {standing.level.value: standing.holds.value for standing in history.standings}


ALL_HOLD = {level.value: "yes" for level in CompatibilityLevel if level is not CompatibilityLevel.NONE}


def test_a_default_taken_back_is_backward_and_not_backward_transitive() -> None:
    found = compare_history([avro(document) for document in LADDER])
    assert holds(found) == {**ALL_HOLD, "backward-transitive": "no", "full-transitive": "no"}
    (reason,) = found.standing(CompatibilityLevel.BACKWARD_TRANSITIVE).broken
    assert (reason.earlier, reason.later) == (0, 2)
    (row,) = reason.rows
    pair = next(pair for pair in found.pairs if not pair.adjacent)
    assert pair.comparison.row(row).proof.status is ProofStatus.WITNESSED


LADDERS: list[tuple[str, list[Json], dict[str, str]]] = [
    ("the same", [record(), record(), record()], ALL_HOLD),
    ("fields with defaults", [record(), record(WITH_DEFAULT)], ALL_HOLD),
    (
        "a field without one",
        [record(), record(PLAIN)],
        {**ALL_HOLD, **dict.fromkeys(("backward", "full", "backward-transitive", "full-transitive"), "no")},
    ),
    (
        "such a field removed",
        [record(PLAIN), record()],
        {**ALL_HOLD, **dict.fromkeys(("forward", "full", "forward-transitive", "full-transitive"), "no")},
    ),
    (
        "a default given, then the field gone",
        [record(PLAIN), record(WITH_DEFAULT), record()],
        {**ALL_HOLD, "forward-transitive": "no", "full-transitive": "no"},
    ),
]


@pytest.mark.parametrize(("documents", "expected"), [row[1:] for row in LADDERS], ids=[row[0] for row in LADDERS])
def test_ladders_of_avro(documents: list[Json], expected: dict[str, str]) -> None:
    assert holds(compare_history([avro(document) for document in documents])) == expected


def test_levels_of_json_schema_events() -> None:
    text: Json = {"type": "string"}
    found = compare_history([event(a=text), event(a=text, b=text), event(a=text, b={"type": "integer"})])
    assert holds(found) == dict.fromkeys(ALL_HOLD, "no") | {"backward": "no", "forward": "no"}
    one = compare_history([event(a=text), event(a=text, b=text)])
    assert holds(one)["backward"] == "yes" and holds(one)["forward"] == "no"


def test_http_contracts_have_a_history_too() -> None:
    def release(kind: Json) -> Contract:
        return http.contract(http.document({"/a": http.get(kind)}))

    found = compare_history([release({"type": "string"}), release({"type": ["string", "integer"]})])
    assert holds(found)["backward"] == "yes" and holds(found)["forward"] == "no"


def test_what_nobody_read_leaves_a_level_unknown() -> None:
    def release(ref: str) -> Contract:
        return event(a={"$ref": ref})

    found = compare_history([release("https://a.test/x.json"), release("https://a.test/y.json")])
    assert set(holds(found).values()) == {"unknown"}


def test_pairs_are_neighbours_first_and_all() -> None:
    found = compare_history([avro(record()) for _ in range(4)])
    assert [(pair.earlier, pair.later) for pair in found.pairs] == [(0, 1), (1, 2), (2, 3), (0, 2), (0, 3), (1, 3)]
    assert len(list(found.counted(CompatibilityLevel.FULL))) == 3 and not list(found.counted(CompatibilityLevel.NONE))


def test_broken_usage_is_told() -> None:
    one, other = avro(record()), event()
    for releases, code in (
        ([one], "history-too-short"),
        ([one, other], "contract-kinds-differ"),
        ([one] * (MOST + 1), "history-too-long"),
    ):
        with pytest.raises(BadInput) as caught:
            compare_history(releases)
        assert [problem.code for problem in caught.value.problems] == [code]


@pytest.fixture
def ladder(tmp_path: Path) -> list[str]:
    paths = []
    for at, document in enumerate(LADDER):
        path = tmp_path / f"v{at}.avsc"
        path.write_text(json.dumps(document))
        paths.append(str(path))
    return paths


STATUSES: list[tuple[list[str], int]] = [
    ([], ExitStatus.DONE),
    (["--fail-on", "breaking"], ExitStatus.DONE),
    (["--fail-on", "breaking", "--level", "backward-transitive"], ExitStatus.FAIL_ON),
    (["--fail-on", "breaking", "--level", "forward-transitive"], ExitStatus.DONE),
    (["--fail-on", "unproven", "--level", "full"], ExitStatus.DONE),
    (["--fail-on", "breaking", "--level", "none"], ExitStatus.DONE),
    (["--format", "csv"], ExitStatus.BAD_INPUT),
    (["--accept", "accepted.yaml"], ExitStatus.BAD_INPUT),
]


@pytest.mark.parametrize(("options", "status"), STATUSES, ids=[" ".join(row[0]) for row in STATUSES])
def test_fail_on_respects_the_level(options: list[str], status: int, ladder: list[str]) -> None:
    assert run_command(["diff", "--history", *ladder, *options]) == status


@pytest.mark.parametrize("words", [[], ["--level", "full"]])
def test_more_than_two_contracts_need_the_option(
    words: list[str], ladder: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    paths = ladder if not words else ladder[:2]
    assert run_command(["diff", *paths, *words]) == ExitStatus.BAD_INPUT
    assert "--history" in capsys.readouterr().err


def test_one_release_is_no_history(ladder: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["diff", "--history", ladder[0]]) == ExitStatus.BAD_INPUT
    assert "CANDIDATE" in capsys.readouterr().err


def test_the_text_names_each_pair_and_level(ladder: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run_command(["diff", "--history", *ladder])
    told = capsys.readouterr().out
    assert told.count("== ") == 3
    lines = [line.split() for line in told.partition("levels\n")[2].splitlines()]
    assert {line[0]: line[1] for line in lines} == {
        level: "holds" if said == "yes" else "broken"
        for level, said in holds(compare_history([avro(each) for each in LADDER])).items()
    }


def test_the_json_form_holds_the_ledger_of_each_pair(ladder: list[str], tmp_path: Path) -> None:
    target = tmp_path / "history.json"
    assert run_command(["diff", "--history", *ladder, "--format", "json", "-o", str(target)]) == 0
    told = json.loads(target.read_text())
    assert told["schema"] == SCHEMA
    assert [release["path"] for release in told["releases"]] == ladder
    assert [(pair["earlier"], pair["later"], pair["diff"]["schema"]) for pair in told["pairs"]] == [
        (0, 1, "evreview.diff/1"),
        (1, 2, "evreview.diff/1"),
        (0, 2, "evreview.diff/1"),
    ]
    by_level = {entry["level"]: entry for entry in told["levels"]}
    broken = by_level["backward-transitive"]["broken"]
    ids = {row["id"] for pair in told["pairs"] for row in pair["diff"]["rows"]}
    assert [set(reason["rows"]) <= ids for reason in broken] == [True]
