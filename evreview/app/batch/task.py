"""What is asked of one pair or bundle and what comes of it: plain values that travel as JSON, no evidence in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

from evreview.core.vocabulary import FailOn, Json

PART_SCHEMA: Final = "evreview.part/1"
PAIR_SCHEMA: Final = "evreview.pair/1"
MOST_NAME: Final = 200
"""Characters of a name."""


class TaskStatus(StrEnum):
    """What came of a pair or a bundle."""

    DONE = "done"
    REFUSED = "refused"
    LIMIT = "limit"
    LOST = "lost"
    FAULT = "fault"
    UNWRITTEN = "unwritten"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTask:
    """One pair to compare.

    Attributes:
        name: names the pair in its output.
        released, candidate: paths, URLs, or `REF:path` where `repository` is given.
        kind: the kind of contract, "" to detect it.
        contract: which contract the pair is a version of.
        position: its place among the pairs of that contract.
        repository: the clone that holds both, "" for files.
    """

    name: str
    released: str
    candidate: str
    kind: str = ""
    contract: str = ""
    position: int = 0
    repository: str = ""

    def to_json(self) -> dict[str, Json]:
        """All fields."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTask:
    """One bundle to review: its name in the output, and its folder."""

    name: str
    bundle: str

    def to_json(self) -> dict[str, Json]:
        """All fields."""
        return asdict(self)


Task = PairTask | ReviewTask


def task_of(told: Mapping[str, Any]) -> Task:
    """The task that `to_json` wrote."""
    return ReviewTask(**told) if "bundle" in told else PairTask(**told)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchSettings:
    """What holds for every task: where results go, and what one may take."""

    output: str
    seconds: int = 60
    megabytes: int = 2048

    def to_json(self) -> dict[str, Json]:
        """All fields."""
        return asdict(self)

    @property
    def limits(self) -> dict[str, Json]:
        """What a record keeps of them."""
        return {"seconds": self.seconds, "megabytes": self.megabytes}

    def allows_no_more(self, limits: Mapping[str, Any]) -> bool:
        """True when a pair that these limits stopped would be stopped again."""
        return self.seconds <= int(limits.get("seconds", 0)) and self.megabytes <= int(limits.get("megabytes", 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOutcome:
    """What came of one pair or bundle.

    Attributes:
        status: see `TaskStatus`.
        key: names its part and its ledger; "" where nothing was kept.
        known: True when an earlier run had done it.
        breaking: how many rows break.
        unproven: how many more things `--fail-on unproven` counts.
        refuses: True for a review whose decision is no permission.
        code, found: what stood against it, redacted.
        peak: the most memory that its process has had so far, in MB.
    """

    status: TaskStatus
    key: str = ""
    known: bool = False
    breaking: int = 0
    unproven: int = 0
    refuses: bool = False
    code: str = ""
    found: str = ""
    peak: int = 0

    def to_json(self) -> dict[str, Json]:
        """All fields."""
        return {**asdict(self), "status": self.status.value}

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> TaskOutcome:
        """The outcome that `to_json` wrote."""
        return cls(**{**told, "status": TaskStatus(told["status"])})

    def fails(self, fail_on: FailOn) -> bool:
        """True when the pair meets `--fail-on`."""
        return fail_on is not FailOn.NEVER and bool(self.breaking or (fail_on is FailOn.UNPROVEN and self.unproven))


@dataclass(slots=True)
class ContentDigest:
    """The digest of everything that was read for a pair, by side and name."""

    files: dict[str, str] = field(default_factory=dict)

    def add(self, side: str, name: str, data: bytes) -> None:
        """Note a file."""
        self.files[f"{side}/{name}"] = hashlib.sha256(data).hexdigest()

    def key(self, version: str, kind: str, paths: Sequence[str] = ()) -> str:
        """The key of contents, version of evreview, and options; of what can't be read, of the paths too."""
        told = {"version": version, "kind": kind, "files": self.files, "paths": list(paths)}
        return digest(told)


def digest(value: Any) -> str:
    """Forty digits that stand for a value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:40]


def ledger_name(key: str) -> str:
    """Where a ledger stands below the output."""
    return f"ledgers/{key}.json"


def review_name(key: str, file: str) -> str:
    """Where a file of a review stands below the output."""
    return f"reviews/{key}/{file}"


def part_name(key: str) -> str:
    """Where a part stands below the output."""
    return f"parts/{key}.json"


def pair_name(name: str) -> str:
    """Where the record of a pair stands below the output."""
    return f"pairs/{digest(name)}.json"
