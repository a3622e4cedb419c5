"""[I/O] Digests of a bundle's items, written anew into `review.yaml` where their files were edited.

A digest is renewed for what its author may write: records, policies, inventories. What is bound to a commit is as that
commit has it, or it is no evidence of it: there another digest is a problem, and never renewed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput, Problem
from evreview.core.json_pointer import place
from evreview.core.vocabulary import Json
from evreview.evidence.bundle_folder import REVIEW, folder_of, read_yaml
from evreview.evidence.files import memoised, only_writer, read_inside, replace_whole
from evreview.evidence.item_reader import ItemEntry, Source, content_digest, read_entries
from evreview.evidence.typed_reader import MARK

_DIGEST: Final = re.compile(r"sha256:[0-9a-fA-F]{64}")
_FULL_COMMIT: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{40}(?:[0-9a-f]{24})?(?![0-9A-Za-z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewal:
    """One item whose digest is not that of its content: the file, and whether it had a digest before."""

    id: str
    file: str
    is_new: bool


def renew_digests(path: str | Path, *, write: bool) -> tuple[Renewal, ...]:
    """The items whose digest is another one than their content's, in the order of the list; none when all hold.

    Args:
        path: the bundle's folder.
        write: True puts the digests into `review.yaml`, of which nothing else changes.

    Raises:
        BadInput: with every problem: a file that can't be read, content that is bound to a commit and differs from
            it, an entry whose form allows no renewal. Nothing was written then.
    """
    root = folder_of(path)
    with only_writer(root):
        before, raw = read_yaml(root, REVIEW)
        load = memoised(partial(read_inside, root))
        found: list[tuple[Renewal, int, str]] = []
        problems: list[Problem] = []
        for index, entry in _entries(raw):
            try:
                found += _renewal(entry, Source(load=load, repository=None, index=index))
            except BadInput as error:
                problems += error.problems
        if problems:
            raise BadInput(problems)
        if found and write:
            replace_whole((root / REVIEW).resolve(), _written(before, raw, found))
    return tuple(renewal for renewal, _, _ in found)


def _entries(raw: Mapping[str, Json]) -> Iterator[tuple[int, ItemEntry]]:
    """The entries of the list, those with a marker for their integrity too."""
    listed = raw.get("evidence")
    for index, value in enumerate(listed if isinstance(listed, list) else ()):
        entries, problems = read_entries({"evidence": [value, value]})
        if entries and all(problem.code == "not-filled-in" for problem in problems):
            stated = value.get("integrity") if isinstance(value, Mapping) else None
            yield index, entries[0][1].model_copy(update={"integrity": str(stated)})


def _renewal(entry: ItemEntry, source: Source) -> Iterator[tuple[Renewal, int, str]]:
    """The renewal of one entry with its index and digest, nothing where its digest holds.

    Raises:
        BadInput: the content can't be read, or it is bound to a commit and differs.
    """
    digest = content_digest(entry, source)
    stated = _DIGEST.search(entry.integrity)
    if (stated and stated[0].removeprefix("sha256:").lower() == digest) or (not stated and entry.integrity != MARK):
        return
    rest = _DIGEST.sub(" ", entry.integrity)
    if _FULL_COMMIT.search(rest):
        found = f"{entry.file or entry.id} is bound to a commit, and its content is not the sealed one"
        advice = "Put the file back as the commit has it; `evreview new --repo` reads it from there"
        raise BadInput([source.at("integrity", Problem(code="bound-to-commit", found=found, advice=advice))])
    yield Renewal(id=str(entry.id), file=entry.file or REVIEW, is_new=not stated), source.index, digest


def _written(before: bytes, raw: Mapping[str, Json], found: list[tuple[Renewal, int, str]]) -> bytes:
    """`review.yaml` with the digests.

    Raises:
        BadInput: an integrity does not stand on a line of its own.
    """
    lines = before.split(b"\n")
    for _, index, digest in found:
        number = line_of(before, f"/evidence/{index}/integrity")
        at = (number or 0) - 1
        text = lines[at].decode() if at >= 0 else ""
        renewed, count = re.subn(rf"{_DIGEST.pattern}|\b{MARK}\b", f"sha256:{digest}", text)
        lines[at] = renewed.encode() if count == 1 else lines[at]
    after = b"\n".join(lines)
    wrong = [index for _, index, digest in found if f"sha256:{digest}" not in _integrity(after, index)]
    if wrong or _without(parse_text(after, REVIEW)) != _without(dict(raw)):
        advice = "Write `integrity: sha256:…` on one line of its own"
        problem = "the integrity of an item can't be renewed where it stands"
        raise BadInput(
            Problem(code="not-renewable", found=problem, file=REVIEW, place=place(("evidence", each)), advice=advice)
            for each in (wrong or [found[0][1]])
        )
    return after


def _integrity(data: bytes, index: int) -> str:
    value = parse_text(data, REVIEW)
    listed = value.get("evidence") if isinstance(value, Mapping) else None
    entry = listed[index] if isinstance(listed, list) else None
    return str(entry.get("integrity")) if isinstance(entry, Mapping) else ""


def _without(value: Json) -> Json:
    """The document without what a renewal changes."""
    if not isinstance(value, Mapping):
        return value
    listed = value.get("evidence")
    entries: list[Json] = [
        {key: part for key, part in entry.items() if key != "integrity"} if isinstance(entry, Mapping) else entry
        for entry in (listed if isinstance(listed, list) else ())
    ]
    return {**value, "evidence": entries}
