"""Amounts in words: what is read, and which of two is the stricter one."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import ABSENT, Form
from evreview.workflows.w2.contract_words import Rate, Size, pages, rate_of, rates, sizes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10/minute", [Rate(10, 60)]),
        ("100/day", [Rate(100, 86_400)]),
        ("5 per 15 minutes", [Rate(5, 900)]),
        ("Clients may send 1,000 requests per hour.", [Rate(1000, 3600)]),
        ("At most 10 API calls a second", [Rate(10, 1)]),
        ("5/minute;100/hour", [Rate(5, 60), Rate(100, 3600)]),
        ("3 times, 4 orders per customer, 10 per page", []),
        ("0 requests per minute", []),
        ("a request per minute", []),
        ("12 months", []),
    ],
)
def test_rates_are_read(text: str, expected: list[Rate]) -> None:
    assert list(rates(text)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("10/m", Rate(10, 60)),
        ({"times": 5, "seconds": 30}, Rate(5, 30)),
        ({"times": 5, "minutes": 1, "seconds": 30}, Rate(5, 90)),
        ({"times": 5}, None),
        ({"times": True, "seconds": 1}, None),
        ("5/minute;100/hour", None),
        (10, None),
        (ABSENT, None),
    ],
)
def test_rates_of_the_code_are_read(value: Form, expected: Rate | None) -> None:
    assert rate_of(value) == expected


def meets_the_end(kept: Rate, stated: Rate) -> bool:
    """The same by trying it: every call as early as the stated rate allows, over the longest period."""
    times = [window * stated.seconds for window in range(60) for _ in range(stated.calls)]
    return any(sum(at <= time < at + kept.seconds for time in times) > kept.calls for at in sorted(set(times)))


@pytest.mark.parametrize("kept", [Rate(1, 1), Rate(3, 2), Rate(10, 6), Rate(12, 12), Rate(20, 6), Rate(9, 4)])
@pytest.mark.parametrize("stated", [Rate(1, 1), Rate(3, 2), Rate(10, 6), Rate(12, 12), Rate(20, 6)])
def test_a_rate_refuses_who_keeps_to_another_only_if_a_caller_meets_its_end(kept: Rate, stated: Rate) -> None:
    if kept.refuses(stated):
        assert meets_the_end(kept, stated)
    elif kept.seconds <= stated.seconds or kept.seconds % stated.seconds == 0:
        assert not meets_the_end(kept, stated)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at most 512 bytes", [Size(512, 512)]),
        ("up to 1 MB", [Size(1_000_000, 1_048_576)]),
        ("up to 1.5 MiB", [Size(1_572_864, 1_572_864)]),
        ("no more than 10kB", [Size(10_000, 10_240)]),
        ("at most 2 kilobytes", [Size(2_000, 2_048)]),
        ("at most 2 gibibytes", [Size(2 * 1024**3, 2 * 1024**3)]),
        ("at most 100 orders, 3 MBA students", []),
    ],
)
def test_sizes_are_read(text: str, expected: list[Size]) -> None:
    assert list(sizes(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("20 per page", [20]), ("There are 50 orders on each page.", [50]), ("the page size is 10", [10]), ("page 3", [])],
)
def test_pages_are_read(text: str, expected: list[int]) -> None:
    assert list(pages(text)) == expected
