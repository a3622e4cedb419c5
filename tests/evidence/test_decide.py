"""Decisions are appended whole or not at all, and nothing that stood there changes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evreview.core.errors import BadInput
from evreview.evidence.bundle_folder import append_decision
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.records.review import Approval, Disposition, Note

Write = Callable[[Any], Path]
AT = datetime(2026, 11, 20, 10, tzinfo=UTC)
NOTE = Note(subject="D-1", role="Reviewer", at=AT, text="generated only")
APPROVAL = Approval(
    gate="ship-breaking-change",
    role="API owner",
    stands_for="api-owner",
    decision="approved",
    at=AT,
    reviewed=("the plan",),
    evidence=("E1", "E3"),  # type: ignore[arg-type]
)
OLD = "{kind: note, subject: a, role: b, at: '2026-11-19T10:00:00Z', text: old}"

BEFORE: dict[str, str | None] = {
    "no file": None,
    "empty": "",
    "comment only": "# decisions follow\n",
    "empty list": "# why\ndecisions: []  # none yet\n",
    "null": "decisions:\n",
    "null with comment": "decisions:   # none\n# last\n",
    "tilde": "decisions: ~\n",
    "one entry": f"decisions:\n  - {OLD}\n",
    "no indentation": f"# kept\ndecisions:\n- {OLD}\n",
    "wide indentation": f"decisions:\n      -   {OLD}\n",
    "no last newline": f"decisions:\n  - {OLD}",
    "comment at the end": f"decisions:\n  - {OLD}\n\n  # said by phone\n# end\n",
    "block entry": "decisions:\n  - kind: note\n    subject: a\n    role: b\n    at: 2026-11-19T10:00:00Z\n"
    "    text: |\n      - not an entry\n      decisions:\n",
    "document start": f"---\ndecisions:\n  - {OLD}\n",
    "windows line ends": f"decisions:\r\n  - {OLD}\r\n",
}


@pytest.mark.parametrize("name", BEFORE)
def test_an_entry_is_appended_and_the_rest_stays(name: str, draft: Any, write: Write) -> None:
    before = BEFORE[name]
    if before is not None:
        draft.files["decisions.yaml"] = before
    root = write(draft)
    old = open_bundle(root).decisions.decisions
    assert append_decision(root, NOTE) == NOTE
    assert append_decision(root / "review.yaml", APPROVAL) == APPROVAL
    assert open_bundle(root).decisions.decisions == (*old, NOTE, APPROVAL)
    after = (root / "decisions.yaml").read_bytes().decode()
    assert after.startswith((before or "").replace("[]", "").replace("~", ""))
    assert sorted(path.name for path in root.iterdir()) == ["contracts", "decisions.yaml", "review.yaml"]


def test_a_mapping_says_the_same(draft: Any, write: Write) -> None:
    root = write(draft)
    append_decision(root, {"kind": "note", "subject": "D-1", "role": "Reviewer", "at": AT, "text": "generated only"})
    assert open_bundle(root).decisions.decisions == (NOTE,)


REFUSED: dict[str, tuple[Any, str]] = {
    "no time zone": (
        {"kind": "note", "subject": "a", "role": "b", "at": "2026-11-20T10:00:00", "text": "c"},
        "time-zone-missing",
    ),
    "unknown key": ({"kind": "note", "subject": "a", "role": "b", "at": AT, "text": "c", "x": 1}, "unknown-key"),
    "no kind": ({"subject": "a", "role": "b", "at": AT, "text": "c"}, "missing-field"),
    "unknown item": (APPROVAL.model_copy(update={"evidence": ("E9",)}), "unknown-item"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_entry_changes_nothing(name: str, draft: Any, write: Write) -> None:
    entry, code = REFUSED[name]
    draft.files["decisions.yaml"] = BEFORE["one entry"]
    root = write(draft)
    with pytest.raises(BadInput) as caught:
        append_decision(root, entry)
    assert [problem.code for problem in caught.value.problems] == [code]
    assert (root / "decisions.yaml").read_text() == BEFORE["one entry"]


UNFIT = {
    "flow list": (f"decisions: [{OLD}]\n", "not-appendable"),
    "document end": (f"decisions:\n  - {OLD}\n...\n", "not-appendable"),
    "broken": ("decisions: [", None),
    "wrong entry": ("decisions:\n  - {kind: note}\n", "missing-field"),
    "unknown key": ("decisons: []\n", "unknown-key"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_a_file_that_cannot_take_an_entry_stays_as_it_is(name: str, draft: Any, write: Write) -> None:
    text, code = UNFIT[name]
    draft.files["decisions.yaml"] = text
    root = write(draft)
    with pytest.raises(BadInput) as caught:
        append_decision(root, NOTE)
    assert code is None or code in {problem.code for problem in caught.value.problems}
    assert (root / "decisions.yaml").read_text() == text
    assert not list(root.glob(".decisions*"))


def test_a_link_that_leaves_the_folder_is_not_written(draft: Any, write: Write, tmp_path: Path) -> None:
    root = write(draft)
    (tmp_path / "outside.yaml").write_text("decisions:\n")
    (root / "decisions.yaml").symlink_to(tmp_path / "outside.yaml")
    with pytest.raises(BadInput) as caught:
        append_decision(root, NOTE)
    assert [problem.code for problem in caught.value.problems] == ["file-outside"]
    assert (tmp_path / "outside.yaml").read_text() == "decisions:\n"


def test_writers_at_the_same_time_lose_nothing(draft: Any, write: Write) -> None:
    root = write(draft)
    notes = [NOTE.model_copy(update={"subject": f"D-{number}"}) for number in range(12)]
    threads = [threading.Thread(target=append_decision, args=(root, note)) for note in notes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = open_bundle(root).decisions.decisions
    assert sorted(entry.subject for entry in found if isinstance(entry, Note)) == sorted(n.subject for n in notes)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1).filter(lambda text: text.strip() and text.strip() != "FILL-IN"))
def test_any_text_comes_back(draft: Any, write: Write, text: str) -> None:
    root = write(draft)
    (root / "decisions.yaml").unlink(missing_ok=True)
    entry = Disposition(subject=text, role="r", decision=text, at=AT, note=text)
    append_decision(root, entry)
    append_decision(root, NOTE)
    assert open_bundle(root).decisions.decisions == (entry, NOTE)
