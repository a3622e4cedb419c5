"""Features for the code of one language: told where they hold, and no break of a wire."""

from __future__ import annotations

import pytest

from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import Plane, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

IMPORTS = "".join(f'import "google/protobuf/{name}_features.proto"; ' for name in ("cpp", "java", "go"))
CODE, READING = "proto-generated-names-changed", "proto-language-reading-changed"


def compared(*declared: str, editions: tuple[str, str] = ("2023", "2023")) -> Comparison:
    texts = (
        f'edition = "{edition}"; package shop; {IMPORTS}{it}' for edition, it in zip(editions, declared, strict=True)
    )
    return compare(*(read_contract("shop.proto", lambda _, text=text: text.encode()) for text in texts))


def order(field: str, *beside: str) -> str:
    return " ".join((*beside, f"message Order {{ {field} }}"))


VIEW = "features.(pb.cpp).string_type = VIEW"
STATUS = "enum Status { NEW = 0; }"
PAIRS = [
    (order("string a = 1;"), order(f"string a = 1 [{VIEW}];"), "type shop.Order > field a = 1", CODE),
    (order("bytes a = 1;"), order("bytes a = 1;", f"option {VIEW};"), "field a = 1", CODE),
    (order("repeated string a = 1;"), order(f"repeated string a = 1 [{VIEW}];"), "field a = 1", CODE),
    (order("oneof it { string a = 1; }"), order(f"oneof it {{ string a = 1 [{VIEW}]; }}"), "field a = 1", CODE),
    (order("int32 a = 1;"), order("option features.(pb.go).api_level = API_OPAQUE; int32 a = 1;"), "shop.Order", CODE),
    (
        STATUS + order("Status a = 1;"),
        "enum Status { option features.(pb.go).legacy_unmarshal_json_enum = true; NEW = 0; }" + order("Status a = 1;"),
        "type shop.Status",
        CODE,
    ),
    (
        order("extensions 5;", "extend Order { string b = 5; }"),
        order("extensions 5;", "extend Order { string b = 5 [features.(pb.cpp).string_type = VIEW]; }"),
        "extension shop.Order 5",
        CODE,
    ),
    (
        STATUS + order("Status a = 1;"),
        STATUS + order("Status a = 1 [features.(pb.java).legacy_closed_enum = true];"),
        "field a = 1",
        READING,
    ),
    (
        order("string a = 1 [features.utf8_validation = NONE];"),
        order("string a = 1 [features.utf8_validation = NONE, features.(pb.java).utf8_validation = VERIFY];"),
        "field a = 1",
        READING,
    ),
]


@pytest.mark.parametrize(("before", "after", "address", "rule"), PAIRS)
def test_a_feature_for_a_language_is_a_row_of_what_it_holds_for(
    before: str, after: str, address: str, rule: str
) -> None:
    for sides in ((before, after), (after, before)):
        (row,) = compared(*sides).rows
        assert (address in row.delta.address, row.judgement.rule) == (True, rule)
        assert row.judgement.verdict is (Verdict.COMPATIBLE if rule == CODE else Verdict.UNKNOWN)
        if rule == CODE:
            assert dict(row.judgement.planes)[Plane.SOURCE] is Verdict.BREAKING


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (order("string a = 1;"), order("string a = 1 [features.(pb.cpp).string_type = STRING];")),
        (
            order("string a = 1;", "option features.(pb.cpp).string_type = VIEW;"),
            order("string a = 1 [features.(pb.cpp).string_type = VIEW];"),
        ),
        (order("int32 a = 1;"), order("int32 a = 1;", "option features.(pb.cpp).string_type = VIEW;")),
        (order("string a = 1;"), order("string a = 1 [features.(pb.java).utf8_validation = VERIFY];")),
        (
            order("Status a = 1;", "enum Status { option features.enum_type = CLOSED; NEW = 0; }"),
            order(
                "Status a = 1 [features.(pb.cpp).legacy_closed_enum = true];",
                "enum Status { option features.enum_type = CLOSED; NEW = 0; }",
            ),
        ),
    ],
)
def test_what_holds_alike_has_no_row(before: str, after: str) -> None:
    assert not compared(before, after).rows


def test_the_edition_alone_says_what_its_defaults_are() -> None:
    found = compared(order("string a = 1;"), order("string a = 1;"), editions=("2023", "2024"))
    assert [row.judgement.rule for row in found.rows] == ["proto-syntax-changed"]
