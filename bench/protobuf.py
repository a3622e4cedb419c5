"""`python -m bench.protobuf`: evreview and buf in turn on the largest protobuf pair; Markdown on standard output.

Both get the same two folders: the pair's own files, and of the corpus' dependencies what these import.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from bench.measure import Command, Measured, in_turn
from evreview.contracts.readers.protobuf_files import imports

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "proto"
SIDES = ("released", "candidate")


def main() -> None:
    """Print one table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    if not CORPUS.is_dir():
        print("Without the corpus of real pairs: nothing to compare.")
        return
    pair = largest()
    with tempfile.TemporaryDirectory() as place:
        sides = [whole(CORPUS / pair / side, Path(place, side)) for side in SIDES]
        size = sum(file.stat().st_size for side in sides for file in side.rglob("*.proto")) / 1000
        found = measured(sides, given.rounds)
    print(f"| {pair}, {size:.0f} kB | wall s | CPU s | peak MB | CPU of evreview in full / its own |")
    print("| --- | --- | --- | --- | --- |")
    for name, one in found.items():
        ratio = f"{found['evreview'].cpu / one.cpu:.2f}" if one.ok else "failed"
        print(f"| {name} | {one.wall:.2f} | {one.cpu:.2f} | {one.peak:.0f} | {ratio} |")


def largest() -> str:
    """The pair with the most text."""
    folders = [folder for folder in sorted(CORPUS.iterdir()) if (folder / "released").is_dir()]
    return max(folders, key=lambda folder: sum(file.stat().st_size for file in folder.rglob("*.proto"))).name


def whole(source: Path, target: Path) -> Path:
    """A copy of a folder with the files that it imports from the dependencies."""
    shutil.copytree(source, target)
    waiting = [name for file in target.rglob("*.proto") for name in imports(file.read_bytes())]
    while waiting:
        name = waiting.pop()
        held = next((folder / name for folder in (CORPUS / "_deps").iterdir() if (folder / name).is_file()), None)
        if held is not None and not (target / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(held, target / name)
            waiting.extend(imports(held.read_bytes()))
    return target


def measured(sides: list[Path], rounds: int) -> dict[str, Measured]:
    """Both modes of evreview, and buf with its strictest and with its wire rules."""
    released, candidate = map(str, sides)
    here = Path(sys.executable).parent
    ours = [str(here / "evreview"), "diff", released, candidate, "--format", "json"]
    commands: dict[str, Command] = {"evreview": ours, "evreview --no-witnesses": [*ours, "--no-witnesses"]}
    buf = shutil.which("buf", path=str(here)) or shutil.which("buf")
    for category in ("FILE", "WIRE_JSON") if buf is not None else ():
        config = json.dumps({"version": "v2", "breaking": {"use": [category]}})
        words = ["breaking", candidate, "--against", released, "--error-format", "json"]
        line = [str(buf), *words, "--config", config, "--against-config", config]
        # buf ends with 100 when it has something to say.
        commands[f"buf {category}"] = ["/bin/sh", "-c", '"$@"; code=$?; test $code -eq 100 || exit $code', "sh", *line]
    return in_turn(commands, rounds)


if __name__ == "__main__":
    main()
