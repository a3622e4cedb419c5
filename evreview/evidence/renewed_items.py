"""[I/O] Files of a bundle replaced together, and the places of `review.yaml` that state them; all of it or nothing."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput, bad_input
from evreview.core.json_pointer import Step, place
from evreview.core.vocabulary import Json
from evreview.evidence.bundle_folder import REVIEW, folder_of, read_yaml
from evreview.evidence.bundle_reader import examine_bundle
from evreview.evidence.files import inside, only_writer, read_inside, replace_whole

_LINE: Final = re.compile(r"^(?P<key>\s*(?:- )?[\w-]+:)[ \t]*(?P<value>.*?)(?P<end>\r?)$")
_DIGEST: Final = re.compile(r"sha256:[0-9a-fA-F]{64}")
Edits = Mapping[tuple[Step, ...], Json]


def renew_items(path: str | Path, files: Mapping[str, bytes | None], edits: Edits) -> None:
    """Write files of a bundle and values of `review.yaml`; what stands beside them stays byte for byte.

    Args:
        path: the bundle's folder.
        files: new bytes by name; None removes a file.
        edits: values by their place, each on a line of its own; one that is new follows the item's `file`.

    Raises:
        BadInput: a value stands in a form that allows no edit, something can't be written, or the bundle would have
            problems that it had not before; everything is as it was then.
    """
    root = folder_of(path)
    with only_writer(root):
        before, raw = read_yaml(root, REVIEW)
        known = {(each.code, each.file, each.place) for each in examine_bundle(root, whole=True).problems}
        after = _edited(before, raw, edits)
        old = {name: read_inside(root, name) if (root / name).exists() else None for name in files}
        try:
            for name, data in {**files, REVIEW: after}.items():
                _put(root, name, data)
            new = examine_bundle(root, whole=True).problems
            worse = [each for each in new if (each.code, each.file, each.place) not in known]
            if worse:
                raise BadInput(worse)
        except BaseException:
            for name, data in {**old, REVIEW: before}.items():
                with suppress(BadInput, OSError):
                    _put(root, name, data)
            raise


def renewed_integrity(stated: str, data: bytes) -> str:
    """An integrity text with the digest of these bytes in the place of its own."""
    return _DIGEST.sub(f"sha256:{hashlib.sha256(data).hexdigest()}", stated)


def _put(root: Path, name: str, data: bytes | None) -> None:
    """The bytes as the file of that name inside the folder; None for no file.

    Raises:
        BadInput: a link leads out of the folder, or it can't be written.
    """
    target = inside(root, name) if (root / name).exists() else root / name
    if data is None:
        target.unlink(missing_ok=True)
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise bad_input("not-writable", f"it can't be written: {error.strerror}", file=name) from None
    if not target.parent.resolve().is_relative_to(root.resolve()):
        raise bad_input("file-outside", "a symbolic link leads out of the folder", file=name)
    replace_whole(target, data)


def _edited(before: bytes, raw: Mapping[str, Json], edits: Edits) -> bytes:
    """`review.yaml` with the values.

    Raises:
        BadInput: one does not stand on a line of its own.
    """
    lines = before.split(b"\n")
    wanted: Json = json.loads(json.dumps(raw))
    added: dict[int, bytes] = {}
    for steps, value in edits.items():
        is_new = not _set(wanted, steps, value)
        beside = (*steps[:-1], "file") if is_new else steps
        at = (line_of(before, place(beside)[1:]) or 1) - 1
        match = _LINE.match(lines[at].decode("utf-8", "surrogateescape"))
        if match is None:
            continue
        text = json.dumps(value, ensure_ascii=False)
        if is_new:
            indent = " " * (len(match["key"]) - len(match["key"].lstrip(" -")))
            added[at] = f"{indent}{steps[-1]}: {text}{match['end']}".encode()
        else:
            lines[at] = f"{match['key']} {text}{match['end']}".encode()
    after = b"\n".join(part for at, line in enumerate(lines) for part in (line, *([added[at]] if at in added else ())))
    found = None
    with suppress(BadInput):
        found = parse_text(after, REVIEW)
    if found != wanted:
        advice = "Write revision, integrity and parts on one line each, as `evreview new` does"
        raise bad_input("not-renewable", "what is to be renewed can't be found", file=REVIEW, advice=advice)
    return after


def _set(document: Json, steps: tuple[Step, ...], value: Json) -> bool:
    """True when the place had a value; it has the new one now."""
    holder = document
    for step in steps[:-1]:
        holder = holder[step]  # type: ignore[index]
    assert isinstance(holder, dict)
    there = steps[-1] in holder
    holder[str(steps[-1])] = value
    return there
