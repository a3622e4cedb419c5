"""Structures cleaned part by part: the distinct texts are read in one pass, and only the doubtful ones one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from evreview.guard.batch import passing
from evreview.guard.catalogue import DETECTORS
from evreview.guard.controls import visible
from evreview.guard.lower import lowered
from evreview.guard.model import Hit, Kind, placeholder
from evreview.guard.scan import scan
from evreview.guard.values import Values
from evreview.guard.words import Words
from evreview.vocab import Json

_NAMES: Final = Words(word for detector in DETECTORS if detector.named for word in detector.starts or detector.keywords)


class Structure:
    """One structure, and what has been found out about its texts."""

    def __init__(self, value: Json, values: Values, clean: Callable[[str], str]) -> None:
        self._value = value
        self._clean = clean
        texts: dict[str, None] = {}
        _collect(value, texts)
        self._known = {text: text for text in passing(texts, values)}
        self._passing = frozenset(self._known)
        self._named: dict[str, bool] = {}
        self._kinds: dict[tuple[str, str], Kind | None] = {}

    def cleaned(self) -> Json:
        """The structure with keys, texts and numbers cleaned."""
        return self._part(self._value)

    def _part(self, value: Json) -> Json:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return self._mapping(value)
        if isinstance(value, Sequence):
            return [self._part(part) for part in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            shown = self._text(str(value))
            return value if shown == str(value) else shown
        return value

    def _text(self, text: str) -> str:
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = str(self._clean(text))
        return found

    def _mapping(self, value: Mapping[str, Json]) -> dict[str, Json]:
        out: dict[str, Json] = {}
        for key, part in value.items():
            name = base = self._text(str(key))
            number = 2
            while name in out:
                name, number = f"{base} ({number})", number + 1
            kind = None if part is None or isinstance(part, bool) else self._member(str(key), part)
            out[name] = self._part(part) if kind is None else placeholder(kind)
        return out

    def _member(self, key: str, value: Json) -> Kind | None:
        """What the value is as a whole when its key is read with it; None when the value alone decides."""
        if not isinstance(value, str | int):
            return None
        text = str(value)
        named = self._named.get(key)
        if named is None:
            named = self._named[key] = _tells(key)
        if not named and text in self._passing:
            return None
        if (key, text) not in self._kinds:
            self._kinds[key, text] = _kind_of_member(key, text)
        return self._kinds[key, text]


def _collect(value: Json, texts: dict[str, None]) -> None:
    if isinstance(value, str):
        texts[str(value)] = None
    elif isinstance(value, Mapping):
        for key, part in value.items():
            texts[str(key)] = None
            _collect(part, texts)
    elif isinstance(value, Sequence):
        for part in value:
            _collect(part, texts)
    elif value is not None and not isinstance(value, bool):
        texts[str(value)] = None


def secret_member(name: str, value: str) -> tuple[Hit, ...]:
    """The value, found as a whole, when its name says that it is secret; else nothing."""
    kind = _kind_of_member(name, value) if _tells(name) else None
    return () if kind is None else (Hit(0, len(value), kind, "named-member", visible(value)),)


@lru_cache(maxsize=4096)
def _tells(key: str) -> bool:
    """True for a key that can make a value secret."""
    return bool(_NAMES.found(lowered(_lead(key))))


def _lead(key: str) -> str:
    return f'"{key}": "'


def _kind_of_member(key: str, value: str) -> Kind | None:
    lead, text = _lead(key), visible(value)
    inside = [hit for hit in scan(f'{lead}{text}"') if hit.start >= len(lead) and hit.end <= len(lead) + len(text)]
    return inside[0].kind if any(hit.end - hit.start == len(text) for hit in inside) else None
