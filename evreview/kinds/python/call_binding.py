"""Which calls a signature takes, by Python's own rules; one side's library asked by name; and overloads.

Nothing is imported to find out. Source: The Python Language Reference, 6.3.4 Calls. A call is its number of positional
values and its keywords.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import count
from typing import Final, NamedTuple

from evreview.comparison.kind_spec import WitnessJudgement
from evreview.contract.model import Contract, Element, ElementKind, Facet
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ABSENT, Absent, Aspect, Form, Tristate
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.annotations import Classes, KnownClass, all_of, arguments, is_within, union_members
from evreview.kinds.python.classes import ClassKind
from evreview.kinds.python.names import ancestors_of, standard
from evreview.kinds.python.parsed import ANY_NAME, LoadedBy
from evreview.kinds.python.rules_packaging import floor_of


class Parameter(NamedTuple):
    """One parameter: its name, its kind by the words of `signatures`, and whether a call has to give it."""

    name: str
    kind: str
    required: bool

    @property
    def positional(self) -> bool:
        """True when a value may be given to it by position."""
        return self.kind in (sig.POSITIONAL_ONLY, sig.EITHER)

    @property
    def keyword(self) -> bool:
        """True when a value may be given to it by name."""
        return self.kind in (sig.EITHER, sig.KEYWORD_ONLY)


class Call(NamedTuple):
    """A call: how many values by position, and which names."""

    positional: int
    keywords: tuple[str, ...] = ()


EMPTY = Call(0)


@frozen
class CallBinding:
    """What a signature makes of a call.

    Attributes:
        values: the parameter of each positional value, then of each keyword, in the order of the call.
        roles: the same, `*` and `**` in place of what a signature calls those two.
        error: why it is refused, as Python says it; "" when it binds.
    """

    values: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    error: str = field(default="")

    @property
    def shown(self) -> tuple[str, ...]:
        """The parameters as a signature writes them, with their stars."""
        stars = (role if role in (sig.REST, sig.KEYWORDS) else "" for role in self.roles)
        return tuple(star + name for star, name in zip(stars, self.values, strict=True))


@dataclass(frozen=True)
class Signature:
    """The parameters of a callable, in order, and what binding asks of them."""

    parameters: tuple[Parameter, ...] = ()

    @cached_property
    def places(self) -> tuple[Parameter, ...]:
        """Those that take a value by position, in order."""
        return tuple(each for each in self.parameters if each.positional)

    @cached_property
    def named(self) -> Mapping[str, Parameter]:
        """Those that take a value by name."""
        return {each.name: each for each in self.parameters if each.keyword}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Those that a call has to give."""
        return tuple(each.name for each in self.parameters if each.required)

    @cached_property
    def rest(self) -> str:
        """The name of `*args`, "" without it."""
        return next((each.name for each in self.parameters if each.kind == sig.REST), "")

    @cached_property
    def swallow(self) -> str:
        """The name of `**kwargs`, "" without it."""
        return next((each.name for each in self.parameters if each.kind == sig.KEYWORDS), "")


def signature_of(element: Element | None) -> Signature | None:
    """The signature of a function, method or class, None where another library decides it."""
    if element is None or element.facet(sig.IS) not in (sig.FUNCTION, sig.METHOD, sig.CLASS):
        return None
    if element.facet(sig.IS) == sig.CLASS and element.facet(sig.CONSTRUCTOR) != sig.KNOWN:
        return None
    return declared_signature(element)


def declared_signature(element: Element) -> Signature:
    """The signature that the arguments below an element make."""
    return Signature(
        tuple(
            Parameter(child.name, str(child.facet(sig.KIND)), _is_required(child))
            for child in element.children
            if child.kind is ElementKind.ARGUMENT
        )
    )


def _is_required(element: Element) -> bool:
    rest = element.facet(sig.KIND) in (sig.REST, sig.KEYWORDS)
    return not rest and isinstance(element.facet(sig.DEFAULT), Absent)


def bind(signature: Signature, call: Call) -> CallBinding:
    """What a signature makes of a call."""
    places = signature.places
    if call.positional > len(places) and not signature.rest:
        return CallBinding(error=f"takes {_counted(len(places))} but {call.positional} were given")
    values = [each.name for each in places[: call.positional]]
    taken = set(values)
    roles = [*values, *[sig.REST] * (call.positional - len(values))]
    values += [signature.rest] * (call.positional - len(values))
    for keyword in call.keywords:
        if keyword in signature.named and keyword in taken:
            return CallBinding(error=f"got multiple values for argument '{keyword}'")
        if keyword in signature.named:
            taken.add(keyword)
            values.append(keyword)
            roles.append(keyword)
        elif signature.swallow:
            values.append(signature.swallow)
            roles.append(sig.KEYWORDS)
        else:
            return CallBinding(error=f"got an unexpected keyword argument '{keyword}'")
    lacking = [name for name in signature.required if name not in taken]
    if lacking:
        names = " and ".join(map(repr, lacking))
        return CallBinding(error=f"missing {len(lacking)} required argument{'s' * (len(lacking) > 1)}: {names}")
    return CallBinding(tuple(values), tuple(roles))


def _counted(number: int) -> str:
    return f"{number} positional argument{'' if number == 1 else 's'}"


def typical_calls(signature: Signature, other: Signature | None = None) -> Iterator[Call]:
    """Calls that a signature takes, enough to tell it from another one, the shortest first.

    A call is refused for too many values, for one missing, one given twice or one unknown. Each of these shows with
    some number of values by position, the required rest by name, and at most one name more.

    Args:
        other: the one to tell it from; names and places that only it has matter where `*args` and `**kwargs` are.
    """
    against = other or Signature()
    only = [each for each in signature.parameters if each.kind == sig.KEYWORD_ONLY]
    most = max(len(signature.places), len(against.places)) + 1 if signature.rest else len(signature.places)
    extra = _swallowed(signature, against) if signature.swallow else ()
    found: dict[Call, None] = {}
    for given in range(most + 1):
        beyond = signature.places[given:]
        if any(each.required and not each.keyword for each in beyond):
            continue
        open_names = [*beyond, *only]
        needed = tuple(each.name for each in open_names if each.required)
        more = [each.name for each in open_names if each.keyword and not each.required]
        found[Call(given, needed)] = None
        for name in (*more, *extra):
            found[Call(given, (*needed, name))] = None
    yield from sorted(found, key=lambda call: (call.positional + len(call.keywords), len(call.keywords), call))


def _swallowed(signature: Signature, other: Signature) -> tuple[str, ...]:
    """Names that `**kwargs` takes in: one that no parameter has, and those that only the other one knows."""
    names = {each.name: each for one in (signature, other) for each in one.parameters}
    fresh = next(name for at in range(len(names) + 1) if (name := f"other{at or ''}") not in names)
    theirs = (each.name for one in (signature, other) for each in one.places + tuple(one.named.values()))
    return (fresh, *dict.fromkeys(name for name in theirs if name not in signature.named))


class RefusedCall(NamedTuple):
    """A call that one signature takes, and what another makes of it."""

    call: Call
    before: CallBinding
    after: CallBinding


@lru_cache(maxsize=1024)
def refused_calls(released: Signature, candidate: Signature) -> tuple[RefusedCall, ...]:
    """Typical calls of the released signature that the candidate refuses; none when it takes every call."""
    return tuple(each for each in _compared(released, candidate) if each.after.error)


@lru_cache(maxsize=1024)
def rebound_calls(released: Signature, candidate: Signature) -> tuple[RefusedCall, ...]:
    """Typical calls that both take, and that give a value to another parameter: of another name, or `*` or `**`."""
    return tuple(
        each
        for each in _compared(released, candidate)
        if not each.after.error and each.before.roles != each.after.roles
    )


def _compared(released: Signature, candidate: Signature) -> Iterator[RefusedCall]:
    if released == candidate:
        return
    for call in typical_calls(released, candidate):
        yield RefusedCall(call, bind(released, call), bind(candidate, call))


# One side's library, asked by name: what stands for a name, and what is known of a class.


_OF_OBJECT: Final = frozenset(
    {"__delattr__", "__dir__", "__format__", "__ne__", "__reduce__", "__reduce_ex__", "__repr__", "__setattr__",
     "__sizeof__", "__str__"}
)  # fmt: skip
_OF_DICT: Final = ancestors_of("dict")


@dataclass(frozen=True)
class Library:
    """The public names of one contract."""

    contract: Contract

    @cached_property
    def names(self) -> Mapping[str, Element]:
        """Every public name, by its dotted path."""
        return {element.key: element for element in self.contract.operations}

    @cached_property
    def modules(self) -> Mapping[str, Element]:
        """Every public module, by its dotted path."""
        return {one.key: one for one in self.contract.root.children if one.kind is ElementKind.MODULE}

    def module_of(self, name: str) -> str:
        """The module at the start of a dotted name, "" for a single file."""
        steps = name.split(".")
        above = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
        return next((path for path in above if path in self.modules), "")

    def class_of(self, name: str) -> Element | None:
        """The class that a member belongs to."""
        found = self.names.get(name.rpartition(".")[0])
        return found if found is not None and found.facet(sig.IS) == sig.CLASS else None

    def is_dynamic(self, name: str) -> bool:
        """True when the module or class around a name makes names at run time."""
        owner = self.names.get(name.rpartition(".")[0]) or self.modules.get(self.module_of(name))
        return owner is not None and owner.facet(sig.DYNAMIC) is True

    def may_answer(self, name: str) -> bool:
        """True when a module may answer a name: its `__getattr__` mentions it, or may answer any."""
        around, _, last = name.rpartition(".")
        module = self.modules.get(around)
        told = texts(module.facet(sig.MENTIONED)) if module is not None else []
        return last in told or ANY_NAME in told

    def is_perhaps(self, name: str) -> bool:
        """True when a condition decides whether a name, or what is around it, is there."""
        steps = name.split(".")
        around = (self.names.get(".".join(steps[:length])) for length in range(1, len(steps) + 1))
        return any(one is not None and one.facet(sig.PERHAPS) is True for one in around)

    def is_set_later(self, name: str) -> bool:
        """True when a function of the library sets the member on its class, or on one that it inherits from."""
        owner = self.class_of(name)
        return owner is not None and name.rpartition(".")[2] in texts(owner.facet(sig.SET_LATER))

    def is_opaque(self, name: str) -> bool:
        """True when decorators decide how a function is called."""
        element = self.names.get(name)
        return element is not None and element.facet(sig.OPAQUE) is True

    def decorators(self, name: str) -> list[str]:
        """The decorators of a function that make another one of it, or may."""
        element = self.names.get(name)
        return [
            text for each in (sig.DECORATORS, sig.WRAPPED) for text in texts(element.facet(each) if element else None)
        ]

    def is_borrowed(self, name: str) -> bool:
        """True when another library may give what stands for a name."""
        element = self.names.get(name)
        return element is not None and element.facet(sig.BORROWED) is True

    def borrows(self, name: str) -> bool:
        """True when a base of a class, and so how it is called, may be what another library gives."""
        element = self.names.get(name)
        return element is not None and element.facet(sig.BORROWS) is True

    def may_have_metaclass(self, name: str) -> bool:
        """True when a class names no metaclass, and a base of another library may have one."""
        element = self.names.get(name)
        if element is None or element.facet(sig.METACLASS) != "type":
            return False
        return any(standard(one) is None for one in texts(element.facet(sig.OPEN)))

    def may_inherit(self, name: str) -> str:
        """The bases of other libraries and of Python itself that may have a member, "" for none."""
        owner = self.class_of(name)
        if owner is None:
            return ""
        member = name.rpartition(".")[2]
        own = [one for one in texts(owner.facet(sig.ANCESTORS)) if hasattr(getattr(builtins, one, None), member)]
        plain = [] if not hasattr(object, member) else ["object"]
        outside = [one for one in texts(owner.facet(sig.OPEN)) if _may_have(one, member)]
        return ", ".join([*outside, *own, *plain])

    def has_from_standard(self, name: str) -> bool:
        """True when a class of Python itself, other than `object`, gives a class the member."""
        owner, member = self.class_of(name), name.rpartition(".")[2]
        ancestors = texts(owner.facet(sig.ANCESTORS)) if owner is not None else []
        return any(hasattr(standard(one), member) for one in ancestors if standard(one)) and not hasattr(object, member)

    def has_from_object(self, name: str) -> bool:
        """True when every class has the member and does something by it: `object` has no order of its own."""
        return self.class_of(name) is not None and name.rpartition(".")[2] in _OF_OBJECT

    def inherits(self, name: str, ancestor: str) -> bool:
        """True when a class inherits from what another name of the library leads to, wherever that is defined."""
        element, target = self.names.get(name), self.names.get(ancestor)
        return element is not None and target is not None and target.name in texts(element.facet(sig.LINEAGE))

    def known(self, name: str) -> KnownClass | None:
        """What is known of a class, None for what the library does not define."""
        element = self.names.get(name)
        if element is None or element.facet(sig.IS) != sig.CLASS:
            return None
        ancestors = texts(element.facet(sig.ANCESTORS))
        whole = all(one in self.names or standard(one) is not None for one in ancestors)
        whole = whole and all(standard(one) is not None for one in texts(element.facet(sig.OPEN)))
        if element.facet(sig.FLAVOUR) == ClassKind.TYPED_DICT:
            # A type checker takes it for no `dict`, though its values are (typing specification, "Typed dictionaries").
            ancestors = [one for one in ancestors if one not in _OF_DICT] + ["Mapping"]
        return KnownClass(frozenset(ancestors), whole, element.facet(sig.FLAVOUR) == ClassKind.PROTOCOL)

    def demanded(self, name: str) -> list[str]:
        """The members that whoever implements a class has to have."""
        inside = f"{name}."
        return sorted(
            key.removeprefix(inside)
            for key, element in self.names.items()
            if key.startswith(inside) and "." not in key.removeprefix(inside) and element.facet(sig.DEMANDED)
        )


def _may_have(path: str, member: str) -> bool:
    """Whether a base of another library may have a member; of Python's own classes it is known."""
    module, _, name = path.partition("[")[0].rpartition(".")
    if name == "NamedTuple" and module in ("typing", "typing_extensions"):
        return hasattr(tuple, member) or member in ("_asdict", "_fields", "_make", "_replace", "_field_defaults")
    if name == "TypedDict" and module in ("typing", "typing_extensions"):
        return hasattr(dict, member)
    known = standard(path)
    return known is None or hasattr(known, member)


def texts(form: Form | None) -> list[str]:
    """The texts of a list, none for anything else."""
    return [str(each) for each in form] if isinstance(form, list | tuple) else []


# What a library as a whole says to a use: where it is installed, what it loads, which commands it brings.


def yes(says: str) -> WitnessJudgement:
    """The use is taken."""
    return WitnessJudgement(accepted=Tristate.YES, says=says)


def no(says: str) -> WitnessJudgement:
    """The use is refused."""
    return WitnessJudgement(accepted=Tristate.NO, says=says)


def open_(says: str) -> WitnessJudgement:
    """Nobody knows without running it."""
    return WitnessJudgement(accepted=Tristate.UNKNOWN, says=says)


def installed(library: Library, python: str) -> WitnessJudgement:
    """Whether a version of Python is admitted."""
    floor = floor_of(library.contract.root.facet(sig.REQUIRES_PYTHON) or "")
    asked = tuple(int(part) for part in python.split("."))
    if floor is None:
        return open_("the versions that it runs on are not a plain floor")
    if floor and floor[: len(asked)] > asked:
        return no(f"requires Python {'.'.join(map(str, floor[:2]))} or later")
    return yes(f"Python {python} is admitted")


def loaded(library: Library, name: str) -> WitnessJudgement:
    """Whether an import of the package around a module gives the module."""
    module, last = library.modules.get(name), name.rpartition(".")[2]
    found = module.facet(sig.LOADED) if module is not None else LoadedBy.NOT
    if found in (LoadedBy.BY_PACKAGE, LoadedBy.IN_PASSING):
        return yes(f"the package loads {last}")
    if found == LoadedBy.PERHAPS:
        return open_(f"whether something loads {last} is not told")
    return no(f"AttributeError: module {name.rpartition('.')[0]!r} has no attribute {last!r}")


def pointed(library: Library, point: str) -> WitnessJudgement:
    """Whether an entry point is declared."""
    listed = library.contract.root.facet(sig.ENTRY_POINTS)
    if not isinstance(listed, list):
        return open_("no metadata say which entry points there are")
    return yes(f"{point} is declared") if point in texts(listed) else no(f"{point}: not found")


def run(library: Library, package: str) -> WitnessJudgement:
    """Whether `python -m` runs a package."""
    listed = (library.contract.root, *library.modules.values())
    if any(one.facet(sig.RUN) == package for one in listed):
        return yes(f"{package} has a __main__")
    return no(f"No module named {package}.__main__; {package!r} is a package and cannot be directly executed")


def scripted(library: Library, module: str) -> WitnessJudgement:
    """Whether a module does more when it is run than when it is loaded."""
    listed = (library.contract.root, *library.modules.values())
    if any(one.facet(sig.SCRIPT) == module for one in listed):
        return yes(f"{module} does something when it is run")
    return no(f"{module} is loaded, and nothing is run")


def checked(library: Library, _: str) -> WitnessJudgement:
    """Whether a type checker reads the annotations."""
    if library.contract.root.facet(sig.TYPED) is True:
        return yes("the library is marked as typed")
    return no("a type checker: missing library stubs or py.typed marker")


# What a type checker makes of a function's overloads: it takes the first one that a call fits.
#
# Source: Typing specification, "Overloads". Types are compared by `annotations`.


_APART: Final = ("bool", "int", "str", "bytes", "float", "complex", "list", "dict", "set", "tuple", "None")
"""Builtins of which no value is one of another; `bool` is an `int`, and an `int` is taken for a `float`."""
_PLACED: Final = (sig.POSITIONAL_ONLY, sig.REST)
MAX_PIECES: Final = 500
"""So many calls of one overload are told apart; what is left then is not known."""
_NEAR: Final = ({"bool", "int", "float", "complex"},)


def overloads_of(library: Library, name: str) -> Mapping[str, Element]:
    """The overloads of a name, by what they take and give, in order."""
    element = library.names.get(name)
    children = element.children if element is not None else ()
    return {child.key: child for child in children if child.kind is ElementKind.OVERLOAD}


def covers(wide: Element, narrow: Element, classes: Classes) -> Tristate:
    """Whether one overload takes every call that another one takes, and gives nothing that it does not."""
    answers = {_takes(wide, narrow, classes)}
    answers.add(is_within(_type(wide.facet(sig.RETURNS)), _type(narrow.facet(sig.RETURNS)), classes))
    return next((answer for answer in (Tristate.NO, Tristate.UNKNOWN) if answer in answers), Tristate.YES)


def _takes(wide: Element, narrow: Element, classes: Classes) -> Tristate:
    """Whether one overload takes every call that another one takes."""
    if refused_calls(declared_signature(narrow), declared_signature(wide)):
        return Tristate.NO
    theirs = {child.key: child for child in wide.children}
    by_place = [child for child in wide.children if child.facet(sig.KIND) in (sig.POSITIONAL_ONLY, sig.EITHER)]
    answers = set[Tristate]()
    for at, child in enumerate(narrow.children):
        placed = child.facet(sig.KIND) == sig.POSITIONAL_ONLY and at < len(by_place)
        other = by_place[at] if placed else theirs.get(child.key)
        theirs_is = other.facet(sig.ANNOTATION) if other is not None else None
        answers.add(is_within(_type(child.facet(sig.ANNOTATION)), _type(theirs_is), classes))
    return next((answer for answer in (Tristate.NO, Tristate.UNKNOWN) if answer in answers), Tristate.YES)


def jointly(several: Iterable[Element], narrow: Element, classes: Classes) -> bool:
    """True when overloads together may take what one took.

    A type checker tries each member of a union by itself, and a call that leaves an argument out is one of its own.
    """
    wide = list(several)
    tries = count(1)

    def taken(piece: Element, keys: list[str]) -> bool:
        if next(tries) > MAX_PIECES or any(covers(one, piece, classes) is not Tristate.NO for one in wide):
            return True
        for at, key in enumerate(keys):
            pieces = _pieces(piece, key)
            if len(pieces) > 1:
                return all(taken(each, keys[at + 1 :]) for each in pieces)
        return False

    return taken(narrow, [child.key for child in narrow.children])


def _pieces(overload: Element, key: str) -> list[Element]:
    """The overload for each kind of value that an argument may have, and for calls that leave the argument out."""
    at = next((at for at, child in enumerate(overload.children) if child.key == key), None)
    if at is None or overload.children[at].facet(sig.KIND) in (sig.REST, sig.KEYWORDS):
        return [overload]
    child = overload.children[at]
    parts = [part for member in union_members(_type(child.facet(sig.ANNOTATION))) for part in _values(member)]
    given = [_with(overload, at, _given(child, part)) for part in parts]
    return given if _is_required(child) else [_without(overload, at), *given]


def _values(member: str) -> list[str]:
    if member == "bool":
        return ["Literal[False]", "Literal[True]"]
    return [f"Literal[{each}]" for each in arguments(member)] if member.startswith("Literal[") else [member]


def _given(argument: Element, text: str) -> Element:
    """The argument with another annotation, given by every call."""
    kept = [one for one in argument.facets if one.name not in (sig.ANNOTATION, sig.DEFAULT)]
    given = (Facet(sig.DEFAULT, Aspect.DEFAULTS, ABSENT), Facet(sig.ANNOTATION, Aspect.TYPES, text))
    return replace(argument, facets=(*kept, *given))


def _with(overload: Element, at: int, child: Element) -> Element:
    return replace(overload, children=(*overload.children[:at], child, *overload.children[at + 1 :]))


def _without(overload: Element, at: int) -> Element:
    """The overload of calls that leave an argument out; those behind it can't be given by position then."""
    before, behind = overload.children[:at], overload.children[at + 1 :]
    if overload.children[at].facet(sig.KIND) in (sig.POSITIONAL_ONLY, sig.EITHER):
        behind = tuple(map(_by_name, (one for one in behind if one.facet(sig.KIND) not in _PLACED)))
    return replace(overload, children=(*before, *behind))


def _by_name(argument: Element) -> Element:
    if argument.facet(sig.KIND) != sig.EITHER:
        return argument
    return replace(
        argument,
        facets=tuple(one._replace(value=sig.KEYWORD_ONLY) if one.name == sig.KIND else one for one in argument.facets),
    )


def keeps(first: Element, second: Element, classes: Classes) -> Tristate:
    """Whether calls that fit a second overload give what it says although another one comes before it now."""
    gives = is_within(_type(first.facet(sig.RETURNS)), _type(second.facet(sig.RETURNS)), classes)
    if gives is Tristate.YES or _apart(first, second):
        return Tristate.YES
    meet = Tristate.YES in (_takes(first, second, classes), _takes(second, first, classes))
    return Tristate.NO if meet and gives is Tristate.NO else Tristate.UNKNOWN


def reordered(released: Mapping[str, Element], candidate: Mapping[str, Element], classes: Classes) -> Tristate:
    """Whether the overloads that both sides have give what they gave, in their new order."""
    old, new = [key for key in released if key in candidate], [key for key in candidate if key in released]
    swapped = [
        (first, second)
        for at, first in enumerate(new)
        for second in new[at + 1 :]
        if old.index(second) < old.index(first)
    ]
    return all_of(keeps(candidate[first], released[second], classes) for first, second in swapped)


def inserted(key: str, sides: tuple[Mapping[str, Element], Mapping[str, Element]], classes: Classes) -> Tristate:
    """Whether the overloads behind a new one give what they gave; `sides` are the released and the candidate ones."""
    released, candidate = sides
    order = list(candidate)
    behind = [each for each in order[order.index(key) + 1 :] if each in released] if key in candidate else []
    return all_of(keeps(candidate[key], released[each], classes) for each in behind)


def _apart(first: Element, second: Element) -> bool:
    """True when some argument that every call gives has types of which none is one of the other's."""
    theirs = {child.key: child for child in second.children}
    for child in first.children:
        other = theirs.get(child.key)
        if other is None or not (_is_required(child) and _is_required(other)):
            continue
        types = [set(union_members(_type(each.facet(sig.ANNOTATION)))) for each in (child, other)]
        near = any(types[0] & each and types[1] & each for each in _NEAR)
        if types[0] | types[1] <= set(_APART) and not near and not types[0] & types[1]:
            return True
    return False


def _type(form: Form | None) -> str:
    return form if isinstance(form, str) else "Any"
