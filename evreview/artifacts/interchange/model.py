"""A finished review as other tools see it: its evidence, its executed checks, its findings. All of it is text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

_SPACE: Final = bytes.fromhex("6b0f1c526d5e5f0a9a432b6a1f2f7c10")
"""evreview's own name space of UUIDs."""
_CITED: Final = re.compile(r"(?P<id>E[1-9][0-9]*)(?P<locator>[:#][^,\s]*)?")
_LINES: Final = re.compile(r":L([0-9]+)(?:-L([0-9]+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An evidence item: id, kind, the path that it stands for, the digest of its content."""

    id: str
    kind: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A check with its retained result. `evidence` holds citations, comma-separated."""

    id: str
    what: str
    command: str
    revision: str
    environment: str
    result: str
    evidence: str

    @property
    def passed(self) -> bool:
        """True for a check that passed; an error is none."""
        return self.result == "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Concluded:
    """One finding, or one discrepancy.

    Attributes:
        id: stable.
        rule, area: what kind of finding it is.
        title, observed, inferred, recommendation, verification: in words; "" where the review has none.
        severity, confidence: as rated.
        disposition, why: what was decided, and by whom or until when.
        supported: False for a hypothesis.
        settled: accepted with an expiry, or closed by evidence.
        holds: it keeps something from being released.
        evidence: citations, comma-separated.
    """

    id: str
    rule: str
    title: str
    evidence: str
    area: str = ""
    observed: str = ""
    inferred: str = ""
    recommendation: str = ""
    verification: str = ""
    severity: str = ""
    confidence: str = ""
    disposition: str = ""
    why: str = ""
    supported: bool = True
    settled: bool = False
    holds: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One review.

    Attributes:
        workflow, title, day: which review, and its date.
        digest: of the bundle.
        decision: how it ends.
        items: the evidence that may be spoken of, by id.
    """

    workflow: str
    title: str
    day: str
    digest: str
    decision: str
    items: Mapping[str, Item]
    checks: tuple[Check, ...]
    findings: tuple[Concluded, ...]

    def uuid(self, *parts: str) -> str:
        """An id that depends on the bundle's content and on what it stands for, and on nothing else: version 5."""
        named = "".join(f"{len(part)}:{part}" for part in (self.digest, *parts))
        digest = hashlib.sha1(_SPACE + named.encode(), usedforsecurity=False).hexdigest()
        variant = "89ab"[int(digest[16], 16) % 4]
        return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"


def cited(evidence: str) -> Iterator[tuple[str, str]]:
    """The ids and locators of citations, in order."""
    for found in _CITED.finditer(evidence):
        yield found["id"], found["locator"] or ""


def lines(locator: str) -> tuple[int, int] | None:
    """First and last line of a locator that names lines."""
    found = _LINES.fullmatch(locator)
    return (int(found[1]), int(found[2] or found[1])) if found else None
