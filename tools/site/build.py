"""`python -m tools.site.build [FOLDER]`: the documentation site, from `docs` and from the pages that the code makes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tools.site.made import MADE
from tools.site.navigation import children, contents

PROJECT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = PROJECT / "docs"
SITE: Final = PROJECT / "build" / "site"


def stage(folder: Path) -> tuple[str, ...]:
    """The names of the pages, after all sources of the site are written into a folder."""
    shutil.copytree(PAGES, folder, dirs_exist_ok=True)
    for name, make in MADE.items():
        page = folder / name
        page.parent.mkdir(exist_ok=True)
        page.write_text(make(), encoding="utf-8")
    pages = tuple(sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md")))
    for name in pages:
        more = contents(pages) if name == "index" else children(name, pages)
        with (folder / f"{name}.md").open("a", encoding="utf-8") as file:
            file.write(more)
    return pages


def build(sources: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """What Sphinx said while it built; a broken link or anchor is a warning, and each warning fails the build."""
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", f"{sources}.read"]
    words += ["-c", str(Path(__file__).parent), str(sources), str(site)]
    return subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=False)


def main(words: list[str]) -> int:
    """The exit status, after the site stands in the folder, `build/site` if none is named."""
    site = Path(words[0]) if words else SITE
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept) / "docs"
        pages = stage(folder)
        shutil.rmtree(site, ignore_errors=True)
        done = build(folder, site)
        sys.stderr.write(done.stderr.replace(f"{folder}/", "docs/"))
    sys.stdout.write(f"{len(pages)} pages: {site / 'index.html'}\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
