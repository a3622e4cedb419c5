"""Small strings: of a length, of a format, of a pattern. All in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from evreview.core.vocabulary import Json
from evreview.schema.regular_languages import words_between
from evreview.shapes.expression_texts import Writer

FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "date": ("2024-01-31",),
    "date-time": ("2024-01-31T12:00:00Z",),
    "time": ("12:00:00Z",),
    "duration": ("P1D",),
    "email": ("a@example.test",),
    "hostname": ("example.test",),
    "idn-hostname": ("\u00e9.test",),
    "ipv4": ("192.0.2.1",),
    "ipv6": ("2001:db8::1",),
    "uri": ("https://example.test/",),
    "uri-reference": ("/a",),
    "iri": ("https://example.test/\u00e9",),
    "iri-reference": ("/\u00e9",),
    "uuid": ("00000000-0000-4000-8000-000000000000",),
    "json-pointer": ("/a",),
    "relative-json-pointer": ("0/a",),
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
    tree = _parsed(pattern)
    ahead = _ahead(tree)
    made = _written(tree, (0, 1, 2), refused=False)
    return sorted({ahead + text[len(ahead) :] for text in made}, key=lambda text: (len(text), text))


def missing(pattern: str) -> list[str]:
    """A few short strings that only a look or a reference back keeps a regular expression from matching."""
    return sorted(_written(_parsed(pattern), (0, 1), refused=True), key=lambda text: (len(text), text))


def _parsed(pattern: str) -> Any:
    try:
        return parser.parse(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


def _written(tree: Any, rounds: Iterable[int], *, refused: bool) -> set[str]:
    if tree is None:
        return set()
    made = (Writer(last, refused).text(tree, extra) for extra in rounds for last in (False, True))
    return {text for text in made if text is not None}


def _ahead(tree: Any) -> str:
    """One text for all that an expression looks ahead to, each part once: "a0" for a letter and a digit somewhere."""
    looks = [argument[1] for operation, argument in tree or () if operation is sre.ASSERT and argument[0] > 0]
    return "".join(dict.fromkeys(Writer().text(look) or "" for look in looks))


def _stretched(pattern: str, size: int) -> Iterator[str]:
    tree = _parsed(pattern)
    base = None if tree is None else Writer().text(tree)
    if base is not None and len(base) < size:
        longer = Writer().text(tree, size - len(base))
        if longer is not None:
            yield longer[:size]


def _lengths(node: Mapping[str, Any], other: Mapping[str, Any], longest: int) -> list[int]:
    asked = [node.get("minLength"), node.get("maxLength")]
    asked += [other["minLength"] - 1] if isinstance(other.get("minLength"), int) else []
    asked += [other["maxLength"] + 1] if isinstance(other.get("maxLength"), int) else []
    return sorted({size for size in asked if isinstance(size, int) and 0 < size <= longest})
