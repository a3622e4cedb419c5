"""What the instances of a class can do: be hashed, be sorted, take new attributes; and the values of an enum."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Final

from evreview.contracts.readers.python_parsed import Argument, Attribute, Class, Function
from evreview.contracts.readers.python_standard import standard
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.classes import (
    DATACLASS,
    DATACLASSES,
    ENUM,
    NAMED_TUPLE,
    PLAIN,
    PROTOCOL,
    TYPED_DICT,
    UNDERSTOOD,
    Flavour,
    decorators_of,
    flavour,
    is_dataclass,
    options_of,
    outside_of,
    short,
    told_options,
)
from evreview.kinds.python.generated_constructors import MAKERS
from evreview.kinds.python.names import Found, Line, Names, Owned, is_private
from evreview.kinds.python.signatures import EITHER, KEYWORD_ONLY, KEYWORDS, POSITIONAL_ONLY

_SAME_TEXT_ALWAYS: Final = frozenset({"Enum", "Flag", "StrEnum", "str", "int", "float", "bytes"})
"""Bases of an enum whose members have one text on every Python; that of an `IntEnum` became its number in 3.11."""


def _unknown_outside(line: Line) -> list[str]:
    return [path for path in outside_of(line) if standard(path) is None]


def is_hashable(names: Names, cls: Found, made: Flavour) -> bool | None:
    """Whether instances can be hashed: `__eq__` without `__hash__` takes it away. None where others decide."""
    for owner in names.line(cls).own:
        if not isinstance(owner.member, Class):
            continue
        members = owner.member.members
        if "__hash__" in members:
            hashed = members["__hash__"]
            return not (isinstance(hashed, Attribute) and hashed.value == "None")
        options = options_of(owner)
        if is_dataclass(owner) and options.get("eq", True) and not options.get("unsafe_hash", False):
            return options.get("frozen", False)
        defined = next((told_options(text) for path, text in decorators_of(owner) if path in MAKERS), None)
        if defined is not None and defined.get("eq", True):
            told = defined.get("unsafe_hash", defined.get("hash"))
            return told if told is not None else flavour(owner.member, Line((owner,), ())).on("frozen")
        if "__eq__" in members or is_dataclass(owner):
            return is_dataclass(owner)
    known = [each for path in names.line(cls).outside if (each := standard(path)) is not None]
    if made.kind == TYPED_DICT or any(each.__hash__ is None for each in known):
        return False
    return None if _unknown_outside(names.line(cls)) and made.kind == PLAIN else True


def made_comparisons(cls: Class, members: Mapping[str, Owned]) -> list[Function]:
    """The methods that `functools.total_ordering` adds to a class."""
    if not any(short(path) == "total_ordering" for path, _ in cls.decorators):
        return []
    where = (Argument(name="self"), Argument(name="other"))
    lacking = (name for name in ("__lt__", "__le__", "__gt__", "__ge__") if name not in members)
    return [Function(name=name, file=cls.file, line=cls.line, arguments=where) for name in lacking]


def is_ordered(names: Names, cls: Found, made: Flavour) -> bool:
    """Whether instances can be sorted: by a method of theirs, or by one that a decorator makes."""
    decorators = [path for each in names.line(cls).own for path, _ in decorators_of(each)]
    by_method = {"__lt__", "__gt__"} & set(names.members(cls))
    return made.on("order") or bool(by_method) or any(short(path) == "total_ordering" for path in decorators)


def takes_new_attributes(names: Names, cls: Found, made: Flavour) -> bool | None:
    """Whether any attribute can be set on an instance; None where another library decides it."""
    line = names.line(cls)
    if made.kind == ENUM:
        return True
    own = line.own[:-1] if made.kind == NAMED_TUPLE else line.own
    slotted = all(_has_slots(each) for each in own)
    known = [each for path in line.outside if (each := standard(path)) is not None]
    if not slotted or (made.kind != NAMED_TUPLE and any(each.__dictoffset__ for each in known)):
        return True
    return None if _unknown_outside(line) and made.kind != NAMED_TUPLE else False


def _has_slots(found: Found) -> bool:
    member = found.member
    if not isinstance(member, Class):
        return False
    slots = member.members.get("__slots__")
    if isinstance(slots, Attribute):
        return "__dict__" not in (slots.value or "")
    made = next(((path, told_options(text)) for path, text in decorators_of(found) if path in MAKERS), None)
    if made is not None:
        return made[1].get("slots", short(made[0]) in ("define", "frozen", "mutable"))
    return options_of(found).get("slots", False)


def enum_values(members: Mapping[str, Owned], line: Line) -> Mapping[str, str | None]:
    """The value of each member of an enum as text, None where only running tells; `auto()` counts on."""
    found: dict[str, str | None] = {}
    highest = 0
    texts = "StrEnum" in {short(path) for path in line.outside}
    flags = {short(path) for path in line.outside} & {"Flag", "IntFlag"}
    for name, owned in members.items():
        if is_private(name) or name.startswith("_") or not isinstance(owned.member, Attribute):
            continue
        member = owned.member
        if member.value is None or "property" in member.labels:
            continue
        if member.value.split(".")[-1] == "auto()":
            following = str((1 << highest.bit_length()) if flags else highest + 1)
            found[name] = repr(name.lower()) if texts else following
        else:
            found[name] = _literal(member.value)
        number = found[name]
        highest = max(highest, int(number)) if number is not None and number.isdigit() else highest
    return found


def enum_text(names: Names, cls: Found) -> str:
    """What `str` makes of a member: its name behind that of the class, its value, or what only running tells."""
    bases = {short(path) for path in names.line(cls).outside}
    if {"__str__", "__format__"} & set(names.members(cls)) or not bases <= _SAME_TEXT_ALWAYS:
        return sig.TOLD_BY_RUNNING
    return sig.OF_VALUE if "StrEnum" in bases else sig.OF_NAME


def _literal(text: str) -> str | None:
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def read_on_class(names: Names, owned: Owned, made: Flavour) -> bool | None:
    """Whether a client reads an attribute on the class itself; None where others decide, or it is no plain one."""
    member, owner = owned.member, owned.owner
    line = names.line(owner)
    if not isinstance(member, Attribute) or made.kind not in (PLAIN, DATACLASS, PROTOCOL) or _is_slotted(line):
        return None
    makers = [path for each in line.own for path, _ in decorators_of(each) if path not in DATACLASSES]
    if _unknown_outside(line) or [path for path in makers if path not in UNDERSTOOD] or "property" in member.labels:
        return None
    value = member.value or ""
    if is_dataclass(owner) and member.annotation is not None and re.match(r"(dataclasses\.)?field\(", value):
        return "default=" in value
    return "class-attribute" in member.labels and bool(value)


def _is_slotted(line: Line) -> bool:
    """True where slots hold what instances have: then the class has it, too."""
    owners = [each.member for each in line.own if isinstance(each.member, Class)]
    return any("__slots__" in each.members for each in owners) or any(_has_slots(each) for each in line.own)


def asked_of_subclasses(names: Names, cls: Found) -> list[str] | None:
    """The keywords that a class statement of a subclass takes (`__init_subclass__`), `name=` for one with a default."""
    owned = names.members(cls).get("__init_subclass__")
    if owned is None or not isinstance(owned.member, Function):
        return None
    given = owned.member.arguments
    behind = given[1:] if given and given[0].kind in (POSITIONAL_ONLY, EITHER) else given
    found = [f"{each.name}{'' if each.required else '='}" for each in behind if each.kind in (EITHER, KEYWORD_ONLY)]
    return [*found, *([KEYWORDS] if any(each.kind == KEYWORDS for each in behind) else [])]


def has_members(members: Mapping[str, Owned]) -> bool:
    """True for an enum that can't be inherited from any more."""
    return any(
        isinstance(one.member, Attribute)
        and one.member.value is not None
        and "property" not in one.member.labels
        and not (name.startswith("_") and name.endswith("_"))
        for name, one in members.items()
    )


def matched(names: Names, cls: Found) -> str | None:
    """What a class says of patterns by position (`__match_args__`, `match_args=False`), None where it says nothing."""
    for each in names.line(cls).own:
        own = each.member.members.get("__match_args__") if isinstance(each.member, Class) else None
        if isinstance(own, Attribute):
            return own.value
        if is_dataclass(each):
            return None if options_of(each).get("match_args", True) else "()"
    return None


def takes_types(names: Names, cls: Found) -> bool:
    """Whether `C[int]` is known to work."""
    line = names.line(cls)
    bases = [base for each in line.own if isinstance(each.member, Class) for base in each.member.bases]
    generic = any(short(base) in ("Generic", "Protocol") and "[" in base for base in bases)
    return generic or "__class_getitem__" in names.members(cls)
