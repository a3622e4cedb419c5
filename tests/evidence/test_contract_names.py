"""The name that the file system gives a contract is taken as it is, whatever a shell or a terminal makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.core.errors import BadInput
from evreview.evidence.files import contract_source

NAMES = ("a b.yaml", "a\nb.yaml", "\x1b[31mred.yaml", "it's.yaml", "a\\b.yaml", "~home.yaml", "-rf.yaml", "$(id).yaml")


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_file_is_read_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"text")
    entry, load, _ = contract_source(tmp_path / name)
    assert (entry, load(entry)) == (name, b"text")
    _, inside, listing = contract_source(tmp_path)
    assert [inside(each) for each in listing] == [b"text"]


@pytest.mark.parametrize("name", ["../a.yaml", "/etc/passwd", "a\0b.yaml", ""])
def test_what_a_contract_refers_to_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.yaml").write_bytes(b"text")
    _, load, _ = contract_source(tmp_path / "a.yaml")
    with pytest.raises(BadInput):
        load(name)
