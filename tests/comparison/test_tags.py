"""Branches of a choice are paired by what travels: a member that tells them apart comes before component names."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.kinds.compare import compare
from tests.comparison.pairs import Doc, contract, diff, document, post

TEXT: Doc = {"type": "string"}
CARD: Doc = {"number": TEXT, "cvc": TEXT}
BANK: Doc = {"iban": TEXT, "bic": TEXT}


def branch(fields: Doc, *required: str, **tags: Any) -> Doc:
    return {"type": "object", "required": [*tags, *required], "properties": {**tags, **fields}}


def choice(word: str, schemas: Doc, mapping: Doc | None = None) -> Doc:
    """A choice among all components, in the order of their names, with the values of a discriminator where given."""
    said: Doc = {word: [{"$ref": f"#/components/schemas/{name}"} for name in sorted(schemas)]}
    if mapping is not None:
        refs = {value: f"#/components/schemas/{name}" for value, name in mapping.items()}
        said["discriminator"] = {"propertyName": "t", "mapping": refs}
    return document({"/a": post(said)}, {**schemas, "Tag": {"enum": ["b"]}}, "3.1.0")


def ids(released: Doc, candidate: Doc) -> set[str]:
    return {row.id for row in diff(released, candidate).deltas}


def changed(released: Doc, candidate: Doc) -> list[str]:
    """The last steps of all rows."""
    return sorted({row.address.rpartition(" > ")[2] for row in diff(released, candidate).deltas})


WORDS: Any = pytest.mark.parametrize("word", ["oneOf", "anyOf"])
TAGS: Any = {
    "constants": ({"t": {"const": "c"}}, {"t": {"const": "b"}}),
    "one value each": ({"t": {"enum": ["c"]}}, {"t": {"enum": ["b"]}}),
    "integers": ({"t": {"const": 3}}, {"t": {"const": 4}}),
    "behind a reference": ({"t": {"enum": ["c"]}}, {"t": {"$ref": "#/components/schemas/Tag"}}),
    "beside one that tells nothing": (
        {"object": {"const": "pay"}, "t": {"const": "c"}},
        {"object": {"const": "pay"}, "t": {"const": "b"}},
    ),
}


@WORDS
@pytest.mark.parametrize("tags", TAGS.values(), ids=TAGS)
def test_names_that_change_places_move_no_row(word: str, tags: tuple[Doc, Doc]) -> None:
    card, more, bank = branch(CARD, **tags[0]), branch({**CARD, "x": TEXT}, **tags[0]), branch(BANK, **tags[1])
    old, swapped = choice(word, {"A": card, "B": bank}), choice(word, {"A": bank, "B": more})
    found = compare(contract(old), contract(swapped)).rows
    assert [(row.judgement.rule, row.judgement.verdict) for row in found] == [
        ("request-optional-field-added", "compatible")
    ]
    assert ids(old, swapped) == ids(old, choice(word, {"A": more, "B": bank}))


@WORDS
@pytest.mark.parametrize("tagged", [True, False])
def test_values_of_a_mapping_pair_branches_of_other_names(word: str, tagged: bool) -> None:
    c, b = ({"t": {"const": value}} if tagged else {"t": TEXT} for value in "cb")
    card, more, bank = branch(CARD, **c), branch({**CARD, "x": TEXT}, **c), branch({**BANK, "y": TEXT}, **b)
    old = choice(word, {"A": card, "B": branch(BANK, **b)}, {"c": "A", "b": "B", "bb": "B"})
    swapped = choice(word, {"A": bank, "B": more}, {"c": "B", "b": "A", "bb": "A"})
    kept = choice(word, {"A": more, "B": bank}, {"c": "A", "b": "B", "bb": "B"})
    assert changed(old, swapped) == ["x", "y"]
    assert ids(old, swapped) == ids(old, kept)


@WORDS
def test_a_tag_that_no_branch_tells_apart_leaves_the_names(word: str) -> None:
    tag = {"t": {"const": "c"}}
    old = choice(word, {"A": branch(CARD, **tag), "B": branch(BANK, **tag)})
    new = choice(word, {"A": branch({**CARD, "x": TEXT}, **tag), "B": branch({**BANK, "y": TEXT}, **tag)})
    assert changed(old, new) == ["x", "y"]


@WORDS
def test_a_branch_whose_tag_is_edited_keeps_its_name(word: str) -> None:
    other = branch(BANK, t={"const": "b"})
    old = choice(word, {"A": branch(CARD, t={"const": "c"}), "B": other})
    new = choice(word, {"A": branch(CARD, t={"const": "d"}), "B": other})
    assert changed(old, new) == ["t"]


@WORDS
def test_tags_pair_branches_that_are_written_in_place(word: str) -> None:
    """The first member that each of them fixes is the same everywhere, and so are the fields."""

    def made(*values: str, **more: Any) -> Doc:
        said = [
            branch({**CARD, **more.get(value, {})}, "number", m={"const": "m"}, t={"const": value}) for value in values
        ]
        return document({"/a": post({word: said})}, version="3.1.0")

    assert changed(made("c", "b"), made("b", "c", b={"x": TEXT}, c={"y": TEXT})) == ["x", "y"]


@pytest.mark.parametrize("names", [("A", "B"), ("B", "A")])
def test_values_pair_subtypes_that_no_choice_lists(names: tuple[str, str]) -> None:
    def made(card: str, bank: str, *added: str) -> Doc:
        refs = {value: f"#/components/schemas/{name}" for value, name in (("c", card), ("b", bank))}
        base = {**branch({"t": TEXT}, "t"), "discriminator": {"propertyName": "t", "mapping": refs}}
        parent = {"$ref": "#/components/schemas/Pay"}
        more = dict.fromkeys(added, TEXT)
        schemas = {
            "Pay": base,
            card: {"allOf": [parent, branch({**CARD, **more})]},
            bank: {"allOf": [parent, branch({**BANK, **more})]},
        }
        return document({"/a": post(parent)}, schemas)

    old, kept = made("A", "B"), made("A", "B", "x")
    assert ids(old, made(*names, "x")) == ids(old, kept)
