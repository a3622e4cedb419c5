"""One side's library, asked by name: what stands for a name, and what is known of a class."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind
from evreview.contracts.readers.python_answers import ANY_NAME
from evreview.contracts.readers.python_standard import ancestors_of, standard
from evreview.core.vocabulary import Form
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.classes import PROTOCOL, TYPED_DICT
from evreview.shapes.annotations import Known

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

    def known(self, name: str) -> Known | None:
        """What is known of a class, None for what the library does not define."""
        element = self.names.get(name)
        if element is None or element.facet(sig.IS) != sig.CLASS:
            return None
        ancestors = texts(element.facet(sig.ANCESTORS))
        whole = all(one in self.names or standard(one) is not None for one in ancestors)
        whole = whole and all(standard(one) is not None for one in texts(element.facet(sig.OPEN)))
        if element.facet(sig.FLAVOUR) == TYPED_DICT:
            # A type checker takes it for no `dict`, though its values are (typing specification, "Typed dictionaries").
            ancestors = [one for one in ancestors if one not in _OF_DICT] + ["Mapping"]
        return Known(frozenset(ancestors), whole, element.facet(sig.FLAVOUR) == PROTOCOL)

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
