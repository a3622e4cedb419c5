"""A value that is removed from a cell, a statement or a line takes nothing of the artifact around it along."""

from __future__ import annotations

import json

import pytest

from evreview.redaction.detectors import DETECTORS
from evreview.redaction.redactor import Redactor
from tests.redaction.labelled import positives

AROUND = {
    "cell": ("| `D-0123456789ab` | `before {} after` | `next` | E1, E2:L3 |", "` | `next` | E1, E2:L3 |"),
    "end of a cell": ("| `D-0123456789ab` | `{}` | `next` | E1, E2:L3 |", "` | `next` | E1, E2:L3 |"),
    "statement": ("* **Observation:** It says `{}`. [E1#/paths/~1v1, E2:L3]", "`. [E1#/paths/~1v1, E2:L3]"),
    "bare statement": ("Observation: It says {} [E1#/paths/~1v1, E2:L3]", " [E1#/paths/~1v1, E2:L3]"),
}
LINES = sorted(
    {detector.sample for detector in DETECTORS if "\n" not in detector.sample and "`" not in detector.sample}
    | {
        case.text.strip()
        for case in positives(5)
        if case.text.count("\n") == 1 and "`" not in case.text and not case.text.startswith("| ")
    }
)


@pytest.mark.parametrize("form", AROUND.values(), ids=AROUND)
def test_what_stands_around_a_value_stays(form: tuple[str, str]) -> None:
    written, rest = form
    cut = {text for text in LINES if not Redactor().clean(written.format(text)).endswith(rest)}
    assert sorted(cut) == []


def test_a_value_in_a_text_of_json_leaves_json() -> None:
    broken = []
    for text in LINES:
        clean = Redactor().clean(json.dumps({"a": text, "b": "next", "c": [1, {"d": "E1"}]}))
        try:
            found = json.loads(clean)
        except ValueError:
            broken.append(text)
            continue
        if (found.get("b"), found.get("c")) != ("next", [1, {"d": "E1"}]):
            broken.append(text)
    assert broken == []
