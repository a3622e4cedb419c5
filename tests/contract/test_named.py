"""Problems name a contract's files as the user reaches them, so that old and new can be told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.core.errors import BadInput
from evreview.kinds.load import read_named

HEAD = 'openapi: 3.0.0\ninfo: {title: t, version: "1"}\n'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({}, "new/openapi.yaml", id="missing"),
        pytest.param({"openapi.yaml": "a: [\n"}, "new/openapi.yaml", id="entry"),
        pytest.param(
            {"openapi.yaml": HEAD + "paths: {/x: {$ref: sub/x.yaml}}\n", "sub/x.yaml": "a: [\n"},
            "new/sub/x.yaml",
            id="beside",
        ),
    ],
)
def test_files_are_named_from_where_the_user_stands(
    files: dict[str, str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files.items():
        (tmp_path / "new" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "new" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput) as caught:
        read_named(Path("new/openapi.yaml"))
    assert {problem.file for problem in caught.value.problems} == {expected}


def test_a_contract_keeps_the_path_that_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "openapi.yaml").write_text(HEAD + "paths: {}\n")
    monkeypatch.chdir(tmp_path)
    contract, load = read_named(Path("new/openapi.yaml"))
    assert contract.path == "new/openapi.yaml"
    assert load("openapi.yaml").startswith(b"openapi")
