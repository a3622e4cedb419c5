"""What an item's `integrity` text ties it to, and whether that can be recomputed from the bytes.

Accepted is a digest of the content, a full commit, a git blob id, or a tag with one of these. A name that can move
(a branch, `HEAD`, `latest`, a tag alone) is refused. Pure: looking a commit up in a repository is `repository`'s.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evreview.core.errors import Problem
from evreview.core.vocabulary import Integrity

_DIGEST: Final = re.compile(r"\b(?P<name>sha256|sha512|sha384)[:=]\s*(?P<hex>[0-9A-Za-z+/=]*)", re.IGNORECASE)
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])([0-9a-f]{64}|[0-9a-f]{40})(?![0-9A-Za-z])", re.IGNORECASE)
_PATH: Final = re.compile(
    r"(?P<commit>\b[0-9a-f]{40}(?:[0-9a-f]{24})?)(?::|\s+path[: ]\s*)(?P<path>[^\s:,;()]+)", re.IGNORECASE
)
_BLOB: Final = re.compile(r"\bblob[: ]\s*(?P<hex>[0-9a-f]{64}|[0-9a-f]{40})\b", re.IGNORECASE)
_MOVING: Final = re.compile(
    r"\brefs/(?:heads|remotes)/\S+|\b(?:origin|upstream)/\S+|\bbranch\b"
    r"|(?<![\w.-])(?:main|master|trunk|develop|dev|staging|production|head|tip|latest|current|newest|nightly|edge|stable)"
    r"(?![\w/-])",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r"\brefs/tags/\S+|\btag\b|\brelease\b|(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?:[-+][\w.]+)?(?![\w.])", re.I
)
_SHORT: Final = re.compile(r"(?<![0-9A-Za-z])(?=[0-9a-f]*[0-9])[0-9a-f]{7,39}(?![0-9A-Za-z])", re.IGNORECASE)
_SIZES: Final = {"sha256": 64, "sha384": 96, "sha512": 128}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The immutable thing that an `integrity` text names.

    Attributes:
        revision: the commit, blob id or digest, as printed.
        digest: algorithm and lower-case hexadecimal digest of the content, None when none is given.
        commit: the full commit, "" when none is given.
        path: the content's path at that commit, "" when the text names none.
        blob: the git blob id, "" when none is given.
    """

    revision: str
    digest: tuple[str, str] | None = None
    commit: str = ""
    path: str = ""
    blob: str = ""


def parse_integrity(text: str, *, sha256: str) -> Reference | Problem:
    """What the text ties the item to, or why that is not immutable (a problem without file and place).

    Args:
        text: the item's `integrity`.
        sha256: of the content as it was read, for the advice.
    """
    digest = _DIGEST.search(text)
    if digest and not _well_formed(digest):
        size = _SIZES[digest["name"].lower()]
        return Problem(
            code="bad-digest",
            found=f"`{digest[0]}` is not a {digest['name'].lower()} digest of {size} hexadecimal digits",
            advice=f"The content as read has sha256:{sha256}",
        )
    rest = _DIGEST.sub(" ", text)
    blob, path, named = _BLOB.search(rest), _PATH.search(rest), _commit(_BLOB.sub(" ", rest))
    if not (digest or blob or named):
        return _not_immutable(text, sha256)
    pair = (digest["name"].lower(), digest["hex"].lower()) if digest else None
    blob_id = blob["hex"].lower() if blob else ""
    return Reference(
        revision=named or (f"{pair[0]}:{pair[1]}" if pair else f"blob {blob_id}"),
        digest=pair,
        commit=named,
        path=path["path"] if path and path["commit"].lower() == named else "",
        blob=blob_id,
    )


def _commit(text: str) -> str:
    """The commit that the text names, of a range (`a..b`, `from a to b`) its end, "" when it names none."""
    found = list(_HEX.finditer(text))
    if len(found) > 1 and re.fullmatch(
        r"\s*\.\.\.?\s*|\s+to\s+(?:commit\s+)?", text[found[0].end() : found[1].start()]
    ):
        return found[1][0].lower()
    return found[0][0].lower() if found else ""


def _well_formed(digest: re.Match[str]) -> bool:
    size = _SIZES[digest["name"].lower()]
    return re.fullmatch(rf"[0-9a-fA-F]{{{size}}}", digest["hex"]) is not None


def moves(revision: str) -> bool:
    """True for a revision that names a branch, HEAD or a word such as latest, and no full commit or digest."""
    return _MOVING.search(revision) is not None and _HEX.search(revision) is None


def _not_immutable(text: str, sha256: str) -> Problem:
    use = f"Name a full commit, or the digest of the content as read: sha256:{sha256}"
    for code, pattern, words in (
        ("moving-reference", _MOVING, "can move: it is a branch, HEAD or a word such as latest"),
        ("abbreviated-commit", _SHORT, "is an abbreviated commit"),
        ("tag-without-digest", _TAG, "is a tag or version without a digest, and tags can be moved"),
    ):
        found = pattern.search(text)
        if found:
            return Problem(code=code, found=f"`{found[0]}` {words}", advice=use)
    return Problem(code="no-immutable-reference", found="the text names no immutable revision", advice=use)


def verify(reference: Reference, data: bytes) -> Integrity | Problem:
    """VERIFIED when a digest in the reference equals the content's, DECLARED when it has none, else the problem."""
    if reference.digest:
        name, stated = reference.digest
        actual = hashlib.new(name, data).hexdigest()
        if actual != stated:
            return Problem(
                code="digest-mismatch",
                found=f"the content has {name}:{actual}, the integrity says {name}:{stated}",
                advice="The content or the digest is not the reviewed one; do not just replace the digest",
            )
        return Integrity.VERIFIED
    if reference.blob:
        if git_blob(data, len(reference.blob)) != reference.blob:
            return Problem(
                code="digest-mismatch",
                found=f"the content has the git blob id {git_blob(data, len(reference.blob))}",
                advice="The content or the blob id is not the reviewed one; do not just replace the id",
            )
        return Integrity.VERIFIED
    return Integrity.DECLARED


def listing(name: str, data: bytes, parts: Mapping[str, str]) -> bytes:
    """What a digest has to be of: the bytes of one file; of several, one line `<sha256>  <name>` each, by name.

    Args:
        name, data: the first file.
        parts: sha256 of the others by name.
    """
    if not parts:
        return data
    files = {**parts, name: hashlib.sha256(data).hexdigest()}
    return "".join(f"{digest}  {each}\n" for each, digest in sorted(files.items())).encode()


def git_blob(data: bytes, digits: int = 40) -> str:
    """The git blob id of the bytes, SHA-1 with 40 digits and SHA-256 with 64."""
    whole = b"blob %d\0" % len(data) + data
    return (hashlib.sha256(whole) if digits == 64 else hashlib.sha1(whole, usedforsecurity=False)).hexdigest()
