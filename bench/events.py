"""evreview and other checkers on event schemas.

The peers are Avro's own compatibility checker in Python, and the containment of jsonschema-rs on whole schemas. Either
gives one answer for each direction; evreview gives a row for each difference, with witnesses.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bench.measure import Command
from bench.pairs import CORPUS, Pair, Pairs, Say

FIELDS = 1_000
"""Fields of the generated pair."""
PEERS = {"avro": "avro's checker", "jsonschema": "jsonschema-rs"}


def pairs(_cache: Path, place: Path, say: Say) -> Pairs:
    """The largest real pair of each kind, and a record with many fields."""
    for name, kind, sides in (
        ("lsst-5.0_6.0", "avro", ("released", "candidate")),
        ("asyncapi-schema-2.6_3.0", "jsonschema", ("released.json", "candidate.json")),
        ("compose-2023_2025", "jsonschema", ("released.json", "candidate.json")),
    ):
        folder = CORPUS / kind / name
        if folder.is_dir():
            found = (folder / sides[0], folder / sides[1])
            yield Pair(name, found, peer(kind, found))
        else:
            say(f"Without {name}: it does not stand beside this checkout.\n")
    made = generated(place)
    yield Pair(f"{FIELDS} fields", made, peer("avro", made))


def peer(kind: str, sides: tuple[Path, Path]) -> dict[str, Command]:
    """The checker of one kind on one pair, by its name."""
    return {PEERS[kind]: [sys.executable, "-m", "bench.event_peers", kind, *map(str, sides)]}


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
