"""Protobuf contracts: what is read, from which forms, and how broken and hostile texts end."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from evreview.contract.model import Contract, Element, ElementKind
from evreview.contract.source import Files
from evreview.core.errors import BadInput, bad_input
from evreview.core.vocabulary import ABSENT, ContractKind, Direction, Form
from evreview.kinds.compare import compare, diff_contracts
from evreview.kinds.load import read_contract, read_named
from evreview.kinds.protobuf import SPEC, compiler

ORDERS = """syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
service Orders {
  rpc Get(Asked) returns (stream Order) { option idempotency_level = NO_SIDE_EFFECTS; }
}
message Asked { string id = 1; }
message Order {
  reserved 9 to 11;
  reserved "gone";
  int32 total = 1;
  optional int32 paid = 2;
  repeated int32 parts = 3;
  map<string, Line> lines = 4;
  oneof how { string card = 5; string cash = 6; }
  google.protobuf.Timestamp at = 7;
  Status status = 8 [json_name = "state"];
}
message Line { string sku = 1; }
enum Status { option allow_alias = true; NEW = 0; PAID = 1; SETTLED = 1; }
"""


def read(files: Mapping[str, str], entry: str = "") -> Contract:
    """The contract in texts by name: a folder, or one entry with others beside it."""

    def load(name: str) -> bytes:
        if name not in files:
            raise bad_input("file-missing", "there is no such file", file=name)
        return files[name].encode()

    return read_contract(entry, load, tuple(sorted(files)))


def one(text: str) -> Contract:
    return read({"orders.proto": text}, "orders.proto")


def element(contract: Contract, *path: tuple[ElementKind, str]) -> Element:
    at = contract.root
    for kind, key in path:
        at = next(child for child in at.children if (child.kind, child.key) == (kind, key))
    return at


def field(contract: Contract, number: int, message: str = "shop.Order") -> dict[str, Form]:
    found = element(contract, (ElementKind.TYPE, message), (ElementKind.FIELD, str(number)))
    return {facet.name: facet.value for facet in found.facets}


def test_a_text_becomes_procedures_types_fields_and_values() -> None:
    contract = one(ORDERS)
    assert (contract.kind, contract.version, contract.title) == (ContractKind.PROTOBUF, "proto3", "shop")
    call = element(contract, (ElementKind.OPERATION, "shop.Orders/Get"))
    assert [call.facet(name) for name in ("path", "request", "response")] == [
        "/shop.Orders/Get",
        "shop.Asked",
        "shop.Order",
    ]
    assert [call.facet(name) for name in ("client_streaming", "server_streaming", "idempotency_level")] == [
        False,
        True,
        "NO_SIDE_EFFECTS",
    ]
    order = element(contract, (ElementKind.TYPE, "shop.Order"))
    assert order.operations == ("shop.Orders/Get",)
    assert (order.direction, element(contract, (ElementKind.TYPE, "shop.Asked")).direction) == (
        Direction.WRITTEN,
        Direction.READ,
    )
    assert [order.facet(name) for name in ("reserved numbers", "reserved names")] == [["9 to 11"], ["gone"]]
    value = element(contract, (ElementKind.TYPE, "shop.Status"), (ElementKind.ENUM_VALUE, "1"))
    assert value.facet("names") == ["PAID", "SETTLED"]
    assert not any(child.name.startswith("google.") for child in contract.root.children)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, {"type": "int32", "cardinality": "implicit", "json_name": "total", "oneof": ABSENT, "default": ABSENT}),
        (2, {"cardinality": "optional", "oneof": ABSENT}),
        (3, {"cardinality": "repeated", "packed": True}),
        (4, {"type": "map<string, message shop.Line>", "cardinality": "map"}),
        (5, {"cardinality": "optional", "oneof": "how", "utf8_validation": "verify"}),
        (7, {"type": "message google.protobuf.Timestamp", "cardinality": "optional"}),
        (8, {"type": "enum shop.Status", "json_name": "state"}),
    ],
)
def test_properties_of_fields(number: int, expected: dict[str, Form]) -> None:
    found = field(one(ORDERS), number)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("head", "declared", "expected"),
    [
        ('syntax = "proto2";', "optional int32 a = 1 [default = 7];", {"cardinality": "optional", "default": 7}),
        ('syntax = "proto2";', "required int32 a = 1;", {"cardinality": "required"}),
        ('syntax = "proto2";', "repeated int32 a = 1;", {"packed": False}),
        ('syntax = "proto2";', "optional group A = 1 { optional int32 b = 2; }", {"type": "group shop.Order.A"}),
        ('edition = "2023";', "int32 a = 1;", {"cardinality": "optional"}),
        ('edition = "2023";', "int32 a = 1 [features.field_presence = IMPLICIT];", {"cardinality": "implicit"}),
        ('edition = "2023";', "int32 a = 1 [features.field_presence = LEGACY_REQUIRED];", {"cardinality": "required"}),
        ('edition = "2023";', "repeated int32 a = 1 [features.repeated_field_encoding = EXPANDED];", {"packed": False}),
        (
            'edition = "2023";',
            "message A {} A a = 1 [features.message_encoding = DELIMITED];",
            {"type": "group shop.Order.A"},
        ),
        (
            'edition = "2023"; option features.message_encoding = DELIMITED;',
            "map<string, A> a = 1; message A {}",
            {"type": "map<string, message shop.Order.A>"},
        ),
        (
            'edition = "2023"; option features.utf8_validation = NONE;',
            "string a = 1;",
            {"utf8_validation": "none"},
        ),
    ],
)
def test_syntaxes_and_editions_are_resolved(head: str, declared: str, expected: dict[str, Form]) -> None:
    package, rest = head.split(";", 1)
    contract = one(f"{package}; package shop; {rest} message Order {{ {declared} }}")
    found = field(contract, 1)
    assert {name: found[name] for name in expected} == expected


def test_places_are_lines_of_the_files_as_they_were_named() -> None:
    contract = read({"proto/shop/orders.proto": ORDERS, "proto/late.proto": 'import "shop/orders.proto";'})
    total = element(contract, (ElementKind.TYPE, "shop.Order"), (ElementKind.FIELD, "1"))
    assert str(total.place) == "proto/shop/orders.proto#L11"
    assert sorted(child.key for child in contract.root.children if child.kind is ElementKind.MODULE) == [
        "late.proto",
        "shop/orders.proto",
    ]


def test_one_file_may_be_imported_under_two_names() -> None:
    contract = read(
        {
            "a/b/one.proto": 'syntax = "proto3"; package a; message One {}',
            "a/b/two.proto": 'syntax = "proto3"; package a; import "one.proto"; message Two { One one = 1; }',
            "c.proto": 'syntax = "proto3"; import "a/b/one.proto"; message C { a.One one = 1; }',
        }
    )
    assert field(contract, 1, "a.Two")["type"] == field(contract, 1, "C")["type"] == "message a.One"


def set_of(folder: Path, text: str, *options: str) -> bytes:
    """A descriptor set made by the compiler itself."""
    (folder / "orders.proto").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I.", *options, "--descriptor_set_out=set", "orders.proto"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return (folder / "set").read_bytes()


def test_a_descriptor_set_is_the_same_contract_as_its_texts(tmp_path: Path) -> None:
    data = set_of(tmp_path, ORDERS, "--include_imports")
    loaded = read_contract("E2", lambda _: data)
    assert (loaded.kind, loaded.unread) == (ContractKind.PROTOBUF, ())
    assert diff_contracts(loaded, one(ORDERS)).deltas == ()
    as_text = base64.encodebytes(data)
    assert diff_contracts(read_contract("E2", lambda _: as_text), loaded).deltas == ()


def as_json(data: bytes) -> bytes:
    from google.protobuf.descriptor_pb2 import FileDescriptorSet
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.json_format import MessageToJson
    from google.protobuf.message_factory import GetMessageClass

    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString(data).file:
        pool.AddSerializedFile(file.SerializeToString())
    try:
        own = GetMessageClass(pool.FindMessageTypeByName("google.protobuf.FileDescriptorSet"))
    except KeyError:
        own = FileDescriptorSet
    return MessageToJson(own.FromString(data), descriptor_pool=pool).encode()


@pytest.mark.parametrize("name", ["orders", "custom"])
def test_a_descriptor_set_in_json_is_the_same_contract(tmp_path: Path, name: str) -> None:
    text = {"orders": ORDERS, "custom": CUSTOM}[name]
    data = as_json(set_of(tmp_path, text, "--include_imports"))
    assert SPEC.recognises(Files("E2", lambda _: data))
    loaded = read_contract("E2", lambda _: data)
    assert (loaded.kind, loaded.unread) == (ContractKind.PROTOBUF, ())
    assert diff_contracts(loaded, one(text)).deltas == ()


def test_an_option_that_a_set_in_json_does_not_declare_stays_visible() -> None:
    data = b'{"file": [{"name": "a.proto", "messageType": [{"name": "A", "options": {"[shop.team]": "sales"}}]}]}'
    assert [each.found for each in read_contract("E2", lambda _: data).unread] == ["option (shop.team)"]


@pytest.mark.parametrize(
    "data",
    [
        b'{"file": [{"name": "a.proto", "messageType": 5}]}',
        b'{"file": [{"name": "a.proto"',
        b'{"file": [{"name": "a", "messageType": [{"name": "A B"}]}]}',
    ],
)
def test_a_broken_set_in_json_is_a_problem(data: bytes) -> None:
    assert codes(lambda: read_contract("E2", lambda _: data)) == ["proto-set-broken"]


def test_a_set_without_its_imports_is_refused(tmp_path: Path) -> None:
    data = set_of(tmp_path, ORDERS)
    assert codes(lambda: read_contract("set.binpb", lambda _: data)) == ["proto-import-missing"]


CUSTOM = """syntax = "proto2"; package shop; import "google/protobuf/descriptor.proto";
message Rule { optional int32 most = 1; repeated string of = 2; }
extend google.protobuf.FieldOptions { optional Rule rule = 50001; optional string team = 50002; }
message Order { optional int32 total = 1 [(rule) = { most: 5 of: "a" of: "b" }, (team) = "sales"]; }
"""


def test_custom_options_are_read_by_the_sets_own_extensions() -> None:
    found = field(one(CUSTOM), 1)
    assert found["option (shop.rule)"] == {"most": 5, "of": ["a", "b"]}
    assert found["option (shop.team)"] == "sales"


def codes(act: object) -> list[str]:
    with pytest.raises(BadInput) as caught:
        act()  # type: ignore[operator]
    return [problem.code for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('syntax = "proto3"; message A { int32 a = ; }', ["proto-syntax"]),
        ('syntax = "proto3"; message A { B b = 1; C c = 2; }', ["proto-syntax", "proto-syntax"]),
        ('syntax = "proto3"; import "away.proto"; message A { away.B b = 1; }', ["proto-import-missing"]),
        ('syntax = "proto3"; import "../../etc/passwd"; message A {}', ["proto-import-missing"]),
        ('syntax = "proto3"; message A { int32 a = 1; int32 b = 1; }', ["proto-syntax"]),
        ('syntax = "proto9"; message A {}', ["proto-syntax"]),
        ('syntax = "proto3"; ' + "message A { " * 500 + "} " * 500, None),
    ],
)
def test_broken_texts_are_problems_with_places(text: str, expected: list[str] | None) -> None:
    with pytest.raises(BadInput) as caught:
        one(text)
    problems = caught.value.problems
    assert expected is None or [problem.code for problem in problems] == expected
    assert {problem.file for problem in problems} == {"orders.proto"}
    assert all(problem.place.startswith("line ") and problem.advice for problem in problems)
    assert not any("/tmp" in problem.found for problem in problems)


A = 'syntax = "proto3"; import "b.proto"; message A { B b = 1; }'
PROBLEMS_OF_IMPORTS = [
    ('syntax = "proto3"; import "a.proto"; message B { A a = 1; }', [("a.proto", "proto-import-cycle")]),
    ('syntax = "proto3"; import "b.proto"; message B {}', [("b.proto", "proto-import-cycle")]),
    ('syntax = "proto3"; message B { int32 a = ; }', [("b.proto", "proto-syntax")]),
    ('syntax = "proto3"; import "c.proto"; message B { C c = 1; }', [("b.proto", "proto-import-missing")]),
]


@pytest.mark.parametrize(("imported", "expected"), PROBLEMS_OF_IMPORTS)
def test_an_import_is_missing_only_where_nothing_else_is_wrong_with_it(
    imported: str, expected: list[tuple[str, str]]
) -> None:
    with pytest.raises(BadInput) as caught:
        read({"a.proto": A, "b.proto": imported})
    assert sorted((problem.file, problem.code) for problem in caught.value.problems) == expected
    assert ".. " not in str(caught.value)


HEAD = 'syntax = "proto3";\n'
REFUSED_IMPORTS = [
    ({"a.proto": HEAD + '\nimport "../x.proto";', "x.proto": HEAD}, "a.proto", "line 3, column 1"),
    (
        {"p/a.proto": HEAD + 'import "p/b.proto";', "p/b.proto": HEAD + '\n  import "../../x.proto";'},
        "p/b.proto",
        "line 3, column 3",
    ),
    ({"a.proto": HEAD + 'import "/etc/x.proto";', "etc/x.proto": HEAD}, "a.proto", "line 2, column 1"),
    ({"a.proto": HEAD + "import 'gone.proto';"}, "a.proto", "line 2, column 1"),
    ({"a.proto": HEAD + 'import public "gone.proto";'}, "a.proto", "line 2, column 1"),
    ({"a.proto": 'syntax = "proto2";\nimport weak "gone.proto";'}, "a.proto", "line 2, column 1"),
    ({"a.proto": 'edition = "2024";\n\nimport option "gone.proto";'}, "a.proto", "line 3, column 1"),
    ({"p/q/a.proto": HEAD + 'import "p/q/gone.proto";', "p/b.proto": HEAD}, "p/q/a.proto", "line 2, column 1"),
    ({"a.proto": HEAD + '/* import "x.proto";\n*/ import "gone.proto";'}, "a.proto", "line 3, column 4"),
    ({"a.proto": HEAD + 'import "b\\n.proto";'}, "a.proto", "line 2, column 1"),
    ({"a.proto": HEAD + 'import "b:9:1: x.proto";'}, "a.proto", "line 2, column 1"),
    ({"a.proto": HEAD + '\nimport "gone/" "b.proto";'}, "a.proto", "line 3, column 1"),
    ({"a.proto": HEAD + 'import "google/protobuf/gone.proto";'}, "a.proto", "line 2, column 1"),
    ({"a.proto": HEAD + 'import "";'}, "a.proto", "line 2, column 1"),
]


@pytest.mark.parametrize(("texts", "file", "place"), REFUSED_IMPORTS)
def test_a_refused_import_is_told_with_its_file_and_line(texts: dict[str, str], file: str, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(texts)
    told = [(problem.code, problem.file, problem.place) for problem in caught.value.problems]
    assert told == [("proto-import-missing", file, place)]


def test_words_of_comments_and_quoted_texts_are_no_imports() -> None:
    text = (
        HEAD
        + '// import "a.proto";\n/* import "../b.proto"; */\n'
        + "message A { string a = 1 [json_name = \"import 'c.proto';\"]; }"
    )
    assert isinstance(read({"a.proto": text}), Contract)


@pytest.mark.parametrize("name", ["a\n--python_out=x.proto", "-a.proto", "@a.proto", "../a.proto"])
def test_no_file_name_becomes_an_argument(name: str) -> None:
    assert codes(lambda: compiler.compile_protos({name: b""}, [name], {})) == ["proto-file-name"]


def test_a_costly_text_ends_with_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "SECONDS", 0.001)
    assert codes(lambda: one(ORDERS)) == ["proto-too-costly"]


def test_a_set_that_is_cut_short_is_a_broken_set(tmp_path: Path) -> None:
    data = set_of(tmp_path, ORDERS, "--include_imports")[:-40]
    assert codes(lambda: read_contract("set.binpb", lambda _: data)) == ["proto-set-broken"]


@pytest.mark.parametrize("data", [b"\n\x07\n\x03a.p\xff\xff", b"\n\x09\n\x03a.p\x12\x02\xff\xff"])
def test_a_broken_set_is_a_problem(data: bytes) -> None:
    assert codes(lambda: read_contract("E2", lambda _: data)) == ["proto-set-broken"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'// a comment\nsyntax = "proto3";', True),
        (b"/* a */ package shop;\nmessage A {}", True),
        (b"message Order { }", True),
        (b"enum Status { NEW = 0; }", True),
        (b"enum Status { NEW PAID }", False),
        (b"type Query { a: Int }", False),
        (b"import os\nmessage = 1", False),
        (b'{"openapi": "3.1.0"}', False),
        (b'{"file": [{"name": "a.proto"}]}', True),
        (b'{"file": ["name"], "name": "a"}', False),
        (b'{"type": "record"}', False),
        (b"openapi: 3.0.0\n", False),
        (b"service: x", False),
        (b"Channels: Q29udHJhY3Q=", False),
        (b"Q29udHJhY3Q=", False),
        (b"CgAAAA==", False),
        (b"", False),
        (b"\n\n\n", False),
    ],
)
def test_only_protobuf_is_recognised(data: bytes, expected: bool) -> None:
    assert SPEC.recognises(Files("E2", lambda _: data)) is expected


def test_imports_may_stand_in_further_folders(tmp_path: Path) -> None:
    for name, text in {
        "own/orders.proto": 'syntax = "proto3"; import "common/money.proto"; message Order { common.Money total = 1; }',
        "more/common/money.proto": 'syntax = "proto3"; package common; message Money { int64 cents = 1; }',
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    contract, _ = read_named(tmp_path / "own", include=(tmp_path / "more",))
    assert field(contract, 1, "Order")["type"] == "message common.Money"
    assert element(contract, (ElementKind.TYPE, "common.Money"))
    with pytest.raises(BadInput) as caught:
        read_named(tmp_path / "own")
    assert [problem.file for problem in caught.value.problems] == [(tmp_path / "own" / "orders.proto").as_posix()]


MANY = 300


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"message M{at} {{ M{(at + 1) % MANY} next = 1; }}" for at in range(MANY))
        + "service S {"
        + "".join(f"rpc R{at}(M{at}) returns (M{at});" for at in range(MANY))
        + "}",
        "enum Status {" + "".join(f"V{at} = {at};" for at in range(5000)) + "} message Order { Status status = 1; }",
        "message Order {" + "".join(f"int32 f{at} = {at + 1};" for at in range(2000)) + "}",
    ],
    ids=["cycle", "enum", "fields"],
)
def test_large_texts_are_read_and_compared(text: str) -> None:
    contracts = [one(f'syntax = "proto3"; {it}') for it in (text, text)]
    assert diff_contracts(*contracts).deltas == ()


def test_a_long_chain_of_types_that_got_other_names_is_followed() -> None:
    """Each pair is known by the one before it."""

    def chain(name: str) -> str:
        types = "".join(f"message {name}{at} {{ {name}{at + 1} next = 1; }}" for at in range(1, MANY))
        return f'syntax = "proto3"; message Start {{ {name}1 next = 1; }} {types} message {name}{MANY} {{}}'

    names = {str(each.delta.facet) for each in compare(one(chain("Old")), one(chain("New"))).rows}
    assert names == {"name", "type"}
