"""`python -m bench.run`: evreview and its peers side by side, in turn, in one run; Markdown on standard output.

The corpus of real contracts is used when it stands beside the checkout. Peers and published contracts are fetched by
npm and pip once, into `--cache`; what can't be had is named and left out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from bench import asyncapi, events, examples, graphql_sdl, peers, protobuf, python_signatures, redaction, row_table
from bench.generate import GROWTH, Size, extent, write_pair
from bench.measure import Command, Measured, in_turn
from bench.pairs import CORPUS, Pair, Pairs, Say, installed, weight
from bench.report import PEER, commands_table, growth_table, pairs_table

PROJECT = Path(__file__).resolve().parent.parent
DEMO = PROJECT / "examples" / "w1-orders"
LARGE = 1_000_000
"""Bytes of both sides from which a pair of the corpus is worth measuring."""
KINDS: Mapping[str, Callable[[Path, Path, Say], Pairs]] = {
    "protobuf": protobuf.pairs,
    "events": events.pairs,
    "asyncapi": asyncapi.pairs,
    "python": python_signatures.pairs,
    "graphql": graphql_sdl.pairs,
}
"""The parts for the kinds of contract besides OpenAPI, each with its own peers."""


class Bench:
    """One run: where the peer is, how many rounds, and where the answers go."""

    def __init__(self, rounds: int, cache: Path, say: Say) -> None:
        self.rounds, self.cache, self.say = rounds, cache, say
        self.environment = {**peers.QUIET, **compiled(cache)}

    @cached_property
    def oasdiff(self) -> Path | None:
        """The peer for OpenAPI, fetched when it is first wanted."""
        try:
            return peers.oasdiff(self.cache)
        except peers.Absent as reason:
            self.say(f"Without {PEER}: {reason}.\n")
            return None

    def compare(self, released: Path, candidate: Path, *, peer: bool = True) -> dict[str, Measured]:
        """Both modes of evreview and the peer on one pair."""
        beside: dict[str, Command] = {}
        if peer and self.oasdiff is not None:
            beside[PEER] = [str(self.oasdiff), "changelog", "-f", "json", str(released), str(candidate)]
        return self._in_turn(Pair("", (released, candidate), beside))

    def github(self) -> None:
        """GitHub's interface at two releases."""
        try:
            released, candidate = peers.github(self.cache)
        except peers.Absent as reason:
            self.say(f"Without GitHub's contracts: {reason}.\n")
            return
        self._pairs("GitHub", {titled("api.github.com 19.1.0 → 23.0.2", released, candidate): (released, candidate)})

    def corpus(self) -> None:
        """The larger pairs of the corpus; the peer does not read OpenAPI 2.0."""
        found = {titled(pair[0].parent.name, *pair): pair for pair in large_pairs()}
        if found:
            self._pairs("Corpus", found)
        else:
            self.say("Without the corpus: it does not stand beside this checkout.\n")

    def _pairs(self, title: str, pairs: Mapping[str, tuple[Path, Path]]) -> None:
        results = {name: self.compare(*pair, peer=not is_swagger(pair[0])) for name, pair in pairs.items()}
        self._tell(title, pairs_table(results))

    def kind(self, name: str) -> None:
        """A kind of contract besides OpenAPI, with its own peers."""
        with tempfile.TemporaryDirectory() as place:
            try:
                pairs = list(KINDS[name](self.cache, Path(place), self.say))
            except peers.Absent as reason:
                self.say(f"Without {name}: {reason}.\n")
                return
            results = {pair.title: self._in_turn(pair) for pair in pairs}
        beside = list(dict.fromkeys(peer for pair in pairs for peer in pair.peers))
        self._tell(f"Kind: {name}", pairs_table(results, beside))

    def _in_turn(self, pair: Pair) -> dict[str, Measured]:
        return in_turn(pair.commands(), self.rounds, self.environment)

    def growth(self) -> None:
        """Generated contracts, each dimension 10 to 100 times as large."""
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            least = self.compare(*write_pair(folder, Size(operations=1, changed=1, depth=1)))
            floors = {name: found.cpu for name, found in least.items()}
            for dimension, sizes in GROWTH.items():
                points = {extent(dimension, size): self.compare(*write_pair(folder, size)) for size in sizes}
                self._tell(f"Growth in {dimension}", growth_table(dimension, points, floors))

    def commands(self) -> None:
        """Start-up, the small commands, and a whole review against papermill's own command."""
        python = sys.executable
        contracts = [str(DEMO / "contracts" / name) for name in ("orders-1.4.yaml", "orders-1.5.yaml")]
        small: dict[str, Command] = {
            "python -c pass": [python, "-c", "pass"],
            "python -c 'import evreview'": [python, "-c", "import evreview"],
            "evreview --version": [installed("evreview"), "--version"],
            "evreview check (demo)": [installed("evreview"), "check", str(DEMO)],
            "evreview diff (demo)": [installed("evreview"), "diff", *contracts],
        }
        with tempfile.TemporaryDirectory() as place:
            reviews = whole_reviews(installed("evreview"), place)
            found = in_turn(small, self.rounds, self.environment)
            found |= in_turn(reviews, min(self.rounds, 3), self.environment)
        self._tell("Commands", commands_table(found))

    def examples(self) -> None:
        """Examples of every body of the corpus' OpenAPI 3 candidates, against two samplers."""
        found = examples.candidates(CORPUS)
        if not found:
            self.say("Examples without the corpus: it does not stand beside this checkout.\n")
            return
        folder = None
        try:
            folder = examples.installed(self.cache)
        except peers.Absent as reason:
            self.say(f"Without the samplers: {reason}.\n")
        tallies, messages, lacking = examples.measured(found, folder)
        said = [*examples.examples_table(tallies), "", examples.messages_line(messages), *lacking]
        self._tell("Examples", said)

    def redaction(self) -> None:
        """What the guard finds, and how fast."""
        self._tell("Redaction", [*redaction.found(), "", *redaction.speed(redaction.texts(PROJECT), self.rounds)])

    def row_table(self) -> None:
        """How fast the interactive matrix answers a reader."""
        self._tell("Interactive matrix", row_table.answers_table(self.rounds))

    def _tell(self, title: str, lines: list[str]) -> None:
        self.say("\n".join([f"## {title}", "", *lines, ""]))


def compiled(cache: Path) -> dict[str, str]:
    """Byte code is kept, as an installer keeps it, also where the surroundings forbid to write it: in the cache."""
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str((cache / "bytecode").resolve())}


def whole_reviews(evreview: str, place: str) -> dict[str, Command]:
    """The bundled review by evreview, and the same notebook by papermill's command."""
    notebook = PROJECT / "notebooks" / "w1_api_contract_review.ipynb"
    papermill = [str(Path(sys.executable).with_name("papermill")), str(notebook), f"{place}/plain.ipynb"]
    return {
        "evreview run (demo)": [evreview, "run", str(DEMO), "-o", f"{place}/ours"],
        "papermill on the same notebook": [*papermill, "-p", "bundle", str(DEMO), "-p", "out_dir", f"{place}/plain"],
    }


def large_pairs() -> Iterator[tuple[Path, Path]]:
    """The pairs of the corpus with at least `LARGE` bytes, largest first."""
    folders = [path.parent for kind in ("2", "3.0", "3.1") for path in CORPUS.glob(f"openapi{kind}/*/meta.json")]
    pairs = [(next(folder.glob("released.*")), next(folder.glob("candidate.*"))) for folder in folders]
    yield from sorted((pair for pair in pairs if weight(pair) >= LARGE), key=lambda pair: (-weight(pair), pair))


def is_swagger(path: Path) -> bool:
    """True for a file of the corpus that is OpenAPI 2.0."""
    meta = path.with_name("meta.json")
    return meta.is_file() and json.loads(meta.read_text(encoding="utf-8")).get("kind") == "openapi2"


def titled(name: str, released: Path, candidate: Path) -> str:
    """The pair's name with its form and its size."""
    return Pair(name, (released, candidate)).title


def machine() -> str:
    """What the figures were measured on, without a name of the machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {cores} cores"


PARTS = ("github", "corpus", *KINDS, "growth", "commands", "examples", "redaction", "row_table")


def main() -> None:
    """Measure the parts asked for and print them."""
    asked = argparse.ArgumentParser(prog="bench", description=__doc__)
    asked.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all when left out")
    asked.add_argument("--rounds", type=int, default=5, help="how often each command runs; the median counts")
    asked.add_argument("--cache", type=Path, default=PROJECT / "build" / "bench", help="where fetched files stay")
    given = asked.parse_args()
    if unknown := [part for part in given.parts if part not in PARTS]:
        asked.error(f"there is no part {unknown[0]}")

    def say(text: str) -> None:
        print(text, flush=True)

    say(f"{machine()}; median of {given.rounds}, the commands in turn; peak memory of the process.\n")
    bench = Bench(given.rounds, given.cache, say)
    for part in given.parts or PARTS:
        bench.kind(part) if part in KINDS else getattr(bench, part)()


if __name__ == "__main__":
    main()
