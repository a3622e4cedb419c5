"""The documentation site builds without a warning, leads nowhere wrong, and loads nothing from a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag

import pytest

from tools.site.build import build, stage

for needed in ("sphinx", "myst_parser", "furo"):
    pytest.importorskip(needed, reason='the site needs `pip install -e ".[docs]"`')

ASSETS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""Where a page names what a browser loads by itself."""


class Page(NamedTuple):
    """What one page names: its anchors, where its links lead, and what it loads."""

    anchors: frozenset[str]
    links: tuple[str, ...]
    loads: tuple[str, ...]


class Names(HTMLParser):
    """Collects them."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in ASSETS and given.get(ASSETS[tag], "#") != "#":
            self.loads.append(given[ASSETS[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    stage(folder / "docs")
    done = build(folder / "docs", folder / "site")
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """Every page of the site, read."""
    found = {}
    for path in site.rglob("*.html"):
        names = Names()
        names.feed(path.read_text(encoding="utf-8"))
        found[path] = Page(frozenset(names.anchors), tuple(names.links), tuple(names.loads))
    return found


def broken(pages: dict[Path, Page]) -> Iterator[str]:
    """Each link to a file or an anchor that is not there, behind its page."""
    for path, page in pages.items():
        for link in page.links:
            file, anchor = urldefrag(link)
            if re.match(r"[a-z]+:", file):
                continue
            target = (path.parent / unquote(file)).resolve() if file else path
            there = target.is_file() and (not anchor or target not in pages or unquote(anchor) in pages[target].anchors)
            if not there:
                yield f"{path.name}: {link}"


def test_no_link_and_no_anchor_is_broken(pages: dict[Path, Page]) -> None:
    assert sum(len(page.links) for page in pages.values()) > 1000
    assert list(broken(pages)) == []


def test_a_page_loads_nothing_from_a_network(site: Path, pages: dict[Path, Page]) -> None:
    loads = {(path, load) for path, page in pages.items() for load in page.loads}
    assert [(path.name, load) for path, load in loads if re.match(r"([a-z]+:)?//", load)] == []
    assert [(p.name, load) for p, load in loads if not (p.parent / load.partition("?")[0]).resolve().is_file()] == []
    sheets = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.css")}
    assert sheets
    assert [
        path.name for path, text in sheets.items() if re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", text)
    ] == []


def test_every_page_stands_in_the_navigation(site: Path, pages: dict[Path, Page], tmp_path: Path) -> None:
    names = {f"{name}.html" for name in stage(tmp_path / "docs")}
    assert names <= {path.relative_to(site).as_posix() for path in pages}
    assert names - {"index.html"} <= set(pages[site / "index.html"].links)


@pytest.mark.parametrize("link", ["there.md#no-such-heading", "nowhere.md"])
def test_a_broken_link_fails_the_build(link: str, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text(f"# First\n\n[A link]({link})\n\n```{{toctree}}\nthere\n```\n", encoding="utf-8")
    (docs / "there.md").write_text("# Second\n\n## A heading\n", encoding="utf-8")
    done = build(docs, tmp_path / "site")
    assert done.returncode
    assert "index.md:3" in done.stderr
