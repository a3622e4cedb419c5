"""[I/O] An evidence folder in, a verified `Bundle` out, or every problem of the folder at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import EvidenceType, Json, WorkflowId
from evreview.evidence.bundle_folder import (
    DECISIONS,
    REVIEW,
    append_decision,
    folder_of,
    read_decisions,
    read_yaml,
    stated_ids,
    with_lines,
)
from evreview.evidence.files import contract_source, memoised, read_inside
from evreview.evidence.item import Bundle, EvidenceItem, Remark
from evreview.evidence.item_reader import (
    PLAIN_TEXT,
    Source,
    Taken,
    is_draft,
    read_entries,
    read_request,
    repeated,
    seal,
    take_in,
    unknown_names,
    with_content,
    without_content,
)
from evreview.evidence.records.compatibility import ClientInventory
from evreview.evidence.records.review import Decisions, ReviewRequest
from evreview.evidence.typed_reader import UNANSWERED, retained_outputs

__all__ = ["Examination", "append_decision", "check_bundle", "contract_source", "examine_bundle", "open_bundle"]

ONE_OF_A_KIND: Final = frozenset(
    {"policy", "publication-scope", "rollout-record", "security-inventory", "severity-rubric", "trust-model"}
)
"""Kinds of typed bodies of which a review takes one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What a look at a folder found: the bundle when nothing is wrong, every problem, every warning.

    `draft` is the bundle too where only markers and digests are wrong: to look further at, never to review. `sealed`
    says that only the request and the authorization were looked at.
    """

    bundle: Bundle | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    sealed: bool = False
    draft: Bundle | None = None


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
    warnings: tuple[Remark, ...]


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
    request, problems = read_request(raw)
    entries, wrong = read_entries(raw)
    taken = {index: take_in(entry, folder.source(index)) for index, entry in entries}
    decisions, wrong_decisions = _decisions(folder.root)
    known = stated_ids(raw)
    problems = (
        *problems,
        *wrong,
        *repeated(raw),
        *_rivals(taken),
        *_listed_twice(taken),
        *(problem for found in taken.values() for problem in found.problems),
        *unknown_names(request, taken, decisions, known),
    )
    problems = (*with_lines(problems, REVIEW, folder.data), *wrong_decisions)
    if raw.get("workflow") == "w2":
        # An approval of the contract that is still to be given is no fault of the folder: the review stops for it.
        problems = tuple(problem for problem in problems if problem.code != UNANSWERED)
    warned = tuple(_warnings(taken.values()))
    warnings = with_lines((one for _, one in warned), REVIEW, folder.data)
    draft = None
    if request is not None and is_draft(problems):
        items = [found.item for found in taken.values() if found.item is not None]
        remarks = tuple(Remark(item.id, one.code, one.found) for item, one in warned if item is not None)
        draft = _bundle(_Parts(folder, request, tuple(items), decisions, remarks))
    return Examination(bundle=None if problems else draft, problems=problems, warnings=warnings, draft=draft)


def _rivals(taken: Mapping[int, Taken]) -> Iterator[Problem]:
    """Records of a kind of which a review takes one: the second one, whichever it is, would be passed over."""
    seen: dict[str, str] = {}
    for index, found in taken.items():
        kind = getattr(found.item.record, "kind", "") if found.item else ""
        if found.item is None or kind not in ONE_OF_A_KIND:
            continue
        first = seen.setdefault(kind, str(found.item.id))
        if first != found.item.id:
            said = f"{found.item.id} holds a {kind} beside the one of {first}, and nothing says which one holds"
            at = f"#/evidence/{index}"
            yield Problem(code="record-twice", found=said, file=REVIEW, place=at, advice="Supply one of them")


def _listed_twice(taken: Mapping[int, Taken]) -> Iterator[Problem]:
    """Clients that two inventories list: owner and parser of one would be mixed with those of the other."""
    seen: dict[str, str] = {}
    for index, found in taken.items():
        record = found.item.record if found.item else None
        if found.item is None or not isinstance(record, ClientInventory):
            continue
        for client in record.clients:
            first = seen.setdefault(client.id, str(found.item.id))
            if first != found.item.id:
                said = f"{found.item.id} lists client {client.id} beside {first}, and nothing says which entry holds"
                at = f"#/evidence/{index}"
                yield Problem(code="client-twice", found=said, file=REVIEW, place=at, advice="List it in one of them")


def _sealed(folder: _Folder) -> Examination:
    """The request and the authorization; of every other item its digest, of the decisions nothing."""
    raw = folder.raw
    request, problems = read_request(raw)
    entries, wrong = read_entries(without_content(raw))
    taken = {index: seal(with_content(entry, raw, index), folder.source(index)) for index, entry in entries}
    known = stated_ids(raw)
    told = (problem for found in taken.values() for problem in found.problems)
    named = unknown_names(request, taken, Decisions(), known)
    problems = with_lines((*problems, *wrong, *repeated(raw), *told, *named), REVIEW, folder.data)
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
    return Examination(bundle=bundle, problems=problems, warnings=(), sealed=True)


def _load_open(load: Callable[[str], bytes], names: frozenset[str], name: str) -> bytes:
    """The bytes of a file that may be read of a sealed bundle."""
    if name not in names:
        raise bad_input("sealed", "this is not read before the authorization passes", file=name)
    return load(name)


def _warnings(taken: Collection[Taken]) -> Iterator[tuple[EvidenceItem | None, Problem]]:
    """Every warning with its item, but not that a retained test output is plain text: its run says how it is read."""
    outputs = retained_outputs(found.item.record for found in taken if found.item)
    for found in taken:
        is_output = found.item is not None and found.item.id in outputs
        yield from ((found.item, one) for one in found.warnings if one.code != PLAIN_TEXT or not is_output)


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
        decisions=parts.decisions.until(request.as_of),
        later=parts.decisions.after(request.as_of),
        warnings=parts.warnings,
        root=str(parts.folder.root),
        digest=hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest(),
        load=parts.folder.load,
    )
