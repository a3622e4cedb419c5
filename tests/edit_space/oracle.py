"""An independent answer for a pair of schemas: sampled values through the second validator.

The contract leaves some things open: whether anybody sends members that an open object does not name, whether a
hidden member may be sent, whether a text is the number that it spells. Each choice is a reading. Where all
readings agree the oracle decides; where they don't it says so, and names the choice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import islice, product
from typing import Any, Final

from jsonschema import Draft202012Validator

from tests.edit_space.declared import Declarations, names_in, patterns_in
from tests.edit_space.forms import Form, Schema
from tests.edit_space.translation import Access, Translator, validator


class Answer(StrEnum):
    """Whether the side that expects refuses something that the other side may send."""

    BREAKS = "breaks"
    SAFE = "safe"
    DEPENDS = "depends on the reading"


@dataclass(frozen=True)
class Opinion:
    """The oracle's answer, with a value that shows it, or the choice that it depends on."""

    answer: Answer
    value: Any = None
    choice: str = ""


_NUMBER: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_READINGS: Final = 64
UNDECLARED: Final = "whether members without a declaration are sent"
HIDDEN: Final = "whether hidden members may be sent"
_PLAIN: Final = "values as they are"
SPELLED: Final = "whether a text is the number that it spells"


@dataclass(frozen=True, eq=False)
class Samples:
    """Sampled values of one position; compared by identity, so that answers about them can be kept."""

    values: tuple[Any, ...]

    @cached_property
    def spelled(self) -> tuple[Any, ...]:
        """The values as texts, where they have one."""
        return tuple(texts for value in self.values for texts in spellings(value))


class Side:
    """One contract's schema at one position, asked about sampled values."""

    def __init__(self, schema: Schema, named: dict[str, Schema], form: Form, *, read: bool) -> None:
        self._schema, self._named, self._form = schema, named, form
        self._hidden = "readOnly" if read else "writeOnly"
        self._answers: dict[tuple[str, int], tuple[Samples, tuple[bool, ...]]] = {}
        self.has_hidden = f'"{self._hidden}": true' in json.dumps([schema, named])

    def admits(self, value: Any, access: Access = Access.NOT_OWED) -> bool:
        """True when the value belongs to the schema."""
        return self._validators[access].is_valid(value)

    def admits_spelled(self, texts: Any) -> bool:
        """True when some value that is written as these texts belongs to the schema."""
        return any(self.admits(value) for value in islice(_meanings(texts), _READINGS))

    def admitted(self, samples: Samples, access: Access = Access.NOT_OWED) -> tuple[bool, ...]:
        """`admits` for every sample."""
        return self._kept(access.name, samples, lambda: tuple(self.admits(each, access) for each in samples.values))

    def admitted_spelled(self, samples: Samples) -> tuple[bool, ...]:
        """`admits_spelled` for every sample that has a text."""
        return self._kept("spelled", samples, lambda: tuple(self.admits_spelled(each) for each in samples.spelled))

    def declares(self, value: Any, other: Side) -> bool:
        """True when the value carries only what the schema speaks about."""
        names, patterns = self.names | other.names, self.patterns | other.patterns
        return Declarations(self._named, names, patterns, self._part_admits).cover(self._schema, value)

    def _part_admits(self, schema: Schema, value: Any) -> bool:
        translate = Translator(self._form, self._hidden, Access.NOT_OWED)
        return validator(schema, self._named, self._form, translate).is_valid(value)

    @cached_property
    def patterns(self) -> frozenset[str]:
        """Every expression for member names that the schema mentions."""
        return frozenset(patterns_in([self._schema, *self._named.values()]))

    @cached_property
    def names(self) -> frozenset[str]:
        """Every member name that the schema mentions."""
        return frozenset(names_in([self._schema, *self._named.values()]))

    def _kept(self, about: str, samples: Samples, ask: Callable[[], tuple[bool, ...]]) -> tuple[bool, ...]:
        key = (about, id(samples))
        if key not in self._answers:
            self._answers[key] = (samples, ask())
        return self._answers[key][1]

    @cached_property
    def _validators(self) -> Mapping[Access, Draft202012Validator]:
        made = {}
        for access in Access:
            translate = Translator(self._form, self._hidden, access)
            made[access] = validator(self._schema, self._named, self._form, translate)
        return made


def judge(sent: Side, expected: Side, samples: Samples, *, text: bool) -> Opinion:
    """What the sampled values say about sending by one side and expecting by the other."""
    plain = _refused(sent.admitted(samples), expected.admitted(samples))
    found = {_PLAIN: plain, UNDECLARED: [at for at in plain if sent.declares(samples.values[at], expected)][:1]}
    if sent.has_hidden or expected.has_hidden:
        refused = _refused(sent.admitted(samples, Access.FORBIDDEN), expected.admitted(samples, Access.FORBIDDEN))
        found[HIDDEN] = [at for at in refused if sent.declares(samples.values[at], expected)][:1]
    if text:
        found[SPELLED] = _refused(sent.admitted_spelled(samples), expected.admitted_spelled(samples))
    if all(found.values()):
        return Opinion(Answer.BREAKS, samples.values[found[UNDECLARED][0]])
    if not any(found.values()):
        return Opinion(Answer.SAFE)
    choice = next((name for name, refused in found.items() if bool(refused) is not bool(plain)), _PLAIN)
    return Opinion(Answer.DEPENDS, choice=choice)


def _refused(sent: tuple[bool, ...], expected: tuple[bool, ...]) -> list[int]:
    """The positions of samples that one side sends and the other one refuses."""
    return [at for at, (offered, taken) in enumerate(zip(sent, expected, strict=True)) if offered and not taken]


def spellings(value: Any) -> Iterator[Any]:
    """The value with every leaf as the text that stands for it; nothing for what has no such text."""
    spelled = _spelled(value)
    if spelled is not None:
        yield spelled


def _spelled(value: Any) -> Any:
    if isinstance(value, list):
        items = [_spelled(item) for item in value]
        return None if None in items else items
    if isinstance(value, dict):
        members = {name: _spelled(member) for name, member in value.items()}
        return None if None in members.values() else members
    return None if value is None else value if isinstance(value, str) else json.dumps(value)


def _meanings(texts: Any, *, below: bool = False) -> Iterator[Any]:
    """The values that texts may stand for; a single value is a list of one, too: RFC 6570, sections 3.2.1 and 3.2.8."""
    if isinstance(texts, list):
        yield from (list(items) for items in product(*(list(_meanings(item, below=True)) for item in texts)))
    elif isinstance(texts, dict):
        members = product(*(list(_meanings(member, below=below)) for member in texts.values()))
        yield from (dict(zip(texts, member, strict=True)) for member in members)
    else:
        read = [texts, *([json.loads(texts)] if texts in ("true", "false") or _NUMBER.fullmatch(texts) else [])]
        yield from read
        if not below and "," not in texts:
            yield from ([each] for each in read)
