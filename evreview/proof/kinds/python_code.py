"""A use of a library as client code: what somebody would write, the shortest that shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from evreview.kinds.python import signatures as sig
from evreview.kinds.python.call_binding import Call
from evreview.kinds.python.client_uses import Use, Way
from evreview.proof.kinds.python_library import Library

_THING: Final = "thing"


def code_of(use: Use, library: Library) -> str:
    """The client code of a use, after the names that the released library gives.

    Numbers stand for any values; `thing` is an instance that the client has.
    """
    if use.way is Way.INSTALL:
        return f"python{use.word} -m pip install {library.contract.title or 'the library'}"
    if use.way is Way.POINT:
        return _pointed(use)
    if use.way in (Way.RUN, Way.SCRIPT):
        return f"python -m {use.word}"
    if use.way in (Way.LOADED, Way.CHECK):
        return _of_module(use, library)
    module = library.module_of(use.name)
    inside = use.name.removeprefix(f"{module}.") if module else use.name
    top = inside.split(".")[0]
    if use.name == module:
        return f"import {module}"
    if use.way is Way.STAR:
        return f"from {module or 'library'} import *\n{top}"
    opening = f"from {module} import {top}\n" if module else ""
    if use.way in (Way.IS_A, Way.BASES):
        opening += "".join(_import_of(each, library) for each in (use.words or (use.word,)))
    if use.way is Way.IMPORT and "." not in inside:
        return opening.strip() or top
    owner = library.class_of(use.name)
    if owner is None and module and use.way in (Way.SET, Way.DELETE):
        # The client's own name is another one: only the module's attribute shows it.
        return f"import {module}\n{_line(use, use.name)}"
    if owner is None or use.way in (Way.ON_CLASS, Way.GIVEN, Way.VALUE, Way.GET_ON_CLASS):
        return opening + _line(use, inside)
    body = _line(use, f"{_THING}.{inside.rpartition('.')[2]}").replace("\n", "\n    ")
    coloured = "async " if use.way is Way.AWAIT else ""
    return f"{opening}{coloured}def client({_THING}: {inside.rpartition('.')[0]}):\n    {body}"


def _import_of(path: str, library: Library) -> str:
    """The line that imports a class, "" for a builtin and for a single file."""
    module = library.module_of(path) or path.rpartition(".")[0]
    top = path.removeprefix(f"{module}.").split(".")[0]
    return f"from {module} import {top}\n" if module else ""


def _pointed(use: Use) -> str:
    group, _, name = use.word.partition(": ")
    if group in ("console_scripts", "gui_scripts"):
        return name
    return f"from importlib.metadata import entry_points\nentry_points(group={group!r})[{name!r}]"


def _of_module(use: Use, library: Library) -> str:
    if use.way is Way.LOADED:
        return f"import {use.name.rpartition('.')[0]}\n{use.name}"
    return f"import {next(iter(library.modules), 'library')}  # mypy"


def _arguments(call: Call) -> str:
    values = [str(at) for at in range(call.positional)]
    named = [f"{name}={at}" for at, name in enumerate(call.keywords, call.positional)]
    return f"({', '.join([*values, *named])})"


def _called(use: Use, name: str) -> str:
    return name + _arguments(use.call)


def _given(use: Use, name: str) -> str:
    given = _arguments(use.call)[1:-1]
    return f"def client({_THING}: {name.rpartition('.')[0]}):\n    {name}({_THING}{f', {given}' if given else ''})"


def _is_a(use: Use, name: str) -> str:
    short = use.word.rpartition(".")[2]
    return f"assert issubclass({name}, {short})"


def _entered(use: Use, name: str) -> str:
    if use.word:
        return f"async def main():\n    async with {_called(use, name)}: ..."
    return f"with {_called(use, name)}: ..."


def _short(path: str) -> str:
    return path.rpartition(".")[2]


def _subclassed(use: Use, name: str) -> str:
    if use.word and use.word != "type":
        word = use.word.rpartition(".")[2]
        return f"class {word}(type): ...\nclass Own({name}, metaclass={word}): ..."
    return f"class Own({', '.join([name, *(f'{word}=0' for word in use.words)])}): ..."


def _implemented(use: Use, name: str) -> str:
    body = "".join(f"\n    def {member}(self, *args): ..." for member in use.words)
    return f"class Own({name}):{body or ' ...'}\nOwn()"


def _accepted(use: Use, name: str) -> str:
    body = "".join(f"\n    def {member}(self, *args): ..." for member in use.words)
    return f"class Own:{body or ' ...'}\nvalue: {name} = Own()"


def _passed(use: Use, name: str) -> str:
    return f"value: {use.word}\n{name}({use.words[0]}=value)"


def _taken(use: Use, name: str) -> str:
    return f"value: {use.word} = {name}{_arguments(use.call) if use.words else ''}"


def _value(use: Use, name: str) -> str:
    return f"assert {name}.value == {use.word}"


_LINES: Final[Mapping[Way, Callable[[Use, str], str]]] = {
    Way.IMPORT: lambda use, name: name,
    Way.CALL: _called,
    Way.DEFAULT: _called,
    Way.MEANT: _called,
    Way.ON_CLASS: _called,
    Way.GIVEN: _given,
    Way.GET: lambda use, name: name,
    Way.READ: lambda use, name: f"print({name})",
    Way.GET_ON_CLASS: lambda use, name: name,
    Way.SUBSCRIPT: lambda use, name: f"{name}[int]",
    Way.SET: lambda use, name: f"{name} = 0",
    Way.DELETE: lambda use, name: f"del {name}",
    Way.AWAIT: lambda use, name: f"await {_called(use, name)}",
    Way.USE: lambda use, name: f"value = {_called(use, name)}\nprint(value)",
    Way.NEXT: lambda use, name: f"{'anext' if use.word else 'next'}({_called(use, name)})",
    Way.WITH: _entered,
    Way.IS_A: _is_a,
    Way.SUBCLASS: _subclassed,
    Way.IMPLEMENT: _implemented,
    Way.ACCEPT: _accepted,
    Way.BASES: lambda use, name: f"class Own({', '.join([name, *(_short(each) for each in use.words)])}): ...",
    Way.ISINSTANCE: lambda use, name: f"isinstance(0, {name})",
    Way.HASH: lambda use, name: f"def client(thing: {name}):\n    {{thing}}",
    Way.SORT: lambda use, name: f"def client(things: list[{name}]):\n    sorted(things)",
    Way.NEW_ATTRIBUTE: lambda use, name: f"def client(thing: {name}):\n    thing.{use.word} = 0",
    Way.UNPACK: lambda use, name: f"def client(thing: {name}):\n    {', '.join(use.words)}, = thing",
    Way.VALUE: _value,
    Way.TEXT: lambda use, name: f"print(*{name})",
    Way.PASS: _passed,
    Way.TAKE: _taken,
    Way.BUILD: lambda use, name: f"thing: {name} = {{{', '.join(f'{key!r}: ...' for key in use.words)}}}",
    Way.READ_KEY: lambda use, name: f"{name.rpartition('.')[0]}[{name.rpartition('.')[2]!r}]",
    Way.OVERLOAD: lambda use, name: f"{name}  # {use.word}",
}


def _line(use: Use, name: str) -> str:
    return _LINES[use.way](use, name)


def result_word(library: Library, name: str) -> Way:
    """How the result of a callable is used."""
    element = library.names.get(name)
    kind = str(element.facet(sig.RESULT) if element is not None else sig.PLAIN).removeprefix("async ")
    return {"awaitable": Way.AWAIT, "iterator": Way.NEXT, "context manager": Way.WITH}.get(kind, Way.USE)
