"""The redactor, measured: what it finds in the labelled set, and how fast it reads what reviews are made of."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bench.report import table
from evreview.redaction.redactor import Redactor
from tests.redaction.labelled import positives
from tests.redaction.labelled.internals import SQL, TRACES
from tests.redaction.recall import false, missed
from tests.redaction.recall import table as found_table

SIZE = 1_000_000


def texts(project: Path) -> Mapping[str, str]:
    """A megabyte of each kind; the last ones hold little but what has to go."""
    parts: dict[str, Iterable[str]] = {
        "OpenAPI, YAML": [(project / "examples/w1-orders/contracts/orders-1.5.yaml").read_text(encoding="utf-8")],
        "Python": (path.read_text(encoding="utf-8") for path in sorted((project / "evreview").rglob("*.py"))),
        "Markdown": (path.read_text(encoding="utf-8") for path in sorted((project / "docs").glob("*.md"))),
        "access log, an address a line": (
            f"192.0.2.{n % 255} user{n}" + f'@harbourline.fr "GET /v1/orders/{n}" 200 {n * 7}\n' for n in range(16_000)
        ),
        "mail addresses alone, each once": (f"user{n}.name" + f"@host{n % 97}.harbourline.fr\n" for n in range(30_000)),
        "stack traces": (text for text, _ in TRACES.values()),
        "Java frames, each once": (
            f"\tat com.harbour.orders.Store{n}.load(Store{n}.java:{n})\n" for n in range(16_000)
        ),
        "database errors": (text for text, _ in SQL.values()),
        "the labelled set": (case.text for case in positives(1)),
    }
    return {name: _filled("".join(part)) for name, part in parts.items()}


def _filled(text: str) -> str:
    return (text * (SIZE // len(text) + 1))[:SIZE]


def speed(samples: Mapping[str, str], rounds: int) -> list[str]:
    """Megabytes per second of processor time: learning a text, and cleaning it once it is learnt; the best round."""
    lines: list[Sequence[str]] = []
    for name, text in samples.items():
        learning, cleaning = zip(*(_once(text) for _ in range(rounds)), strict=True)
        lines.append((name, f"{1 / min(learning):.1f}", f"{1 / min(cleaning):.1f}"))
    return table(("1 MB of", "learn, MB/s", "clean, MB/s"), lines)


def _once(text: str) -> tuple[float, float]:
    started = time.process_time()
    redactor = Redactor.over([("E1", text)])
    learnt = time.process_time()
    redactor.clean(text)
    return learnt - started, time.process_time() - learnt


def found() -> list[str]:
    """The labelled set's table."""
    return found_table(missed(), false())
