"""Structures cleaned part by part: the distinct texts are read in one pass, and only the doubtful ones one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from evreview.core.control_characters import lowered, visible
from evreview.core.vocabulary import Json
from evreview.guard.batch import passing
from evreview.guard.words import Words
from evreview.redaction.detector import Hit, Kind, placeholder
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.learned_values import Values
from evreview.redaction.scanner import scan

_NAMES: Final = Words(word for detector in DETECTORS if detector.named for word in detector.starts or detector.keywords)
_UNKNOWN: Final = Values(())
Member = tuple[str, str]
"""A key, and its value as text."""


class Structure:
    """One structure, and what has been found out about its texts."""

    def __init__(
        self,
        value: Json,
        values: Values,
        clean: Callable[[str], str],
        signs: Callable[[str], str] | None = None,
        names: frozenset[str] = frozenset(),
    ) -> None:
        self._value = value
        self._signs = signs
        self._names = names
        self._clean = clean
        texts: dict[str, None] = {}
        members: dict[Member, None] = {}
        _collect(value, texts, members)
        self._known = {text: text for text in passing(texts, values)}
        self._passing = frozenset(self._known)
        self._kinds: dict[Member, Kind | None] = dict.fromkeys(_harmless(members))

    def cleaned(self) -> Json:
        """The structure with keys, texts and numbers cleaned."""
        return self._part(self._value)

    def _part(self, value: Json) -> Json:
        if isinstance(value, str):
            return self._text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, (dict, Mapping)):
            return self._mapping(value)
        if isinstance(value, (list, Sequence)):
            return [self._part(part) for part in value]
        shown = self._text(str(value))
        return value if shown == str(value) else shown

    def _text(self, text: str) -> str:
        found = self._known.get(text)
        if found is None:
            found = str(self._clean(text))
            if self._signs is not None and found != text and found == visible(text):
                found = self._signs(text)
            self._known[text] = found
        return found

    def _mapping(self, value: Mapping[str, Json]) -> dict[str, Json]:
        out: dict[str, Json] = {}
        known, passing = self._known, self._passing
        for key, part in value.items():
            name = base = known.get(key) or self._text(str(key))
            number = 2
            while name in out:
                name, number = f"{base} ({number})", number + 1
            if type(part) is str and part in passing and not _tells(key):
                # Nearly every member is such.
                out[name] = part
                continue
            kind = self._member(str(key), part) if isinstance(part, (str, int)) and not isinstance(part, bool) else None
            out[name] = self._part(part) if kind is None else placeholder(kind)
        return out

    def _member(self, key: str, value: str | int) -> Kind | None:
        """What the value is as a whole when its key is read with it; None when the value alone decides."""
        text = str(value)
        if text in self._passing and not _tells(key):
            return None
        if (key, text) not in self._kinds:
            self._kinds[key, text] = _kind_of_member(key, text)
        kind = self._kinds[key, text]
        return None if kind is Kind.PRIVATE_ENDPOINT and text in self._names else kind


def _collect(value: Json, texts: dict[str, None], members: dict[Member, None]) -> None:
    """Every text of a structure, and the members whose key may make a secret of their value."""
    if isinstance(value, str):
        texts[str(value)] = None
    elif isinstance(value, (dict, Mapping)):
        for key, part in value.items():
            texts[str(key)] = None
            if isinstance(part, (str, int)) and not isinstance(part, bool) and _tells(str(key)):
                members[str(key), str(part)] = None
            if type(part) is str:
                texts[part] = None
            else:
                _collect(part, texts, members)
    elif isinstance(value, (list, Sequence)):
        for part in value:
            _collect(part, texts, members)
    elif value is not None and not isinstance(value, bool):
        texts[str(value)] = None


def _harmless(members: Iterable[Member]) -> Iterator[Member]:
    """The members that certainly are no secrets, all read in one pass; for any other one is asked by itself."""
    spelled = {member: _spelled(*member) for member in members}
    quiet = passing(spelled.values(), _UNKNOWN)
    return (member for member, text in spelled.items() if text in quiet)


def secret_member(name: str, value: str) -> tuple[Hit, ...]:
    """The value, found as a whole, when its name says that it is secret; else nothing."""
    kind = _kind_of_member(name, value) if _tells(name) else None
    return () if kind is None else (Hit(0, len(value), kind, "named-member", visible(value)),)


def secret_members(members: Iterable[Member]) -> Iterator[Hit]:
    """The same for many members."""
    asked = dict.fromkeys(member for member in members if _tells(member[0]))
    harmless = frozenset(_harmless(asked))
    for member in asked:
        if member not in harmless:
            yield from secret_member(*member)


@lru_cache(maxsize=4096)
def _tells(key: str) -> bool:
    """True for a key that can make a value secret."""
    return bool(_NAMES.found(lowered(_lead(key))))


def _lead(key: str) -> str:
    return f'"{key}": "'


def _spelled(key: str, text: str) -> str:
    return f'{_lead(key)}{text}"'


def _kind_of_member(key: str, value: str) -> Kind | None:
    lead, text = _lead(key), visible(value)
    inside = [hit for hit in scan(_spelled(key, text)) if hit.start >= len(lead) and hit.end <= len(lead) + len(text)]
    return inside[0].kind if any(hit.end - hit.start == len(text) for hit in inside) else None
