"""evreview and @asyncapi/diff on event contracts."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from bench.pairs import Pair, Pairs, Say, available, corpus, node_script, weight
from evreview.core.document_text import parse_text

PEER = "@asyncapi/diff@0.5.0"
SCRIPT = Path(__file__).with_name("asyncapi_diff.mjs")
CHANNELS = 400
"""Channels of the generated pair, each a copy of a real one under another address."""


def pairs(cache: Path, place: Path, say: Say) -> Pairs:
    """The largest real pair of 3.x, and the same grown.

    Raises:
        Absent: there is no corpus.
    """
    folders = sorted(folder for folder in corpus("asyncapi").iterdir() if third_generation(folder))
    sides = max((sides_of(folder) for folder in folders), key=weight)
    peer = available({PEER: lambda: node_script(SCRIPT, cache, "asyncapi-diff", PEER)}, say)
    for name, found in ((sides[0].parent.name, sides), (f"the same on {CHANNELS} channels", grown(sides, place))):
        yield Pair(name, found, {each: [*command, *map(str, found)] for each, command in peer.items()})


def sides_of(folder: Path) -> tuple[Path, Path]:
    """The two files of a pair of the corpus."""
    return folder / "released.yaml", folder / "candidate.yaml"


def third_generation(folder: Path) -> bool:
    """True for a pair of 3.x, which the peer reads and which can be grown: it refuses 2.x against 3.x."""
    sides = [side for side in sides_of(folder) if side.is_file()]
    opened = [parse_text(side.read_bytes(), side.name) for side in sides]
    return len(sides) == 2 and all(isinstance(each, dict) and str(each["asyncapi"])[0] == "3" for each in opened)


def grown(sides: tuple[Path, Path], place: Path) -> tuple[Path, Path]:
    """Both sides on many channels."""
    made = []
    for side in sides:
        made.append(place / f"{side.stem}.json")
        made[-1].write_text(json.dumps(repeated(parse_text(side.read_bytes(), side.name))))
    return made[0], made[1]


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
