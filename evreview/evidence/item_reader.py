"""Entries of the evidence list in, verified items out, or everything that is wrong; and the request beside them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final
from urllib.parse import unquote

from pydantic import Field

from evreview.core.errors import BadInput, Problem
from evreview.core.json_pointer import place
from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity, Json
from evreview.evidence.bundle_folder import DECISIONS, REVIEW, stated, with_lines
from evreview.evidence.claim_types import taken_back
from evreview.evidence.files import text_of
from evreview.evidence.item import EvidenceItem, Reference, listing, parse_integrity, verify
from evreview.evidence.records.review import Decisions, EvidenceIdText, Record, ReviewRequest, Text
from evreview.evidence.repository import verify_at_commit
from evreview.evidence.typed_reader import (
    MARK,
    TYPED,
    UNANSWERED,
    UNFILLED,
    is_recording,
    named_items,
    read_body,
    read_model,
)

_EXPECTED: Final = TYPED - {
    EvidenceType.CONFIGURATION_EXCERPT,
    EvidenceType.IMPLEMENTATION_DIFF,
    EvidenceType.EXECUTION_AND_APPROVAL,
    EvidenceType.SOURCE_EXCERPT,
    EvidenceType.TEST_INVENTORY,
}
_FILES: Final = frozenset(
    {EvidenceType.SOURCE_EXCERPT, EvidenceType.CONFIGURATION_EXCERPT, EvidenceType.TEST_INVENTORY}
)
"""Kinds whose item is a file of the repository, which may be empty: a package's `__init__.py` says that it is one."""
PLAIN_TEXT: Final = "plain-text"
_REFERENCE: Final = re.compile(rb"""\$ref["']?\s*:\s*["']?([^"'#\s,}]+)""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """An entry as taken in: the item when no more is wrong than with a draft, the problems, and what should be said.

    `unbound` is set by `seal` alone: the code of what is wrong with the item's integrity.
    """

    item: EvidenceItem | None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    unbound: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where an entry stands: the folder's loader, the optional clone, and its index in the list."""

    load: Callable[[str], bytes]
    repository: Path | None
    index: int

    def at(self, key: str, problem: Problem) -> Problem:
        """A problem of one key of the entry, with its file and place."""
        steps = place(("evidence", self.index, key))
        return Problem(code=problem.code, found=problem.found, file=REVIEW, place=steps, advice=problem.advice)


def take_in(entry: ItemEntry, source: Source) -> Taken:
    """The evidence item of an entry, checked as far as anything here can check it."""
    try:
        data, content = _content(entry, source)
    except BadInput as error:
        return Taken(item=None, problems=error.problems)
    digest = hashlib.sha256(data).hexdigest()
    kind = known_kind(entry.type)
    warnings = [*_unknown_kind(kind, entry, source)]
    missing = tuple(_missing_parts(entry, source))
    parts = dict(_parts(entry, data, source)) if kind is EvidenceType.CONTRACT and not missing else {}
    reference, state, problems = _integrity(entry, source, data, parts)
    record, wrong = read_body(kind, content, entry.file or f"{REVIEW} ({entry.id})")
    problems = (*problems, *missing, *with_lines(wrong, entry.file or "", data))
    if reference is None or not is_draft(problems):
        return Taken(item=None, problems=problems, warnings=tuple(warnings))
    if problems:
        item = replace(_item(entry, content, digest, (reference, state)), record=record, parts=parts)
        return Taken(item=item, problems=problems, warnings=tuple(warnings))
    if state is Integrity.DECLARED:
        warnings.append(_declared(entry, source, parts, listing(entry.file or "", data, parts)))
    warnings.extend(_plain_text(entry, kind, record, content, source))
    item = replace(_item(entry, content, digest, (reference, state)), record=record, parts=parts)
    denied = taken_back(item).rstrip(".")
    if denied:
        found = f"{item.id} is read for what its own `establishes` takes back: {denied}"
        advice = "Correct the words, or leave out the item"
        problem = Problem(code="establishes-denies", found=found, advice=advice)
        return Taken(item=None, problems=(source.at("establishes", problem),), warnings=tuple(warnings))
    return Taken(item=item, warnings=tuple(warnings))


def seal(entry: ItemEntry, source: Source) -> Taken:
    """The entry as a sealed bundle holds it: an authorization is read, the bytes of anything else are only hashed.

    What is wrong with its integrity is no problem but the code in `unbound`: whether the review may go on is decided
    by its first step. Bytes that can't be read have no digest; why they can't is told when the bundle is opened whole.
    """
    if known_kind(entry.type) == EvidenceType.AUTHORIZATION_RECORD:
        return _authorization(entry, source)
    try:
        data = _bytes(entry, source)
    except BadInput:
        return Taken(item=_item(entry, "", "", (None, Integrity.DECLARED)))
    reference, state, problems = _integrity(entry, source, data, {})
    item = _item(entry, "", hashlib.sha256(data).hexdigest(), (reference, state))
    return Taken(item=item, unbound=problems[0].code if problems else "")


def _authorization(entry: ItemEntry, source: Source) -> Taken:
    try:
        data, content = _content(entry, source)
    except BadInput as error:
        return Taken(item=None, problems=error.problems)
    digest = hashlib.sha256(data).hexdigest()
    reference, state, unbound = _integrity(entry, source, data, {})
    name = entry.file or f"{REVIEW} ({entry.id})"
    record, wrong = read_body(EvidenceType.AUTHORIZATION_RECORD, content, name)
    if wrong:
        return Taken(item=None, problems=with_lines(wrong, entry.file or "", data))
    item = replace(_item(entry, content, digest, (reference, state)), record=record)
    return Taken(item=item, unbound=unbound[0].code if unbound else "")


def _item(entry: ItemEntry, content: str, digest: str, bound: tuple[Reference | None, Integrity]) -> EvidenceItem:
    """The item without its typed body."""
    reference, state = bound
    return EvidenceItem(
        id=entry.id,
        type=known_kind(entry.type),
        content=content,
        integrity=entry.integrity,
        establishes=entry.establishes,
        file=normpath(entry.file) if entry.file else "",
        sha256=digest,
        integrity_state=state,
        revision=reference.revision if reference else "",
    )


def known_kind(stated: str) -> EvidenceType | str:
    """The kind of evidence that a word stands for, the word itself where it is none."""
    return next((known for known in EvidenceType if known == stated), stated)


def _content(entry: ItemEntry, source: Source) -> tuple[bytes, str]:
    """The body's bytes and text, from where the entry says."""
    data, name = _bytes(entry, source), entry.file or f"{REVIEW} ({entry.id})"
    text = text_of(data, name)
    if not text.strip() and not (entry.file is not None and known_kind(entry.type) in _FILES):
        key = "content" if entry.file is None else "file"
        raise BadInput([source.at(key, Problem(code="empty-content", found="the evidence has no content"))])
    return data, text


def _bytes(entry: ItemEntry, source: Source) -> bytes:
    """The body's bytes.

    Raises:
        BadInput: they can't be read, or the entry does not say where they are.
    """
    if (entry.content is None) == (entry.file is None):
        found = "neither `content` nor `file` is given" if entry.content is None else "both are given"
        raise BadInput([source.at("content", Problem(code="content-or-file", found=found, advice="Give one of them"))])
    if entry.file is None:
        return (entry.content or "").encode("utf-8", "surrogatepass")
    try:
        return source.load(entry.file)
    except BadInput as error:
        raise BadInput([source.at("file", _named(problem)) for problem in error.problems]) from None


def _named(problem: Problem) -> Problem:
    return Problem(code=problem.code, found=f"`{problem.file}`: {problem.found}", advice=problem.advice)


def content_digest(entry: ItemEntry, source: Source) -> str:
    """The sha256 that the integrity of an entry has to name: of its content, of a split contract over all its files.

    Raises:
        BadInput: a file can't be read.
    """
    data = _bytes(entry, source)
    missing = tuple(_missing_parts(entry, source))
    if missing:
        raise BadInput(missing)
    parts = dict(_parts(entry, data, source)) if known_kind(entry.type) is EvidenceType.CONTRACT else {}
    return hashlib.sha256(listing(entry.file or "", data, parts)).hexdigest()


def _integrity(
    entry: ItemEntry, source: Source, data: bytes, parts: Mapping[str, str]
) -> tuple[Reference | None, Integrity, tuple[Problem, ...]]:
    if not entry.integrity:
        return None, Integrity.DECLARED, ()
    whole = listing(entry.file or "", data, parts)
    reference = parse_integrity(entry.integrity, sha256=hashlib.sha256(whole).hexdigest())
    if isinstance(reference, Problem):
        return None, Integrity.DECLARED, (source.at("integrity", reference),)
    state = verify(reference, whole)
    if isinstance(state, Problem) and parts and verify(reference, data) is Integrity.VERIFIED:
        # The digest of the first file is right, and binds none of the others.
        state = Integrity.DECLARED
    if state is Integrity.DECLARED and reference.commit and source.repository is not None:
        state = _at_commit(
            entry, source, reference, {entry.file or "": data, **{name: source.load(name) for name in parts}}
        )
    if isinstance(state, Problem):
        return reference, Integrity.DECLARED, (source.at("integrity", state),)
    return reference, state, ()


def is_draft(problems: Iterable[Problem]) -> bool:
    """True where nothing is wrong but what filling in and sealing mends: the rest can be judged all the same."""
    return all(problem.code in _OF_DRAFTS for problem in problems)


_OF_DRAFTS: Final = frozenset({UNFILLED, UNANSWERED, "digest-mismatch", "commit-mismatch"})


def _at_commit(
    entry: ItemEntry, source: Source, reference: Reference, files: Mapping[str, bytes]
) -> Integrity | Problem:
    """The weakest answer for the files of an item; a path that the text names is that of the first one."""
    found: Integrity | Problem = Integrity.VERIFIED
    for name, data in files.items():
        said = reference if name == (entry.file or "") else replace(reference, path="", blob="", digest=None)
        state = verify_at_commit(source.repository, said, name, data) if source.repository else Integrity.DECLARED
        if isinstance(state, Problem):
            return state
        found = state if state is not Integrity.VERIFIED else found
    return found


def _unknown_kind(kind: EvidenceType | str, entry: ItemEntry, source: Source) -> Iterator[Problem]:
    if kind and not isinstance(kind, EvidenceType):
        found = f"{entry.id} has the type `{kind}`, which is none of the known kinds of evidence"
        advice = f"It is kept as text. Known: {', '.join(EvidenceType)}"
        yield source.at("type", Problem(code="unknown-evidence-type", found=found, advice=advice))


def _declared(entry: ItemEntry, source: Source, parts: Mapping[str, str], whole: bytes) -> Problem:
    found = f"the integrity of {entry.id} is declared and could not be verified here"
    found += ", for all of its files" if parts else ""
    advice = f"Add sha256:{hashlib.sha256(whole).hexdigest()} to verify it, if this is what was reviewed"
    return source.at("integrity", Problem(code="integrity-declared", found=found, advice=advice))


def _plain_text(
    entry: ItemEntry, kind: EvidenceType | str, record: Record | None, content: str, source: Source
) -> Iterator[Problem]:
    if kind in _EXPECTED and record is None and not is_recording(content):
        found = f"{entry.id} is plain text: it can be cited, and nothing is derived from it"
        advice = "Start it with `kind:` to have it read"
        yield source.at("type", Problem(code=PLAIN_TEXT, found=found, advice=advice))


def _missing_parts(entry: ItemEntry, source: Source) -> Iterator[Problem]:
    """What keeps the listed parts of a split contract from being read."""
    for name in entry.parts:
        try:
            source.load(name)
        except BadInput as error:
            yield from (source.at("parts", _named(problem)) for problem in error.problems)


def _parts(entry: ItemEntry, data: bytes, source: Source) -> Iterator[tuple[str, str]]:
    """Name and sha256 of every file that a split contract names, directly or through another one, or that is listed.

    What can't be read here stays a dangling reference that the contract's reader reports.
    """
    waiting, seen = [(entry.file or "", data)], {entry.file or ""}
    found: dict[str, str] = {}
    for other in entry.parts:
        found[normpath(other)] = hashlib.sha256(source.load(other)).hexdigest()
    while waiting:
        name, content = waiting.pop()
        for raw in _REFERENCE.findall(content):
            other = normpath(join(dirname(name), unquote(raw.decode("utf-8", "replace"))))
            if other in seen:
                continue
            seen.add(other)
            try:
                part = source.load(other)
            except BadInput:
                continue
            found[other] = hashlib.sha256(part).hexdigest()
            waiting.append((other, part))
    yield from sorted(found.items())


# The parsed `review.yaml`: its request and its well-formed entries, with everything that is wrong with them.


def read_request(raw: Mapping[str, Json]) -> tuple[ReviewRequest | None, tuple[Problem, ...]]:
    """The request in a parsed `review.yaml`, and what is wrong with it."""
    stated = {key: value for key, value in raw.items() if key != "evidence"}
    return read_model(ReviewRequest, stated, file=REVIEW)


def read_entries(raw: Mapping[str, Json]) -> tuple[list[tuple[int, ItemEntry]], tuple[Problem, ...]]:
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
        if wrong:
            entry = _salvaged(value) if isinstance(value, Mapping) else None
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


def repeated(raw: Mapping[str, Json]) -> Iterator[Problem]:
    """Ids that stand twice in the evidence list."""
    first: dict[str, int] = {}
    for one in stated(raw):
        if one.id in first:
            found = f"the id `{one.id}` is already that of item {first[one.id] + 1} in the list"
            at = place(("evidence", one.index, "id"))
            yield Problem(code="duplicate-id", found=found, file=REVIEW, place=at, advice="Give each item its own id")
        first.setdefault(one.id, one.index)


def unknown_names(
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


def without_content(raw: Mapping[str, Json]) -> Mapping[str, Json]:
    """The parsed `review.yaml` without the content that stands in it."""
    listed = raw.get("evidence")
    if not isinstance(listed, list):
        return raw
    entries = [
        {key: value for key, value in entry.items() if key != "content"} if isinstance(entry, Mapping) else entry
        for entry in listed
    ]
    return {**raw, "evidence": entries}


def with_content(entry: ItemEntry, raw: Mapping[str, Json], index: int) -> ItemEntry:
    """The entry with its inline content, which is hashed and, but for an authorization, not looked at."""
    listed = raw["evidence"]
    assert isinstance(listed, list)
    content = listed[index].get("content")
    return entry.model_copy(update={"content": content}) if isinstance(content, str) else entry


# `review.yaml` as people write it: the request and the list of evidence items.


MIN_ITEMS: Final = 2


class ItemEntry(Record):
    """One evidence item. Exactly one of `content` and `file` is given."""

    id: EvidenceIdText
    """`E1`, `E2`, …; each id once. Claims cite it."""
    type: Text
    """The kind of evidence, see the list of evidence types; another kind is accepted as text, with a warning."""
    integrity: Text
    """What ties it to an immutable revision: a full commit, `sha256:…` of the content, or a tag with such a digest.
    Of a contract in several files the digest is that of the lines `<sha256>  <path>` of all of them, by path, with two
    blanks between and a line break after each, as `sha256sum` prints them: that of the first file alone binds none of
    the others. A branch name, `HEAD` or `latest` is refused."""
    establishes: Text
    """What the item proves. Say what it does not prove as well: claims of that kind may then not cite it."""
    content: str | None = None
    """The body as text; write `content: |` and indent the lines."""
    file: Text | None = None
    """The body's file: a relative POSIX path inside the bundle's folder."""
    parts: tuple[Text, ...] = ()
    """Further files of a contract that is split: what a `.proto` imports, the modules of a library. Relative POSIX
    paths; what a JSON or YAML contract refers to need not be listed."""


class ReviewFile(ReviewRequest):
    """`review.yaml`: what is reviewed, for whom, what is asked, and the evidence."""

    evidence: tuple[ItemEntry, ...] = Field(min_length=MIN_ITEMS)
    """The evidence items, at least two."""
