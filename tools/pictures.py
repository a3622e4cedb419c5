"""`python -m tools.pictures [FOLDER]`: the pictures of README and docs, of the bundled contract review in Chromium.

Each is one screen of the page's default zoom. A picture that comes out with the same bytes is not written again; other
fonts or another Chromium draw other bytes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evreview.app.notebook import export_html
from tests.app.notebook.saved import saved
from tests.browser import chromium, missing_browser, opened

PROJECT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = PROJECT / "docs" / "pictures"
DECISION: Final = "[data-role=decision]"
CARD: Final = "[data-role=matrix] .evr-below"
UNFOLD: Final = """() => { const matrix = document.querySelector('[data-role=matrix]');
  matrix.querySelector('details').open = true;
  matrix.closest('.jp-Cell').scrollIntoView({block: 'start', behavior: 'instant'}); }"""
SEEN: Final = """what => [...document.querySelectorAll(what)]
  .map(each => [each.getBoundingClientRect(), each.innerText])
  .filter(([place]) => place.height && place.top >= 0 && place.top < innerHeight).map(([, text]) => text)[0] || ''"""
"""The text of the first element that begins on the screen."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What one file shows."""

    page: str
    """`light` and `dark` are the notebook, `artifact` is the exported page."""
    shows: str = DECISION
    """What has to be on the screen, as a CSS selector."""
    script: str = ""
    """What is done to the page first."""


PICTURES: Final = {
    "notebook.png": Picture("light"),
    "notebook-dark.png": Picture("dark"),
    "matrix.png": Picture("light", CARD, UNFOLD),
    "artifact.png": Picture("artifact"),
}
"""By the file's name: every picture that README and docs show, and no other."""


def pages(folder: Path) -> dict[str, Path]:
    """The pages that pictures show, written into that folder."""
    import nbformat

    done = saved("w1", folder)
    artifact = folder / "artifact.html"
    artifact.write_text(export_html(nbformat.read(done.notebook, 4)), encoding="utf-8")
    return {"light": done.light, "dark": done.dark, "artifact": artifact}


def taken(browser: Any, picture: Picture, path: Path) -> tuple[bytes, str]:
    """The picture of the page at that path, and the text of what it has to show.

    Raises:
        LookupError: that is not on the screen.
    """
    with opened(browser, path) as shown:
        if picture.script:
            shown.tab.evaluate(picture.script)
        if not (text := shown.tab.evaluate(SEEN, picture.shows)):
            raise LookupError(f"{path.name}: nothing on the screen is {picture.shows}")
        return shown.tab.screenshot(), text


def written(folder: Path) -> Iterator[str]:
    """A line for each picture, after it stands in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, chromium() as browser:
        found = pages(Path(work))
        for name, picture in PICTURES.items():
            data, _ = taken(browser, picture, found[picture.page])
            path = folder / name
            same = path.is_file() and path.read_bytes() == data
            if not same:
                path.write_bytes(data)
            yield f"{name}: {len(data) // 1000} kB, {'as it was' if same else 'written'}"


def main(words: list[str]) -> int:
    """0: the pictures stand in the folder, `docs/pictures` if none is named, or no browser can make them here."""
    if reason := missing_browser():
        sys.stdout.write(f"docs/pictures: kept as they are; {reason}\n")
        return 0
    for line in written(Path(words[0]) if words else FOLDER):
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
