"""What a class is: how it is made and called, what it inherits, what clients may use, what instances can do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from evreview.core.frozen import frozen
from evreview.core.vocabulary import ClosedVocabulary
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.annotations import written_call
from evreview.kinds.python.classes_from_calls import FIELD
from evreview.kinds.python.generated_constructors import MAKERS, generated_arguments, is_transformed
from evreview.kinds.python.names import (
    InheritanceLine,
    Names,
    OwnedMember,
    ResolvedDeclaration,
    ancestors_of,
    builtin,
    is_private,
    standard,
)
from evreview.kinds.python.parsed import Argument, Attribute, Class, Function, Member


class ClassKind(ClosedVocabulary):
    """How a class is made."""

    PLAIN = "class"
    DATACLASS = "dataclass"
    ENUM = "enum"
    NAMED_TUPLE = "named tuple"
    TYPED_DICT = "typed dict"
    PROTOCOL = "protocol"


_ENUMS: Final = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"})
DATACLASSES: Final = frozenset({"dataclasses.dataclass", "dataclass"})
UNDERSTOOD: Final = DATACLASSES | {
    "typing.final", "typing_extensions.final", "functools.total_ordering", "enum.unique", "warnings.deprecated",
    "typing_extensions.deprecated",
}  # fmt: skip
_CHECKED: Final = frozenset({"typing.runtime_checkable", "typing_extensions.runtime_checkable"})
_FIELDS: Final = frozenset({"field", "dataclasses.field"})
_HARMLESS: Final = frozenset({"typing.Generic", "typing_extensions.Generic", "abc.ABC", "object", "builtins.object"})


_MADE: Final = {
    f"{module}.{name}": made
    for module in ("typing", "typing_extensions")
    for name, made in (("NamedTuple", "tuple"), ("TypedDict", "dict"))
}
"""What a class statement makes of bases that are no classes: nobody asks whether something is a `NamedTuple`."""


@frozen
class Flavour:
    """How a class is made: its kind, and the options of its decorator or keywords that are literally true or false."""

    kind: ClassKind
    options: Mapping[str, bool]

    def on(self, name: str, *, default: bool = False) -> bool:
        """Whether an option is on."""
        return self.options.get(name, default)


def short(path: str) -> str:
    """The last name of a dotted path, without brackets."""
    return path.split("[")[0].rsplit(".", 1)[-1]


def flavour(cls: Class, line: InheritanceLine) -> Flavour:
    """How a class is made, by its decorators and by what it inherits."""
    for path, text in cls.decorators:
        if path in DATACLASSES:
            return Flavour(ClassKind.DATACLASS, told_options(text))
    outside = {short(path) for path in line.outside}
    if outside & _ENUMS or short(cls.keywords.get("metaclass", "")) in ("EnumMeta", "EnumType"):
        return Flavour(ClassKind.ENUM, {})
    if "NamedTuple" in outside:
        return Flavour(ClassKind.NAMED_TUPLE, {})
    if "TypedDict" in outside:
        return Flavour(ClassKind.TYPED_DICT, {"total": cls.keywords.get("total", "True") != "False"})
    if any(short(base) == "Protocol" for base in cls.bases):
        return Flavour(ClassKind.PROTOCOL, {})
    for each in line.own:
        for path, text in decorators_of(each):
            if path in DATACLASSES | MAKERS:
                return Flavour(ClassKind.PLAIN, {"frozen": told_options(text).get("frozen", short(path) == "frozen")})
    return Flavour(ClassKind.PLAIN, {})


def decorators_of(found: ResolvedDeclaration) -> Iterable[tuple[str, str]]:
    """The decorators of a class: dotted path, and as written."""
    return found.member.decorators if isinstance(found.member, Class) else ()


def told_options(text: str) -> Mapping[str, bool]:
    """The options of a decorator that are literally true or false."""
    try:
        call = ast.parse(text.strip().lstrip("@"), mode="eval").body
    except SyntaxError:
        return {}
    keywords = call.keywords if isinstance(call, ast.Call) else []
    return {
        each.arg: each.value.value
        for each in keywords
        if each.arg and isinstance(each.value, ast.Constant) and isinstance(each.value.value, bool)
    }


def outside_of(line: InheritanceLine) -> tuple[str, ...]:
    """Bases of other libraries whose members nobody knows here; those of builtins are known."""
    return tuple(path for path in line.outside if path not in _HARMLESS and builtin(path) is None)


def ancestors(names: Names, cls: ResolvedDeclaration, shown: Mapping[str, str]) -> tuple[str, ...]:
    """The classes that instances are known to be, sorted: public ones of the library, and those of others.

    Those of a private base count; the private base itself can't be named by a client.
    """
    line = names.line(cls)
    found = {shown[each.path] for each in line.own[1:] if each.path in shown}
    for path in line.outside:
        found |= ancestors_of(_MADE.get(path, path))
    return tuple(sorted(found - {"object", "typing.Generic", "typing.Protocol", "abc.ABC"}))


def base_order(names: Names, cls: ResolvedDeclaration, shown: Mapping[str, str]) -> list[str]:
    """The bases that a client can name, in the order written: the one before comes first in the line of inheritance."""
    assert isinstance(cls.member, Class)
    found: list[str] = []
    for base in cls.member.bases:
        path = names.base(cls, base)
        if isinstance(path, ResolvedDeclaration):
            found += [shown[path.path]] if path.path in shown else []
        elif path not in _HARMLESS and path.replace(".", "").isidentifier():
            found.append(path.removeprefix("builtins."))
    return found


def is_checkable(cls: Class) -> bool:
    """Whether `isinstance` takes a protocol."""
    return any(path in _CHECKED for path, _ in cls.decorators)


def is_initial(member: Member, made: Flavour) -> bool:
    """True for what a dataclass takes and does not keep (`InitVar`)."""
    annotation = member.annotation or "" if isinstance(member, Attribute) and member.value is None else ""
    return made.kind is ClassKind.DATACLASS and short(annotation) == "InitVar"


def call_arguments(names: Names, cls: ResolvedDeclaration, made: Flavour) -> tuple[Argument, ...] | None:
    """The signature of calling the class, None where another library decides it."""
    members, line = names.members(cls), names.line(cls)
    if made.kind is ClassKind.NAMED_TUPLE:
        own = members.get("__new__")
        if "__init__" in members or (own is not None and not isinstance(own.member, Function)):
            return None
        return tuple(_field_arguments(names, cls)) if own is None else _behind_first(own.member)
    if made.kind is ClassKind.TYPED_DICT:
        return None
    if made.kind is ClassKind.ENUM:
        return (Argument(name="value"),)
    owned = next((members[name] for name in ("__init__", "__new__") if name in members), None)
    generated = [each for each in line.own if is_dataclass(each)]
    before = owned is not None and generated and _rank(line, owned.owner) > _rank(line, generated[0])
    if generated and options_of(generated[0]).get("init", True) and (owned is None or before):
        return tuple(_dataclass_arguments(names, generated[0]))
    if owned is None and (generated_by := generated_arguments(names, cls)) is not None:
        return generated_by
    if owned is None and any(_makes_init(each) for each in line.own):
        return None
    if owned is None:
        return () if not outside_of(line) and all(builtin(path) is None for path in line.outside) else None
    return _behind_first(owned.member) if isinstance(owned.member, Function) else None


def _behind_first(function: Member) -> tuple[Argument, ...]:
    """The arguments of a constructor that a call gives."""
    assert isinstance(function, Function)
    given = function.arguments
    return given[1:] if given and given[0].kind in (sig.POSITIONAL_ONLY, sig.EITHER) else given


def unknown_decorators(cls: Class) -> list[str]:
    """The decorators whose effect is not known, by their last names and what they are given, sorted."""
    understood = UNDERSTOOD | _CHECKED
    return sorted({written_call(path, text) for path, text in cls.decorators if path not in understood})


def calls_as_written(cls: Member) -> bool:
    """True unless a decorator that is not known may decide how the class is called."""
    decorators = cls.decorators if isinstance(cls, Class) else ()
    return all(path in UNDERSTOOD | _CHECKED | MAKERS for path, _ in decorators)


def _makes_init(found: ResolvedDeclaration) -> bool:
    """True where a decorator of another library may make a constructor of the fields."""
    return any(path not in UNDERSTOOD | _CHECKED for path, _ in decorators_of(found))


def generated_fields(names: Names, cls: ResolvedDeclaration, made: Flavour) -> list[str]:
    """The fields of a class whose constructor a base or decorator of another library may make of them, as written."""
    line = names.line(cls)
    known = not outside_of(line) and not any(_makes_init(each) for each in line.own)
    if made.kind is not ClassKind.PLAIN or (known and not is_transformed(names, cls)):
        return []
    found: list[str] = []
    for name, owned in names.members(cls).items():
        member = owned.member
        if not isinstance(member, Attribute) or ("class-attribute" not in member.labels and member.annotation is None):
            continue
        is_field = member.annotation is not None or (member.value or "").endswith(")")
        if is_field and "property" not in member.labels and not name.startswith("_"):
            annotation = f": {member.annotation}" if member.annotation is not None else ""
            found.append(f"{name}{annotation}{f' = {member.value}' if member.value is not None else ''}")
    return found


def _rank(line: InheritanceLine, owner: ResolvedDeclaration) -> int:
    return [each.path for each in line.own].index(owner.path)


def is_dataclass(found: ResolvedDeclaration) -> bool:
    """True for a class that a decorator makes a dataclass, whatever its bases are."""
    return any(path in DATACLASSES for path, _ in decorators_of(found))


def options_of(found: ResolvedDeclaration) -> Mapping[str, bool]:
    """The options of the decorator that makes a dataclass."""
    return next((told_options(text) for path, text in decorators_of(found) if path in DATACLASSES), {})


def fields(names: Names, cls: ResolvedDeclaration) -> list[OwnedMember]:
    """The annotated variables of a class and its bases, in the order in which the base comes first."""
    found: dict[str, OwnedMember] = {}
    for owner in reversed(names.line(cls).own):
        if isinstance(owner.member, Class):
            for name, member in owner.member.members.items():
                if isinstance(member, Attribute) and _is_annotated(member) and "property" not in member.labels:
                    found[name] = OwnedMember(member, owner)
    return list(found.values())


def _is_annotated(member: Attribute) -> bool:
    """True for a field: by its annotation, or because a call named it."""
    return member.annotation is not None or FIELD in member.labels


def _field_arguments(names: Names, cls: ResolvedDeclaration) -> Iterable[Argument]:
    for owned in fields(names, cls):
        member = owned.member
        assert isinstance(member, Attribute)
        yield Argument(name=member.name, kind=sig.EITHER, default=member.value, annotation=member.annotation)


def demanded(owned: OwnedMember) -> str:
    """Why whoever implements the class has to have the member, "" when nobody has to."""
    owner, member = owned.owner.member, owned.member
    if "abstractmethod" in getattr(member, "labels", ()):
        return "abstract"
    protocol = isinstance(owner, Class) and any(short(base) == "Protocol" for base in owner.bases)
    return "protocol" if protocol else ""


def key_required(owned: OwnedMember) -> bool:
    """Whether a typed dict has to hold the key (PEP 655)."""
    annotation = getattr(owned.member, "annotation", "") or ""
    opening = short(annotation.split("[")[0])
    if opening in ("Required", "NotRequired"):
        return opening == "Required"
    owner = owned.owner.member
    return not isinstance(owner, Class) or owner.keywords.get("total", "True") != "False"


def _dataclass_arguments(names: Names, cls: ResolvedDeclaration) -> list[Argument]:
    """The signature of a generated `__init__`: keyword-only fields go last (dataclasses, "Keyword-only fields")."""
    plain: list[Argument] = []
    keyword: list[Argument] = []
    only = False
    for owned in fields(names, cls):
        member = owned.member
        assert isinstance(member, Attribute)
        annotation = member.annotation or ""
        if short(annotation) == "KW_ONLY":
            only = True
            continue
        if annotation.startswith(("ClassVar", "typing.ClassVar", "t.ClassVar")) or not _is_field(owned):
            continue
        options, default = _field_options(member.value)
        if options.get("init", True):
            whole = only or options_of(owned.owner).get("kw_only", False)
            is_keyword = options.get("kw_only", whole)
            made = Argument(name=member.name, default=default, annotation=annotation)
            (keyword if is_keyword else plain).append(replace(made, kind=sig.KEYWORD_ONLY) if is_keyword else made)
    return [*plain, *keyword]


def _is_field(owned: OwnedMember) -> bool:
    labels: frozenset[str] = getattr(owned.member, "labels", frozenset())
    return is_dataclass(owned.owner) and labels != {"class-attribute"}


def _field_options(value: str | None) -> tuple[Mapping[str, bool], str | None]:
    """The options of a `field(…)`, and the default of the argument."""
    if value is None:
        return {}, None
    try:
        call = ast.parse(value.strip(), mode="eval").body
    except SyntaxError:
        return {}, value
    if not isinstance(call, ast.Call) or ast.unparse(call.func) not in _FIELDS:
        return {}, value
    given = {each.arg: ast.unparse(each.value) for each in call.keywords if each.arg}
    factory = given.get("default_factory")
    return told_options(value), given.get("default", f"{factory}()" if factory is not None else None)


# What instances can do: be hashed, be sorted, take new attributes; and the values of an enum.


_SAME_TEXT_ALWAYS: Final = frozenset({"Enum", "Flag", "StrEnum", "str", "int", "float", "bytes"})
"""Bases of an enum whose members have one text on every Python; that of an `IntEnum` became its number in 3.11."""


def _unknown_outside(line: InheritanceLine) -> list[str]:
    return [path for path in outside_of(line) if standard(path) is None]


def is_hashable(names: Names, cls: ResolvedDeclaration, made: Flavour) -> bool | None:
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
            return told if told is not None else flavour(owner.member, InheritanceLine((owner,), ())).on("frozen")
        if "__eq__" in members or is_dataclass(owner):
            return is_dataclass(owner)
    known = [each for path in names.line(cls).outside if (each := standard(path)) is not None]
    if made.kind is ClassKind.TYPED_DICT or any(each.__hash__ is None for each in known):
        return False
    return None if _unknown_outside(names.line(cls)) and made.kind is ClassKind.PLAIN else True


def made_comparisons(cls: Class, members: Mapping[str, OwnedMember]) -> list[Function]:
    """The methods that `functools.total_ordering` adds to a class."""
    if not any(short(path) == "total_ordering" for path, _ in cls.decorators):
        return []
    where = (Argument(name="self"), Argument(name="other"))
    lacking = (name for name in ("__lt__", "__le__", "__gt__", "__ge__") if name not in members)
    return [Function(name=name, file=cls.file, line=cls.line, arguments=where) for name in lacking]


def is_ordered(names: Names, cls: ResolvedDeclaration, made: Flavour) -> bool:
    """Whether instances can be sorted: by a method of theirs, or by one that a decorator makes."""
    decorators = [path for each in names.line(cls).own for path, _ in decorators_of(each)]
    by_method = {"__lt__", "__gt__"} & set(names.members(cls))
    return made.on("order") or bool(by_method) or any(short(path) == "total_ordering" for path in decorators)


def takes_new_attributes(names: Names, cls: ResolvedDeclaration, made: Flavour) -> bool | None:
    """Whether any attribute can be set on an instance; None where another library decides it."""
    line = names.line(cls)
    if made.kind is ClassKind.ENUM:
        return True
    own = line.own[:-1] if made.kind is ClassKind.NAMED_TUPLE else line.own
    slotted = all(_has_slots(each) for each in own)
    known = [each for path in line.outside if (each := standard(path)) is not None]
    if not slotted or (made.kind is not ClassKind.NAMED_TUPLE and any(each.__dictoffset__ for each in known)):
        return True
    return None if _unknown_outside(line) and made.kind is not ClassKind.NAMED_TUPLE else False


def _has_slots(found: ResolvedDeclaration) -> bool:
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


def enum_values(members: Mapping[str, OwnedMember], line: InheritanceLine) -> Mapping[str, str | None]:
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


def enum_text(names: Names, cls: ResolvedDeclaration) -> str:
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


def read_on_class(names: Names, owned: OwnedMember, made: Flavour) -> bool | None:
    """Whether a client reads an attribute on the class itself; None where others decide, or it is no plain one."""
    member, owner = owned.member, owned.owner
    line = names.line(owner)
    if (
        not isinstance(member, Attribute)
        or made.kind not in (ClassKind.PLAIN, ClassKind.DATACLASS, ClassKind.PROTOCOL)
        or _is_slotted(line)
    ):
        return None
    makers = [path for each in line.own for path, _ in decorators_of(each) if path not in DATACLASSES]
    if _unknown_outside(line) or [path for path in makers if path not in UNDERSTOOD] or "property" in member.labels:
        return None
    value = member.value or ""
    if is_dataclass(owner) and member.annotation is not None and re.match(r"(dataclasses\.)?field\(", value):
        return "default=" in value
    return "class-attribute" in member.labels and bool(value)


def _is_slotted(line: InheritanceLine) -> bool:
    """True where slots hold what instances have: then the class has it, too."""
    owners = [each.member for each in line.own if isinstance(each.member, Class)]
    return any("__slots__" in each.members for each in owners) or any(_has_slots(each) for each in line.own)


def asked_of_subclasses(names: Names, cls: ResolvedDeclaration) -> list[str] | None:
    """The keywords that a class statement of a subclass takes (`__init_subclass__`), `name=` for one with a default."""
    owned = names.members(cls).get("__init_subclass__")
    if owned is None or not isinstance(owned.member, Function):
        return None
    given = owned.member.arguments
    behind = given[1:] if given and given[0].kind in (sig.POSITIONAL_ONLY, sig.EITHER) else given
    found = [
        f"{each.name}{'' if each.required else '='}" for each in behind if each.kind in (sig.EITHER, sig.KEYWORD_ONLY)
    ]
    return [*found, *([sig.KEYWORDS] if any(each.kind == sig.KEYWORDS for each in behind) else [])]


def has_members(members: Mapping[str, OwnedMember]) -> bool:
    """True for an enum that can't be inherited from any more."""
    return any(
        isinstance(one.member, Attribute)
        and one.member.value is not None
        and "property" not in one.member.labels
        and not (name.startswith("_") and name.endswith("_"))
        for name, one in members.items()
    )


def matched(names: Names, cls: ResolvedDeclaration) -> str | None:
    """What a class says of patterns by position (`__match_args__`, `match_args=False`), None where it says nothing."""
    for each in names.line(cls).own:
        own = each.member.members.get("__match_args__") if isinstance(each.member, Class) else None
        if isinstance(own, Attribute):
            return own.value
        if is_dataclass(each):
            return None if options_of(each).get("match_args", True) else "()"
    return None


def takes_types(names: Names, cls: ResolvedDeclaration) -> bool:
    """Whether `C[int]` is known to work."""
    line = names.line(cls)
    bases = [base for each in line.own if isinstance(each.member, Class) for base in each.member.bases]
    generic = any(short(base) in ("Generic", "Protocol") and "[" in base for base in bases)
    return generic or "__class_getitem__" in names.members(cls)
