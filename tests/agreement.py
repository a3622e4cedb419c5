"""What evreview and a peer say of the same small pairs: `python -m tests.agreement`, or the functions for tests.

The peer's highest level is set against evreview's answer to "does anything break".
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
LEVELS = ("error", "warning", "info-or-none")
OURS = ("breaking", "compatible", "unknown")


def contract_at(path: Path) -> Contract:
    """The contract in a file; other files are looked for beside it."""
    return read_contract(path.name, lambda name: (path.parent / name).read_bytes())


def compared(released: Path, candidate: Path) -> Comparison:
    """The comparison of two files."""
    return compare(contract_at(released), contract_at(candidate))


def cases(corpus: Path) -> list[dict[str, object]]:
    """Every small pair with what the peer says of it."""
    lines = (corpus / "cases" / "openapi_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def peer_level(case: dict[str, object]) -> str:
    """The highest level that the peer reports."""
    said = {str(entry["level"]) for entry in case["peer_says"]}  # type: ignore[attr-defined, index]
    return next((level for level in LEVELS if level in said), "info-or-none")


def our_answer(comparison: Comparison) -> str:
    """Whether anything breaks, in one word."""
    breaking = comparison.summary["breaking"]
    return "breaking" if breaking is True else "unknown" if breaking == "unknown" else "compatible"


def disagrees(level: str, answer: str) -> bool:
    """True when one side calls breaking what the other calls harmless, or decides what the other leaves open."""
    return (level, answer) not in {("error", "breaking"), ("info-or-none", "compatible"), ("warning", "unknown")}


def survey(corpus: Path) -> dict[str, tuple[str, str]]:
    """The peer's level and our answer per case."""
    found = {}
    for case in cases(corpus):
        base = corpus / "cases"
        comparison = compared(base / str(case["released"]), base / str(case["candidate"]))
        found[str(case["case"])] = (peer_level(case), our_answer(comparison))
    return found


def table(found: dict[str, tuple[str, str]]) -> str:
    """The counts by class, as aligned text."""
    counts = Counter(found.values())
    head = "peer \\ evreview".ljust(16) + "".join(answer.rjust(12) for answer in OURS)
    rows = [level.ljust(16) + "".join(str(counts[level, answer]).rjust(12) for answer in OURS) for level in LEVELS]
    return "\n".join([head, *rows])


def main() -> None:
    found = survey(CORPUS)
    print(table(found))
    for name, (level, answer) in sorted(found.items()):
        if disagrees(level, answer):
            print(f"{name}: peer {level}, evreview {answer}")


if __name__ == "__main__":
    sys.exit(main())
