"""The timeline of a change: dates of the evidence alone, what waits without one, and one content in every face."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

import evreview as ev
from evreview.core.assets import demo_bundle
from evreview.workflows.session import Review
from evreview.workflows.w1.policy.removal import MissingCondition
from evreview.workflows.w1.timeline import timeline
from evreview.workflows.widgets.timeline import LEAST, MOST, Mark, Timeline

EVIL = '</text><script>alert(1)</script>" onload="x'


@pytest.fixture(scope="module")
def demo() -> Review:
    return ev.review(ev.open_bundle(demo_bundle("w1")))


def drawn(shown: Timeline) -> str:
    """The words in the picture, in order."""
    picture = shown.to_html().partition("<svg")[2].partition("</svg>")[0]
    return unescape(" ".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture)))


def test_dates_come_from_the_evidence_and_planned_steps_wait(demo: Review) -> None:
    found = timeline(demo, str)
    assert [(mark.day, mark.here) for mark in found.ordered] == [
        ("2026-10-12", False), ("2026-11-11", False), ("2026-11-19", False), ("2026-11-20", True),
        ("", False), ("", False), ("", False), ("", False),
    ]  # fmt: skip
    waits = [mark.waits for mark in found.ordered[4:]]
    last = ("180 days", "observed", "gate remove-deprecated")
    assert waits == [("gate ship-breaking-change",), ("open-v2",), ("open-v2",), last]


def test_the_picture_says_what_the_list_says(demo: Review) -> None:
    found = timeline(demo, str)
    words = drawn(found)
    for mark in found.ordered:
        assert all(each in words for each in (mark.when, *mark.what.split(), *mark.behind.replace("-", "- ").split()))
    assert found.to_html().count("<li>") == len(found.lines) == len(found.marks)
    for line in found.lines:
        assert line in found.to_text() and line in unescape(found.to_html())


def test_a_notice_that_nothing_shows_has_no_end(demo: Review) -> None:
    facts = demo.facts
    unshown = MissingCondition(code="notice-evidence", text="No item shows it.")
    judged = replace(facts.removals[0], missing=(unshown,))
    found = timeline(replace(demo, facts=replace(facts, removals=(judged,))), str)
    assert [mark.day for mark in found.ordered if mark.day] == ["2026-10-12", "2026-11-19", "2026-11-20"]
    assert "nothing shows" in found.ordered[0].what


def test_refused_paths_draw_no_step(demo: Review) -> None:
    refused = replace(demo.facts.path, refusals=("no such route",))
    found = timeline(replace(demo, facts=replace(demo.facts, path=refused)), str)
    assert all(mark.day for mark in found.marks)


@pytest.mark.parametrize("workflow", ["w2", "w3"])
def test_other_workflows_have_none(workflow: str) -> None:
    found = timeline(ev.review(ev.open_bundle(demo_bundle(workflow))), str)
    assert (found.to_html(), found.to_text(), found.to_markdown()) == ("", "", "")


def test_too_few_marks_are_no_picture_and_too_many_are_counted() -> None:
    some = tuple(Mark(what=f"step {number}") for number in range(MOST + 5))
    assert Timeline(marks=some[: LEAST - 1]).to_html() == ""
    assert Timeline(marks=some[:LEAST]).to_html().count("<circle") == LEAST
    assert Timeline(marks=some).to_html().count("<circle") == MOST and Timeline(marks=some).lines[-1] == "5 more"


def test_hostile_words_stay_words() -> None:
    marks = [Mark(what=EVIL, day="2026-01-01"), Mark(what=EVIL * 40, waits=(EVIL,)), Mark(what="", waits=("x" * 900,))]
    shown = Timeline(marks=marks, clean=lambda text: text.replace("alert", "[withheld]"))
    html = shown.to_html()
    assert "<script" not in html and 'onload="' not in html and "alert" not in html + shown.to_markdown()
    assert max(len(line) for line in re.findall(r"<text[^>]*>([^<]*)</text>", html)) < 200
