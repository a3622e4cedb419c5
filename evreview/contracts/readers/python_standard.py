"""Classes of Python's own library, as far as bases of a library may be such: looked up, never guessed.

Only modules of the list are imported, and only those of the Python that runs: nothing under review is among them.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import Final

_MODULES: Final = frozenset(
    {
        "abc", "argparse", "ast", "asyncio", "collections", "collections.abc", "concurrent.futures", "configparser",
        "contextlib", "csv", "dataclasses", "datetime", "decimal", "email.message", "enum", "fractions", "functools",
        "html.parser", "http.server", "io", "json", "logging", "logging.handlers", "numbers", "pathlib", "queue",
        "random", "selectors", "shelve", "socket", "socketserver", "ssl", "string", "subprocess", "tarfile",
        "threading", "types", "typing", "unittest", "urllib.error", "uuid", "warnings", "weakref", "zipfile",
    }
)  # fmt: skip


def builtin(path: str) -> type | None:
    """The builtin class of this name."""
    found = getattr(builtins, path.removeprefix("builtins.").split("[")[0], None)
    return found if isinstance(found, type) else None


def has_name(module: str, name: str) -> bool | None:
    """Whether a module of Python's own library has a name; None for a module that is not looked up."""
    return hasattr(import_module(module), name) if module in _MODULES else None


@lru_cache(maxsize=1024)
def standard(path: str) -> type | None:
    """The class of Python's own library, builtin or not, that a dotted path names; None for any other."""
    module, _, name = path.split("[")[0].rpartition(".")
    if module in ("", "builtins"):
        return builtin(path)
    if module not in _MODULES or not name.isidentifier() or name.startswith("_"):
        return None
    found = getattr(import_module(module), name, None)
    found = getattr(found, "__origin__", found) if module == "typing" else found
    return found if isinstance(found, type) and found.__module__ != "typing" else None


def ancestors_of(path: str) -> frozenset[str]:
    """The names of what instances of a standard class are, by their public modules; the path alone for any other."""
    known = standard(path)
    if known is None:
        return frozenset({path.split("[")[0]})
    silent = path.startswith(("builtins.", "typing.")) or "." not in path
    own = set[str]() if silent else {path.split("[")[0]}
    return frozenset(own | {name for each in known.__mro__ if (name := _public(each))})


def _public(cls: type) -> str:
    if cls.__module__ == "builtins":
        return cls.__name__
    return "" if cls.__module__.startswith("_") else f"{cls.__module__}.{cls.__qualname__}"


def is_one_of(ancestors: Iterable[str], path: str) -> bool:
    """True when instances of the ancestors are instances of a class, also by what an abstract class registers."""
    wanted = standard(path)
    for one in ancestors:
        known = standard(one)
        if one == path or (wanted is not None and known is not None and issubclass(known, wanted)):
            return True
    return False
