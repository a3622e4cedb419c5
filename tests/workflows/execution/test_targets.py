"""Which destinations a command names, and which of them are elsewhere."""

from __future__ import annotations

import pytest

from evreview.workflows.w3.planned_actions import TARGET_RULES, elsewhere


@pytest.mark.req("W3G-003")
@pytest.mark.parametrize("rule", TARGET_RULES, ids=lambda rule: rule.id)
def test_each_form_knows_its_example_from_its_counter_example(rule: object) -> None:
    assert list(elsewhere(rule.example)) != []  # type: ignore[attr-defined]
    assert rule.form.search(rule.example) is not None  # type: ignore[attr-defined]
    assert list(elsewhere(rule.counter_example)) == []  # type: ignore[attr-defined]


ELSEWHERE = [
    ("postgresql://app:secret@db.internal/tickets", ["db.internal"]),
    ("http://[2001:db8::1]:80/", ["2001:db8::1"]),
    ("http://169.254.169.254/latest", ["169.254.169.254"]),
    ("curl 10.0.0.1", ["10.0.0.1"]),
    ("http://localhost.example.com/", ["localhost.example.com"]),
    ("http://127.0.0.1.example.com/", ["127.0.0.1.example.com"]),
]
HERE = [
    *("pytest", "-q", "tests/test_access.py::test_notes", "app.main:app", "--port=8080", "{port}", "1.2.3", "a@b"),
    *(
        "http://localhost:{port}/",
        "http://[::1]:80/",
        "sqlite:///work/db.sqlite",
        "file:///sandbox/work/x",
        "--host=0.0.0.0",
    ),
]


@pytest.mark.req("W3G-002", "W3D-004")
@pytest.mark.parametrize(("word", "hosts"), ELSEWHERE)
def test_destinations_that_are_elsewhere(word: str, hosts: list[str]) -> None:
    assert list(dict.fromkeys(elsewhere(word))) == hosts


@pytest.mark.parametrize("word", HERE)
def test_words_that_name_none(word: str) -> None:
    assert list(elsewhere(word)) == []
