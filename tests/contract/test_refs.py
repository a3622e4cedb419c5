"""Where references lead, which are refused, and which stay visible as unread."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.contract.model import ElementKind, Place
from evreview.contract.references import RefKind, Resolver, classify_ref
from evreview.core.vocabulary import Json
from tests.contract.texts import codes, contract, every, folder, one, v30

HOPS = 3000

KINDS = [
    ("#/a", RefKind.LOCAL, "sub/api.yaml"),
    ("", RefKind.LOCAL, "sub/api.yaml"),
    ("api.yaml#/a", RefKind.LOCAL, "sub/api.yaml"),
    ("b.yaml", RefKind.FILE, "sub/b.yaml"),
    ("./b.yaml#/x", RefKind.FILE, "sub/b.yaml"),
    ("../b.yaml", RefKind.FILE, "b.yaml"),
    ("..\\common\\b.yaml", RefKind.FILE, "common/b.yaml"),
    ("my%20file.yaml", RefKind.FILE, "sub/my file.yaml"),
    ("../../b.yaml", RefKind.OUTSIDE, "../b.yaml"),
    ("%2e%2e/%2e%2e/b.yaml", RefKind.OUTSIDE, "../b.yaml"),
    ("..\\..\\b.yaml", RefKind.OUTSIDE, "../b.yaml"),
    ("x/../../../b.yaml", RefKind.OUTSIDE, "../b.yaml"),
    ("/etc/passwd", RefKind.OUTSIDE, "/etc/passwd"),
    ("%2Fetc/passwd", RefKind.OUTSIDE, "/etc/passwd"),
    ("C:\\b.yaml", RefKind.OUTSIDE, "C:/b.yaml"),
    ("file:///etc/passwd", RefKind.OUTSIDE, "file:///etc/passwd"),
    ("https://example.com/b.yaml#/x", RefKind.REMOTE, "https://example.com/b.yaml"),
    ("//example.com/b.yaml", RefKind.REMOTE, "//example.com/b.yaml"),
    ("\\\\host\\share\\b.yaml", RefKind.REMOTE, "//host/share/b.yaml"),
    ("urn:example:x", RefKind.REMOTE, "urn:example:x"),
]


@pytest.mark.parametrize(("ref", "kind", "file"), KINDS, ids=[ref or "empty" for ref, _, _ in KINDS])
def test_a_reference_says_what_it_asks_for(ref: str, kind: RefKind, file: str) -> None:
    assert classify_ref("sub/api.yaml", ref)[:2] == (kind, file)


DOCUMENT: Json = {
    "a/b": {"c~d": [10, {"e": 11}], "{id}": 12},
    "": {"": 13},
    "self": {"$ref": "#/self"},
    "one": {"$ref": "#/two"},
    "two": {"$ref": "#/one"},
    "chain": {"$ref": "#/last"},
    "last": {"$ref": "#/a~1b"},
    "named": {"$anchor": "here", "$id": "https://example.com/named"},
    "null": None,
}
TARGETS = [
    ("#/a~1b/c~0d/1/e", 11),
    ("#/a~1b/%7Bid%7D", 12),
    ("#%2Fa~1b%2Fc~0d%2F0", 10),
    ("#//", 13),
    ("#/null", None),
]


@pytest.mark.parametrize(("ref", "node"), TARGETS)
def test_a_pointer_leads_to_its_node(ref: str, node: Json) -> None:
    found = Resolver({"f": DOCUMENT}).target(Place("f", ""), ref)
    assert found is not None and found[1] == node


@pytest.mark.parametrize(
    "ref", ["#/x", "#/a~1b/c~0d/2", "#/a~1b/c~0d/01", "#/a~1b/c~0d/-1", "#/a~1b/c~0d/" + "9" * 5000, "#nowhere", "g#/a"]
)
def test_a_pointer_that_leads_nowhere_is_none(ref: str) -> None:
    assert Resolver({"f": DOCUMENT}).target(Place("f", ""), ref) is None


def test_names_of_schemas_are_found_without_the_network() -> None:
    resolver = Resolver({"f": DOCUMENT})
    for ref in ("#here", "https://example.com/named"):
        assert resolver.target(Place("f", ""), ref) == (Place("f", "/named"), DOCUMENT["named"])


@pytest.mark.parametrize("name", ["self", "one"])
def test_a_circle_of_references_ends(name: str) -> None:
    assert Resolver({"f": DOCUMENT}).follow(Place("f", f"/{name}"), DOCUMENT[name]) is None


def test_a_chain_is_followed_to_where_it_is_written() -> None:
    found = Resolver({"f": DOCUMENT}).follow(Place("f", "/chain"), DOCUMENT["chain"])
    assert found == (Place("f", "/a~1b"), DOCUMENT["a/b"])


def using(schema: Json) -> dict[str, object]:
    return v30(requestBody={"content": {"application/json": {"schema": schema}}})


AT = "#/paths/~1a~1{x}/get/requestBody/content/application~1json/schema"
REFUSED = [
    ({"$ref": "/etc/passwd"}, [("ref-outside-bundle", AT)]),
    ({"$ref": "../x.yaml#/a"}, [("ref-outside-bundle", AT)]),
    ({"$ref": "https://example.com/x.yaml"}, [("ref-remote", AT)]),
    (
        {"allOf": [{"$ref": "https://example.com/x.yaml"}, {"$ref": "file:///x"}]},
        [("ref-remote", AT + "/allOf/0"), ("ref-outside-bundle", AT + "/allOf/1")],
    ),
    (
        {"discriminator": {"propertyName": "k", "mapping": {"a": "https://example.com/x.yaml"}}},
        [("ref-remote", AT + "/discriminator/mapping/a")],
    ),
    ({"properties": {"example": {"$ref": "/etc/passwd"}}}, [("ref-outside-bundle", AT + "/properties/example")]),
    (
        {
            "example": {"$ref": "/etc/passwd"},
            "default": {"$ref": "/x"},
            "enum": [{"$ref": "/y"}],
            "x-a": {"$ref": "/z"},
        },
        [],
    ),
    ({"properties": {"$ref": {"type": "string"}}}, []),
]


def test_a_long_chain_is_followed_to_its_end_and_costs_what_its_length_is() -> None:
    chain: dict[str, Json] = {str(at): {"$ref": f"#/{at + 1}"} for at in range(HOPS)}
    document: Json = {**chain, str(HOPS): {"type": "string"}}
    resolver = Resolver({"f": document})
    asked = 0
    original = resolver.target

    def counting(place: Place, ref: str) -> tuple[Place, Json] | None:
        nonlocal asked
        asked += 1
        return original(place, ref)

    resolver.target = counting  # type: ignore[method-assign]
    for at in range(HOPS):
        assert resolver.follow(Place("f", f"/{at}"), chain[str(at)]) == (Place("f", f"/{HOPS}"), {"type": "string"})
    assert asked == HOPS


@pytest.mark.parametrize(("schema", "expected"), REFUSED, ids=range(len(REFUSED)))
def test_a_reference_out_of_the_folder_is_refused_with_its_place(schema: Json, expected: list[tuple[str, str]]) -> None:
    assert codes(using(schema)) == expected


def test_an_escaped_key_hides_no_reference() -> None:
    text = b'{"openapi": "3.0.0", "paths": {}, "components": {"schemas": {"A": {"\\u0024ref": "/etc/passwd"}}}}'
    asked: list[str] = []

    def load(name: str) -> bytes:
        asked.append(name)
        return text

    from evreview.core.errors import BadInput
    from evreview.kinds.load import read_contract

    with pytest.raises(BadInput) as caught:
        read_contract("api.json", load)
    assert [problem.code for problem in caught.value.problems] == ["ref-outside-bundle"]
    assert asked == ["api.json"]


@pytest.mark.req("W1I-001")
@pytest.mark.parametrize("ref", ["#/components/schemas/Gone", "gone.yaml#/A", "#gone"])
def test_a_dangling_reference_makes_the_contract_visibly_incomplete(ref: str) -> None:
    found = contract(using({"$ref": ref}))
    assert [str(row.place) for row in found.unread] == ["api.yaml" + AT]
    assert one(found.root, ElementKind.MEDIA_TYPE).value is not None


@pytest.mark.parametrize("part", ["parameters", "responses"])
def test_a_part_that_refers_to_itself_is_unread(part: str) -> None:
    loop = {"$ref": "#/components/x/a"}
    document = v30(**{part: [loop] if part == "parameters" else {"200": loop}})
    document["components"] = {"x": {"a": {"$ref": "#/components/x/b"}, "b": {"$ref": "#/components/x/a"}}}
    assert contract(document).unread


def test_recursive_schemas_are_complete() -> None:
    document = using({"$ref": "#/components/schemas/Tree"})
    tree = {"type": "object", "properties": {"below": {"$ref": "#/components/schemas/Tree"}}}
    document["components"] = {"schemas": {"Tree": tree}}
    assert contract(document).unread == ()


SPLIT = {
    "api/api.yaml": {
        "openapi": "3.0.3",
        "paths": {"/a/{x}": {"$ref": "paths/a.yaml"}},
        "components": {"parameters": {"X": {"$ref": "../shared/parts.yaml#/X"}}},
    },
    "api/paths/a.yaml": {
        "parameters": [{"$ref": "../api.yaml#/components/parameters/X"}],
        "get": {
            "responses": {
                "200": {
                    "description": "",
                    "content": {"application/json": {"schema": {"$ref": "../../shared/parts.yaml#/S"}}},
                }
            }
        },
    },
    "shared/parts.yaml": {
        "X": {"name": "x", "in": "path", "required": True, "schema": {"type": "string"}},
        "S": {"properties": {"more": {"$ref": "#/S"}}},
    },
}


def test_a_contract_split_over_files_is_one_contract() -> None:
    found = folder(SPLIT, "api/api.yaml")
    assert sorted(found.documents) == sorted(SPLIT)
    assert found.unread == ()
    parameter = one(found.root, ElementKind.PARAMETER)
    assert (parameter.key, str(parameter.place)) == ("path:0", "shared/parts.yaml#/X")
    places = {str(each.place) for each in every(found.root) if each.kind is ElementKind.OPERATION}
    assert places == {"api/paths/a.yaml#/get"}


def test_the_digest_depends_on_every_file() -> None:
    other = {**SPLIT, "shared/parts.yaml": {**SPLIT["shared/parts.yaml"], "T": {}}}
    digests = {folder(files, "api/api.yaml").sha256 for files in (SPLIT, other, dict(reversed(SPLIT.items())))}
    assert len(digests) == 2


@given(st.text(max_size=30))
def test_any_reference_is_refused_or_unread_or_resolved(ref: str) -> None:
    found = codes(using({"$ref": ref}))
    assert {code for code, _ in found} <= {"ref-remote", "ref-outside-bundle"}
