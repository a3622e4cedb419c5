"""The work on one pair: read, compared, its ledger and its part written; what an earlier run has done is known."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from evreview import __version__
from evreview.app.batch.storage import Storage, StorageFailed, files_at, is_folder, is_url, read_url, storage_at
from evreview.app.batch.task import (
    PAIR_SCHEMA,
    PART_SCHEMA,
    BatchSettings,
    ContentDigest,
    PairTask,
    Task,
    TaskOutcome,
    TaskStatus,
    digest,
    ledger_name,
    pair_name,
    part_name,
)
from evreview.core.document_text import without_gc
from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import ContractKind, Json, ProofStatus, Verdict
from evreview.evidence.files import memoised, name_problem
from evreview.redaction.redactor import Redactor

if TYPE_CHECKING:
    from evreview.comparison.comparison import Comparison
    from evreview.contract.model import Contract

SIDES: Final = ("released", "candidate")
MOST_PROBLEMS: Final = 20
LASTING: Final = frozenset({TaskStatus.DONE, TaskStatus.REFUSED})
"""What stays as it is however often it is run."""


def perform(task: PairTask, settings: BatchSettings, told: Callable[[str], None]) -> TaskOutcome:
    """What comes of a pair, kept in the output.

    Args:
        task: the pair.
        settings: where results go.
        told: is given the key as soon as both contracts were read.
    """
    try:
        return _performed(task, settings, told)
    except StorageFailed as error:
        return unwritten(error)


def _performed(task: PairTask, settings: BatchSettings, told: Callable[[str], None]) -> TaskOutcome:
    storage = storage_at(settings.output)
    contents = ContentDigest()
    texts: list[tuple[str, bytes]] = []
    problems: list[Problem] = []
    sides: list[Contract] = []
    for side in SIDES:

        def seen(name: str, data: bytes, side: str = side) -> None:
            contents.add(side, name, data)
            texts.append((f"{side}/{name}", data))

        try:
            sides.append(_read(task, side, seen))
        except BadInput as error:
            problems += error.problems
    key = contents.key(__version__, task.kind, (task.released, task.candidate) if problems else ())
    told(key)
    known = kept_part(storage, key, settings)
    if known is not None:
        keep_task(storage, task, key)
        return outcome_of(known, known=True)
    try:
        if problems:
            raise BadInput(problems)
        part = _compared(storage, key, sides, texts)
    except BadInput as error:
        redactor = Redactor.over((name, data.decode("utf-8", "replace")) for name, data in texts)
        part = refused_part(error, redactor)
    return keep(storage, task, key, part)


# Reading. A side is called by its role, not by its place: the ledger of equal contents has equal bytes.


def _read(task: PairTask, side: str, seen: Callable[[str, bytes], None]) -> Contract:
    """One side, told by `released/FILE` or `candidate/FILE`.

    Raises:
        BadInput: it can't be read; files are named as the list names them.
    """
    from evreview.evidence.repository import Commits
    from evreview.kinds.load import read_at, read_named

    place: str = getattr(task, side)
    kind = ContractKind(task.kind) if task.kind else None
    if task.repository:
        ref, _, path = place.partition(":")
        contract, _ = read_at(Commits.of(Path(task.repository)), ref, path, kind, seen=seen)
    elif is_url(place):
        contract = _read_url(place, kind, seen)
    else:
        contract, _ = read_named(Path(place), kind, seen=seen)
    name = "" if contract.path.endswith("/") else PurePosixPath(contract.path).name
    return replace(contract, path=f"{side}/{name}")


def _read_url(url: str, kind: ContractKind | None, seen: Callable[[str, bytes], None]) -> Contract:
    from evreview.kinds.load import read_contract

    whole = url.endswith("/") or is_folder(url)
    folder, _, entry = url.rstrip("/").rpartition("/")
    root = url.rstrip("/") if whole else folder

    def load(name: str) -> bytes:
        refused = name_problem(name)
        if refused:
            raise refused
        try:
            data = read_url(f"{root}/{name}")
        except BadInput as error:
            raise BadInput(replace(each, file=name) for each in error.problems) from None
        seen(name, data)
        return data

    try:
        found = read_contract("" if whole else entry, memoised(load), files_at(url) if whole else (), kind=kind)
    except BadInput as error:
        raise BadInput(
            replace(each, file=f"{root}/{each.file}" if each.file else url) for each in error.problems
        ) from None
    return replace(found, path=f"{root}/" if whole else url)


# Comparing and keeping.


def _compared(
    storage: Storage, key: str, sides: Sequence[Contract], texts: Sequence[tuple[str, bytes]]
) -> dict[str, Json]:
    """The part of a pair that was compared, its ledger written.

    Raises:
        BadInput: the two can't be compared.
    """
    from evreview.kinds.compare import compare
    from evreview.report.ledger_formats import learning, render
    from evreview.report.writer import as_bytes, settled

    with without_gc():
        found = compare(*sides)
        redactor = learning([found], texts)()
        body = render(found, "json", redactor=redactor)
        body = settled(ledger_name(key), body, Redactor().sparing(redactor.names))
        part = _counts(found)
    storage.write(ledger_name(key), as_bytes(body))
    return {"status": TaskStatus.DONE.value, "kind": sides[0].kind.value, **part}


def _counts(found: Comparison) -> dict[str, Json]:
    verdicts = Counter(row.judgement.verdict for row in found.rows)
    rules = Counter(row.judgement.rule or "" for row in found.rows if row.judgement.verdict is Verdict.BREAKING)
    proofs = Counter(row.proof.status for row in found.rows)
    open_ones = sum(
        row.judgement.verdict is Verdict.UNKNOWN or row.proof.status is ProofStatus.UNPROVEN for row in found.rows
    )
    return {
        "rows": len(found.rows),
        **{verdict.value: verdicts[verdict] for verdict in Verdict},
        **{
            status.value: proofs[status] for status in (ProofStatus.PROVED, ProofStatus.WITNESSED, ProofStatus.UNPROVEN)
        },
        "open": open_ones + found.doubted,
        "noise": len(found.noise),
        "unread": len(found.unread),
        "rules": dict(rules.most_common()),
    }


def refused_part(error: BadInput, redactor: Redactor) -> dict[str, Json]:
    """The part of a task whose input is bad: its problems, redacted."""
    told = [str(redactor.clean_problem(problem)) for problem in error.problems[:MOST_PROBLEMS]]
    return {"status": TaskStatus.REFUSED.value, "code": error.problems[0].code, "found": "\n".join(told)}


def failed_part(status: TaskStatus, code: str, found: str, settings: BatchSettings) -> dict[str, Json]:
    """The part of a pair that has no ledger although its contracts may be good."""
    return {"status": status.value, "code": code, "found": found, "limits": settings.limits}


def key_of_name(task: Task) -> str:
    """The key of a pair whose contents nobody could read."""
    return digest({"version": __version__, "unread": task.to_json()})


def kept_part(storage: Storage, key: str, settings: BatchSettings) -> dict[str, Any] | None:
    """The part of an earlier run, None when there is none or the pair is worth another try."""
    data = storage.read(part_name(key))
    part: dict[str, Any] | None = None if data is None else json.loads(data)
    if part is None or part["status"] in LASTING:
        return part
    stopped_again = part["status"] == TaskStatus.LIMIT and settings.allows_no_more(part.get("limits", {}))
    return part if stopped_again else None


def keep(storage: Storage, task: Task, key: str, part: Mapping[str, Json]) -> TaskOutcome:
    """Write the part, then the record that names it.

    Raises:
        StorageFailed: the store refuses.
    """
    whole = {"schema": PART_SCHEMA, "key": key, "version": __version__, **part}
    storage.write(part_name(key), json.dumps(whole, ensure_ascii=False, indent=2).encode() + b"\n")
    keep_task(storage, task, key)
    return outcome_of(whole)


def record(task: Task, settings: BatchSettings, key: str, part: Mapping[str, Json]) -> TaskOutcome:
    """What is kept of a pair that has no ledger; a pair whose contents nobody read, with "" for a key, by its name."""
    try:
        return keep(storage_at(settings.output), task, key or key_of_name(task), part)
    except StorageFailed as error:
        return unwritten(error)


def unwritten(error: StorageFailed) -> TaskOutcome:
    """What comes of a task whose result the store refuses."""
    return TaskOutcome(status=TaskStatus.UNWRITTEN, code="storage-failed", found=error.found)


def keep_task(storage: Storage, task: Task, key: str) -> None:
    """Write which key a name has now, where that is not said yet.

    Raises:
        StorageFailed: the store refuses.
    """
    clean = Redactor().clean_message
    fields = {name: clean(value) if isinstance(value, str) else value for name, value in task.to_json().items()}
    told = {"schema": PAIR_SCHEMA, **fields, "key": key}
    data = json.dumps(told, ensure_ascii=False, indent=2).encode() + b"\n"
    name = pair_name(task.name)
    if storage.read(name) != data:
        storage.write(name, data)


def outcome_of(part: Mapping[str, Any], *, known: bool = False) -> TaskOutcome:
    """What a part says, in short."""
    return TaskOutcome(
        status=TaskStatus(part["status"]),
        key=part["key"],
        known=known,
        breaking=part.get("breaking", 0),
        unproven=part.get("open", 0),
        refuses=part.get("permitted") == "no",
        code=part.get("code", ""),
        found=part.get("found", ""),
    )
