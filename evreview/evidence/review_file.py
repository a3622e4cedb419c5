"""Door models of `review.yaml`: the request and the list of evidence items, as people write them."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from evreview.evidence.records.base import EvidenceIdText, Record, Text
from evreview.evidence.records.review import ReviewRequest

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
