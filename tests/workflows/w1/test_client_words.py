"""What is expected of known clients stands alike in Markdown, HTML and widget, and only where somebody looked."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Tristate
from evreview.evidence.bundle_reader import open_bundle
from evreview.report.pages.artifact_page import page as html_page
from evreview.workflows.session import review
from evreview.workflows.w1.client_outcomes import delta_outcomes, expected_words
from evreview.workflows.w1.matrix import row_words
from evreview.workflows.w1.widgets import matrix_frame
from tests.workflows.steps import before

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
KINDS = ("orders", "asyncapi", "avro", "graphql", "jsonschema", "protobuf", "python")


def cells(facts: object) -> dict[str, str]:
    """The widget's clients cell of each row."""
    frame = matrix_frame(facts, row_words(facts))  # type: ignore[arg-type]
    return dict(zip(frame["delta_id"], frame["clients"], strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_expected_of_nobody_is_said_alike_everywhere(kind: str) -> None:
    done = review(open_bundle(EXAMPLES / f"w1-{kind}"))
    words = row_words(done.facts)
    found = {name: delta_outcomes(words.impacts.get(name, ())) for name in words.texts}
    quiet = {name: plain(expected_words(each)) for name, each in found.items() if not each.expected}
    assert quiet
    artifact = str(done.artifact)
    page = unescape(re.sub(r"<[^>]+>", " ", str(html_page(artifact))))
    shown = cells(done.facts)
    for name, told in quiet.items():
        assert shown[name] == told
        (row,) = [line for line in artifact.split("\n") if line.startswith(f"| [{name}]") and "unlisted:" in line]
        assert told in row
    assert page.count(next(iter(quiet.values()))) == artifact.count(next(iter(quiet.values())))


def test_none_is_said_of_known_clients_that_were_held_against_the_row() -> None:
    _, after = before("w1", 6)
    impacts = [each for each in after.impacts if each.contract_incompatible is Tristate.NO and each.executed == "none"]
    assert expected_words(delta_outcomes(impacts[:1])) != expected_words(delta_outcomes(()))


def test_a_review_that_classified_no_consumer_expects_nothing_of_anybody() -> None:
    _, facts = before("w1", 5)
    _, after = before("w1", 6)
    early, late = cells(facts), cells(after)
    assert early.keys() == late.keys() and not set(early.values()) & set(late.values())
    assert plain(expected_words(delta_outcomes(()))) not in early.values()
