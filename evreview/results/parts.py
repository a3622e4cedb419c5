"""Small steps through untrusted output: what has another form than expected counts as absent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.core.json_pointer import Step
from evreview.core.quoted_text import begin_of
from evreview.core.vocabulary import EvidenceId, Json
from evreview.evidence.citation import at_lines, at_pointer
from evreview.evidence.test_results.model import Assertion, Case, Outcome

MAX_CASES: Final = 100_000
"""Cases and entries read from one output; what follows is named as unread."""

LONGEST_MESSAGE: Final = 2000
_ANY: Final = EvidenceId("E1")
_CREDENTIAL: Final = re.compile(
    r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie2?|x-api-key|x-auth-token|x-csrf-token)(['\"]?\s*[:=]\s*)[^\r\n]+"
)
_WORST: Final[tuple[Outcome, ...]] = ("error", "failed", "skipped", "recorded", "passed")


def mapping(value: object) -> Mapping[str, Json]:
    """The value when it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def listed(value: object) -> Sequence[Json]:
    """The value when it is a list, else an empty one."""
    return value if isinstance(value, list) else ()


def word(value: object) -> str:
    """The value when it is a string, else ""."""
    return value if isinstance(value, str) else ""


def status_of(value: object) -> int | None:
    """The value as a response status, None when it is none."""
    digits = value if isinstance(value, str) else str(value) if type(value) is int else ""
    return int(digits) if re.fullmatch(r"[1-5][0-9][0-9]", digits, re.ASCII) else None


def where(*steps: Step) -> str:
    """The locator of a place in a JSON or YAML output."""
    return at_pointer(_ANY, *steps).locator


def lines_at(first: int, last: int) -> str:
    """The locator of lines of an output."""
    return at_lines(_ANY, first, last).locator


def numbered(text: str) -> Iterator[tuple[int, int, str]]:
    """Each line with its first and last number, as citations count them.

    Lines end with a line feed here. Citations end them at rarer signs too, which may stand inside a JSON string.
    """
    first = 1
    for line in text.split("\n"):
        count = max(1, len(line.splitlines()))
        yield first, first + count - 1, line
        first += count


def message_of(*texts: object) -> str:
    """What was recorded about a failure, shortened, without values of headers that carry credentials."""
    text = "\n".join(part.strip() for part in texts if isinstance(part, str) and part.strip())
    clean = _CREDENTIAL.sub(r"\1\2(removed)", text[: 2 * LONGEST_MESSAGE])
    return clean if len(clean) <= LONGEST_MESSAGE else begin_of(clean, LONGEST_MESSAGE) + " …"


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome that counts when one thing ended in several ways."""
    found = set(outcomes)
    return next((outcome for outcome in _WORST if outcome in found), "passed")


def merged(cases: Iterable[Case]) -> tuple[Case, ...]:
    """The cases with every id once: one that is named twice counts with its worst outcome and cites that place.

    A test that passes and then fails in its teardown is reported twice, and has not passed.
    """
    by_id: dict[str, Case] = {}
    for case in cases:
        known = by_id.get(case.id)
        by_id[case.id] = case if known is None else _joined(known, case)
    return tuple(by_id.values())


def _joined(first: Case, second: Case) -> Case:
    outcome = worst((first.outcome, second.outcome))
    kept = first if first.outcome == outcome else second
    told: list[Assertion] = []
    for one in (*first.assertions, *second.assertions):
        if (changed := replace(one, outcome=outcome)) not in told:
            told.append(changed)
    return replace(kept, assertions=tuple(told), exchanges=(*first.exchanges, *second.exchanges))


def separate(cases: Iterable[Case]) -> tuple[Case, ...]:
    """The cases with every id once: the second of one name gets ` #2`."""
    seen: dict[str, int] = {}
    found: list[Case] = []
    for case in cases:
        seen[case.id] = seen.get(case.id, 0) + 1
        found.append(case if seen[case.id] == 1 else replace(case, id=f"{case.id} #{seen[case.id]}"))
    return tuple(found)
