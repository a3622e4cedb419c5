"""Parameters of methods that begin with two underscores: `__x` is `_Class__x` to callers, and nobody writes `__x=`.

Python language reference, "Identifiers (Names)"; before `/` such names marked arguments that are given by position.
"""

from __future__ import annotations

from dataclasses import replace

from evreview.contracts.readers.python_parsed import Argument
from evreview.kinds.python.signatures import EITHER, KEYWORD_ONLY, POSITIONAL_ONLY


def as_called(arguments: tuple[Argument, ...], owner: str, *, bound: bool) -> tuple[Argument, ...]:
    """The arguments of a method as its callers know them: given by position, or under the name that the class makes.

    Args:
        arguments: as written.
        owner: the class that the method is written in.
        bound: whether the first argument is the instance or the class.
    """
    made: list[Argument] = []
    ahead = True
    for at, each in enumerate(arguments):
        if each.name.startswith("__") and not each.name.endswith("__"):
            if each.kind in (EITHER, POSITIONAL_ONLY) and ahead:
                each = replace(each, kind=POSITIONAL_ONLY)
            elif each.kind in (EITHER, KEYWORD_ONLY) and owner.strip("_"):
                each = replace(each, name=f"_{owner.lstrip('_')}{each.name}")
        ahead = ahead and (each.kind == POSITIONAL_ONLY or (bound and at == 0))
        made.append(each)
    return tuple(made)
