"""Why a row about a Python library is decided, or is not."""

from __future__ import annotations

from typing import Final

SWALLOWED: Final = (
    "every call that gives it still binds, to `*args` or `**kwargs`; what becomes of the value is not told"
)
ELSEWHERE: Final = "another library decides the signature on one side"
NO_USE: Final = "the rule speaks: no client code that was tried shows the difference"
PERHAPS: Final = "a condition decides whether the released library has the name"
LATER: Final = "a function of the library sets the member on its class; whether it has run, no text tells"
BORROWED: Final = "another library may give what stands for the name, and decides what it takes and gives"
INHERITED_META: Final = "a base of another library may have a metaclass"
VEILED: Final = "a decorator that is not known may change what the function takes; the rule reads it as written"
DYNAMIC: Final = "the candidate makes names at run time (`__getattr__`)"
ABSORBED: Final = (
    "a value that went to `**` under this name now goes to the argument; whether it means the same is not told"
)
MADE: Final = "one side assigns what a call makes: a class, a function or any value, known only by running it"
EVERY_CALL: Final = "every call that the released signature takes binds alike"
NO_OVERLOADS: Final = "no overload is left, and the signature itself speaks"
ANOTHER_OVERLOAD: Final = "another overload takes and gives all that it did"
SAME_OVERLOAD: Final = "where two overloads fit a call, the one that speaks first now gives what the other one did"
FIRST_OVERLOAD: Final = "a type checker: another overload fits first now, and gives another type"
MAYBE_FIRST: Final = "another overload may fit first now; how the types relate is not known"
MAYBE_OVERLOAD: Final = "another overload may take and give all that it did; how the types relate is not known"
STILL_ALL: Final = "the classes that it inherits from now are all that the released ones were, under whatever names"
INHERITED: Final = (
    "a class of Python itself that it inherits from has the member; whether it takes the same is not told"
)
SAME_SHAPE: Final = "as many fields, and those that stay keep their positions: a field only got another name"
AWAITED: Final = "one side is `async`, the other one says so by its annotation; how what they give relates is not known"
SUBTYPE: Final = "every value of the one annotation is a value of the other"
