"""Each code block below `docs` is what its language says, and everything that can be run does as the page says."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from tests.docs_blocks import NOT_RUN, Block, Reader, blocks, commands, environment, faults
from tests.repositories import CANDIDATE, RELEASED, git, repository
from tools.site.made import MADE

PROJECT = Path(__file__).resolve().parent.parent
OF_OTHER_TESTS = {
    "add-a-kind.md": "tests/kinds/test_add_a_kind.py",
    "api.md": "tests/test_docs_site.py",
    "code-facts.md": "tests/codefacts/test_conventions.py",
    "rules/": "tests/comparison/rules/test_catalogue.py",
    "security-controls.md": "tests/workflows/w3/inventory",
    "security-leads.md": "tests/workflows/w3/leads/test_catalogue.py",
}
"""Pages whose blocks are the examples of a table, or parts of a whole, and the test that runs those."""
KEPT = {path.name: path for path in sorted((PROJECT / "docs").glob("*.md"))}
PAGES = sorted(name for name in {*KEPT, *MADE} if not name.startswith(tuple(OF_OTHER_TESTS)))


@cache
def blocks_of(name: str) -> tuple[Block, ...]:
    """The blocks of a page, kept or made."""
    return tuple(blocks(KEPT[name].read_text(encoding="utf-8") if name in KEPT else MADE[name]()))


ORDERS = PROJECT / "examples" / "w1-orders"


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """Somebody in a clone with the examples, two contracts, their two commits, reviews, and a folder with one."""
    old, new = (ORDERS / "contracts" / f"orders-{version}.yaml" for version in ("1.4", "1.5"))
    states = [{"api/openapi.yaml": side.read_text(encoding="utf-8")} for side in (old, new)]
    later = {"api/openapi.yaml": states[1]["api/openapi.yaml"].replace("Example Shop", "Example Store")}
    repository(tmp_path / "orders", states, tags=("v1.4", "v1.5"))
    service = {
        "deploy/proxy.conf": "location / { proxy_pass http://parcels; }\n",
        "tests/test_app.py": "import parcels\n",
    }
    code = [{"parcels/app.py": state["parcels/app.py"], **service} for state in (RELEASED, CANDIDATE)]
    states = [*({**each, **more} for each, more in zip(states, code, strict=True)), later]
    folder = repository(tmp_path / "clone", states, tags=("v1.0", "v1.1", "v1.2"))
    git(folder, "update-ref", "refs/remotes/origin/main", "v1.0")
    shutil.copytree(PROJECT / "examples", folder / "examples")
    shutil.copy(old, folder / "released.yaml")
    shutil.copy(new, folder / "candidate.yaml")
    for name, example in (
        ("my-review", "w1-orders"),
        ("reviews/orders", "w1-orders"),
        ("my-security-review", "w3-tickets"),
    ):
        shutil.copytree(PROJECT / "examples" / example, folder / name)
    return Reader(folder, environment(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_each_block_is_one_of_the_languages(name: str) -> None:
    assert [fault for block in blocks_of(name) for fault in faults(block)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_shows_happens(name: str, reader: Reader) -> None:
    assert [fault for block in blocks_of(name) for fault in reader.follow(block)] == []


@pytest.mark.parametrize(
    "block",
    [
        Block(1, "", "", "evreview check my-review\n"),
        Block(1, "bash", "", "evreview check my-review\n"),
        Block(1, "text", "", "evreview check my-review\n"),
        Block(1, "text", "", "$ ls\n"),
        Block(1, "console", "", "evreview check my-review\n"),
    ],
)
def test_a_block_that_hides_a_command_is_refused(block: Block) -> None:
    assert list(faults(block))


@pytest.mark.slow
@pytest.mark.parametrize(
    "block",
    [
        Block(1, "sh", "", "evreview check nowhere\n"),
        Block(1, "console", "", "$ echo one\ntwo\n"),
        Block(1, "console", "", "$ printf 'one\\ntwo\\n'\n…\none\n"),
        Block(1, "python", "", "raise ValueError\n"),
    ],
)
def test_a_block_that_does_not_happen_is_told(block: Block, reader: Reader) -> None:
    assert list(reader.follow(block))
    assert reader.ran == 1


def test_pages_of_other_tests_have_one() -> None:
    assert [test for test in OF_OTHER_TESTS.values() if not (PROJECT / test).exists()] == []


@pytest.mark.slow
def test_what_is_not_run_is_shown_somewhere() -> None:
    lines = (block for name in PAGES for block in blocks_of(name) if block.language in ("sh", "console"))
    shown = [command.words for block in lines for command in commands(block)]
    assert [start for start in NOT_RUN if not any(re.match(start, words) for words in shown)] == []
