"""The table of examples, and that every reason to omit one is explained."""

from __future__ import annotations

from evreview.workflows.w2.examples.examples import COLUMNS, WHYS, Examples, examples_frame, page_lines
from evreview.workflows.w2.examples.scalar_values import NUMBERS, TEXTS
from evreview.workflows.w2.facts import Example, Why
from tests.workflows.w2.examples.subjects import both, only, posting


def test_frame_has_a_row_for_every_example_and_omission() -> None:
    shown, missing = both(posting({"type": "integer", "example": 7})), both(posting(False))
    frame = examples_frame([*shown, *missing])
    assert list(frame.columns) == list(COLUMNS)
    assert frame["why"].tolist() == ["", "", "unsatisfiable", "unsatisfiable"]
    assert frame["part"].tolist() == ["request", "response"] * 2
    assert frame["body"].tolist() == ["7", "7", "", ""]
    assert frame["label"].tolist() == ["proposed", "proposed", "", ""]
    assert all(
        isinstance(each, Example) and each.id == row for each, row in zip(shown, frame["example_id"], strict=False)
    )


def test_every_reason_is_explained() -> None:
    assert set(WHYS) == set(Why)


def test_page_names_every_preference() -> None:
    text = "\n".join(page_lines())
    assert [rule.id for rule in (*TEXTS, *NUMBERS) if f"| {rule.id}: " not in text] == []


def test_order_of_asking_changes_nothing() -> None:
    subject = posting(
        {"type": "array", "items": {"$ref": "#/components/schemas/N"}}, components={"N": {"type": "string"}}
    )
    one, other = Examples(subject), Examples(subject)
    (response,) = one.responses(only(subject))
    assert other.request(only(subject)) == one.request(only(subject))
    assert other.responses(only(subject)) == (response,)
