"""The policy of the parser as tables, and everything that is refused."""

from __future__ import annotations

import gc
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.core import limits
from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput
from evreview.core.yaml_text import may_hold_aliases

VALUES = [
    ("true", True),
    ("TRUE", True),
    ("False", False),
    ("yes", "yes"),
    ("No", "No"),
    ("on", "on"),
    ("~", None),
    ("Null", None),
    ("", None),
    ("2020-01-01", "2020-01-01"),
    ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
    ("1:30", "1:30"),
    ("017", 17),
    ("0o17", 15),
    ("0x1F", 31),
    ("1e3", 1000.0),
    ("12345678901234567890123", 12345678901234567890123),
    ("'1_000'", "1_000"),
    ("v1_000", "v1_000"),
    ("a:b#c", "a:b#c"),
    ("!!str 12", "12"),
    ("!custom x", "x"),
    ("=", "="),
]


@pytest.mark.parametrize(("written", "value"), VALUES, ids=[written or "empty" for written, _ in VALUES])
def test_a_yaml_scalar_means_what_the_policy_says(written: str, value: object) -> None:
    got = parse_text(f"a: {written}\n".encode(), "f")
    assert got == {"a": value}
    assert type(got["a"]) is type(value)


DOCUMENTS = [
    # Keys that Python takes for one; YAML 1.2 tells their types apart, and so do the texts that they are in JSON.
    ("1: a\ntrue: b\n", {"1": "a", "true": "b"}),
    ("false: a\n0: b\n'no': c\nyes: d\n", {"false": "a", "0": "b", "no": "c", "yes": "d"}),
    ("x: {1: a, True: [true, 1]}\n", {"x": {"1": "a", "true": [True, 1]}}),
    ("200: a\n200.0: b\n", {"200": "a", "200.0": "b"}),
    (
        "- 1: {true: x}\n  TRUE: {1: y, true: z}\n- true\n",
        [{"1": {"true": "x"}, "true": {"1": "y", "true": "z"}}, True],
    ),
    ("200: a\ntrue: b\nnull: c\n1.5: d\n", {"200": "a", "true": "b", "null": "c", "1.5": "d"}),
    ("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", {"a": 1, "b": 1, "c": 2, "d": 2}),
    ("a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n", {"a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 3}}),
    (
        "a: &x {p: 1}\nb: &y {p: 2, r: 3}\nc:\n  <<: [*x, *y]\n",
        {"a": {"p": 1}, "b": {"p": 2, "r": 3}, "c": {"p": 1, "r": 3}},
    ),
    ("%YAML 1.1\n---\na: yes\n...\n", {"a": "yes"}),
    ("a: |\n  1_000\n  *x\n", {"a": "1_000\n*x\n"}),
    ("a: |\n  1_000\nb: 1000\n", {"a": "1_000\n", "b": 1000}),
    ("a: &x 1\nb: 'see *x'\n", {"a": 1, "b": "see *x"}),
    ("{a: 1, b: [x]}", {"a": 1, "b": ["x"]}),
    ('\ufeff{"a": 1}', {"a": 1}),
    ("\ufeffa: 1", {"a": 1}),
    ('{"a": "x\\":", "b": {":": 1}}', {"a": 'x":', "b": {":": 1}}),
    ('  {\n\t"a" : 1 }\n', {"a": 1}),
    ("- 1\n- 2\n", [1, 2]),
]


@pytest.mark.parametrize(("text", "value"), DOCUMENTS, ids=range(len(DOCUMENTS)))
def test_a_document_is_read_by_its_content(text: str, value: object) -> None:
    assert parse_text(text.encode(), "no-ending") == value


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
)
REFUSED = [
    ("truncated-json", b'{"a": [1, 2', "json-syntax", "line 1"),
    ("json-comma", b'{"a": 1,\n}', "json-syntax", "line 1"),
    ("json-comment", b'{"a": 1 // c\n}', "json-syntax", "line 1"),
    ("json-infinity", b'{"a": 1e999}', "json-syntax", "line 1"),
    ("truncated-yaml", b'a: "x\nb: [1', "yaml-syntax", "line"),
    ("tab", b"a:\n\tb: 1\n", "yaml-syntax", "line 2"),
    ("duplicate-json", b'{"b": 1,\n "a": {"x": "\\"x\\":"},\n "a": 2}', "duplicate-key", "line 3"),
    ("duplicate-json-escaped", b'{"a": 1, "\\u0061": 2}', "duplicate-key", "line 1"),
    ("duplicate-yaml", b"a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", "duplicate-key", "line 5"),
    ("duplicate-yaml-number", b"200: 1\n'200': 2\n", "duplicate-key", "#/200"),
    ("duplicate-yaml-boolean", b"True: 1\ntrue: 2\n", "duplicate-key", ""),
    ("duplicate-yaml-boolean-text", b"true: 1\n'true': 2\n", "duplicate-key", "#/true"),
    ("duplicate-yaml-hexadecimal", b"0x1: 1\n1: 2\n", "duplicate-key", ""),
    ("duplicate-yaml-decimal", b"1.0: 1\n1.00: 2\n", "duplicate-key", ""),
    ("duplicate-yaml-decimal-text", b"1.5: 1\n'1.5': 2\n", "duplicate-key", "#/1.5"),
    ("duplicate-yaml-null", b"null: 1\n~: 2\n", "duplicate-key", ""),
    ("binary", b"\x89PNG\r\n\x1a\n\x00\x00", "text-binary", "line 2"),
    ("nul-in-yaml", b"a: 1\nb: \x00\n", "text-binary", "line 2"),
    ("empty", b"", "text-empty", ""),
    ("blank", b" \n\t\n", "text-empty", ""),
    ("utf-16", "a: 1".encode("utf-16"), "text-encoding", ""),
    ("utf-16-bare", '{"a": 1}'.encode("utf-16-le"), "text-encoding", ""),
    ("utf-32", "a: 1".encode("utf-32"), "text-encoding", ""),
    ("latin-1", "a: 1\nb: caf\u00e9\n".encode("latin-1"), "text-encoding", "line 2"),
    ("latin-1-json", '{"b": "caf\u00e9"}'.encode("latin-1"), "text-encoding", "line 1"),
    ("deep-json", b"[" * 260 + b"]" * 260, "text-too-deep", ""),
    ("deeper-json", b"[" * 5000 + b"]" * 5000, "text-too-deep", ""),
    ("deep-flow", b"a: " + b"[" * 400 + b"]" * 400, "text-too-deep", ""),
    ("deep-block", "\n".join(" " * n + "a:" for n in range(400)).encode(), "text-too-deep", ""),
    ("bomb", BOMB.encode(), "yaml-alias-bomb", ""),
    ("alias-in-itself", b"a: 1\nb: &x\n  c: *x\n", "yaml-alias-empty", "line 3"),
    ("alias-in-itself-flow", b"a: &x [*x]\n", "yaml-alias-empty", "line 1"),
    ("alias-unknown", b"a: *x\n", "yaml-syntax", "line 1"),
    ("underscore", b"a:\n  b: 1_000\n", "yaml-value", "#/a/b"),
    ("binary-number", b"a: [0b11]\n", "yaml-value", "#/a/0"),
    ("infinity", b"a: .inf\n", "yaml-value", "#/a"),
    ("set", b"a: !!set {x, y}\n", "yaml-value", "#/a"),
    ("list-key", b"? [a, b]\n: 1\n", "yaml-key", "#"),
    ("merge-nothing", b"a:\n  <<: 1\n", "yaml-merge-key", "#/a"),
    ("python-tag", b"a: !!python/object:os.system x\n", "yaml-syntax", ""),
    ("two-documents", b"a: 1\n---\nb: 2\n", "yaml-many-documents", ""),
]


@pytest.mark.req("W1I-003", "W1P-001")
@pytest.mark.parametrize(("data", "code", "place"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_no_document_is_one_clear_problem(data: bytes, code: str, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_text(data, "contract.yaml")
    (problem,) = caught.value.problems
    assert (problem.code, problem.file) == (code, "contract.yaml")
    assert problem.place.startswith(place)
    assert problem.advice


def test_a_file_of_100_mb_is_refused_before_it_is_looked_at() -> None:
    with pytest.raises(BadInput) as caught:
        parse_text(b"\xff" * 100_000_000, "big.json")
    assert [problem.code for problem in caught.value.problems] == ["text-too-large"]


def test_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evreview.core.yaml_text.MAX_NODES", 10)
    with pytest.raises(BadInput) as caught:
        parse_text(b"a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n", "f")
    assert caught.value.problems[0].code == "text-too-many-values"
    assert limits.MAX_NODES > 1_000_000


def test_parsing_leaves_garbage_collection_as_it_was() -> None:
    parse_text(b"{}", "f")
    assert gc.isenabled()


@given(st.binary(max_size=200))
def test_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        json.dumps(parse_text(data, "f"), allow_nan=False)
    except BadInput as error:
        assert error.problems


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=5), JSON_VALUES, max_size=5), st.sampled_from([None, 1, 2, "\t"]))
def test_json_is_read_as_json_reads_it(value: object, indent: int | str | None) -> None:
    assert parse_text(json.dumps(value, indent=indent).encode(), "f") == value


YAML = "\n".join(
    [
        "openapi: 3.0.0",
        "info:",
        "  description: |",
        "    paths:",
        "      /a:",
        '  "title": x',
        "# paths:",
        "paths:",
        "  /orders/{id}:",
        "    get:",
        "      parameters:",
        "      - name: a",
        "        in: query",
        "      -   in: path",
        "          name: b",
        "      responses:",
        "        200: {description: x}",
        "        '404':",
        "          description: y",
    ]
).encode()
LINES = [
    ("", 1),
    ("#/info/title", 6),
    ("/paths", 8),
    ("/paths/~1orders~1{id}/get", 10),
    ("/paths/~1orders~1{id}/get/parameters/0", 12),
    ("/paths/~1orders~1{id}/get/parameters/0/in", 13),
    ("/paths/~1orders~1{id}/get/parameters/1/name", 15),
    ("/paths/~1orders~1{id}/get/responses/200/description", 17),
    ("/paths/~1orders~1{id}/get/responses/404/description", 19),
    ("/paths/~1nowhere", 8),
]


@pytest.mark.parametrize(("pointer", "line"), LINES)
def test_the_line_of_a_yaml_part(pointer: str, line: int) -> None:
    assert line_of(YAML, pointer) == line


def test_the_line_of_a_json_part() -> None:
    data = b'{\n "a/b": [1,\n  {"c": "}",\n   "d" : [\n2]}]}'
    lines = {"": 1, "/a~1b": 2, "/a~1b/0": 2, "/a~1b/1": 3, "/a~1b/1/d": 4, "/a~1b/1/d/0": 5}
    assert {pointer: line_of(data, pointer) for pointer in lines} == lines
    assert line_of(data, "/a~1b/7") is None


@given(st.binary(max_size=120), st.text(max_size=10))
def test_lines_are_asked_of_anything(data: bytes, pointer: str) -> None:
    line = line_of(data, "/" + pointer)
    assert line is None or 1 <= line <= data.count(b"\n") + 1


@given(st.dictionaries(st.text(min_size=1, max_size=5), JSON_VALUES, min_size=1, max_size=5))
def test_every_json_key_is_found_on_its_line(value: dict[str, object]) -> None:
    data = json.dumps(value, indent=1).encode()
    lines = data.decode().split("\n")
    for key in value:
        line = line_of(data, "/" + key.replace("~", "~0").replace("/", "~1"))
        assert line is not None
        assert lines[line - 1].lstrip().startswith(json.dumps(key) + ":")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x {b: 1}\nc: *x\n", True),
        ("a: &x\n  b: *x\n", True),
        ("a: &é-1 1\nc: [*é-1]\n", True),
        ("a: R&D is *important* work\nb: '*not an alias'\n", False),
        ("a: Tom & *Jerry*\n", False),
        ("a: *x\n", False),
    ],
)
def test_an_alias_needs_an_anchor_of_its_name(text: str, expected: bool) -> None:
    assert may_hold_aliases(text) is expected


@pytest.mark.parametrize("number", ["1_000", "-1_0", "0b101", "0b_11", "0x_ff", "0xf_f", "0o7_7", "1_0.5"])
@pytest.mark.parametrize(
    "text", ["{0}", "a: {0}", "a:\n  b: [1, {0}]", "a: {{b: {0}}}", "- 1\r\n- {0}\r\n", "a: {0} # why", "a:\n- {0}\n\n"]
)
def test_a_number_that_yaml_does_not_know_is_refused_wherever_it_stands(number: str, text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_text(text.format(number).encode(), "a.yaml")
    assert [each.code for each in caught.value.problems] == ["yaml-value"]
