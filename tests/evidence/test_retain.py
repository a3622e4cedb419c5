"""A retained result becomes a new item; nothing else in the bundle changes, and it is written whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evreview.core.errors import BadInput
from evreview.evidence import bundle_writer as room
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.bundle_writer import NewItem, retain

Write = Callable[[Any], Path]
CHECK = {"id": "c", "what": "w", "command": "x", "revision": "r", "fixture": "f", "result": "passed"}


def body(attachment: str) -> str:
    return json.dumps({"kind": "test-record", "checks": [{**CHECK, "fixture": attachment}]})


ITEM = NewItem(name="replays/D-1", body=body, attachment='{"a": "é"}\n', establishes='That it ran: yes, "twice".')


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_an_item_is_added_and_everything_else_stays(demo_copy: Path) -> None:
    before = contents(demo_copy)
    identity, files = retain(demo_copy, ITEM)
    after = contents(demo_copy)
    review = "review.yaml"
    assert {name: data for name, data in after.items() if name not in (*files, review)} == {
        name: data for name, data in before.items() if name != review
    }
    assert after[review].startswith(before[review])
    bundle = open_bundle(demo_copy)
    assert identity == "E13" and list(bundle.items)[-1] == identity
    item = bundle.items[identity]
    assert item.establishes == ITEM.establishes
    assert item.record is not None and item.record.checks[0].fixture == files[0]  # type: ignore[attr-defined]
    assert (demo_copy / files[0]).read_text(encoding="utf-8") == ITEM.attachment


def test_each_result_is_an_item_of_its_own(demo_copy: Path) -> None:
    other = replace(ITEM, attachment='{"a": "e"}\n')
    assert [retain(demo_copy, item)[0] for item in (ITEM, other)] == ["E13", "E14"]
    assert len(open_bundle(demo_copy).items) == 14


def test_the_same_result_is_kept_once(demo_copy: Path) -> None:
    retain(demo_copy, ITEM)
    before = contents(demo_copy)
    assert retain(demo_copy, ITEM) == ("E13", ())
    assert contents(demo_copy) == before


PROTOCOL = "protocol: HTTP/1.1, JSON bodies\n"


def flush_left(text: str) -> str:
    head, key, items = text.partition("evidence:\n")
    return head + key + "".join(line.removeprefix("  ") for line in items.splitlines(keepends=True))


FORMS: dict[str, Callable[[str], str]] = {
    "keys after the list": lambda text: text.replace(PROTOCOL, "") + "# how it travels\n" + PROTOCOL,
    "no last newline": lambda text: text.rstrip("\n"),
    "comment at the end": lambda text: text + "\n# that was all\n",
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "no indentation": flush_left,
    "comment beside the key": lambda text: text.replace("\nevidence:", "\nevidence:  # all of it"),
}


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_every_form_are_appended_to(form: str, demo_copy: Path) -> None:
    path = demo_copy / "review.yaml"
    text = FORMS[form](path.read_text(encoding="utf-8"))
    path.write_bytes(text.encode())
    before = open_bundle(demo_copy)
    retain(demo_copy, ITEM)
    after = open_bundle(demo_copy)
    assert after.request == before.request
    assert [name for name in after.items if name != "E13"] == list(before.items)


def as_json(folder: Path, indent: int | None = None) -> str:
    import yaml_rs

    raw = yaml_rs.loads((folder / "review.yaml").read_text(encoding="utf-8"))
    return json.dumps({**raw, "as_of": str(raw["as_of"])}, default=str, indent=indent)


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_a_list_in_json_is_appended_to(indent: int | None, demo_copy: Path) -> None:
    path = demo_copy / "review.yaml"
    path.write_text(as_json(demo_copy, indent), encoding="utf-8")
    before = open_bundle(demo_copy)
    retain(demo_copy, ITEM)
    after = open_bundle(demo_copy)
    assert after.request == before.request
    assert [name for name in after.items if name != "E13"] == list(before.items)


def test_a_list_in_brackets_that_is_no_json_is_refused(demo_copy: Path) -> None:
    path = demo_copy / "review.yaml"
    stated = json.loads(as_json(demo_copy))
    listed = stated.pop("evidence")
    head = "\n".join(f"{name}: {json.dumps(value)}" for name, value in stated.items())
    path.write_text(f"{head}\nevidence: {json.dumps(listed)}\n", encoding="utf-8")
    before = contents(demo_copy)
    with pytest.raises(BadInput) as caught:
        retain(demo_copy, ITEM)
    assert [problem.code for problem in caught.value.problems] == ["not-appendable"]
    assert contents(demo_copy) == before


def test_a_bundle_with_problems_stays_as_it_is(demo_copy: Path) -> None:
    (demo_copy / "contracts" / "orders-1.5.yaml").write_text("openapi: 3.0.3\n", encoding="utf-8")
    before = contents(demo_copy)
    with pytest.raises(BadInput):
        retain(demo_copy, ITEM)
    assert contents(demo_copy) == before


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_nothing_stays_behind_when_writing_fails(
    failing: int, demo_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, calls, real = contents(demo_copy), [0], room.replace_whole

    def write(path: Path, data: bytes) -> None:
        calls[0] += 1
        if calls[0] == failing:
            raise BadInput([])
        real(path, data)

    monkeypatch.setattr(room, "replace_whole", write)
    with pytest.raises(BadInput):
        retain(demo_copy, ITEM)
    assert contents(demo_copy) == before
    assert not (demo_copy / "replays").exists()


def test_a_body_that_is_no_record_leaves_the_bundle_as_it_was(demo_copy: Path) -> None:
    before = contents(demo_copy)
    wrong = NewItem(name="replays/D-1", body=lambda name: '{"kind": "test-record"}', attachment="{}", establishes="x")
    with pytest.raises(BadInput):
        retain(demo_copy, wrong)
    assert contents(demo_copy) == before


def test_an_existing_file_is_never_overwritten(demo_copy: Path) -> None:
    (demo_copy / "replays").mkdir()
    (demo_copy / "replays" / "D-1-E13.yaml").write_text("mine", encoding="utf-8")
    before = contents(demo_copy)
    with pytest.raises(BadInput) as caught:
        retain(demo_copy, ITEM)
    assert [problem.code for problem in caught.value.problems] == ["file-exists"]
    assert contents(demo_copy) == before


def test_a_file_where_the_folder_should_be_is_told(demo_copy: Path) -> None:
    (demo_copy / "replays").write_text("mine", encoding="utf-8")
    before = contents(demo_copy)
    with pytest.raises(BadInput) as caught:
        retain(demo_copy, ITEM)
    assert [(problem.code, problem.file) for problem in caught.value.problems] == [("not-a-folder", "replays")]
    assert contents(demo_copy) == before


FULL = OSError(errno.ENOSPC, "No space left on device")
FAILING: dict[str, tuple[Any, str]] = {
    "the folder can't be made": (Path, "mkdir"),
    "the folder can't be locked": (fcntl, "flock"),
    "no space for a file": (os, "fsync"),
}


@pytest.mark.parametrize("case", FAILING)
def test_what_the_disk_refuses_is_told(case: str, demo_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(demo_copy)

    def refuse(*args: object, **kwargs: object) -> None:
        raise FULL

    monkeypatch.setattr(*FAILING[case], refuse)
    with pytest.raises(BadInput) as caught:
        retain(demo_copy, ITEM)
    assert [problem.code for problem in caught.value.problems] == ["not-writable"]
    assert contents(demo_copy) == before and not (demo_copy / "replays").exists()


def test_a_stop_after_the_list_was_written_takes_it_back(demo_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, real, calls = contents(demo_copy), room.examine_bundle, [0]

    def stopped(path: Path, **more: Any) -> Any:
        calls[0] += 1
        if calls[0] == 2:
            raise KeyboardInterrupt
        return real(path, **more)

    monkeypatch.setattr(room, "examine_bundle", stopped)
    with pytest.raises(KeyboardInterrupt):
        retain(demo_copy, ITEM)
    assert contents(demo_copy) == before
