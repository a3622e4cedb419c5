"""The public names of a library as elements: each name that a client may write is one operation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.core.vocabulary import Aspect, Form, Json, Role
from evreview.kinds.python import classes
from evreview.kinds.python import classes as abilities
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.annotations import Spelling, bounded, value_text
from evreview.kinds.python.callables import Writer, added_attributes, overload_order, positional_order, receiving
from evreview.kinds.python.classes import Flavour
from evreview.kinds.python.generated_constructors import is_transformed
from evreview.kinds.python.names import (
    Names,
    OwnedMember,
    PublicName,
    ResolvedDeclaration,
    is_hidden,
    is_private,
    on_classes,
    relayed_names,
)
from evreview.kinds.python.parsed import ANY_NAME, Alias, Attribute, Class, Declared, Function, Loaded, Module

_CALLED: Final = frozenset({"__init__", "__new__"})
_NOT_MEMBERS: Final = _CALLED | {
    "__slots__",
    "__doc__",
    "__module__",
    "__dict__",
    "__weakref__",
    "__annotations__",
    "__hash__",
    "__init_subclass__",
    "__match_args__",
}
_MAX_DEPTH: Final = 4
_FILE: Final = "module"
_WRAPPED: Final = re.compile(r"(staticmethod|classmethod)\((\w+)\)")


class Part(NamedTuple):
    """What is said of a definition, under whatever names it is public."""

    facets: tuple[Facet, ...]
    children: tuple[Element, ...]


@dataclass
class PublicSurface:
    """The elements of one library.

    Attributes:
        names, writer: its names, and how their parts are written.
        shown: the public path of each definition.
        parts: what is said of a class or member already.
        relayed: the first name by which a module hands a private definition on.
        loaded: which modules an import of a package loads besides.
        later: what functions set on classes.
        runs: the packages that `python -m` runs.
    """

    names: Names
    writer: Writer
    shown: Mapping[str, str]
    parts: dict[tuple[str, str], Part] = field(default_factory=dict)
    relayed: dict[str, str] = field(default_factory=dict)
    loaded: Loaded = field(default_factory=lambda: Loaded({}))
    later: Mapping[str, frozenset[str]] = field(default_factory=dict)
    runs: frozenset[str] = frozenset()

    @classmethod
    def of(cls, names: Names, runs: frozenset[str] = frozenset()) -> PublicSurface:
        """The surface of the library with these names."""
        shown = _shown(names.public)
        return cls(
            names,
            Writer(names, Spelling(names, shown)),
            shown,
            loaded=Loaded(names.modules, names.prefix),
            later=on_classes(names),
            runs=runs,
        )

    def elements(self) -> Iterator[Element]:
        """The public modules, then the public names, each key once."""
        seen: set[str] = set()
        for module in self.names.public_modules:
            if module.path:
                yield self._module(module)
        for public in self.names.public:
            for element in self._public(public):
                if element.key not in seen:
                    seen.add(element.key)
                    yield element

    def _module(self, module: Module) -> Element:
        dynamic = any("__getattr__" in each.members or self.names.open_stars(each) for each in self._told(module))
        facets = (
            Facet(sig.DYNAMIC, Aspect.NAMES, dynamic, on_wire=False),
            *self._loading(module),
            *self.running(module),
            *untold(self.names, module.path),
            *self.answered(module),
        )
        relays = {one.key: one for public in relayed_names(self.names, module) for one in self._relayed(public)}
        return Element(
            kind=ElementKind.MODULE,
            key=module.path,
            name=module.path,
            aspect=Aspect.NAMES,
            place=Place.at_line(module.file, 1),
            role=Role.SIGNATURE,
            facets=facets,
            children=tuple(relays.values()),
        )

    def _told(self, module: Module) -> Iterator[Module]:
        """A public module, and those that it hands on under other names."""
        yield module
        for member in self.names.bound(module).values():
            found = self.names.find(member.target) if isinstance(member, Alias) else None
            if isinstance(found, Module) and is_hidden(found.path):
                yield found

    def answered(self, module: Module) -> Iterator[Facet]:
        """What makes names when they are asked for: `__getattr__`, and star imports of other libraries."""
        told = list(self._told(module))
        found = [bounded(each.answers.text) for each in told if each.answers.text]
        stars = [f"from {star} import *" for each in told for star in self.names.open_stars(each)]
        if found or stars:
            mentioned = {name for each in told for name in each.answers.mentioned} | ({ANY_NAME} if stars else set())
            yield Facet(sig.ANSWERED, Aspect.NAMES, list[Json]([*found, *stars]))
            yield Facet(sig.MENTIONED, Aspect.NAMES, list[Json](sorted(mentioned)), on_wire=False)

    def running(self, module: Module) -> Iterator[Facet]:
        """The name by which `python -m` runs a package with a `__main__`, or a module that does more than load."""
        if module.path in self.runs:
            path = ".".join(filter(None, (self.names.prefix, module.path)))
            yield Facet(sig.RUN, Aspect.NAMES, path)
        if module.script and not module.package:
            # A single file has no name of its own.
            path = ".".join(filter(None, (self.names.prefix, module.path))) if module.path else _FILE
            yield Facet(sig.SCRIPT, Aspect.NAMES, path)

    def _loading(self, module: Module) -> Iterator[Facet]:
        package = self.names.modules.get(module.path.rpartition(".")[0])
        if package is not None and not self.names.is_shadowed(module.path):
            yield Facet(sig.LOADED, Aspect.NAMES, self.loaded.state(module.path).value)

    def _relayed(self, public: PublicName) -> Iterator[Element]:
        """A relay as the name that it stands for; whole where no other name leads to the definition."""
        first = self.shown.get(public.found.path) if public.found is not None else None
        if public.found is not None and first is None:
            first = self.relayed.setdefault(public.found.path, public.key)
        if first is None or first == public.key:
            yield from self._public(public)
            return
        listed = Facet(sig.LISTED, Aspect.NAMES, public.listed)
        stands_for = Facet(sig.STANDS_FOR, Aspect.NAMES, first, on_wire=False)
        yield _operation(public.key, first, public.bound, Part((stands_for, listed), ()))

    def _public(self, public: PublicName) -> Iterator[Element]:
        listed = Facet(sig.LISTED, Aspect.NAMES, public.listed)
        more = (listed, *_perhaps(public.bound))
        if public.found is None:
            target: Form = getattr(public.bound, "target", "")
            facets = (Facet(sig.IS, Aspect.NAMES, sig.OUTSIDE), Facet(sig.TARGET, Aspect.NAMES, target, on_wire=False))
            yield _operation(public.key, public.key, public.bound, Part((*facets, listed), ()), more[1:])
            return
        yield from self._named(public.key, public.found, more, 0)

    def _named(self, key: str, found: ResolvedDeclaration, more: tuple[Facet, ...], depth: int) -> Iterator[Element]:
        member = found.member
        if isinstance(member, Class):
            made = classes.flavour(member, self.names.line(found))
            if (found.path, "") not in self.parts:
                self.parts[found.path, ""] = self._class(found, made)
            yield _operation(key, found.path, member, self.parts[found.path, ""], more)
            if depth < _MAX_DEPTH:
                yield from self._members(key, found, made, depth)
        elif isinstance(member, Function):
            facets = (
                Facet(sig.IS, Aspect.NAMES, sig.FUNCTION),
                *self.writer.function(member, found.module, method=False),
            )
            yield _operation(key, found.path, member, self._called(facets, member, found.module, 0), more)
            for name, attribute in {**added_attributes(member), **member.attributes}.items():
                if not is_private(name):
                    inner = ResolvedDeclaration(f"{found.path}.{name}", found.module, attribute)
                    yield from self._named(f"{key}.{name}", inner, (), depth)
        elif isinstance(member, Attribute):
            is_ = Facet(sig.IS, Aspect.NAMES, sig.ATTRIBUTE)
            kept = (is_, *self.writer.variable(member, found.module, constant=True))
            yield _operation(key, found.path, member, Part(kept, ()), more)

    def _called(self, facets: tuple[Facet, ...], function: Function, module: Module, skip: int) -> Part:
        place = Place.at_line(function.file, function.line)
        arguments = self.writer.arguments(function.arguments[skip:], (module, place))
        overloads = self.writer.overloads(function, module, skip=skip)
        return Part((*facets, *positional_order(arguments), *overload_order(overloads)), (*arguments, *overloads))

    def _class(self, found: ResolvedDeclaration, made: Flavour) -> Part:
        cls = found.member
        assert isinstance(cls, Class)
        called = classes.call_arguments(self.names, found, made)
        place = Place.at_line(cls.file, cls.line)
        owned = self.names.members(found)
        init = next((owned[name] for name in ("__init__", "__new__") if name in owned), None)
        module = init.owner.module if init is not None else found.module
        arguments = self.writer.arguments(called or (), (module, place))
        made_by = init.member if init is not None and isinstance(init.member, Function) else None
        overloads = self.writer.overloads(made_by, module, skip=receiving(made_by)) if made_by is not None else ()
        facets = (*self._class_facets(found, made, called is not None), *positional_order(arguments))
        wrapped = self.writer.function(made_by, module, method=True) if made_by is not None else ()
        facets += tuple(facet for facet in wrapped if facet.name == sig.WRAPPED)
        if not classes.calls_as_written(found.member) or any(facet.name == sig.OPAQUE for facet in wrapped):
            facets += (Facet(sig.OPAQUE, Aspect.CALLING, True, on_wire=False),)
        return Part((*facets, *overload_order(overloads)), (*arguments, *overloads))

    def _class_facets(self, found: ResolvedDeclaration, made: Flavour, called: bool) -> Iterator[Facet]:
        names, cls, line = self.names, found.member, self.names.line(found)
        assert isinstance(cls, Class)
        outside = classes.outside_of(line)
        yield Facet(sig.IS, Aspect.NAMES, sig.CLASS)
        yield Facet(sig.FLAVOUR, Aspect.DECORATION, made.kind.value)
        yield Facet(sig.CONSTRUCTOR, Aspect.CALLING, sig.KNOWN if called else ", ".join(line.outside), on_wire=False)
        yield Facet(sig.ANCESTORS, Aspect.INHERITANCE, list[Json](classes.ancestors(names, found, self.shown)))
        yield Facet(sig.LINEAGE, Aspect.INHERITANCE, list[Json]([each.path for each in line.own]), on_wire=False)
        yield Facet(sig.OPEN, Aspect.INHERITANCE, list[Json](outside), on_wire=False)
        if later := sorted({name for each in line.own for name in self.later.get(each.path, ())}):
            yield Facet(sig.SET_LATER, Aspect.NAMES, list[Json](later), on_wire=False)
        if any(each.member.borrowed for each in line.own[1:]):
            yield Facet(sig.BORROWS, Aspect.INHERITANCE, True, on_wire=False)
        if len(bases := classes.base_order(names, found, self.shown)) > 1:
            yield Facet(sig.BASES, Aspect.INHERITANCE, list[Json](bases))
        if (asked := abilities.asked_of_subclasses(names, found)) is not None:
            yield Facet(sig.ASKED, Aspect.CALLING, list[Json](asked))
        if (order := abilities.matched(names, found)) is not None:
            yield Facet(sig.MATCHED, Aspect.ORDERING, value_text(order, lambda _: None))
        if abilities.takes_types(names, found):
            yield Facet(sig.TAKES_TYPES, Aspect.TYPES, True)
        if made.kind is classes.ClassKind.ENUM:
            yield Facet(sig.EXTENSIBLE, Aspect.INHERITANCE, not abilities.has_members(names.members(found)))
            yield Facet(sig.TEXT, Aspect.ENUMS, abilities.enum_text(names, found))
        if made.kind is classes.ClassKind.PROTOCOL:
            yield Facet(sig.CHECKABLE, Aspect.INHERITANCE, classes.is_checkable(cls))
        yield Facet(sig.METACLASS, Aspect.INHERITANCE, self._metaclass(found))
        yield Facet(sig.FINAL, Aspect.INHERITANCE, any(path.endswith("final") for path, _ in cls.decorators))
        deprecated = any(path.endswith(".deprecated") for path, _ in cls.decorators)
        yield Facet(sig.DEPRECATED, Aspect.DEPRECATION, deprecated)
        yield Facet(sig.FROZEN, Aspect.ACCESS, made.on("frozen"))
        yield Facet(sig.ORDERED, Aspect.ORDERING, abilities.is_ordered(names, found, made))
        hashable = abilities.is_hashable(names, found, made)
        yield Facet(sig.HASHABLE, Aspect.CALLING, "unknown" if hashable is None else hashable)
        taking = abilities.takes_new_attributes(names, found, made)
        yield Facet(sig.NEW_ATTRIBUTES, Aspect.ACCESS, "unknown" if taking is None else taking)
        dynamic = bool({"__getattr__", "__getattribute__"} & set(names.members(found)))
        yield Facet(sig.DYNAMIC, Aspect.NAMES, dynamic, on_wire=False)
        if made.kind is classes.ClassKind.NAMED_TUPLE:
            shape: list[Json] = [owned.member.name for owned in classes.fields(names, found)]
            yield Facet(sig.SHAPE, Aspect.ORDERING, shape)
        if unknown := classes.unknown_decorators(cls):
            yield Facet(sig.DECORATORS, Aspect.DECORATION, list[Json](unknown))
        fields = not called or is_transformed(names, found)
        if fields and (generated := classes.generated_fields(names, found, made)):
            yield Facet(sig.FIELDS, Aspect.CALLING, [bounded(each) for each in generated])

    def _metaclass(self, found: ResolvedDeclaration) -> str:
        """The metaclass that decides, as a public path; "type" where none is named."""
        for each in self.names.line(found).own:
            if isinstance(each.member, Class) and (text := each.member.keywords.get("metaclass")):
                spelt = self.writer.spelling.annotation(text, each.module) or text
                return "type" if spelt in ("ABCMeta", "abc.ABCMeta") else spelt
        return "type"

    def _members(self, key: str, found: ResolvedDeclaration, made: Flavour, depth: int) -> Iterator[Element]:
        members = dict(self.names.members(found))
        assert isinstance(found.member, Class)
        members |= {one.name: OwnedMember(one, found) for one in abilities.made_comparisons(found.member, members)}
        values = abilities.enum_values(members, self.names.line(found)) if made.kind is classes.ClassKind.ENUM else {}
        for name, owned in members.items():
            hidden = is_private(name) or name in _NOT_MEMBERS or isinstance(owned.member, Alias)
            if hidden or not owned.member.runtime or classes.is_initial(owned.member, made):
                continue
            assert not isinstance(owned.member, Alias)
            inner = ResolvedDeclaration(f"{owned.owner.path}.{name}", owned.owner.module, owned.member)
            if isinstance(owned.member, Class):
                yield from self._named(f"{key}.{name}", inner, (), depth + 1)
            elif name in values:
                yield _operation(f"{key}.{name}", inner.path, owned.member, _enum_member(values[name]))
            else:
                yield from self._member(f"{key}.{name}", OwnedMember(self._same(owned, members), owned.owner), made)

    def _same(self, owned: OwnedMember, members: Mapping[str, OwnedMember]) -> Function | Attribute | Class:
        """The function that a line like `__radd__ = __add__` gives another name, else the member itself."""
        member = owned.member
        if isinstance(member, Attribute) and member.value is not None:
            wrapped = _WRAPPED.fullmatch(member.value)
            name = wrapped[2] if wrapped is not None else member.value
            named: ResolvedDeclaration | OwnedMember | Module | None = members.get(name)
            if named is None and wrapped is not None:
                named = self.names.find(self.names.scope(owned.owner.module, name))
            other = named.member if isinstance(named, ResolvedDeclaration | OwnedMember) else None
            if isinstance(other, Function):
                where: dict[str, Any] = {
                    "name": member.name,
                    "forms": member.forms,
                    "perhaps": member.perhaps,
                    "borrowed": member.borrowed,
                }
                return replace(other, **where, labels=other.labels | ({wrapped[1]} if wrapped is not None else set()))
        assert isinstance(member, Function | Attribute | Class)
        return member

    def _member(self, key: str, owned: OwnedMember, made: Flavour) -> Iterator[Element]:
        path = f"{owned.owner.path}.{key.rsplit('.', 1)[-1]}"
        # Classes that inherit a member, and other names of its class, show one and the same part.
        known = (path, made.kind)
        if known not in self.parts:
            self.parts[known] = self._member_part(owned, made)
        yield _operation(key, path, owned.member, self.parts[known])

    def _member_part(self, owned: OwnedMember, made: Flavour) -> Part:
        member, module = owned.member, owned.owner.module
        demanded = Facet(sig.DEMANDED, Aspect.INHERITANCE, classes.demanded(owned))
        if isinstance(member, Function):
            facets = (Facet(sig.IS, Aspect.NAMES, sig.METHOD), *self.writer.function(member, module, method=True))
            return self._called((*facets, demanded), member, module, receiving(member))
        assert isinstance(member, Attribute)
        written = self.writer.variable(member, module, constant=member.name.isupper())
        on_class = abilities.read_on_class(self.names, owned, made)
        read = () if on_class is None else (Facet(sig.ON_CLASS, Aspect.ACCESS, on_class),)
        return Part((*_kept(owned, written, made), *read, demanded), ())


def _kept(owned: OwnedMember, facets: Iterable[Facet], made: Flavour) -> Iterator[Facet]:
    """The facets of an attribute in a class of its kind: a typed dict has keys, and the fields of a tuple stay."""
    member = owned.member
    assert isinstance(member, Attribute)
    prop = "property" in member.labels
    is_ = sig.PROPERTY if prop else sig.KEY if made.kind is classes.ClassKind.TYPED_DICT else sig.ATTRIBUTE
    yield Facet(sig.IS, Aspect.NAMES, is_)
    fixed = made.kind is classes.ClassKind.NAMED_TUPLE and not prop
    for facet in facets:
        yield facet._replace(value=False) if fixed and facet.name in (sig.SETTABLE, sig.DELETABLE) else facet
    if is_ == sig.KEY:
        yield Facet(sig.REQUIRED_KEY, Aspect.REQUIREDNESS, classes.key_required(owned))


def _enum_member(value: str | None) -> Part:
    facets = [Facet(sig.IS, Aspect.NAMES, sig.ENUM_MEMBER)]
    facets += [Facet(sig.VALUE, Aspect.ENUMS, value)] if value is not None else []
    return Part(tuple(facets), ())


def _operation(key: str, name: str, declared: Declared, part: Part, more: tuple[Facet, ...] = ()) -> Element:
    return Element(
        kind=ElementKind.OPERATION,
        key=key,
        name=name,
        aspect=Aspect.NAMES,
        place=Place.at_line(declared.file, declared.line),
        role=Role.SIGNATURE,
        facets=(
            *part.facets,
            *_forms(declared),
            *_borrowed(declared),
            *(_perhaps(declared) if not any(facet.name == sig.PERHAPS for facet in more) else ()),
            *more,
        ),
        children=part.children,
    )


def _borrowed(declared: Declared) -> Iterator[Facet]:
    if declared.borrowed:
        yield Facet(sig.BORROWED, Aspect.NAMES, True, on_wire=False)


def _perhaps(declared: Declared) -> Iterator[Facet]:
    if declared.perhaps:
        yield Facet(sig.PERHAPS, Aspect.NAMES, True)


def untold(names: Names, path: str) -> Iterator[Facet]:
    """The statements by which a public module, and private ones below it, bind names that only running tells."""
    found = [bounded(text) for text in names.untold.get(path, ())]
    if found:
        yield Facet(sig.UNTOLD, Aspect.NAMES, found)


def _forms(declared: Declared) -> Iterator[Facet]:
    if declared.forms:
        yield Facet(sig.FORMS, Aspect.NAMES, [bounded(form) for form in declared.forms])


def _shown(publics: Iterable[PublicName]) -> Mapping[str, str]:
    """The shortest public path of each definition."""
    found: dict[str, str] = {}
    for public in publics:
        if public.found is not None:
            known = found.get(public.found.path)
            keys = [public.key, *([known] if known else [])]
            found[public.found.path] = min(keys, key=lambda key: (key.count("."), key))
    return found
