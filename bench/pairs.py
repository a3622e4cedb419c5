"""Two contracts to measure on, and the commands that compare them: both modes of evreview, and its peers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.measure import Command
from bench.peers import Absent
from bench.report import FULL, LEDGER

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two contracts, and what else compares them.

    Attributes:
        name: what the table calls it.
        sides: the released and the candidate, files or folders.
        peers: by name the commands on this pair.
        options: what `evreview diff` is told besides.
    """

    name: str
    sides: tuple[Path, Path]
    peers: Mapping[str, Command] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name with the form and the size of both sides."""
        form = self.sides[0].suffix.removeprefix(".").upper() if self.sides[0].is_file() else "folders"
        return f"{self.name} ({form}, {weight(self.sides) / 1e6:.1f} MB)"

    def commands(self) -> dict[str, Command]:
        """What takes turns on this pair."""
        ours = [installed("evreview"), "diff", *map(str, self.sides), "--format", "json", *self.options]
        return {LEDGER: [*ours, "--no-witnesses"], FULL: ours, **self.peers}


Pairs = Iterator[Pair]
"""What a kind has to be measured on: `pairs(cache, place, say)`, where fetched and where made files stay."""


def installed(name: str) -> str:
    """A command of this environment."""
    return str(Path(sys.executable).with_name(name))


def available(peers: Mapping[str, Callable[[], Command]], say: Say) -> dict[str, Command]:
    """The commands of the peers that can be had; the others are named."""
    found: dict[str, Command] = {}
    for name, command in peers.items():
        try:
            found[name] = command()
        except Absent as reason:
            say(f"Without {name}: {reason}.\n")
    return found


def node_script(script: Path, cache: Path, folder: str, *packages: str) -> Command:
    """The start of a command that runs a script of this folder in node, with packages that npm fetched once.

    No script of a package runs.

    Raises:
        Absent: node or npm is missing, or npm fetches nothing.
    """
    home, node, npm = cache.resolve() / folder, shutil.which("node"), shutil.which("npm")
    if node is None:
        raise Absent("node is not installed")
    if not (home / "node_modules").is_dir():
        if npm is None:
            raise Absent(f"npm is not installed, so {packages[0]} can't be fetched")
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").write_text("{}")
        words = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", *packages]
        if subprocess.run(words, cwd=home, capture_output=True, check=False).returncode:
            raise Absent(f"npm could not fetch {packages[0]}")
    return [node, str(script), str(home)]


def corpus(kind: str) -> Path:
    """The folder of the real contracts of a kind.

    Raises:
        Absent: it does not stand beside this checkout.
    """
    if not (CORPUS / kind).is_dir():
        raise Absent("the corpus does not stand beside this checkout")
    return CORPUS / kind


def weight(sides: tuple[Path, Path]) -> int:
    """The bytes of both sides."""
    files = (path for side in sides for path in (side.rglob("*") if side.is_dir() else [side]))
    return sum(path.stat().st_size for path in files if path.is_file())
