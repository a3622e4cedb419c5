"""Many tiny cases in one test: where a case takes a millisecond, pytest's own work for it takes longer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TypeVar

Case = TypeVar("Case")


def all_cases(
    cases: Iterable[Case], name: Callable[[Case], str]
) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """Makes a check of one case a test of all: every case is tried, and the failure names each that fails and why."""

    def over_all(check: Callable[[Case], None]) -> Callable[[], None]:
        @wraps(check)
        def test() -> None:
            told = [f"{name(case)}: {why}" for case in cases if (why := _failure(check, case))]
            assert not told, "\n".join(told)

        del test.__wrapped__  # type: ignore[attr-defined]  # pytest would ask for a fixture with the parameter's name
        return test

    return over_all


def _failure(check: Callable[[Case], None], case: Case) -> str:
    try:
        check(case)
    except Exception as error:
        return f"{type(error).__name__} {error}".partition("\n")[0]
    return ""
