"""Uses of a library: one line of client code, what it is written as, and what each library makes of it.

A use is judged by the declarations alone. Nothing is imported or executed; the errors are those that Python gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evreview.comparison.kind_spec import Told
from evreview.contract.model import Element
from evreview.contracts.readers.python_standard import is_one_of
from evreview.core.vocabulary import Answer, Form, Json
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.alignment import keeps_positions
from evreview.kinds.python.call_binding import EMPTY, Call, Signature, bind, signature_of
from evreview.proof.kinds import python_typing_uses as typing_uses
from evreview.proof.kinds.python_installed import checked, installed, loaded, no, open_, pointed, run, scripted, yes
from evreview.proof.kinds.python_library import Library, texts
from evreview.shapes.annotations import Classes


class Way(StrEnum):
    """What client code does with a name."""

    IMPORT = "import"
    STAR = "import *"
    CALL = "call"
    GET = "get"
    READ = "read the value"
    GET_ON_CLASS = "get on the class"
    SUBSCRIPT = "give type arguments"
    SET = "set"
    DELETE = "delete"
    AWAIT = "await"
    USE = "use the result"
    NEXT = "next"
    WITH = "with"
    IS_A = "isinstance"
    SUBCLASS = "subclass"
    IMPLEMENT = "implement"
    ACCEPT = "be accepted"
    BASES = "inherit from bases as well"
    ISINSTANCE = "ask for a protocol"
    HASH = "hash"
    SORT = "sort"
    NEW_ATTRIBUTE = "set a new attribute"
    UNPACK = "unpack"
    VALUE = "value of an enum"
    PASS = "pass a typed value"
    TAKE = "take a typed value"
    BUILD = "build a dict"
    OVERLOAD = "call an overload"
    ON_CLASS = "call on the class"
    GIVEN = "call on the class with an instance"
    DEFAULT = "leave out"
    INSTALL = "install"
    READ_KEY = "read a key"
    MEANT = "call by position"
    LOADED = "use a submodule"
    POINT = "use an entry point"
    RUN = "run a package"
    SCRIPT = "run a module"
    TEXT = "text of the members of an enum"
    CHECK = "check the types"


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a public name.

    Attributes:
        way: what is done.
        name: the dotted path of the name.
        call: for calls, what is given.
        word: the class, the attribute, the type or the keyword concerned, by way.
        words: further ones: members that are implemented, keys that are given.
    """

    way: Way
    name: str
    call: Call = EMPTY
    word: str = ""
    words: tuple[str, ...] = ()

    def to_json(self, code: str) -> dict[str, Json]:
        """The use as a witness keeps it."""
        return {
            "code": code,
            "way": self.way.value,
            "name": self.name,
            "positional": self.call.positional,
            "keywords": list(self.call.keywords),
            "word": self.word,
            "words": list(self.words),
        }


def from_json(message: Json) -> Use:
    """The use that a witness keeps.

    Raises:
        ValueError: it keeps none.
    """
    if not isinstance(message, Mapping):
        raise ValueError("the message of the witness is no object")
    try:
        way = Way(str(message["way"]))
        call = Call(int(str(message["positional"])), tuple(texts(_form(message["keywords"]))))
        return Use(way, str(message["name"]), call, str(message["word"]), tuple(texts(_form(message["words"]))))
    except (KeyError, ValueError) as error:
        raise ValueError(f"the witness is no use of a Python library: {error}") from None


def _form(value: Json) -> Form:
    return value


def told(library: Library, use: Use, classes: Classes) -> Told:
    """What a library makes of a use."""
    element = library.names.get(use.name)
    if use.way in _OF_LIBRARY:
        return _OF_LIBRARY[use.way](library, use.word or use.name)
    if library.is_perhaps(use.name):
        return open_(f"a condition decides whether {use.name} is there")
    if element is not None and use.way in _CALLS and element.facet(sig.OPAQUE) is True:
        return open_("a decorator that is not known may change what it takes")
    if element is None and use.name in library.modules and use.way is Way.IMPORT:
        return yes(f"{use.name} is a module")
    if element is None:
        return _absent(library, use)
    return _WAYS[use.way](library, use, element, classes)


def _absent(library: Library, use: Use) -> Told:
    around, _, last = use.name.rpartition(".")
    if use.way is Way.READ_KEY and around in library.names:
        return no(f"a type checker: {around} has no key {last!r}")
    if library.is_dynamic(use.name):
        return open_(f"{around or 'the module'} makes names at run time")
    if inherited := library.may_inherit(use.name):
        return open_(f"{last} may be inherited from {inherited}")
    if around in library.names:
        return no(f"AttributeError: {around} has no attribute {last!r}")
    module = library.module_of(use.name)
    if module == around:
        return no(f"ImportError: cannot import name {last!r}{f' from {around!r}' if around else ''}")
    return no(f"ModuleNotFoundError: No module named {around!r}")


def _imported(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    return yes(f"{use.name} is {_with_article(str(element.facet(sig.IS)))}")


def _starred(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    last = use.name.rpartition(".")[2]
    if element.facet(sig.LISTED) is False:
        return no(f"NameError: name {last!r} is not defined: `__all__` does not list it")
    return yes(f"binds {last}")


def _called(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    if element.facet(sig.IS) in (sig.PROPERTY, sig.ENUM_MEMBER, sig.KEY):
        return no(f"TypeError: {use.name} is {_with_article(str(element.facet(sig.IS)))} and not callable")
    if element.facet(sig.IS) == sig.ATTRIBUTE and element.facet(sig.VALUE) is not None:
        return no(f"TypeError: {use.name} is {element.facet(sig.VALUE)} and not callable")
    signature = signature_of(element)
    if signature is None:
        return open_("the signature is not part of the contract")
    found = bind(signature, use.call)
    if found.error:
        error = "ValidationError" if any("pydantic." in one for one in texts(element.facet(sig.OPEN))) else "TypeError"
        return no(f"{error}: {use.name.rpartition('.')[2]}() {found.error}")
    given = [*map(str, range(use.call.positional)), *use.call.keywords]
    return yes(
        f"binds {', '.join(f'{each} to {name}' for each, name in zip(given, found.shown, strict=True)) or 'nothing'}"
    )


def _rebound(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    """Whether a call gives its values to the parameters that the released library gave them to."""
    found = _called(library, use, element, classes)
    signature = signature_of(element)
    if found.accepted is not Answer.YES or signature is None:
        return found
    roles = bind(signature, use.call).roles
    return found if roles == use.words else no(f"{found.says}: not to {', '.join(use.words)}, as was meant")


def _left_out(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    found = _called(library, use, element, classes)
    child = next((one for one in element.children if one.name == use.word), None)
    if found.accepted is not Answer.YES or child is None:
        return found
    default = child.facet(sig.DEFAULT)
    return yes(f"{use.word} is {default}") if default == use.words[0] else no(f"{use.word} is {default}")


def _on_class(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    if element.facet(sig.BOUND_TO) == sig.INSTANCE:
        return no("TypeError: missing 1 required argument: 'self'")
    return _called(library, use, element, classes)


def _given(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    """A call on the class that gives the instance itself: only a method of instances takes it for what it is."""
    if element.facet(sig.BOUND_TO) == sig.INSTANCE:
        return _called(library, use, element, classes)
    signature = signature_of(element) or Signature()
    found = bind(signature, use.call._replace(positional=use.call.positional + 1))
    if found.error:
        return no(f"TypeError: {use.name.rpartition('.')[2]}() {found.error}")
    if found.roles[:1] == (sig.REST,):
        return open_("what becomes of the instance in `*` is not told")
    return no(f"the instance goes to {found.values[0]}: not to the method, as was meant")


def _got(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    return yes(f"{use.name} is {_with_article(str(element.facet(sig.IS)))}")


def _set(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    owner = library.class_of(use.name)
    if owner is not None and owner.facet(sig.FROZEN) is True:
        return no("FrozenInstanceError: the instance is frozen")
    if element.facet(sig.IS) == sig.ATTRIBUTE and element.facet(sig.FINAL) is True:
        return no(f"a type checker: {use.name} is final")
    if element.facet(sig.IS) == sig.METHOD or element.facet(sig.SETTABLE) is False:
        return no(f"AttributeError: can't set attribute {use.name.rpartition('.')[2]!r}")
    return yes("the attribute is set")


def _deleted(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    if element.facet(sig.IS) == sig.PROPERTY and element.facet(sig.DELETABLE) is not True:
        return no(f"AttributeError: can't delete attribute {use.name.rpartition('.')[2]!r}")
    return yes("the attribute is deleted")


_NEEDED: Final = {
    Way.AWAIT: ("awaitable", "can't be used in 'await' expression"),
    Way.NEXT: ("iterator", "is not an iterator"),
    Way.WITH: ("context manager", "does not support the context manager protocol"),
    Way.USE: (sig.PLAIN, "is not the value itself"),
}


def _result(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    kind = str(element.facet(sig.RESULT))
    needed, error = _NEEDED[use.way]
    if kind == f"{use.word}{needed}":
        return yes(f"gives {_article(kind)}")
    fails = "" if use.way is Way.USE else "TypeError: "
    return no(f"{fails}what it gives {error}: it is {_article(kind)}")


def _article(kind: str) -> str:
    return "the value itself" if kind == sig.PLAIN else _with_article(kind)


def _with_article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _is_a(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    if is_one_of(texts(element.facet(sig.ANCESTORS)), use.word) or library.inherits(use.name, use.word):
        return yes(f"an instance is a {use.word}")
    return no(f"an instance is no {use.word}")


def _subclassed(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    if element.facet(sig.FINAL) is True:
        return no(f"a type checker: {use.name} is final")
    if element.facet(sig.EXTENSIBLE) is False:
        return no(f"TypeError: cannot extend the enumeration {use.name}, which has members")
    asked = texts(element.facet(sig.ASKED))
    lacking = [one for one in asked if not one.endswith(("=", "**")) and one not in use.words]
    unknown = [] if "**" in asked else [one for one in use.words if one not in asked and f"{one}=" not in asked]
    if lacking or unknown:
        told = f"missing {', '.join(lacking)}" if lacking else f"got an unexpected keyword argument {unknown[0]!r}"
        return no(f"TypeError: __init_subclass__() {told}")
    found = str(element.facet(sig.METACLASS))
    if use.word and found not in (use.word, "type"):
        return no(f"TypeError: metaclass conflict: {found} and {use.word}")
    return yes("the subclass is made")


def _implemented(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    lacking = [name for name in library.demanded(use.name) if name not in use.words]
    if lacking:
        return no(f"TypeError: can't instantiate without {', '.join(lacking)}")
    return yes("every demanded member is there")


def _ordered(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    bases = texts(element.facet(sig.BASES))
    if not set(use.words) <= set(bases):
        return open_(f"its bases are {', '.join(bases) or 'others'}")
    if bases.index(use.words[0]) < bases.index(use.words[1]):
        return yes("the class is made")
    return no("TypeError: cannot create a consistent method resolution order (MRO)")


def _subscripted(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    if element.facet(sig.TAKES_TYPES) is True:
        return yes("the class takes type arguments")
    inherited = library.may_inherit(f"{use.name}.__class_getitem__")
    if inherited or element.facet(sig.METACLASS) != "type":
        return open_(f"{inherited or 'its metaclass'} may take type arguments")
    return no(f"TypeError: type {use.name.rpartition('.')[2]!r} is not subscriptable")


def _accepted(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    lacking = [name for name in library.demanded(use.name) if name not in use.words]
    if lacking:
        return no(f"a type checker: it is no {use.name} without {', '.join(lacking)}")
    return yes("every member of the protocol is there")


def _flagged(facet: str, able: str, unable: str) -> Callable[[Library, Use, Element, Classes], Told]:
    def judged(library: Library, use: Use, element: Element, classes: Classes) -> Told:
        value = element.facet(facet)
        return yes(able) if value is True else no(unable) if value is False else open_(f"{facet}: unknown")

    return judged


def _unpacked(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    fields = texts(element.facet(sig.SHAPE))
    if len(fields) == len(use.words) and keeps_positions(list(use.words), fields):
        return yes(f"unpacks to {', '.join(fields)}")
    if len(fields) != len(use.words):
        return no(f"ValueError: {len(fields)} values to unpack, expected {len(use.words)}")
    return no(f"unpacks to {', '.join(fields)}")


def _read(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    kind = element.facet(sig.IS)
    if kind in (sig.ATTRIBUTE, sig.PROPERTY):
        return yes("gives its value")
    return no(f"gives the {kind} itself, which nobody called")


def _enum_value(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    value = element.facet(sig.VALUE)
    return yes(f"its value is {value}") if value == use.word else no(f"its value is {value}")


def _enum_text(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    text = element.facet(sig.TEXT)
    if text == sig.TOLD_BY_RUNNING:
        return open_("a method, a base or the running Python decides the text of a member")
    return yes(f"the text of a member is {text}") if text == use.word else no(f"the text of a member is {text}")


_OF_LIBRARY: Final[Mapping[Way, Callable[[Library, str], Told]]] = {
    Way.INSTALL: installed,
    Way.LOADED: loaded,
    Way.POINT: pointed,
    Way.RUN: run,
    Way.SCRIPT: scripted,
    Way.CHECK: checked,
}
_CALLS: Final = frozenset(
    {Way.CALL, Way.DEFAULT, Way.MEANT, Way.ON_CLASS, Way.GIVEN, Way.AWAIT, Way.USE, Way.NEXT, Way.WITH}
)

_WAYS: Final[Mapping[Way, Callable[[Library, Use, Element, Classes], Told]]] = {
    Way.IMPORT: _imported,
    Way.STAR: _starred,
    Way.CALL: _called,
    Way.DEFAULT: _left_out,
    Way.ON_CLASS: _on_class,
    Way.GIVEN: _given,
    Way.GET: _got,
    Way.READ: _read,
    Way.GET_ON_CLASS: _flagged(sig.ON_CLASS, "the class has it", "AttributeError: the class has no such attribute"),
    Way.SUBSCRIPT: _subscripted,
    Way.SET: _set,
    Way.DELETE: _deleted,
    Way.AWAIT: _result,
    Way.NEXT: _result,
    Way.WITH: _result,
    Way.USE: _result,
    Way.IS_A: _is_a,
    Way.SUBCLASS: _subclassed,
    Way.IMPLEMENT: _implemented,
    Way.ACCEPT: _accepted,
    Way.BASES: _ordered,
    Way.ISINSTANCE: _flagged(
        sig.CHECKABLE, "the protocol is asked for", "TypeError: only @runtime_checkable protocols take isinstance"
    ),
    Way.HASH: _flagged(sig.HASHABLE, "it has a hash", "TypeError: unhashable type"),
    Way.SORT: _flagged(sig.ORDERED, "they are compared", "TypeError: '<' not supported between instances"),
    Way.NEW_ATTRIBUTE: _flagged(sig.NEW_ATTRIBUTES, "the attribute is set", "AttributeError: no such attribute"),
    Way.UNPACK: _unpacked,
    Way.VALUE: _enum_value,
    Way.TEXT: _enum_text,
    Way.PASS: typing_uses.passed,
    Way.TAKE: typing_uses.taken,
    Way.BUILD: typing_uses.built,
    Way.READ_KEY: typing_uses.read_key,
    Way.MEANT: _rebound,
    Way.OVERLOAD: typing_uses.overloaded,
}
