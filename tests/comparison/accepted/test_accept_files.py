"""Accept files: what is read, what is refused, and what an entry does to the row with its id."""

from __future__ import annotations

from datetime import date, timedelta

import jsonschema
import pytest

from evreview.comparison.accepted_differences import Acceptance, Entry, State, join, read_accept_files
from evreview.core.errors import BadInput
from evreview.core.vocabulary import DeltaId, RuleId
from evreview.evidence.records.compatibility import accept_schema
from evreview.kinds.rule_catalogue import BY_ID

DAY = date(2026, 11, 20)
GOOD = {"id": "D-0123456789ab", "reason": "nobody sends it", "owner": "orders team", "expires": "2027-01-31"}

RULE = "request-field-removed"
BY_RULE = {
    "rule": RULE,
    "operations": ["GET /x", "GET /y"],
    **{name: GOOD[name] for name in ("reason", "owner", "expires")},
}


def written(*entries: dict[str, object]) -> bytes:
    """The accept file with these entries, one line per field, entry n beginning on line 2 + n * (its fields)."""
    lines = ["accept:"]
    for entry in entries:
        lines += [f"  {'-' if at == 0 else ' '} {key}: {value}" for at, (key, value) in enumerate(entry.items())]
    return ("\n".join(lines) + "\n").encode()


def problems(*files: tuple[str, bytes]) -> list[tuple[str, str, str, int | None]]:
    """Code, file, place and line of everything that is wrong."""
    with pytest.raises(BadInput) as caught:
        read_accept_files(files, BY_ID.keys)
    return [(each.code, each.file, each.place, each.line) for each in caught.value.problems]


def entries(*found: dict[str, object]) -> tuple[Entry, ...]:
    return read_accept_files([("accept.yaml", written(*found))], BY_ID.keys)


def test_an_entry_keeps_its_words_and_its_line() -> None:
    one, two = entries(GOOD, {**GOOD, "id": "D-ffffffffffff", "note": "request-field-removed at POST /x"})
    assert (one.id, one.reason, one.owner, one.expires) == tuple(GOOD.values())
    assert (one.file, one.line, two.line) == ("accept.yaml", 2, 6)
    assert two.note == "request-field-removed at POST /x"


def test_json_is_read_like_yaml() -> None:
    (found,) = read_accept_files([("a.json", b'{"accept": [\n{"id": "D-0123456789abcdef", "reason": "r",\n'
                                  b'"owner": "o", "expires": "2027-01-31"}]}')], BY_ID.keys)  # fmt: skip
    assert (found.id, found.line) == ("D-0123456789abcdef", 2)


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        ({"id": "D-1"}, "bad-value", "/id"),
        ({"id": "E12"}, "bad-value", "/id"),
        ({"id": "D-0123456789AB"}, "bad-value", "/id"),
        ({"id": "D-0123456789abc"}, "bad-value", "/id"),
        ({"reason": '""'}, "empty-value", "/reason"),
        ({"reason": '"  "'}, "empty-value", "/reason"),
        ({"reason": "FILL-IN"}, "not-filled-in", "/reason"),
        ({"owner": 7}, "wrong-type", "/owner"),
        ({"expires": "never"}, "bad-value", "/expires"),
        ({"expires": "31.01.2027"}, "bad-value", "/expires"),
        ({"expires": "2027-02-30"}, "bad-value", "/expires"),
        ({"until": "2027-01-31"}, "unknown-key", "/until"),
        ({"rule": RULE, "operations": ["GET /x"]}, "accepted-by-both", "/rule"),
    ],
)
def test_a_wrong_field_is_told_with_its_line(change: dict[str, object], code: str, place: str) -> None:
    entry = {**GOOD, **change}
    ((found, file, at, line),) = problems(("accept.yaml", written(entry)))
    assert (found, file, at) == (code, "accept.yaml", f"#/accept/0{place}")
    assert line == 2 + list(entry).index(place[1:])


@pytest.mark.parametrize("field", ["id", "reason", "owner", "expires"])
def test_every_field_but_the_note_is_needed(field: str) -> None:
    ((code, _, at, line),) = problems(("a.yaml", written({key: GOOD[key] for key in GOOD if key != field})))
    assert (code, at) == ("missing-field", f"#/accept/0/{field}")
    assert line is None or line >= 1


def test_all_problems_of_all_files_are_told_at_once() -> None:
    first = written({**GOOD, "id": "x"}, {**GOOD, "owner": "FILL-IN"})
    found = problems(("a.yaml", first), ("b.yaml", b"accept: ["), ("c.yaml", b"rows: []\n"))
    assert [each[1] for each in found] == ["a.yaml", "a.yaml", "b.yaml", "c.yaml", "c.yaml"]


@pytest.mark.parametrize(("field", "value"), [("expires", "2027-02-30"), ("expires", "soon"), ("owner", "FILL-IN")])
def test_an_id_that_stands_twice_is_told_beside_what_else_is_wrong(field: str, value: str) -> None:
    first: dict[str, object] = {**GOOD}
    again: dict[str, object] = {**GOOD, field: value}
    found = problems(("a.yaml", written(first, again)))
    assert [(code, line) for code, _, _, line in found][1:] == [("accepted-twice", 6)]
    assert found[0][0] in ("bad-value", "not-filled-in")


@pytest.mark.parametrize(
    "change", [{"expires": "2027-02-30"}, {"expires": "soon"}, {"id": "D-1"}, {"owner": 7}, {"note": 7}]
)
def test_no_library_speaks_in_a_problem(change: dict[str, object]) -> None:
    entry: dict[str, object] = {**GOOD, **change}
    with pytest.raises(BadInput) as caught:
        read_accept_files([("a.yaml", written(entry))], BY_ID.keys)
    assert not any(word in str(caught.value).lower() for word in ("value error", "should match", "out of range"))


def test_an_id_stands_once_in_all_files() -> None:
    found = problems(("a.yaml", written(GOOD)), ("b.yaml", written({**GOOD, "owner": "somebody else"})))
    assert [(code, file, line) for code, file, _, line in found] == [("accepted-twice", "b.yaml", 2)]


def joined(expires: str, *, rows: tuple[str, ...] = (str(GOOD["id"]),), noise: tuple[str, ...] = ()) -> Acceptance:
    found = entries({**GOOD, "expires": expires})
    return join(
        found, {DeltaId(row): ("GET /x",) for row in rows}, [DeltaId(row) for row in noise], today=DAY, content=str
    )


@pytest.mark.parametrize(
    ("listed", "covers"),
    [
        (None, True),
        (["GET /x"], True),
        (["DELETE /y", "GET /x", "POST /z"], True),
        (["DELETE /y"], False),
        ([], False),
    ],
)
def test_an_entry_covers_no_operation_that_it_does_not_list(listed: list[str] | None, covers: bool) -> None:
    entry = {**GOOD, "expires": "2027-01-31", **({} if listed is None else {"operations": listed})}
    row = DeltaId(str(GOOD["id"]))
    found = join(entries(entry), {row: ("GET /x",)}, [], today=DAY, content=str)
    assert found.covers(row) is covers
    assert [each.entry.id for each in found.stale] == ([] if covers else [row])
    assert covers or "GET /x" in found.stale[0].found


@pytest.mark.parametrize(
    ("change", "place", "code"),
    [
        ({"rule": "request-field-removd"}, "/rule", "unknown-rule"),
        ({"operations": []}, "/operations", "missing-field"),
        ({"operations": None}, "/operations", "missing-field"),
    ],
)
def test_an_entry_for_a_rule_names_one_that_exists_at_operations(
    change: dict[str, object], place: str, code: str
) -> None:
    entry = {name: "null" if value is None else value for name, value in {**BY_RULE, **change}.items()}
    found = problems(("a.yaml", written(entry)))
    assert (code, f"#/accept/0{place}") in [(each[0], each[2]) for each in found]


def test_a_rule_stands_once_at_an_operation() -> None:
    found = problems(("a.yaml", written(BY_RULE, {**BY_RULE, "operations": ["GET /z", "GET /y"]})))
    assert [(code, line) for code, _, _, line in found] == [("accepted-twice", 7)]


@pytest.mark.parametrize(
    ("reached", "rule", "covers", "stale"),
    [
        (["GET /x"], RULE, True, False),
        (["GET /x", "GET /y"], RULE, True, False),
        (["GET /x", "GET /z"], RULE, False, True),
        (["GET /z"], RULE, False, True),
        ([], RULE, False, True),
        (["GET /x"], "request-field-added", False, True),
        (["GET /x"], None, False, True),
    ],
)
def test_an_entry_for_a_rule_covers_its_rows_that_reach_nothing_else(
    reached: list[str], rule: str | None, covers: bool, stale: bool
) -> None:
    row = DeltaId("D-0123456789ab")
    rules = {row: None if rule is None else RuleId(rule)}
    found = join(entries(BY_RULE), {row: reached}, [], today=DAY, content=str, rules=rules)
    assert (found.covers(row), bool(found.stale)) == (covers, stale)
    assert not stale or RULE in str(found.stale[0].to_dict()["rule"])


def test_an_entry_for_the_row_goes_before_one_for_its_rule() -> None:
    row = DeltaId(str(GOOD["id"]))
    listed = entries({**BY_RULE, "owner": "all"}, {**GOOD, "expires": "2020-01-31"})
    found = join(listed, {row: ["GET /x"]}, [], today=DAY, content=str, rules={row: RuleId(RULE)})
    assert (found.by_id[row].state, found.by_id[row].entry.owner) == (State.EXPIRED, GOOD["owner"])


@pytest.mark.parametrize(("stated", "covers"), [(None, True), ("one", True), ("two", False)])
def test_an_entry_covers_no_other_content(stated: str | None, covers: bool) -> None:
    entry = {**GOOD, "expires": "2027-01-31", **({} if stated is None else {"content": stated})}
    row = DeltaId(str(GOOD["id"]))
    found = join(entries(entry), {row: ("GET /x",)}, [], today=DAY, content={row: "one"}.__getitem__)
    assert found.covers(row) is covers
    assert [each.entry.id for each in found.stale] == ([] if covers else [row])


@pytest.mark.parametrize(
    ("days", "state"), [(1, State.ACCEPTED), (0, State.ACCEPTED), (-1, State.EXPIRED), (-400, State.EXPIRED)]
)
def test_an_entry_holds_up_to_its_last_day(days: int, state: State) -> None:
    found = joined((DAY + timedelta(days=days)).isoformat())
    row = DeltaId(str(GOOD["id"]))
    assert found.by_id[row].state is state
    assert found.covers(row) is (state is State.ACCEPTED)
    assert not found.stale


def test_a_changed_difference_is_not_covered_and_its_entry_is_stale() -> None:
    found = joined("2027-01-31", rows=("D-0123456789ab0000", "D-aaaaaaaaaaaa"))
    assert not found.by_id
    assert [each.entry.id for each in found.stale] == [GOOD["id"]]


def test_an_entry_for_noise_is_stale_with_its_own_reason() -> None:
    gone, quiet = joined("2027-01-31", rows=()), joined("2027-01-31", rows=(), noise=(str(GOOD["id"]),))
    assert [len(gone.stale), len(quiet.stale)] == [1, 1]
    assert gone.stale[0].found != quiet.stale[0].found


def test_the_schema_agrees_with_the_reader() -> None:
    schema = accept_schema()
    check = jsonschema.Draft202012Validator(schema)
    assert check.is_valid({"accept": [GOOD, BY_RULE]})
    wrong = [{**GOOD, "id": "D-1"}, {**GOOD, "expires": "never"}, {**GOOD, "reason": ""}, {**GOOD, "more": 1}]
    wrong += [
        {**GOOD, "rule": RULE},
        {**BY_RULE, "rule": ""},
        {key: BY_RULE[key] for key in BY_RULE if key != "operations"},
    ]
    assert [check.is_valid({"accept": [entry]}) for entry in wrong] == [False] * 7
