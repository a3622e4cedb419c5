"""Uses of a library: one line of client code, what it is written as, and what each library makes of it.

A use is judged by the declarations alone. Nothing is imported or executed; the errors are those that Python gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from evreview.comparison.kind_spec import WitnessJudgement
from evreview.contract.model import Element, ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Form, Json, Tristate
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.alignment import keeps_positions
from evreview.kinds.python.annotations import Classes, is_within
from evreview.kinds.python.call_binding import (
    EMPTY,
    Call,
    Library,
    Signature,
    bind,
    checked,
    installed,
    loaded,
    no,
    open_,
    pointed,
    run,
    scripted,
    signature_of,
    texts,
    yes,
)
from evreview.kinds.python.names import is_one_of

# Uses that only a type checker judges: values of a type that are given, taken, or built.


def passed(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    """A type checker's word on a value of a type that is given to an argument."""
    child = next((one for one in element.children if one.name == use.words[0]), None)
    annotation = child.facet(sig.ANNOTATION) if child is not None else None
    return _typed(use.word, str(annotation or "Any"), classes)


def taken(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    """A type checker's word on using what a name gives as a value of a type."""
    facet = sig.RETURNS if element.facet(sig.IS) in (sig.FUNCTION, sig.METHOD) else sig.TYPE
    return _typed(str(element.facet(facet) or "Any"), use.word, classes)


def _typed(narrow: str, wide: str, classes: Classes) -> WitnessJudgement:
    answer = is_within(narrow, wide, classes)
    if answer is Tristate.NO:
        return no(f"a type checker: {narrow} is not {wide}")
    return WitnessJudgement(
        accepted=answer, says=f"a type checker: {narrow} {'is' if answer is Tristate.YES else 'may be'} {wide}"
    )


def built(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    """Whether a dict with some keys is one of the typed dict."""
    inside = f"{use.name}."
    keys = {key: one for key, one in library.names.items() if key.startswith(inside) and one.facet(sig.IS) == sig.KEY}
    lacking = [
        key.removeprefix(inside)
        for key, one in keys.items()
        if one.facet(sig.REQUIRED_KEY) is True and key.removeprefix(inside) not in use.words
    ]
    if lacking:
        return no(f"a type checker: the key {', '.join(map(repr, lacking))} is missing")
    return yes("every required key is there")


def read_key(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    """Whether a key of a typed dict is there."""
    if element.facet(sig.REQUIRED_KEY) is False:
        return no("a type checker: the key may be missing")
    return yes("the key is there")


def overloaded(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    """Whether an overload is declared."""
    listed = [child for child in element.children if child.kind is ElementKind.OVERLOAD]
    if not listed:
        return open_("there are no overloads; the signature itself speaks")
    if any(child.key == use.word for child in listed):
        return yes(f"matches {use.word}")
    return no(f"a type checker: no overload takes and gives all that {use.word} does")


class UseKind(StrEnum):
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


@frozen
class ClientUse:
    """One use of a public name.

    Attributes:
        way: what is done.
        name: the dotted path of the name.
        call: for calls, what is given.
        word: the class, the attribute, the type or the keyword concerned, by way.
        words: further ones: members that are implemented, keys that are given.
    """

    way: UseKind
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


def from_json(message: Json) -> ClientUse:
    """The use that a witness keeps.

    Raises:
        ValueError: it keeps none.
    """
    if not isinstance(message, Mapping):
        raise ValueError("the message of the witness is no object")
    try:
        way = UseKind(str(message["way"]))
        call = Call(int(str(message["positional"])), tuple(texts(_form(message["keywords"]))))
        return ClientUse(way, str(message["name"]), call, str(message["word"]), tuple(texts(_form(message["words"]))))
    except (KeyError, ValueError) as error:
        raise ValueError(f"the witness is no use of a Python library: {error}") from None


def _form(value: Json) -> Form:
    return value


def told(library: Library, use: ClientUse, classes: Classes) -> WitnessJudgement:
    """What a library makes of a use."""
    element = library.names.get(use.name)
    if use.way in _OF_LIBRARY:
        return _OF_LIBRARY[use.way](library, use.word or use.name)
    if library.is_perhaps(use.name):
        return open_(f"a condition decides whether {use.name} is there")
    if element is not None and use.way in _CALLS and element.facet(sig.OPAQUE) is True:
        return open_("a decorator that is not known may change what it takes")
    if element is None and use.name in library.modules and use.way is UseKind.IMPORT:
        return yes(f"{use.name} is a module")
    if element is None:
        return _absent(library, use)
    return _WAYS[use.way](library, use, element, classes)


def _absent(library: Library, use: ClientUse) -> WitnessJudgement:
    around, _, last = use.name.rpartition(".")
    if use.way is UseKind.READ_KEY and around in library.names:
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


def _starred(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    last = use.name.rpartition(".")[2]
    if element.facet(sig.LISTED) is False:
        return no(f"NameError: name {last!r} is not defined: `__all__` does not list it")
    return yes(f"binds {last}")


def _called(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
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


def _rebound(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    """Whether a call gives its values to the parameters that the released library gave them to."""
    found = _called(library, use, element, classes)
    signature = signature_of(element)
    if found.accepted is not Tristate.YES or signature is None:
        return found
    roles = bind(signature, use.call).roles
    return found if roles == use.words else no(f"{found.says}: not to {', '.join(use.words)}, as was meant")


def _left_out(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    found = _called(library, use, element, classes)
    child = next((one for one in element.children if one.name == use.word), None)
    if found.accepted is not Tristate.YES or child is None:
        return found
    default = child.facet(sig.DEFAULT)
    return yes(f"{use.word} is {default}") if default == use.words[0] else no(f"{use.word} is {default}")


def _on_class(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    if element.facet(sig.BOUND_TO) == sig.INSTANCE:
        return no("TypeError: missing 1 required argument: 'self'")
    return _called(library, use, element, classes)


def _given(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
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


def _got(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    return yes(f"{use.name} is {_with_article(str(element.facet(sig.IS)))}")


def _set(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    owner = library.class_of(use.name)
    if owner is not None and owner.facet(sig.FROZEN) is True:
        return no("FrozenInstanceError: the instance is frozen")
    if element.facet(sig.IS) == sig.ATTRIBUTE and element.facet(sig.FINAL) is True:
        return no(f"a type checker: {use.name} is final")
    if element.facet(sig.IS) == sig.METHOD or element.facet(sig.SETTABLE) is False:
        return no(f"AttributeError: can't set attribute {use.name.rpartition('.')[2]!r}")
    return yes("the attribute is set")


def _deleted(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    if element.facet(sig.IS) == sig.PROPERTY and element.facet(sig.DELETABLE) is not True:
        return no(f"AttributeError: can't delete attribute {use.name.rpartition('.')[2]!r}")
    return yes("the attribute is deleted")


_NEEDED: Final = {
    UseKind.AWAIT: ("awaitable", "can't be used in 'await' expression"),
    UseKind.NEXT: ("iterator", "is not an iterator"),
    UseKind.WITH: ("context manager", "does not support the context manager protocol"),
    UseKind.USE: (sig.PLAIN, "is not the value itself"),
}


def _result(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    kind = str(element.facet(sig.RESULT))
    needed, error = _NEEDED[use.way]
    if kind == f"{use.word}{needed}":
        return yes(f"gives {_article(kind)}")
    fails = "" if use.way is UseKind.USE else "TypeError: "
    return no(f"{fails}what it gives {error}: it is {_article(kind)}")


def _article(kind: str) -> str:
    return "the value itself" if kind == sig.PLAIN else _with_article(kind)


def _with_article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _is_a(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    if is_one_of(texts(element.facet(sig.ANCESTORS)), use.word) or library.inherits(use.name, use.word):
        return yes(f"an instance is a {use.word}")
    return no(f"an instance is no {use.word}")


def _subclassed(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
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


def _implemented(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    lacking = [name for name in library.demanded(use.name) if name not in use.words]
    if lacking:
        return no(f"TypeError: can't instantiate without {', '.join(lacking)}")
    return yes("every demanded member is there")


def _ordered(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    bases = texts(element.facet(sig.BASES))
    if not set(use.words) <= set(bases):
        return open_(f"its bases are {', '.join(bases) or 'others'}")
    if bases.index(use.words[0]) < bases.index(use.words[1]):
        return yes("the class is made")
    return no("TypeError: cannot create a consistent method resolution order (MRO)")


def _subscripted(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    if element.facet(sig.TAKES_TYPES) is True:
        return yes("the class takes type arguments")
    inherited = library.may_inherit(f"{use.name}.__class_getitem__")
    if inherited or element.facet(sig.METACLASS) != "type":
        return open_(f"{inherited or 'its metaclass'} may take type arguments")
    return no(f"TypeError: type {use.name.rpartition('.')[2]!r} is not subscriptable")


def _accepted(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    lacking = [name for name in library.demanded(use.name) if name not in use.words]
    if lacking:
        return no(f"a type checker: it is no {use.name} without {', '.join(lacking)}")
    return yes("every member of the protocol is there")


def _flagged(facet: str, able: str, unable: str) -> Callable[[Library, ClientUse, Element, Classes], WitnessJudgement]:
    def judged(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
        value = element.facet(facet)
        return yes(able) if value is True else no(unable) if value is False else open_(f"{facet}: unknown")

    return judged


def _unpacked(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    fields = texts(element.facet(sig.SHAPE))
    if len(fields) == len(use.words) and keeps_positions(list(use.words), fields):
        return yes(f"unpacks to {', '.join(fields)}")
    if len(fields) != len(use.words):
        return no(f"ValueError: {len(fields)} values to unpack, expected {len(use.words)}")
    return no(f"unpacks to {', '.join(fields)}")


def _read(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    kind = element.facet(sig.IS)
    if kind in (sig.ATTRIBUTE, sig.PROPERTY):
        return yes("gives its value")
    return no(f"gives the {kind} itself, which nobody called")


def _enum_value(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    value = element.facet(sig.VALUE)
    return yes(f"its value is {value}") if value == use.word else no(f"its value is {value}")


def _enum_text(library: Library, use: ClientUse, element: Element, classes: Classes) -> WitnessJudgement:
    text = element.facet(sig.TEXT)
    if text == sig.TOLD_BY_RUNNING:
        return open_("a method, a base or the running Python decides the text of a member")
    return yes(f"the text of a member is {text}") if text == use.word else no(f"the text of a member is {text}")


_OF_LIBRARY: Final[Mapping[UseKind, Callable[[Library, str], WitnessJudgement]]] = {
    UseKind.INSTALL: installed,
    UseKind.LOADED: loaded,
    UseKind.POINT: pointed,
    UseKind.RUN: run,
    UseKind.SCRIPT: scripted,
    UseKind.CHECK: checked,
}
_CALLS: Final = frozenset(
    {
        UseKind.CALL,
        UseKind.DEFAULT,
        UseKind.MEANT,
        UseKind.ON_CLASS,
        UseKind.GIVEN,
        UseKind.AWAIT,
        UseKind.USE,
        UseKind.NEXT,
        UseKind.WITH,
    }
)

_WAYS: Final[Mapping[UseKind, Callable[[Library, ClientUse, Element, Classes], WitnessJudgement]]] = {
    UseKind.IMPORT: _got,
    UseKind.STAR: _starred,
    UseKind.CALL: _called,
    UseKind.DEFAULT: _left_out,
    UseKind.ON_CLASS: _on_class,
    UseKind.GIVEN: _given,
    UseKind.GET: _got,
    UseKind.READ: _read,
    UseKind.GET_ON_CLASS: _flagged(sig.ON_CLASS, "the class has it", "AttributeError: the class has no such attribute"),
    UseKind.SUBSCRIPT: _subscripted,
    UseKind.SET: _set,
    UseKind.DELETE: _deleted,
    UseKind.AWAIT: _result,
    UseKind.NEXT: _result,
    UseKind.WITH: _result,
    UseKind.USE: _result,
    UseKind.IS_A: _is_a,
    UseKind.SUBCLASS: _subclassed,
    UseKind.IMPLEMENT: _implemented,
    UseKind.ACCEPT: _accepted,
    UseKind.BASES: _ordered,
    UseKind.ISINSTANCE: _flagged(
        sig.CHECKABLE, "the protocol is asked for", "TypeError: only @runtime_checkable protocols take isinstance"
    ),
    UseKind.HASH: _flagged(sig.HASHABLE, "it has a hash", "TypeError: unhashable type"),
    UseKind.SORT: _flagged(sig.ORDERED, "they are compared", "TypeError: '<' not supported between instances"),
    UseKind.NEW_ATTRIBUTE: _flagged(sig.NEW_ATTRIBUTES, "the attribute is set", "AttributeError: no such attribute"),
    UseKind.UNPACK: _unpacked,
    UseKind.VALUE: _enum_value,
    UseKind.TEXT: _enum_text,
    UseKind.PASS: passed,
    UseKind.TAKE: taken,
    UseKind.BUILD: built,
    UseKind.READ_KEY: read_key,
    UseKind.MEANT: _rebound,
    UseKind.OVERLOAD: overloaded,
}


# A use as client code: what somebody would write, the shortest that shows it.


_THING: Final = "thing"


def code_of(use: ClientUse, library: Library) -> str:
    """The client code of a use, after the names that the released library gives.

    Numbers stand for any values; `thing` is an instance that the client has.
    """
    if use.way is UseKind.INSTALL:
        return f"python{use.word} -m pip install {library.contract.title or 'the library'}"
    if use.way is UseKind.POINT:
        return _pointed(use)
    if use.way in (UseKind.RUN, UseKind.SCRIPT):
        return f"python -m {use.word}"
    if use.way in (UseKind.LOADED, UseKind.CHECK):
        return _of_module(use, library)
    module = library.module_of(use.name)
    inside = use.name.removeprefix(f"{module}.") if module else use.name
    top = inside.split(".")[0]
    if use.name == module:
        return f"import {module}"
    if use.way is UseKind.STAR:
        return f"from {module or 'library'} import *\n{top}"
    opening = f"from {module} import {top}\n" if module else ""
    if use.way in (UseKind.IS_A, UseKind.BASES):
        opening += "".join(_import_of(each, library) for each in (use.words or (use.word,)))
    if use.way is UseKind.IMPORT and "." not in inside:
        return opening.strip() or top
    owner = library.class_of(use.name)
    if owner is None and module and use.way in (UseKind.SET, UseKind.DELETE):
        # The client's own name is another one: only the module's attribute shows it.
        return f"import {module}\n{_line(use, use.name)}"
    if owner is None or use.way in (UseKind.ON_CLASS, UseKind.GIVEN, UseKind.VALUE, UseKind.GET_ON_CLASS):
        return opening + _line(use, inside)
    body = _line(use, f"{_THING}.{inside.rpartition('.')[2]}").replace("\n", "\n    ")
    coloured = "async " if use.way is UseKind.AWAIT else ""
    return f"{opening}{coloured}def client({_THING}: {inside.rpartition('.')[0]}):\n    {body}"


def _import_of(path: str, library: Library) -> str:
    """The line that imports a class, "" for a builtin and for a single file."""
    module = library.module_of(path) or path.rpartition(".")[0]
    top = path.removeprefix(f"{module}.").split(".")[0]
    return f"from {module} import {top}\n" if module else ""


def _pointed(use: ClientUse) -> str:
    group, _, name = use.word.partition(": ")
    if group in ("console_scripts", "gui_scripts"):
        return name
    return f"from importlib.metadata import entry_points\nentry_points(group={group!r})[{name!r}]"


def _of_module(use: ClientUse, library: Library) -> str:
    if use.way is UseKind.LOADED:
        return f"import {use.name.rpartition('.')[0]}\n{use.name}"
    return f"import {next(iter(library.modules), 'library')}  # mypy"


def _arguments(call: Call) -> str:
    values = [str(at) for at in range(call.positional)]
    named = [f"{name}={at}" for at, name in enumerate(call.keywords, call.positional)]
    return f"({', '.join([*values, *named])})"


def _call_code(use: ClientUse, name: str) -> str:
    return name + _arguments(use.call)


def _given_code(use: ClientUse, name: str) -> str:
    given = _arguments(use.call)[1:-1]
    return f"def client({_THING}: {name.rpartition('.')[0]}):\n    {name}({_THING}{f', {given}' if given else ''})"


def _entered(use: ClientUse, name: str) -> str:
    if use.word:
        return f"async def main():\n    async with {_call_code(use, name)}: ..."
    return f"with {_call_code(use, name)}: ..."


def _short(path: str) -> str:
    return path.rpartition(".")[2]


def _subclass_code(use: ClientUse, name: str) -> str:
    if use.word and use.word != "type":
        word = use.word.rpartition(".")[2]
        return f"class {word}(type): ...\nclass Own({name}, metaclass={word}): ..."
    return f"class Own({', '.join([name, *(f'{word}=0' for word in use.words)])}): ..."


def _members_code(use: ClientUse) -> str:
    return "".join(f"\n    def {member}(self, *args): ..." for member in use.words) or " ..."


_LINES: Final[Mapping[UseKind, Callable[[ClientUse, str], str]]] = {
    UseKind.IMPORT: lambda use, name: name,
    UseKind.CALL: _call_code,
    UseKind.DEFAULT: _call_code,
    UseKind.MEANT: _call_code,
    UseKind.ON_CLASS: _call_code,
    UseKind.GIVEN: _given_code,
    UseKind.GET: lambda use, name: name,
    UseKind.READ: lambda use, name: f"print({name})",
    UseKind.GET_ON_CLASS: lambda use, name: name,
    UseKind.SUBSCRIPT: lambda use, name: f"{name}[int]",
    UseKind.SET: lambda use, name: f"{name} = 0",
    UseKind.DELETE: lambda use, name: f"del {name}",
    UseKind.AWAIT: lambda use, name: f"await {_call_code(use, name)}",
    UseKind.USE: lambda use, name: f"value = {_call_code(use, name)}\nprint(value)",
    UseKind.NEXT: lambda use, name: f"{'anext' if use.word else 'next'}({_call_code(use, name)})",
    UseKind.WITH: _entered,
    UseKind.IS_A: lambda use, name: f"assert issubclass({name}, {use.word.rpartition('.')[2]})",
    UseKind.SUBCLASS: _subclass_code,
    UseKind.IMPLEMENT: lambda use, name: f"class Own({name}):{_members_code(use)}\nOwn()",
    UseKind.ACCEPT: lambda use, name: f"class Own:{_members_code(use)}\nvalue: {name} = Own()",
    UseKind.BASES: lambda use, name: f"class Own({', '.join([name, *(_short(each) for each in use.words)])}): ...",
    UseKind.ISINSTANCE: lambda use, name: f"isinstance(0, {name})",
    UseKind.HASH: lambda use, name: f"def client(thing: {name}):\n    {{thing}}",
    UseKind.SORT: lambda use, name: f"def client(things: list[{name}]):\n    sorted(things)",
    UseKind.NEW_ATTRIBUTE: lambda use, name: f"def client(thing: {name}):\n    thing.{use.word} = 0",
    UseKind.UNPACK: lambda use, name: f"def client(thing: {name}):\n    {', '.join(use.words)}, = thing",
    UseKind.VALUE: lambda use, name: f"assert {name}.value == {use.word}",
    UseKind.TEXT: lambda use, name: f"print(*{name})",
    UseKind.PASS: lambda use, name: f"value: {use.word}\n{name}({use.words[0]}=value)",
    UseKind.TAKE: lambda use, name: f"value: {use.word} = {name}{_arguments(use.call) if use.words else ''}",
    UseKind.BUILD: lambda use, name: f"thing: {name} = {{{', '.join(f'{key!r}: ...' for key in use.words)}}}",
    UseKind.READ_KEY: lambda use, name: f"{name.rpartition('.')[0]}[{name.rpartition('.')[2]!r}]",
    UseKind.OVERLOAD: lambda use, name: f"{name}  # {use.word}",
}


def _line(use: ClientUse, name: str) -> str:
    return _LINES[use.way](use, name)


def result_word(library: Library, name: str) -> UseKind:
    """How the result of a callable is used."""
    element = library.names.get(name)
    kind = str(element.facet(sig.RESULT) if element is not None else sig.PLAIN).removeprefix("async ")
    return {"awaitable": UseKind.AWAIT, "iterator": UseKind.NEXT, "context manager": UseKind.WITH}.get(
        kind, UseKind.USE
    )
