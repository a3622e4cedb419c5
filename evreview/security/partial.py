"""Files of code that no reader could read: what was read is reviewed, and they are named as what was not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evreview.codefacts.model import CodeFacts, SourceText, UnreadCode

CODE: Final = frozenset({"handler", "validator", "middleware", "shared"})
"""What a file is for when it may hold handlers or checks."""
_WHOLE: Final = ("not a Python file", "text that Python's parser", "more than", "code nested", "lines that end")


def is_whole(one: UnreadCode) -> bool:
    """True for a file that could not be read at all."""
    return one.found.startswith(_WHOLE)


def unread_files(code: CodeFacts, sources: Sequence[SourceText]) -> tuple[UnreadCode, ...]:
    """The files of code that could not be read and about which nothing is declared, in the order supplied."""
    parts = {source.item: source.parts for source in sources}
    declared = {route.spot.item for route in code.routes if route.framework == "declared"}
    whole = [one for one in code.unread if is_whole(one) and one.spot.item not in declared]
    return tuple(one for one in whole if set(parts.get(one.spot.item, ())) & CODE)


def readable(code: CodeFacts, sources: Sequence[SourceText]) -> bool:
    """True when some code was read, or declared: the review goes on with it."""
    lost = {one.spot.item for one in code.unread if is_whole(one)}
    return bool(code.routes) or any(one.item not in lost and set(one.parts) & CODE for one in sources)


def is_partial(code: CodeFacts, sources: Sequence[SourceText]) -> bool:
    """True when some files of code could not be read and others could."""
    return readable(code, sources) and bool(unread_files(code, sources))
