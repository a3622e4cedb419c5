"""Python: public names and what they stand for; and the rules of all families in the order in which they are asked."""

from __future__ import annotations

from typing import Final

from evreview.comparison.rules.rule import Match, Rule
from evreview.comparison.rules.variance import Text
from evreview.core.vocabulary import ABSENT, Change
from evreview.kinds.python import rule_examples as py
from evreview.kinds.python import rules_classes, rules_packaging, rules_signatures
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.rule_examples import (
    ANNOTATED,
    BREAKS,
    FITS,
    NAME,
    NAMES,
    OPEN,
    TYPING_ONLY,
    edit,
    facet,
)

_COMPOUND: Final = "The Python Language Reference, 8 Compound statements"
_ABSTRACT: Final = """
from abc import ABC, abstractmethod
class C(ABC):
    @abstractmethod
    def a(self): ...
"""
_PROTOCOL: Final = "from typing import Protocol\nclass C(Protocol):\n    def a(self): ...\n"
_MORE: Final = _ABSTRACT + "    @abstractmethod\n    def b(self): ...\n"
_DICT: Final = "from typing import TypedDict\nclass D(TypedDict):\n    a: int\n"


_NAMES: Final[tuple[Rule, ...]] = (
    BREAKS.calls(
        "name-removed",
        Text(
            "A public name was removed",
            "Code that imports or uses it fails with an ImportError or AttributeError.",
            f"{py.ATTRIBUTES}; {py.IMPORTS}",
        ),
        py.whole(Change.REMOVED, NAMES),
        edit("def f(): ...\ndef g(): ...", "def f(): ..."),
    ),
    BREAKS.by_plane(ANNOTATED).calls(
        "protocol-member-added",
        Text(
            "A member of a protocol was added",
            "A type checker no longer accepts a class that has the released members; whether anything looks for "
            "the member when it runs is not told.",
            f"{py.TYPING}, Protocols",
        ),
        py.whole(Change.ADDED, NAME, lambda delta: py.form_of(delta.candidate, sig.DEMANDED) == "protocol"),
        edit(_PROTOCOL, _PROTOCOL + "    def b(self): ...\n"),
    ),
    BREAKS.calls(
        "demanded-member-added",
        Text(
            "An abstract method was added",
            "A class that implements the released members can no longer be instantiated.",
            "abc, abstractmethod",
        ),
        py.whole(Change.ADDED, NAME, lambda delta: bool(py.form_of(delta.candidate, sig.DEMANDED))),
        edit(_ABSTRACT, _MORE),
    ),
    BREAKS.by_plane(TYPING_ONLY).calls(
        "key-added-required",
        Text(
            "A required key was added to a typed dict",
            "A type checker refuses a dict of the released keys.",
            f"{py.TYPING}, Typed dictionaries",
        ),
        py.whole(Change.ADDED, NAME, lambda delta: py.form_of(delta.candidate, sig.REQUIRED_KEY) is True),
        edit(_DICT, _DICT + "    b: int\n"),
    ),
    FITS.calls(
        "name-added",
        Text("A public name was added", "No old code uses it.", py.IMPORTS),
        py.whole(Change.ADDED, NAMES),
        edit("def f(): ...", "def f(): ...\ndef g(): ..."),
    ),
    BREAKS.calls(
        "name-unlisted",
        Text(
            "A name is no longer listed in `__all__`",
            "`from … import *` no longer binds it, and the library declares it internal.",
            f"{py.IMPORTS}; PEP 8, Public and internal interfaces",
        ),
        facet(sig.LISTED, released=(True,)),
        edit("__all__ = ['f', 'g']\ndef f(): ...\ndef g(): ...", "__all__ = ['f']\ndef f(): ...\ndef g(): ..."),
    ),
    FITS.calls(
        "name-listed",
        Text("A name is now listed in `__all__`", "Code that uses it goes on as before.", py.IMPORTS),
        facet(sig.LISTED, candidate=(True,)),
        edit("__all__ = ['f']\ndef f(): ...\ndef g(): ...", "__all__ = ['f', 'g']\ndef f(): ...\ndef g(): ..."),
    ),
)


_TURNED: Final[tuple[Rule, ...]] = (
    FITS.calls(
        "attribute-property-exchanged",
        Text(
            "An attribute became a property, or a property an attribute",
            "Both are read alike; whether it can still be set is a row of its own.",
            py.ATTRIBUTES,
        ),
        Match(
            elements=NAME,
            facets=(sig.IS,),
            when=lambda delta: {delta.released, delta.candidate} <= {sig.ATTRIBUTE, sig.PROPERTY},
        ),
        edit(
            "class C:\n    @property\n    def a(self): ...\n    @a.setter\n    def a(self, value): ...",
            "class C:\n    a = 1",
        ),
        edit("class C:\n    def a(self): ...", "class C:\n    a = 1"),
    ),
    OPEN.calls(
        "name-of-another-library",
        Text(
            "A name is taken from another library, or no longer",
            "What the other library gives under this name is not part of the contract.",
            py.IMPORTS,
        ),
        Match(elements=NAME, facets=(sig.IS,), when=lambda delta: sig.OUTSIDE in (delta.released, delta.candidate)),
        edit("__all__ = ['f']\ndef f(): ...", "__all__ = ['f']\nfrom x import f"),
        edit("def f(): ...", "f = 1"),
    ),
    OPEN.calls(
        "function-became-class",
        Text(
            "A function became a class",
            "It is called alike; what calling gives is an instance of the class now.",
            py.CLASSES,
        ),
        facet(sig.IS, released=(sig.FUNCTION,), candidate=(sig.CLASS,)),
        edit("def f(): ...", "class f: ..."),
    ),
    BREAKS.calls(
        "name-turned",
        Text(
            "A name stands for another kind of thing",
            "What is called, subclassed, read or set in one way before is no longer.",
            py.ATTRIBUTES,
        ),
        Match(elements=NAME, facets=(sig.IS,)),
        edit("class C:\n    def m(self): ...", "class C:\n    @property\n    def m(self): ..."),
        edit("def f(): ...", "class f: ..."),
    ),
)

_PLAIN: Final = "def f(): ..."
_DEPRECATED: Final = 'from warnings import deprecated\n@deprecated("use g")\ndef f(): ...'
_STATES: Final[tuple[Rule, ...]] = (
    FITS.results(
        "name-deprecated",
        Text("A name was deprecated", "It still does what it did; it warns.", "PEP 702"),
        facet(sig.DEPRECATED, candidate=(True,)),
        edit(_PLAIN, _DEPRECATED),
    ),
    FITS.results(
        "name-undeprecated",
        Text("A name is no longer deprecated", "It does what it did.", "PEP 702"),
        facet(sig.DEPRECATED, candidate=(False,)),
        edit(_DEPRECATED, _PLAIN),
    ),
    BREAKS.results(
        "enum-value-changed",
        Text(
            "The value of an enum member changed",
            "Stored and sent values no longer lead to the member, and `.value` gives another one.",
            "enum, Enum",
        ),
        Match(elements=NAME, facets=(sig.VALUE,), when=lambda delta: delta.aspect == "enums"),
        edit("from enum import Enum\nclass E(Enum):\n    A = 1", "from enum import Enum\nclass E(Enum):\n    A = 2"),
        edit("A = 1", "A = 2"),
    ),
    BREAKS.results(
        "enum-text-changed",
        Text(
            "The text of the members of an enum changed",
            "`str`, `print` and f-strings give the value where they gave the name, or the reverse.",
            "enum, StrEnum",
        ),
        Match(
            elements=NAME,
            facets=(sig.TEXT,),
            when=lambda delta: not {ABSENT, sig.TOLD_BY_RUNNING} & {delta.released, delta.candidate},
        ),
        edit(
            "from enum import Enum\nclass E(str, Enum):\n    A = 'a'",
            "from enum import StrEnum\nclass E(StrEnum):\n    A = 'a'",
        ),
        edit(
            "from enum import Enum\nclass E(int, Enum):\n    A = 1",
            "from enum import IntEnum\nclass E(IntEnum):\n    A = 1",
        ),
    ),
    OPEN.results(
        "enum-text-unknown",
        Text(
            "The text of the members of an enum may have changed",
            "A method of the class, another base or the running Python decides what `str` gives.",
            "enum, Enum.__str__; What's New In Python 3.11",
        ),
        Match(elements=NAME, facets=(sig.TEXT,)),
        edit(
            "from enum import Enum\nclass E(int, Enum):\n    A = 1",
            "from enum import IntEnum\nclass E(IntEnum):\n    A = 1",
        ),
        edit(
            "from enum import Enum\nclass E(str, Enum):\n    A = 'a'",
            "from enum import StrEnum\nclass E(StrEnum):\n    A = 'a'",
        ),
    ),
    OPEN.results(
        "constant-changed",
        Text(
            "The value of a variable changed",
            "Code that reads it gets another value; whether any code rests on the old one is not told.",
            py.ATTRIBUTES,
        ),
        Match(elements=NAME, facets=(sig.VALUE,)),
        edit("A = 1", "A = 2"),
        edit("from enum import Enum\nclass E(Enum):\n    A = 1", "from enum import Enum\nclass E(Enum):\n    A = 2"),
    ),
)

_UNTOLD: Final[tuple[Rule, ...]] = (
    OPEN.calls(
        "name-bound-by-condition",
        Text(
            "A condition now decides whether a name is there",
            "Where the condition does not hold, code that imports it fails.",
            _COMPOUND,
        ),
        facet(sig.PERHAPS, candidate=(True,)),
        edit("def f(): ...", "import sys\nif sys.platform == 'win32':\n    def f(): ..."),
    ),
    FITS.calls(
        "name-always-bound",
        Text("A name is there whatever the conditions", "Code that uses it goes on as before.", _COMPOUND),
        facet(sig.PERHAPS, released=(True,)),
        edit("import sys\nif sys.platform == 'win32':\n    def f(): ...", "def f(): ..."),
    ),
    OPEN.calls(
        "names-made-by-running-changed",
        Text(
            "Names are bound by other statements that only running tells",
            "`setattr`, `globals()` and the like may bind a public name, or take one away.",
            f"{py.DATA_MODEL}, Modules",
        ),
        Match(facets=(sig.UNTOLD,)),
        edit("for name in ('a', 'b'):\n    globals()[name] = 1", "for name in ('a',):\n    globals()[name] = 1"),
        edit("globals()['a'] = g(1)", "globals()['a'] = g(2)"),
    ),
    FITS.calls(
        "names-answered-by-a-function",
        Text(
            "A module answers names by a function, or by all names of another library",
            "What the module binds is found before it is asked.",
            f"{py.DATA_MODEL}, Customizing module attribute access",
        ),
        facet(sig.ANSWERED, released=(ABSENT,)),
        edit("A = 1", "A = 1\ndef __getattr__(name):\n    return 1"),
    ),
    OPEN.calls(
        "answered-names-changed",
        Text(
            "A module answers other names by a function, or none any more",
            "Which names `__getattr__` gives, only running tells; those that it gives no more fail with an error.",
            f"{py.DATA_MODEL}, Customizing module attribute access",
        ),
        Match(facets=(sig.ANSWERED,)),
        edit(
            "def __getattr__(name):\n    if name in ('a', 'b'):\n        return 1",
            "def __getattr__(name):\n    if name in ('a',):\n        return 1",
        ),
        edit("A = 1", "A = 1\ndef __getattr__(name):\n    return 1"),
    ),
    OPEN.calls(
        "conditional-definition-changed",
        Text(
            "A name that branches of the code define differently is defined in other ways",
            "Which branch runs is decided where the library is imported; both forms are shown.",
            _COMPOUND,
        ),
        Match(facets=(sig.FORMS,)),
        edit(
            "import sys\nif sys.version_info >= (3, 14):\n    def f(a): ...\nelse:\n    def f(a, b=1): ...",
            "import sys\nif sys.version_info >= (3, 14):\n    def f(): ...\nelse:\n    def f(a, b=1): ...",
        ),
        edit("def f(a): ...", "def f(): ..."),
    ),
    OPEN.results(
        "assigned-value-unknown",
        Text(
            "A name is assigned from another call",
            "What a call makes (a class, a wrapped function, any value) is known only by running it.",
            "The Python Language Reference, 7.2 Assignment statements",
        ),
        Match(facets=(sig.WRITTEN,)),
        edit("A = g(1)", "A = g(2)"),
        edit("A = 1", "A = 2"),
    ),
    OPEN.calls(
        "generated-constructor-unknown",
        Text(
            "The fields changed of a class whose constructor another library may make",
            "A base or decorator that is not part of the contract may take each field as an argument.",
            f"{py.CLASSES}; PEP 681",
        ),
        Match(facets=(sig.FIELDS,)),
        edit(
            "from x import Model\nclass C(Model):\n    a: int = 1", "from x import Model\nclass C(Model):\n    a: int"
        ),
        edit(
            "from dataclasses import dataclass\n@dataclass\nclass C:\n    a: int = 1",
            "from dataclasses import dataclass\n@dataclass\nclass C:\n    a: int",
        ),
    ),
)

NAME_RULES: Final[tuple[Rule, ...]] = (*_NAMES, *_TURNED, *_STATES, *_UNTOLD)


# All rules about Python libraries, in the order in which they are asked.


RULES: Final[tuple[Rule, ...]] = (
    *rules_signatures.CALL_RULES,
    *rules_signatures.TYPE_RULES,
    *rules_classes.CLASS_RULES,
    *rules_classes.INSTANCE_RULES,
    *NAME_RULES,
    *rules_packaging.RULES,
)
