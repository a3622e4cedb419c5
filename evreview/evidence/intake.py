"""[door] An evidence folder in, a verified `Bundle` out, or every problem of the folder at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from evreview.documents.pointer import place
from evreview.errors import BadInput, Problem
from evreview.evidence.bodies import named_items, retained_outputs
from evreview.evidence.contract_file import contract_source
from evreview.evidence.decide import append_decision
from evreview.evidence.files import memoised, read_inside
from evreview.evidence.folder import (
    DECISIONS,
    REVIEW,
    folder_of,
    read_decisions,
    read_yaml,
    stated,
    stated_ids,
    with_lines,
)
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.evidence.items import PLAIN_TEXT, Source, Taken, take_in
from evreview.evidence.reading import MARK, read_model
from evreview.evidence.records.base import Record
from evreview.evidence.records.decisions import Decisions
from evreview.evidence.records.review import ReviewRequest
from evreview.evidence.review_file import MIN_ITEMS, ItemEntry
from evreview.vocab import EvidenceId, Json, WorkflowId

__all__ = ["Examination", "append_decision", "check_bundle", "contract_source", "examine_bundle", "open_bundle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What a look at a folder found: the bundle when nothing is wrong, every problem, every warning."""

    bundle: Bundle | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a bundle is put together from."""

    root: Path
    request: ReviewRequest
    items: tuple[EvidenceItem, ...]
    decisions: Decisions
    warnings: tuple[Problem, ...]
    load: Callable[[str], bytes]


def open_bundle(path: str | Path, *, repository: Path | None = None) -> Bundle:
    """The verified bundle of a folder.

    Args:
        path: the folder with `review.yaml`, or that file.
        repository: a local clone in which named commits are looked up.

    Raises:
        BadInput: with every problem of the folder.
    """
    found = examine_bundle(path, repository=repository)
    if found.bundle is None:
        raise BadInput(found.problems)
    return found.bundle


def check_bundle(path: str | Path, *, repository: Path | None = None) -> tuple[Problem, ...]:
    """Every problem of a folder, none when it can be opened. `examine_bundle` gives the warnings too."""
    return examine_bundle(path, repository=repository).problems


def examine_bundle(path: str | Path, *, repository: Path | None = None) -> Examination:
    """Everything that can be said about a folder: bundle, problems and warnings."""
    root = folder_of(path)
    try:
        data, raw = read_yaml(root, REVIEW)
    except BadInput as error:
        return Examination(bundle=None, problems=error.problems, warnings=())
    load = memoised(partial(read_inside, root))
    request, problems = _request(raw)
    entries, wrong = _entries(raw)
    taken = {index: take_in(entry, Source(load=load, repository=repository, index=index)) for index, entry in entries}
    decisions, wrong_decisions = _decisions(root)
    known = stated_ids(raw)
    problems = (
        *problems,
        *wrong,
        *_repeated(raw),
        *(problem for found in taken.values() for problem in found.problems),
        *_unknown_names(request, taken, decisions, known),
    )
    problems = (*with_lines(problems, REVIEW, data), *wrong_decisions)
    warnings = with_lines(_warnings(taken.values()), REVIEW, data)
    bundle = None
    if not problems and request is not None:
        items = [found.item for found in taken.values() if found.item is not None]
        bundle = _bundle(_Parts(root, request, tuple(items), decisions, warnings, load))
    return Examination(bundle=bundle, problems=problems, warnings=warnings)


def _warnings(taken: Collection[Taken]) -> Iterator[Problem]:
    """Every warning, but not that a retained test output is plain text: its run says how it is read."""
    outputs = retained_outputs(found.item.record for found in taken if found.item)
    for found in taken:
        is_output = found.item is not None and found.item.id in outputs
        yield from (one for one in found.warnings if one.code != PLAIN_TEXT or not is_output)


def _request(raw: Mapping[str, Json]) -> tuple[ReviewRequest | None, tuple[Problem, ...]]:
    stated = {key: value for key, value in raw.items() if key != "evidence"}
    return read_model(ReviewRequest, stated, file=REVIEW)


def _entries(raw: Mapping[str, Json]) -> tuple[list[tuple[int, ItemEntry]], tuple[Problem, ...]]:
    """The well-formed entries of the evidence list with their index, and what is wrong with the others."""
    listed = raw.get("evidence")
    if not isinstance(listed, list):
        code = "missing-field" if listed is None else "wrong-type"
        found = "the field `evidence` is missing" if listed is None else "`evidence` is no list"
        return [], (Problem(code=code, found=found, file=REVIEW, place="#/evidence", advice="List the evidence items"),)
    entries: list[tuple[int, ItemEntry]] = []
    problems: list[Problem] = []
    for index, value in enumerate(listed):
        entry, wrong = read_model(ItemEntry, value, file=REVIEW, at=("evidence", index))
        problems.extend(wrong)
        if entry is None and isinstance(value, Mapping):
            entry = _salvaged(value)
        if entry is not None:
            entries.append((index, entry))
    if len(listed) < MIN_ITEMS:
        found = f"the bundle has {len(listed)} evidence item(s), a review needs at least {MIN_ITEMS}"
        problems.append(Problem(code="too-few-items", found=found, file=REVIEW, place="#/evidence"))
    return entries, tuple(problems)


def _salvaged(value: Mapping[str, Json]) -> ItemEntry | None:
    """A malformed entry as far as it can be read, so that its content is checked all the same."""
    told = {key: text for key, text in value.items() if isinstance(text, str) and text != MARK}
    if ("content" in told) == ("file" in told):
        return None
    return ItemEntry.model_construct(
        id=EvidenceId(told.get("id", "E?")),
        type=told.get("type", ""),
        integrity=told.get("integrity", ""),
        establishes=told.get("establishes", ""),
        content=told.get("content"),
        file=told.get("file"),
    )


def _repeated(raw: Mapping[str, Json]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for one in stated(raw):
        if one.id in first:
            found = f"the id `{one.id}` is already that of item {first[one.id] + 1} in the list"
            at = place(("evidence", one.index, "id"))
            yield Problem(code="duplicate-id", found=found, file=REVIEW, place=at, advice="Give each item its own id")
        first.setdefault(one.id, one.index)


def _decisions(root: Path) -> tuple[Decisions, tuple[Problem, ...]]:
    """What `decisions.yaml` records, nothing when there is no such file."""
    if not (root / DECISIONS).exists() and not (root / DECISIONS).is_symlink():
        return Decisions(), ()
    try:
        data, raw = read_yaml(root, DECISIONS)
    except BadInput as error:
        return Decisions(), error.problems
    decisions, problems = read_decisions(raw)
    return decisions or Decisions(), with_lines(problems, DECISIONS, data)


def _unknown_names(
    request: ReviewRequest | None, taken: Mapping[int, Taken], decisions: Decisions, known: frozenset[str]
) -> Iterator[Problem]:
    """Ids of items that the request, a typed body or a decision names and that nobody supplied."""
    sources: list[tuple[str, Record]] = [(REVIEW, request)] if request else []
    for found in taken.values():
        if found.item is not None and found.item.record is not None:
            sources.append((found.item.file or f"{REVIEW} ({found.item.id})", found.item.record))
    sources.append((DECISIONS, decisions))
    for file, record in sources:
        for steps, name in named_items(record):
            if name not in known:
                found_text = f"`{name}` is no evidence item of this bundle"
                advice = f"Supplied are {', '.join(sorted(known)) or 'none'}"
                yield Problem(code="unknown-item", found=found_text, file=file, place=place(steps), advice=advice)


def _bundle(parts: _Parts) -> Bundle:
    request = parts.request
    items = {item.id: item for item in parts.items}
    stated = [
        request.model_dump(mode="json"),
        [
            (item.id, item.type, item.integrity, item.establishes, item.file, item.sha256, dict(item.parts))
            for item in parts.items
        ],
        parts.decisions.model_dump(mode="json"),
    ]
    return Bundle(
        workflow=WorkflowId(request.workflow.upper()),
        title=request.title,
        request=request,
        items=items,
        decisions=parts.decisions,
        warnings=tuple(problem.found for problem in parts.warnings),
        root=str(parts.root),
        digest=hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest(),
        load=parts.load,
    )
