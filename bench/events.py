"""`python -m bench.events`: evreview and other checkers in turn on event schemas; Markdown on standard output.

The peers are Avro's own compatibility checker in Python, and the containment of jsonschema-rs on whole schemas. Either
gives one answer for each direction; evreview gives a row for each difference, with witnesses.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.asyncapi import line
from bench.measure import Command, in_turn

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
FIELDS = 1_000
"""Fields of the generated pair."""


def main() -> None:
    """Print one table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    print("| Pair | kB | evreview --no-witnesses s | evreview s | peer s | ours in full / peer | peak MB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as place:
        # Byte code is kept, as an installer keeps it.
        kept = {"PYTHONPYCACHEPREFIX": f"{place}/pycache", "PYTHONDONTWRITEBYTECODE": ""}
        for name, kind, sides in pairs(Path(place)):
            ours = [str(Path(sys.executable).with_name("evreview")), "diff", *map(str, sides), "--format", "json"]
            peer = [sys.executable, "-m", "bench.event_peers", kind, *map(str, sides)]
            commands: dict[str, Command] = {"ledger": [*ours, "--no-witnesses"], "full": ours, "peer": peer}
            print(line(name, sized(sides), in_turn(commands, given.rounds, kept)))


def pairs(place: Path) -> Iterator[tuple[str, str, tuple[Path, Path]]]:
    """The largest real pair of each kind, and a record with many fields."""
    for name, kind, sides in (
        ("lsst-5.0_6.0", "avro", ("released", "candidate")),
        ("asyncapi-schema-2.6_3.0", "jsonschema", ("released.json", "candidate.json")),
        ("compose-2023_2025", "jsonschema", ("released.json", "candidate.json")),
    ):
        folder = CORPUS / kind / name
        if folder.is_dir():
            yield f"{name} ({kind})", kind, (folder / sides[0], folder / sides[1])
    yield f"{FIELDS} fields (avro)", "avro", generated(place)


def generated(place: Path) -> tuple[Path, Path]:
    """Two records; every tenth field differs."""
    sides = []
    for side in ("released", "candidate"):
        fields: list[Any] = [
            {"name": f"f{at}", "type": "int" if at % 10 or side == "released" else "long"} for at in range(FIELDS)
        ]
        made = place / f"{side}.avsc"
        made.write_text(json.dumps({"type": "record", "name": "Event", "fields": fields}))
        sides.append(made)
    return sides[0], sides[1]


def sized(sides: tuple[Path, Path]) -> tuple[Path, Path]:
    """The largest file of each side: what the table names the size of."""
    return tuple(max(side.rglob("*"), key=lambda one: one.stat().st_size) if side.is_dir() else side for side in sides)  # type: ignore[return-value]


if __name__ == "__main__":
    main()
