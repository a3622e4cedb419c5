"""One comparison by another checker, for `bench.events`: `avro` or `jsonschema`, released, candidate."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def avro(released: Path, candidate: Path) -> list[bool]:
    """Whether each side reads the other's data, by Avro's own checker."""
    from avro.compatibility import ReaderWriterCompatibilityChecker, SchemaCompatibilityType

    sides = [schema(path) for path in (released, candidate)]
    found = []
    for reader, writer in (sides[::-1], sides):
        told = ReaderWriterCompatibilityChecker().get_compatibility(reader, writer)
        found.append(told.compatibility is SchemaCompatibilityType.compatible)
    return found


def schema(path: Path) -> Any:
    """The schema of a file, or of a folder: the type that the name of its file ends in `alert`."""
    from avro.name import Names
    from avro.schema import make_avsc_object

    names = Names()
    waiting = sorted(path.rglob("*.avsc"), key=lambda file: "alert" in file.name) if path.is_dir() else [path]
    made = None
    while waiting:
        file = waiting.pop(0)
        try:
            made = make_avsc_object(json.loads(file.read_text()), names)
        except Exception:  # a type that another file defines is not known yet
            waiting.append(file)
    return made


def jsonschema(released: Path, candidate: Path) -> list[str]:
    """Whether each side holds the other's values, by the containment of whole schemas."""
    from jsonschema_rs import canonicalize

    sides = [canonicalize(json.loads(path.read_text())) for path in (released, candidate)]
    return [str(one.covers(other)) for one, other in (sides[::-1], sides)]


if __name__ == "__main__":
    kind, old, new = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    print({"avro": avro, "jsonschema": jsonschema}[kind](old, new))
