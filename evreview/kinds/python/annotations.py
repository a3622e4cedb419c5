"""Annotations and defaults in one spelling, none ever evaluated; and whether one's values are all another's."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from evreview.core.vocabulary import Tristate
from evreview.kinds.python.names import Names, ResolvedDeclaration, is_type_alias
from evreview.kinds.python.parsed import Attribute, Class, Module

_TYPING: Final = ("typing.", "typing_extensions.", "collections.abc.", "collections.", "builtins.", "types.")
_RENAMED: Final = {
    "List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type",
    "Text": "str", "AbstractSet": "Set", "NoneType": "None", "DefaultDict": "defaultdict", "NoReturn": "Never",
    "IOError": "OSError", "EnvironmentError": "OSError", "Deque": "deque", "ContextManager": "AbstractContextManager",
    "AsyncContextManager": "AbstractAsyncContextManager", "re.Pattern": "Pattern", "re.Match": "Match",
    "dataclasses.InitVar": "InitVar",
    "contextlib.AbstractContextManager": "AbstractContextManager",
    "contextlib.AbstractAsyncContextManager": "AbstractAsyncContextManager",
}  # fmt: skip
_TRANSPARENT: Final = frozenset({"Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar"})
MAX_TEXT: Final = 4_000
_LONGEST_TEXT: Final = 1_000
MAX_MEMBERS: Final = 60
_MAX_ALIASES: Final = 8
ANY: Final = "Any"


@dataclass
class Spelling:
    """Writes the annotations of one library in their normal form.

    Attributes:
        names: what its names stand for.
        shown: the public path of a definition, by its own path.
    """

    names: Names
    shown: Mapping[str, str] = field(default_factory=dict)
    _known: dict[tuple[str, str], str] = field(default_factory=dict)

    def annotation(self, text: str | None, module: Module) -> str | None:
        """The normal form of an annotation as written in a module, None where there is none."""
        if text is None:
            return None
        key = (module.path, text)
        if key not in self._known:
            self._known[key] = self._normal(text, module, 0)
        return self._known[key]

    def _normal(self, text: str, module: Module, depth: int) -> str:
        if len(text) > MAX_TEXT:
            return text
        try:
            tree = ast.parse(text.strip(), mode="eval").body
            return _Writing(self, module, depth).of(tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return text

    def named(self, name: str, module: Module, depth: int) -> str:
        """The normal form of a dotted name used in a module."""
        path = self.names.scope(module, name)
        for opening in _TYPING:
            if path.startswith(opening):
                short = path.removeprefix(opening)
                return short if opening == "collections.abc." and short == "Set" else _RENAMED.get(short, short)
        found = self.names.find(path)
        if not isinstance(found, ResolvedDeclaration):
            return _RENAMED.get(path, path)
        if _is_variable(found):
            return f"~{found.path}"
        if is_type_alias(found) or _is_alias_value(found) or self._names_class(found):
            expanded = self._expanded(found, depth)
            if expanded is not None:
                return expanded
        return self.shown.get(found.path, found.path)

    def _names_class(self, found: ResolvedDeclaration) -> bool:
        """True for `flag = bool` and the like: another name of a class."""
        value = found.member.value if isinstance(found.member, Attribute) else None
        if value is None or not value.replace(".", "").isidentifier():
            return False
        path = self.names.scope(found.module, value)
        target = self.names.find(path)
        is_class = isinstance(target, ResolvedDeclaration) and isinstance(target.member, Class)
        return is_class or isinstance(getattr(builtins, path, None), type)

    def _expanded(self, found: ResolvedDeclaration, depth: int) -> str | None:
        assert isinstance(found.member, Attribute)
        value = found.member.value
        if value is None or depth >= _MAX_ALIASES or len(value) > MAX_TEXT:
            return None
        expanded = self._normal(value, found.module, depth + 1)
        return expanded if len(union_members(expanded)) <= MAX_MEMBERS else None


def _is_alias_value(found: ResolvedDeclaration) -> bool:
    """True for `X = Union[…]`, `X = int | str` and the like: a type without saying so."""
    member = found.member
    return isinstance(member, Attribute) and member.annotation is None and is_alias_text(member)


def is_alias_text(attribute: Attribute) -> bool:
    """True for a variable that is set to what is written like a type."""
    value = attribute.value
    if value is None:
        return False
    if (attribute.annotation or "").endswith("TypeAlias"):
        return True
    if " | " in value:
        return _is_union(union_members(value))
    return value.split("[")[0].split(".")[-1] in (
        "Union", "Optional", "List", "Dict", "Tuple", "Callable", "Literal", "Sequence", "Mapping", "Iterable", "Type",
    )  # fmt: skip


def _is_union(members: list[str]) -> bool:
    """True for `int | None` and the like; flags of other libraries are joined by the same sign."""
    named = all(member.split("[")[0].replace(".", "").isidentifier() for member in members)
    return named and any("[" in one or one == "None" or hasattr(builtins, one) for one in members)


def _is_variable(found: ResolvedDeclaration) -> bool:
    value = found.member.value if isinstance(found.member, Attribute) else None
    called = (value or "").split("(")[0].split(".")[-1]
    return called in ("TypeVar", "ParamSpec", "TypeVarTuple")


class _Writing:
    """Writes one annotation."""

    def __init__(self, spelling: Spelling, module: Module, depth: int) -> None:
        self._spelling, self._module, self._depth = spelling, module, depth

    def of(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str(text)):
                return self.of(ast.parse(text.strip(), mode="eval").body)
            case ast.Constant(value=value):
                return "..." if value is ... else repr(value)
            case ast.Name() | ast.Attribute():
                return self._spelling.named(ast.unparse(node), self._module, self._depth)
            case ast.BinOp(op=ast.BitOr()):
                return union([self.of(node.left), self.of(node.right)])
            case ast.Subscript():
                return self._subscript(node)
            case ast.List():
                return f"[{', '.join(self.of(each) for each in node.elts)}]"
            case ast.Starred():
                return f"*{self.of(node.value)}"
        return ast.unparse(node)

    def _subscript(self, node: ast.Subscript) -> str:
        origin = self.of(node.value)
        members = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if origin == "Literal":
            return f"Literal[{', '.join(sorted({ast.unparse(each) for each in members}))}]"
        if origin == "Union":
            return union([self.of(each) for each in members])
        if origin == "Optional":
            return union([self.of(members[0]), "None"])
        if origin in _TRANSPARENT:
            return self.of(members[0])
        return f"{origin}[{', '.join(self.of(each) for each in members)}]"


def union(members: list[str]) -> str:
    """A union in its normal form: flat, each member once, sorted, `None` last, literals joined."""
    flat = {each for member in members for each in union_members(member)}
    literals = sorted({each for one in flat if one.startswith("Literal[") for each in arguments(one)})
    flat = {one for one in flat if not one.startswith("Literal[")}
    if literals:
        flat.add(f"Literal[{', '.join(literals)}]")
    return " | ".join(sorted(flat, key=lambda one: (one == "None", one)))


def union_members(text: str) -> list[str]:
    """The members of a union in its normal form."""
    return _split(text, " | ")


def arguments(text: str) -> list[str]:
    """What stands between the brackets of a normal form, [] without brackets."""
    start = text.find("[")
    return _split(text[start + 1 : -1], ", ") if 0 <= start < len(text) - 2 else []


@lru_cache(maxsize=4096)
def _parts(text: str, sign: str) -> tuple[str, ...]:
    parts, depth, start, quote, at = [], 0, 0, "", 0
    while at < len(text):
        letter = text[at]
        if quote:
            at += letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "[(":
            depth += 1
        elif letter in "])":
            depth -= 1
        elif depth == 0 and text.startswith(sign, at):
            parts.append(text[start:at])
            at += len(sign) - 1
            start = at + 1
        at += 1
    return (*parts, text[start:])


def _split(text: str, sign: str) -> list[str]:
    return list(_parts(text, sign))


def value_text(text: str, constant: Callable[[str], str | None]) -> str:
    """A default or value in one spelling: quotes, number formats and blanks don't count, known constants are filled in.

    Args:
        text: as written.
        constant: the text of the literal that a name of the module stands for, None for what is no constant.
    """
    spelt, is_name = _spelt(text)
    known = constant(spelt) if is_name else None
    return spelt if known is None else known


@lru_cache(maxsize=16_384)
def _spelt(text: str) -> tuple[str, bool]:
    """A text in one spelling, and whether it is a dotted name."""
    if len(text) > MAX_TEXT:
        return text, False
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        return ast.unparse(tree), isinstance(tree, ast.Name | ast.Attribute)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text, False


def is_literal(text: str) -> bool:
    """True for a text whose value is known without running anything."""
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True


def literal_of(found: object) -> str | None:
    """The literal that a variable is set to, None for anything else."""
    if (
        not isinstance(found, ResolvedDeclaration)
        or isinstance(found.member, Class)
        or not isinstance(found.member, Attribute)
    ):
        return None
    value = found.member.value
    return ast.unparse(ast.parse(value, mode="eval").body) if value is not None and is_literal(value) else None


def written_call(path: str, text: str) -> str:
    """A decorator by its last name, with what it is given."""
    _, sign, given = text.partition("(")
    behind = value_text(f"_{sign}{given}", lambda _: None)[1:] if sign else ""
    return bounded(path.rsplit(".", 1)[-1] + behind)


def bounded(text: str) -> str:
    """A source text, a long one shortened and told apart by its digest."""
    if len(text) <= _LONGEST_TEXT:
        return text
    return f"{text[:_LONGEST_TEXT]}… (sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]})"


# Whether one annotation's values are all values of another one: a small lattice, and unknown where it ends.
#
# Annotations come in their normal form. What is known: unions, `None`, literals, builtins and the abstract classes of
# `collections.abc` with their lines of inheritance, the numeric tower of PEP 484, containers (lists, dicts and sets
# don't vary with their members, tuples and read-only views do), and the classes of the libraries compared. Type
# variables, callables and classes of other libraries are equal or unknown.
#
# Sources of the rules: PEP 483, PEP 484, and "Subtype relationships" of the typing specification.


class KnownClass(NamedTuple):
    """What is known of a class of the libraries compared.

    Attributes:
        ancestors: the classes that it inherits from, by their public names.
        whole: no other ancestors exist.
        structural: it is a protocol, so that classes belong to it without naming it.
    """

    ancestors: frozenset[str]
    whole: bool = True
    structural: bool = False


Classes = Callable[[str], KnownClass | None]

_TOP: Final = frozenset({"Any", "object"})
_BOTTOM: Final = frozenset({"Never"})
_TOWER: Final = {"bool": ("int", "float", "complex"), "int": ("float", "complex"), "float": ("complex",)}
_COVARIANT: Final = frozenset(
    {
        "tuple", "frozenset", "type", "Iterable", "Iterator", "Collection", "Sequence", "Set", "Container",
        "Reversible", "Awaitable", "AsyncIterable", "AsyncIterator", "KeysView", "ValuesView", "ItemsView",
        "AbstractContextManager", "AbstractAsyncContextManager",
    }
)  # fmt: skip
_INVARIANT: Final = frozenset(
    {"list", "dict", "set", "deque", "defaultdict", "MutableSequence", "MutableSet", "MutableMapping"}
)
_VIEWS: Final = frozenset({"Iterable", "Collection", "Container", "Reversible", "Iterator", "Set", "Sequence"})
_OF_ONE: Final = frozenset({"list", "set", "frozenset", "deque", *_VIEWS, "MutableSequence", "MutableSet", "KeysView"})


def nothing_known(name: str) -> KnownClass | None:
    """Knows no class."""
    return None


def is_within(narrow: str, wide: str, classes: Classes = nothing_known) -> Tristate:
    """Whether every value of one annotation is a value of the other: yes, no, or unknown.

    Args:
        narrow, wide: annotations in their normal form.
        classes: what is known of a class by its public name.
    """
    if narrow == wide or wide in _TOP or narrow in _BOTTOM or narrow == "Any":
        return Tristate.YES
    if narrow == "bool" and "Literal[" in wide:
        narrow = "Literal[False, True]"
    members = union_members(narrow)
    if len(members) > 1:
        return all_of(is_within(member, wide, classes) for member in members)
    if narrow.startswith("Literal["):
        return all_of(_literal(value, wide, classes) for value in arguments(narrow))
    return _any(_one(narrow, member, classes) for member in union_members(wide))


def all_of(answers: Iterable[Tristate]) -> Tristate:
    """Yes when every answer is; no when one is, else unknown."""
    found = set(answers)
    return next((answer for answer in (Tristate.NO, Tristate.UNKNOWN) if answer in found), Tristate.YES)


def _any(answers: Iterable[Tristate]) -> Tristate:
    found = set(answers)
    return next((answer for answer in (Tristate.YES, Tristate.UNKNOWN) if answer in found), Tristate.NO)


def _literal(value: str, wide: str, classes: Classes) -> Tristate:
    for member in union_members(wide):
        if member.startswith("Literal[") and value in arguments(member):
            return Tristate.YES
    others = [member for member in union_members(wide) if not member.startswith("Literal[")]
    try:
        kind = type(ast.literal_eval(value)).__name__
    except (ValueError, SyntaxError):
        # A member of an enum: its class decides.
        kind = value.rpartition(".")[0] or value
    kind = "None" if kind == "NoneType" else kind
    return _any(_one(kind, member, classes) for member in others)


def _one(narrow: str, wide: str, classes: Classes) -> Tristate:
    """The question for two annotations of which neither is a union."""
    if narrow == wide or wide in _TOP:
        return Tristate.YES
    if wide.startswith("Literal[") or _is_open(narrow) or _is_open(wide):
        # What a name of another library stands for may be the same literal.
        told = wide.startswith("Literal[") and not _is_open(narrow) and _is_closed(narrow.split("[")[0], classes)
        return Tristate.NO if told else Tristate.UNKNOWN
    origin, other = narrow.split("[")[0], wide.split("[")[0]
    if origin == other:
        return _same_origin(narrow, wide, classes)
    found = _inherits(origin, other, classes)
    if found is not Tristate.YES or "[" not in wide:
        return found
    inner = _as_members(narrow, origin, other)
    outer = arguments(wide)
    if inner is None or len(inner) != len(outer):
        return Tristate.UNKNOWN
    return _members(other, inner, outer, classes)


def _is_open(text: str) -> bool:
    """True for what only a checker with the whole program can answer."""
    return text.startswith("~") or text in ("Self", "LiteralString", "AnyStr") or text.split("[")[0] == "Callable"


def _same_origin(narrow: str, wide: str, classes: Classes) -> Tristate:
    inner, outer = arguments(narrow), arguments(wide)
    if not inner or not outer:
        return Tristate.YES
    origin = narrow.split("[")[0]
    if origin == "tuple":
        inner, outer = _aligned(inner, outer)
    if len(inner) != len(outer):
        return Tristate.NO if origin == "tuple" else Tristate.UNKNOWN
    return _members(origin, inner, outer, classes)


def _aligned(inner: list[str], outer: list[str]) -> tuple[list[str], list[str]]:
    """The members of two tuples, those of any length written out."""
    if outer[-1:] == ["..."] and inner[-1:] == ["..."]:
        return inner[:1], outer[:1]
    if outer[-1:] == ["..."]:
        return inner, [outer[0]] * len(inner)
    return inner, outer


def _members(origin: str, inner: list[str], outer: list[str], classes: Classes) -> Tristate:
    covariant = origin in _COVARIANT
    if origin in ("Mapping", "Coroutine", "Generator", "AsyncGenerator"):
        # What is sent in varies the other way; equal or covariant at the end is what is known.
        firsts = Tristate.YES if inner[:-1] == outer[:-1] else Tristate.UNKNOWN
        return all_of([firsts, is_within(inner[-1], outer[-1], classes)])
    there = [is_within(one, two, classes) for one, two in zip(inner, outer, strict=True)]
    if covariant:
        return all_of(there)
    if origin not in _INVARIANT:
        return Tristate.YES if inner == outer else Tristate.UNKNOWN
    back = [is_within(two, one, classes) for one, two in zip(inner, outer, strict=True)]
    return all_of([*there, *back])


def _as_members(narrow: str, origin: str, other: str) -> list[str] | None:
    """What the members of an annotation are when it is looked at as one of its ancestors; None where nobody knows."""
    inner = arguments(narrow)
    if not inner:
        return ["str"] if origin == "str" and other in _VIEWS else ["int"] if origin == "bytes" else None
    if origin in _OF_ONE and other in _OF_ONE:
        return inner
    if origin == "tuple" and other in _VIEWS:
        kinds = {each for each in inner if each != "..."}
        return [next(iter(kinds))] if len(kinds) == 1 else None
    if origin in ("dict", "defaultdict", "Mapping", "MutableMapping"):
        return inner if other in ("dict", "Mapping", "MutableMapping") else inner[:1] if other in _VIEWS else None
    if origin in ("Iterator", "Generator") and other in ("Iterator", "Iterable"):
        return inner[:1]
    if origin == "Coroutine" and other == "Awaitable":
        return inner[-1:]
    return None


def _inherits(narrow: str, wide: str, classes: Classes) -> Tristate:
    if wide in _TOWER.get(narrow, ()):
        return Tristate.YES
    if "None" in (narrow, wide):
        other_side = wide if narrow == "None" else narrow
        closed = Tristate.NO if _is_closed(other_side, classes) else Tristate.UNKNOWN
        return Tristate.YES if narrow == "None" and wide == "Hashable" else closed
    own, other = _known_class(narrow), _known_class(wide)
    if own is not None and other is not None:
        return Tristate.YES if issubclass(own, other) else Tristate.NO
    known, theirs = classes(narrow), classes(wide)
    if known is not None and (wide in known.ancestors or _by_ancestor(known, other)):
        return Tristate.YES
    if theirs is not None and theirs.structural:
        return Tristate.UNKNOWN
    nominal = theirs is not None or (other is not None and other.__module__ == "builtins")
    certain = own is not None or (known is not None and known.whole)
    return Tristate.NO if nominal and certain else Tristate.UNKNOWN


def _by_ancestor(known: KnownClass, wide: type | None) -> bool:
    ancestors = (_known_class(name) for name in known.ancestors)
    return wide is not None and any(each is not None and issubclass(each, wide) for each in ancestors)


def _is_closed(name: str, classes: Classes) -> bool:
    """True for a class that `None` is certainly no member of."""
    if name == "None":
        return True
    found, known = _known_class(name), classes(name)
    return found is not None or (known is not None and not known.structural)


def _known_class(name: str) -> type | None:
    """A class of Python itself: builtins, and the abstract classes of containers."""
    found = getattr(builtins, name, None) or getattr(collections.abc, name, None)
    if name in ("deque", "defaultdict", "OrderedDict", "Counter"):
        found = getattr(collections, name)
    return found if isinstance(found, type) else None
