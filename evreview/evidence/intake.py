"""[door] An evidence folder in, a verified `Bundle` out, or every problem of the folder at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evreview.documents.pointer import place
from evreview.errors import BadInput, Problem, bad_input
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
from evreview.evidence.items import PLAIN_TEXT, Source, Taken, seal, take_in
from evreview.evidence.reading import MARK, read_model
from evreview.evidence.records.base import Record
from evreview.evidence.records.decisions import Decisions
from evreview.evidence.records.review import ReviewRequest
from evreview.evidence.review_file import MIN_ITEMS, ItemEntry
from evreview.vocab import EvidenceId, EvidenceType, Json, WorkflowId

__all__ = ["Examination", "append_decision", "check_bundle", "contract_source", "examine_bundle", "open_bundle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What a look at a folder found: the bundle when nothing is wrong, every problem, every warning."""

    bundle: Bundle | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder whose `review.yaml` was read: nothing of that is read twice, nor is any other file."""

    root: Path
    repository: Path | None
    data: bytes
    raw: Mapping[str, Json]
    load: Callable[[str], bytes]

    @property
    def is_guarded(self) -> bool:
        """True when an authorization stands before everything else, as it does for whatever is not W1 or W2."""
        return self.raw.get("workflow") not in ("w1", "w2")

    def source(self, index: int) -> Source:
        return Source(load=self.load, repository=self.repository, index=index)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a bundle is put together from."""

    folder: _Folder
    request: ReviewRequest
    items: tuple[EvidenceItem, ...]
    decisions: Decisions
    warnings: tuple[Problem, ...]


def open_bundle(path: str | Path, *, repository: Path | None = None) -> Bundle:
    """The verified bundle of a folder; that of a security review comes sealed (`Bundle.sealed`).

    Args:
        path: the folder with `review.yaml`, or that file.
        repository: a local clone in which named commits are looked up.

    Raises:
        BadInput: with every problem of what was read.
    """
    return _opened(examine_bundle(path, repository=repository))


def check_bundle(path: str | Path, *, repository: Path | None = None) -> tuple[Problem, ...]:
    """Every problem of a folder, none when it can be opened. `examine_bundle` gives the warnings too."""
    return examine_bundle(path, repository=repository).problems


def examine_bundle(path: str | Path, *, repository: Path | None = None, whole: bool = False) -> Examination:
    """Everything that can be said about a folder: bundle, problems and warnings.

    Args:
        path: the folder with `review.yaml`, or that file.
        repository: a local clone in which named commits are looked up.
        whole: True reads all of a security review too; only for one whose authorization has passed.
    """
    root = folder_of(path)
    try:
        data, raw = read_yaml(root, REVIEW)
    except BadInput as error:
        return Examination(bundle=None, problems=error.problems, warnings=())
    folder = _Folder(root, repository, data, raw, memoised(partial(read_inside, root)))
    return _sealed(folder) if folder.is_guarded and not whole else _whole(folder)


def _opened(found: Examination) -> Bundle:
    if found.bundle is None:
        raise BadInput(found.problems)
    return found.bundle


def _whole(folder: _Folder) -> Examination:
    raw = folder.raw
    request, problems = _request(raw)
    entries, wrong = _entries(raw)
    taken = {index: take_in(entry, folder.source(index)) for index, entry in entries}
    decisions, wrong_decisions = _decisions(folder.root)
    known = stated_ids(raw)
    problems = (
        *problems,
        *wrong,
        *_repeated(raw),
        *(problem for found in taken.values() for problem in found.problems),
        *_unknown_names(request, taken, decisions, known),
    )
    problems = (*with_lines(problems, REVIEW, folder.data), *wrong_decisions)
    warnings = with_lines(_warnings(taken.values()), REVIEW, folder.data)
    bundle = None
    if not problems and request is not None:
        items = [found.item for found in taken.values() if found.item is not None]
        bundle = _bundle(_Parts(folder, request, tuple(items), decisions, warnings))
    return Examination(bundle=bundle, problems=problems, warnings=warnings)


def _sealed(folder: _Folder) -> Examination:
    """The request and the authorization; of every other item its digest, of the decisions nothing."""
    raw = folder.raw
    request, problems = _request(raw)
    entries, wrong = _entries(_without_content(raw))
    taken = {index: seal(_restored(entry, raw, index), folder.source(index)) for index, entry in entries}
    known = stated_ids(raw)
    told = (problem for found in taken.values() for problem in found.problems)
    named = _unknown_names(request, taken, Decisions(), known)
    problems = with_lines((*problems, *wrong, *_repeated(raw), *told, *named), REVIEW, folder.data)
    bundle = None
    if not problems and request is not None:
        items = tuple(found.item for found in taken.values() if found.item is not None)
        open_names = {item.file for item in items if item.type == EvidenceType.AUTHORIZATION_RECORD}
        bundle = replace(
            _bundle(_Parts(folder, request, items, Decisions(), ())),
            load=partial(_load_open, folder.load, frozenset(open_names)),
            sealed=True,
            unbound={found.item.id: found.unbound for found in taken.values() if found.item and found.unbound},
            reopen=lambda: _opened(_whole(folder)),
        )
    return Examination(bundle=bundle, problems=problems, warnings=())


def _load_open(load: Callable[[str], bytes], names: frozenset[str], name: str) -> bytes:
    """The bytes of a file that may be read of a sealed bundle."""
    if name not in names:
        raise bad_input("sealed", "this is not read before the authorization passes", file=name)
    return load(name)


def _without_content(raw: Mapping[str, Json]) -> Mapping[str, Json]:
    """The parsed `review.yaml` without the content that stands in it."""
    listed = raw.get("evidence")
    if not isinstance(listed, list):
        return raw
    entries = [
        {key: value for key, value in entry.items() if key != "content"} if isinstance(entry, Mapping) else entry
        for entry in listed
    ]
    return {**raw, "evidence": entries}


def _restored(entry: ItemEntry, raw: Mapping[str, Json], index: int) -> ItemEntry:
    """The entry with its inline content, which is hashed and, but for an authorization, not looked at."""
    listed = raw["evidence"]
    assert isinstance(listed, list)
    content = listed[index].get("content")
    return entry.model_copy(update={"content": content}) if isinstance(content, str) else entry


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
        root=str(parts.folder.root),
        digest=hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest(),
        load=parts.folder.load,
    )
