"""The parsed `review.yaml` in, its request and its well-formed entries out, with everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evreview.core.errors import Problem
from evreview.core.json_pointer import place
from evreview.core.vocabulary import EvidenceId, Json
from evreview.evidence.bundle_folder import DECISIONS, REVIEW, stated
from evreview.evidence.item_reader import Taken
from evreview.evidence.reading import MARK, read_model
from evreview.evidence.records.base import Record
from evreview.evidence.records.decisions import Decisions
from evreview.evidence.records.review import ReviewRequest
from evreview.evidence.review_file import MIN_ITEMS, ItemEntry
from evreview.evidence.typed_reader import named_items


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
