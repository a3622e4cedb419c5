"""The pictures of README and docs: all are there, made by `tools.pictures`, used, told in words, and of the review."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser import SCREEN, need_browser
from tools import pictures
from tools.pictures import FOLDER, PICTURES, PROJECT, Picture

PAGES = (*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md"))
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)[^)]*\)")
OTHER = re.compile(r"<(?:img|picture)\b|\{(?:image|figure)\}|!\[[^\]]*\]\[", re.I)
"""Ways to name a picture that the first pattern does not read: no page takes them."""


def named() -> list[tuple[str, str, Path]]:
    """Each picture that a page shows: the page, the alternative text, the file."""
    return [
        (page.name, text, (page.parent / target).resolve())
        for page in PAGES
        for text, target in IMAGE.findall(page.read_text(encoding="utf-8"))
    ]


def test_every_picture_shown_is_made_by_the_script_and_every_one_made_is_shown() -> None:
    assert [page.name for page in PAGES if OTHER.search(page.read_text(encoding="utf-8"))] == []
    files = {path for _, _, path in named()}
    assert files == {FOLDER / name for name in PICTURES} == set(FOLDER.iterdir())
    assert "README.md" in {page for page, _, _ in named()}


def test_no_other_picture_is_kept() -> None:
    kept = {path for kind in ("png", "jpg", "jpeg", "gif", "webp", "svg") for path in FOLDER.parent.rglob(f"*.{kind}")}
    assert kept == {FOLDER / name for name in PICTURES}


def test_each_says_in_words_what_is_seen() -> None:
    assert [(page, text) for page, text, _ in named() if len(text.split()) < 8] == []


def size(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG, from its header."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR"
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


@pytest.mark.parametrize("name", PICTURES)
def test_each_kept_is_one_screen_and_small(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    assert size(data) == (1280, SCREEN) and len(data) < 250_000


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages that pictures show."""
    need_browser()
    return pictures.pages(tmp_path_factory.mktemp("pages"))


@pytest.mark.parametrize(
    ("name", "text"), [("notebook.png", "Decision: shipment and removal blocked"), ("matrix.png", "Witness")]
)
def test_a_picture_is_a_screen_of_the_review(browser: Any, shown: dict[str, Path], name: str, text: str) -> None:
    data, words = pictures.taken(browser, PICTURES[name], shown[PICTURES[name].page])
    assert size(data) == (1280, SCREEN)
    assert text in words


def test_a_picture_without_what_it_shows_is_refused(browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<p style="margin-top: 900px" data-role="decision">Decision: none</p>', encoding="utf-8")
    with pytest.raises(LookupError):
        pictures.taken(browser, Picture("light"), page)


def test_without_a_browser_the_pictures_are_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("tools.pictures.missing_browser", lambda: "no browser")
    assert pictures.main([str(tmp_path / "made")]) == 0
    assert "no browser" in capsys.readouterr().out and not (tmp_path / "made").exists()
