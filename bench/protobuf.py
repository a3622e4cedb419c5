"""evreview and buf on the largest protobuf pair of the corpus.

Both get the same two folders: the pair's own files, and of the corpus' dependencies what these import.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from bench.measure import Command
from bench.pairs import Pair, Pairs, Say, available, corpus
from bench.peers import Absent
from evreview.kinds.protobuf.reader import imports_of

CATEGORIES = ("FILE", "WIRE_JSON")
"""buf's strictest rules, and those of the wire."""


def pairs(_cache: Path, place: Path, say: Say) -> Pairs:
    """The pair with the most text.

    Raises:
        Absent: there is no corpus.
    """
    held = corpus("proto")
    folders = [folder for folder in sorted(held.iterdir()) if (folder / "released").is_dir()]
    largest = max(folders, key=lambda folder: sum(file.stat().st_size for file in folder.rglob("*.proto")))
    released, candidate = (whole(largest / side, place / side, held / "_deps") for side in ("released", "candidate"))
    makers = {f"buf {each}": lambda each=each: buf(each, released, candidate) for each in CATEGORIES}
    yield Pair(largest.name, (released, candidate), available(makers, say))


def whole(source: Path, target: Path, dependencies: Path) -> Path:
    """A copy of a folder with the files that it imports from the dependencies."""
    shutil.copytree(source, target)
    waiting = [each.name for file in target.rglob("*.proto") for each in imports_of(file.read_bytes())]
    while waiting:
        name = waiting.pop()
        held = next((folder / name for folder in dependencies.iterdir() if (folder / name).is_file()), None)
        if held is not None and not (target / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(held, target / name)
            waiting.extend(each.name for each in imports_of(held.read_bytes()))
    return target


def buf(category: str, released: Path, candidate: Path) -> Command:
    """buf with one category of its rules; it ends with 100 when it has something to say.

    Raises:
        Absent: it is not installed.
    """
    found = shutil.which("buf", path=str(Path(sys.executable).parent)) or shutil.which("buf")
    if found is None:
        raise Absent("it is not installed")
    config = json.dumps({"version": "v2", "breaking": {"use": [category]}})
    words = [found, "breaking", str(candidate), "--against", str(released), "--error-format", "json"]
    words += ["--config", config, "--against-config", config]
    return ["/bin/sh", "-c", '"$@"; code=$?; test $code -eq 100 || exit $code', "sh", *words]
