"""Small strings: of a length, of a format, of a pattern. All in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from evreview.shapes.expressions import words_between
from evreview.vocab import Json

FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "date": ("2024-01-31",),
    "date-time": ("2024-01-31T12:00:00Z",),
    "time": ("12:00:00Z",),
    "duration": ("P1D",),
    "email": ("a@example.test",),
    "hostname": ("example.test",),
    "ipv4": ("192.0.2.1",),
    "ipv6": ("2001:db8::1",),
    "uri": ("https://example.test/",),
    "uri-reference": ("/a",),
    "uuid": ("00000000-0000-4000-8000-000000000000",),
    "json-pointer": ("/a",),
    "regex": ("a",),
}
_SHORT: Final[Mapping[str, str]] = {"email": "a@b.c", "hostname": "a", "uri": "a:", "ipv6": "::"}
_LONGEST: Final = 4096
_PLAIN: Final = ("", "a", "0", "A", " ", "!", "\u00e9")
_WHATEVER: Final = "a"


def texts(node: Mapping[str, Any], other: Mapping[str, Any], longest: int) -> Iterator[Json]:
    """Strings that may satisfy `node` and lie near the limits of `other`."""
    own, border = node.get("pattern"), other.get("pattern")
    if isinstance(border, str):
        yield from words_between(own if isinstance(own, str) else "", border)
    for source in (node, other):
        yield from FORMATS.get(str(source.get("format")), ())
        if source is node:
            yield from _fitted(node)
        if isinstance(source.get("pattern"), str):
            yield from matching(source["pattern"])
    if isinstance(own, str) and "format" in node:
        # An end that the expression asks for, behind the start that the format does.
        yield from (_WHATEVER + text for text in matching(own)[:3])
        yield from _spliced(node, own)
    yield from _PLAIN
    for size in _lengths(node, other, longest):
        yield _WHATEVER * size
        for pattern in (node.get("pattern"), other.get("pattern")):
            if isinstance(pattern, str):
                yield from _stretched(pattern, size)


def _fitted(node: Mapping[str, Any]) -> Iterator[str]:
    """Texts of the format or pattern that are as long, or as short, as they have to be."""
    form, own = str(node.get("format")), node.get("pattern")
    least, most = node.get("minLength"), node.get("maxLength")
    known = [*FORMATS.get(form, ()), *(matching(own) if isinstance(own, str) else ())]
    if isinstance(least, int):
        missing = [(text, min(least, _LONGEST) - len(text)) for text in known if len(text) < least]
        for text, few in missing[:3]:
            # An expression that is not anchored matches anywhere; what stands at its end may have to go on.
            yield text + _WHATEVER * few
            yield _WHATEVER * few + text
            yield text + text[-1:] * few
    if isinstance(most, int) and form in _SHORT and all(len(text) > most for text in known):
        yield _SHORT[form]


def _spliced(node: Mapping[str, Any], own: str) -> Iterator[str]:
    """A start that the expression asks for, before an end that the format does."""
    for start in matching(own)[:1]:
        for text in FORMATS.get(str(node["format"]), ()):
            yield from (start + text[at:] for at in range(1, len(text)))


def matching(pattern: str) -> list[str]:
    """A few short strings that a regular expression matches; none when its syntax is not understood."""
    try:
        tree = parser.parse(pattern)
    except (re.error, OverflowError, RecursionError):
        return []
    made = {_shortest(tree, extra, last) for extra in (0, 1, 2) for last in (False, True)}
    ahead = _ahead(tree)
    if ahead:
        made = {ahead + text[len(ahead) :] for text in made if text is not None}
    return sorted((text for text in made if text is not None), key=lambda text: (len(text), text))


def _ahead(tree: Any) -> str:
    """One text for all that an expression looks ahead to, each part once: "a0" for a letter and a digit somewhere."""
    looks = [argument[1] for operation, argument in tree if operation is sre.ASSERT and argument[0] > 0]
    return "".join(dict.fromkeys(_shortest(look, extra=0) or "" for look in looks))


def _stretched(pattern: str, size: int) -> Iterator[str]:
    try:
        tree = parser.parse(pattern)
    except (re.error, OverflowError, RecursionError):
        return
    base = _shortest(tree, extra=0)
    if base is not None and len(base) < size:
        longer = _shortest(tree, extra=size - len(base))
        if longer is not None:
            yield longer[:size]


def _shortest(tree: Any, extra: int, last: bool = False) -> str | None:
    """A string that the parsed expression matches.

    Every repeat takes `extra` more rounds than it must; `last` takes the last sign of a class and the last branch.
    """
    out: list[str] = []
    for operation, argument in tree:
        piece = _piece(operation, argument, extra, last)
        if piece is None:
            return None
        out.append(piece)
    return "".join(out)


def _piece(operation: Any, argument: Any, extra: int, last: bool) -> str | None:
    if operation is sre.LITERAL:
        return chr(argument)
    if operation is sre.NOT_LITERAL:
        return _WHATEVER if argument != ord(_WHATEVER) else "b"
    if operation is sre.ANY:
        return _WHATEVER
    if operation is sre.IN:
        return _from_class(argument, last)
    if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        low, high, inner = argument
        piece = _shortest(inner, 0, last)
        rounds = min(low + extra, int(high))
        return None if piece is None else piece * rounds
    if operation is sre.BRANCH:
        found = [text for text in (_shortest(branch, extra, last) for branch in argument[1]) if text is not None]
        ordered = sorted(found, key=lambda text: (len(text), text))
        return ordered[-1 if last else 0] if ordered else None
    if operation is sre.SUBPATTERN:
        return _shortest(argument[3], extra, last)
    return "" if operation in (sre.AT, sre.ASSERT, sre.ASSERT_NOT) else None


_CATEGORIES: Final = {sre.CATEGORY_DIGIT: "0", sre.CATEGORY_WORD: "a", sre.CATEGORY_SPACE: " "}


def _from_class(items: Any, last: bool) -> str | None:
    """One character of a class, the first or last that the class names."""
    if items and items[0][0] is sre.NEGATE:
        refused = re.compile("[" + "".join(_spelled(item) for item in items[1:]) + "]")
        return next((sign for sign in "a0A_ -b1B!" if not refused.match(sign)), None)
    for operation, argument in reversed(items) if last else items:
        if operation is sre.LITERAL:
            return chr(argument)
        if operation is sre.RANGE:
            return chr(argument[-1 if last else 0])
        if operation is sre.CATEGORY:
            return _CATEGORIES.get(argument, "!")
    return None


def _spelled(item: Any) -> str:
    operation, argument = item
    if operation is sre.LITERAL:
        return re.escape(chr(argument))
    if operation is sre.RANGE:
        return f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
    names = {
        sre.CATEGORY_DIGIT: r"\d",
        sre.CATEGORY_NOT_DIGIT: r"\D",
        sre.CATEGORY_WORD: r"\w",
        sre.CATEGORY_NOT_WORD: r"\W",
        sre.CATEGORY_SPACE: r"\s",
        sre.CATEGORY_NOT_SPACE: r"\S",
    }
    return names.get(argument, "")


def _lengths(node: Mapping[str, Any], other: Mapping[str, Any], longest: int) -> list[int]:
    asked = [node.get("minLength"), node.get("maxLength")]
    asked += [other["minLength"] - 1] if isinstance(other.get("minLength"), int) else []
    asked += [other["maxLength"] + 1] if isinstance(other.get("maxLength"), int) else []
    return sorted({size for size in asked if isinstance(size, int) and 0 < size <= longest})
