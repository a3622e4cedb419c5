"""`python -m bench.asyncapi`: evreview and @asyncapi/diff in turn on event contracts; Markdown on standard output.

The peer and what it needs are fetched by npm once, into `--cache`, without running any script of a package.
"""

from __future__ import annotations

import argparse
import copy
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.measure import Command, Measured, in_turn
from evreview.documents.text import parse_text

PEER = "@asyncapi/diff@0.5.0"
CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "asyncapi"
SCRIPT = Path(__file__).with_name("asyncapi_diff.mjs")
CHANNELS = 400
"""Channels of the generated pair, each a copy of a real one under another address."""


def main() -> None:
    """Print one table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--cache", type=Path, required=True)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    folder = fetched(given.cache)
    print("| Pair | kB | evreview --no-witnesses s | evreview s | peer s | ours / peer | peak MB, ours and peer's |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as place:
        for name, pair in pairs(Path(place)):
            print(line(name, pair, measured(pair, folder, given.rounds)))


def fetched(cache: Path) -> Path | None:
    """The folder that holds the peer, None where npm is missing or fetches nothing."""
    folder = cache / "asyncapi-diff"
    if not (folder / "node_modules").is_dir():
        npm = shutil.which("npm")
        if npm is None:
            return None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}")
        words = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", PEER]
        if subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode:
            return None
    return folder


def pairs(place: Path) -> Iterator[tuple[str, tuple[Path, Path]]]:
    """The largest real pair of one generation, which is all that the peer compares, and the same grown."""
    found = [folder for folder in sorted(CORPUS.iterdir()) if same_generation(folder)] if CORPUS.is_dir() else []
    if not found:
        return
    largest = max(found, key=lambda folder: sum(side.stat().st_size for side in folder.glob("*.yaml")))
    sides = (largest / "released.yaml", largest / "candidate.yaml")
    yield largest.name, sides
    grown = []
    for side in sides:
        made = place / f"{side.stem}.json"
        made.write_text(json.dumps(repeated(parse_text(side.read_bytes(), side.name))))
        grown.append(made)
    yield f"the same on {CHANNELS} channels", (grown[0], grown[1])


def same_generation(folder: Path) -> bool:
    """True for a pair that the peer reads: it refuses 2.x against 3.x."""
    opened = [parse_text(side.read_bytes(), side.name) for side in sorted(folder.glob("*.yaml"))]
    return len({str(each.get("asyncapi"))[:1] for each in opened if isinstance(each, dict)}) == 1


def repeated(document: Any) -> Any:
    """A 3.x document with its channels and operations written many times, under other addresses."""
    made = {**document, "channels": {}, "operations": {}}
    for at in range(CHANNELS // max(1, len(document["channels"]))):
        for name, channel in document["channels"].items():
            made["channels"][f"{name}{at}"] = {**copy.deepcopy(channel), "address": f"{channel['address']}.{at}"}
        for name, operation in document["operations"].items():
            text = json.dumps(operation)
            for channel in document["channels"]:
                text = text.replace(f"#/channels/{channel}", f"#/channels/{channel}{at}")
            made["operations"][f"{name}{at}"] = json.loads(text)
    return made


def measured(pair: tuple[Path, Path], folder: Path | None, rounds: int) -> dict[str, Measured]:
    """Both modes of evreview and the peer on one pair."""
    files = [str(side) for side in pair]
    ours = [str(Path(sys.executable).with_name("evreview")), "diff", *files, "--format", "json"]
    commands: dict[str, Command] = {"ledger": [*ours, "--no-witnesses"], "full": ours}
    node = shutil.which("node")
    if folder is not None and node is not None:
        commands["peer"] = [node, str(SCRIPT), str(folder), *files]
    return in_turn(commands, rounds)


def line(name: str, pair: tuple[Path, Path], found: dict[str, Measured]) -> str:
    """One row of the table."""
    size = sum(side.stat().st_size for side in pair) / 1000
    peer = found.get("peer")
    known = peer is not None and peer.ok
    ratio = f"{found['full'].wall / peer.wall:.2f}" if peer is not None and known else "no peer"
    theirs = f"{peer.wall:.2f}" if peer is not None and known else "no peer"
    peaks = f"{found['full'].peak:.0f}" + (f" / {peer.peak:.0f}" if peer is not None and known else "")
    cells = [name, f"{size:.0f}", f"{found['ledger'].wall:.2f}", f"{found['full'].wall:.2f}", theirs, ratio, peaks]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
