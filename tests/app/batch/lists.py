"""Lists of small pairs, and what has to hold of an output whatever happened to the runs that wrote it."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evreview.app.batch.storage import Storage, storage_at
from evreview.app.batch.task import ledger_name, part_name


def contract(number: int, *, required: bool) -> dict[str, Any]:
    """A contract of one operation; a field that becomes required breaks old clients."""
    body = {
        "type": "object",
        "required": ["id", "note"] if required else ["id"],
        "properties": {"id": {"type": "string"}, "note": {"type": "string", "maxLength": 10 + number}},
    }
    answer = {"description": "Kept."}
    request = {"content": {"application/json": {"schema": body}}}
    operation = {"operationId": f"put{number}", "requestBody": request, "responses": {"204": answer}}
    return {"openapi": "3.0.3", "info": {"title": f"c{number}", "version": "1"}, "paths": {"/p": {"put": operation}}}


def write_list(folder: Path, count: int, *, name: str = "pairs.csv") -> Path:
    """A list of so many pairs, each of which breaks once."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["name", "released", "candidate", "kind"])
        for number in range(count):
            for side, required in (("a", False), ("b", True)):
                (folder / f"{number}{side}.json").write_text(json.dumps(contract(number, required=required)))
            out.writerow([f"pair {number}", f"{number}a.json", f"{number}b.json", "openapi"])
    return folder / name


def command(*words: object, environment: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """A running `evreview batch`."""
    return subprocess.Popen(
        [sys.executable, "-m", "evreview", "batch", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )


def finished(*words: object, environment: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Exit status, and what was told on both streams."""
    process = command(*words, environment=environment)
    out, err = process.communicate(timeout=120)
    return process.returncode, out + err


def children(parent: int, words: bytes = b"evreview.app.batch.child") -> list[int]:
    """The processes that compare pairs for another one, and for its Dask workers."""
    wanted = words
    found: dict[int, tuple[int, bytes]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes()
                above = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            found[int(folder.name)] = (above, words)

    def below(number: int) -> bool:
        while number in found:
            number = found[number][0]
            if number == parent:
                return True
        return False

    return [number for number, (_, words) in found.items() if wanted in words and below(number)]


def dask_workers(parent: int) -> list[int]:
    """The workers of a Dask cluster that a process has started."""
    return children(parent, b"spawn_main")


def kept(place: str) -> dict[str, Any]:
    """Each pair's part by the pair's name, once everything is seen to be whole and to belong together."""
    storage = storage_at(place)
    pairs = {name: json.loads(data) for name, data in storage.read_all(storage.names("pairs")).items()}
    parts = {name: json.loads(data) for name, data in storage.read_all(storage.names("parts")).items()}
    ledgers = {name: json.loads(data) for name, data in storage.read_all(storage.names("ledgers")).items()}
    for name, part in parts.items():
        assert name == part_name(part["key"])
        if part["status"] == "done":
            assert len(ledgers[ledger_name(part["key"])]["rows"]) == part["rows"]
    assert len({pair["name"] for pair in pairs.values()}) == len(pairs)
    return {pair["name"]: parts[part_name(pair["key"])] for pair in pairs.values()}


def ledgers_of(storage: Storage) -> Mapping[str, bytes]:
    """Every ledger by its name."""
    return storage.read_all(storage.names("ledgers"))


def states(place: str) -> Sequence[str]:
    """The status of each pair, in the order of their names."""
    return [part["status"] for _, part in sorted(kept(place).items())]
