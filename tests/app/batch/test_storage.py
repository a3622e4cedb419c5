"""Where a batch keeps its results: whole files, other stores, and what is told when one can't be used."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from evreview.app.batch import storage as module
from evreview.app.batch.storage import FolderStorage, StorageFailed, UrlStorage, storage_at
from evreview.core.errors import BadInput

pytest.importorskip("fsspec", reason="the extra `batch` is not installed")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS_BETWEEN_TRIES", 0.0)


@pytest.fixture(params=["folder", "file", "memory", "moved"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder, its URL, an object store, and a store that shows halves unless they are moved."""
    names = {"folder": str(tmp_path), "file": f"file://{tmp_path}", "memory": f"memory://{tmp_path.name}"}
    return names.get(request.param, f"local://{tmp_path}")


def test_a_file_is_what_was_written_last(place: str) -> None:
    storage = storage_at(place)
    assert (storage.read("parts/a.json"), storage.names("parts"), storage.read_all(())) == (None, (), {})
    storage.write("parts/a.json", b"1")
    storage.write("parts/b.json", b"2")
    storage.write("parts/a.json", b"3")
    assert storage.names("parts") == ("parts/a.json", "parts/b.json")
    assert storage.read("parts/a.json") == b"3"
    assert storage.read_all(["parts/a.json", "parts/b.json", "parts/c.json"]) == {
        "parts/a.json": b"3",
        "parts/b.json": b"2",
    }


def test_a_store_that_shows_halves_is_written_beside_and_moved(tmp_path: Path) -> None:
    storage = storage_at(f"local://{tmp_path}")
    assert isinstance(storage, UrlStorage)
    seen: list[str] = []
    system = storage.system
    real = system.pipe_file

    def piped(path: str, data: bytes, **options: Any) -> None:
        seen.append(path.rpartition("/")[2])
        real(path, data, **options)

    system.pipe_file = piped
    try:
        storage.write("parts/a.json", b"1")
    finally:
        del system.pipe_file
    assert [name.startswith(".a.json.") for name in seen] == [True]
    assert [path.name for path in (tmp_path / "parts").iterdir()] == ["a.json"]


def test_what_is_not_yet_in_its_place_is_no_result_and_goes_when_it_is_old(tmp_path: Path) -> None:
    storage = FolderStorage(tmp_path)
    storage.write("parts/a.json", b"1")
    old, new = tmp_path / "parts" / ".b.json.1", tmp_path / "parts" / ".b.json.2"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 4_000,) * 2)
    assert storage.names("parts") == ("parts/a.json",)
    storage.clear()
    assert (old.exists(), new.exists()) == (False, True)


@pytest.mark.parametrize(("failures", "fails"), [(0, False), (1, False), (2, False), (3, True)])
def test_a_store_is_asked_three_times(
    failures: int, fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [OSError(28, "No space left on device")] * failures

    def full(*_: object) -> None:
        if left:
            raise left.pop()

    monkeypatch.setattr(module, "replace_whole", full)
    if not fails:
        storage_at(str(tmp_path)).write("parts/a.json", b"1")
        return
    with pytest.raises(StorageFailed) as refused:
        storage_at(str(tmp_path)).write("parts/a.json", b"1")
    assert refused.value.found == "No space left on device"


@pytest.mark.parametrize(("url", "code"), [("nothing://x/y", "url-unknown"), ("gs://bucket/x", "batch-not-installed")])
def test_a_url_that_cannot_be_used_is_refused(url: str, code: str) -> None:
    if code == "batch-not-installed" and pytest.importorskip("importlib.util").find_spec("gcsfs"):
        pytest.skip("gcsfs is installed")
    with pytest.raises(BadInput) as refused:
        storage_at(url)
    assert [problem.code for problem in refused.value.problems] == [code]


def test_without_fsspec_a_folder_works_and_a_url_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    storage_at(str(tmp_path)).write("parts/a.json", b"1")
    with pytest.raises(BadInput) as refused:
        storage_at("memory://elsewhere")
    assert [problem.code for problem in refused.value.problems] == ["batch-not-installed"]
