"""Python: what the library is installed with: the Python it asks for, its commands, extras, marker, and submodules."""

from __future__ import annotations

import re
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule
from evreview.comparison.rules.variance import Text
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ABSENT, Form
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.parsed import LoadedBy
from evreview.kinds.python.rule_examples import (
    BREAKS,
    FITS,
    OPEN,
    TYPING_ONLY,
    UNDECLARED,
    edit,
    facet,
    library,
    loses,
)

_FLOOR: Final = re.compile(r">=?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:$|,)")
_REQUIRES: Final = "Core metadata specifications, Requires-Python"
_POINTS: Final = "Entry points specification"
_EXTRAS: Final = "Core metadata specifications, Provides-Extra"
_MARKER: Final = "PEP 561; Typing specification, Distributing type information"
_SUBMODULES: Final = "The Python Language Reference, 5.4.2 Submodules"
_MAIN: Final = "The Python Standard Library, __main__.py in Python Packages"
_ASKED: Final = "The Python Standard Library, __main__, __name__ == '__main__'"
_MODULES: Final = (ElementKind.MODULE,)
_FILE: Final = "things/__init__.py"
_PROJECT: Final = "pyproject.toml"


def floor_of(form: Form) -> tuple[int, ...] | None:
    """The lowest Python that a specifier admits, () for any, None when that is not a plain floor."""
    if not isinstance(form, str):
        return ()
    parts = [part for part in form.split(",") if part]
    found = [match for part in parts if (match := _FLOOR.fullmatch(part)) and part.startswith(">=")]
    plain = all(part.startswith((">=", "<", "!=")) for part in parts)
    return tuple(int(part or 0) for part in found[0].groups()) if len(found) == 1 and plain else None


def _raised(delta: Delta) -> bool:
    old, new = floor_of(delta.released), floor_of(delta.candidate)
    return old is not None and new is not None and new > old


def _lowered(delta: Delta) -> bool:
    old, new = floor_of(delta.released), floor_of(delta.candidate)
    return old is not None and new is not None and new < old and "<" not in str(delta.candidate)


def _script(specifier: str) -> str:
    return f'# /// script\n# requires-python = "{specifier}"\n# ///\ndef f(): ...'


_PYTHONS: Final[tuple[Rule, ...]] = (
    BREAKS.calls(
        "floor-raised",
        Text(
            "The library asks for a newer Python",
            "It can't be installed any more where the released one runs.",
            _REQUIRES,
        ),
        Match(facets=(sig.REQUIRES_PYTHON,), when=_raised),
        edit(_script(">=3.8"), _script(">=3.10")),
    ),
    FITS.calls(
        "floor-lowered",
        Text("The library runs on an older Python as well", "It runs wherever the released one runs.", _REQUIRES),
        Match(facets=(sig.REQUIRES_PYTHON,), when=_lowered),
        edit(_script(">=3.10"), _script(">=3.8")),
    ),
    OPEN.calls(
        "python-versions-changed",
        Text(
            "The library asks for other versions of Python",
            "More than the lowest version changed; which installations are left out is not computed.",
            _REQUIRES,
        ),
        Match(facets=(sig.REQUIRES_PYTHON,)),
        edit(_script(">=3.8"), _script(">=3.8,<3.13")),
        edit(_script(">=3.8"), _script(">=3.9")),
    ),
)


def _project(text: str) -> dict[str, str]:
    return {_FILE: "X = 1\n", _PROJECT: f'[project]\nname = "things"\n{text}'}


_SCRIPTS: Final = _project('[project.scripts]\nthings = "things:main"\n')
_EXTRA: Final = _project('[project.optional-dependencies]\nfast = ["x"]\n')
_PLAIN: Final = _project("")
_UNTOLD: Final = _project('dynamic = ["scripts"]\n')
_TYPED: Final = {_FILE: "X = 1\n", "things/py.typed": ""}
_UNTYPED: Final = {_FILE: "X = 1\n"}

_INSTALLED: Final[tuple[Rule, ...]] = (
    BREAKS.calls(
        "entry-point-removed",
        Text(
            "A command or another entry point was removed",
            "The command is no longer installed; who looks the entry point up no longer finds it.",
            _POINTS,
        ),
        Match(facets=(sig.ENTRY_POINTS,), when=lambda delta: isinstance(delta.candidate, list) and loses(delta)),
        library(_SCRIPTS, _PLAIN),
    ),
    OPEN.calls(
        "entry-points-untold",
        Text(
            "Nothing says any more which commands and entry points there are",
            "The candidate has no metadata, or computes them.",
            _POINTS,
        ),
        Match(facets=(sig.ENTRY_POINTS,), when=loses),
        library(_SCRIPTS, _UNTOLD),
    ),
    FITS.calls(
        "entry-point-added",
        Text("A command or another entry point was added", "No old use names it.", _POINTS),
        Match(facets=(sig.ENTRY_POINTS,)),
        library(_PLAIN, _SCRIPTS),
    ),
    OPEN.calls(
        "extra-removed",
        Text(
            "An extra was removed",
            "pip warns and goes on; whether what it brought along is always installed now, or missing, is not told.",
            _EXTRAS,
        ),
        Match(facets=(sig.EXTRAS,), when=loses),
        library(_EXTRA, _PLAIN),
    ),
    FITS.calls(
        "extra-added",
        Text("An extra was added", "No old installation asks for it.", _EXTRAS),
        Match(facets=(sig.EXTRAS,)),
        library(_PLAIN, _EXTRA),
    ),
    BREAKS.by_plane(TYPING_ONLY).calls(
        "typing-marker-removed",
        Text(
            "The marker that the library is typed was removed",
            "Type checkers no longer read its annotations, and refuse the import by default.",
            _MARKER,
        ),
        facet(sig.TYPED, candidate=(False,)),
        library(_TYPED, _UNTYPED),
    ),
    FITS.by_plane(UNDECLARED).calls(
        "typing-marker-added",
        Text(
            "The library says that it is typed",
            "Type checkers read its annotations from now on, and may refuse what they let pass.",
            _MARKER,
        ),
        facet(sig.TYPED, candidate=(True,)),
        library(_UNTYPED, _TYPED),
    ),
)


def _loads(text: str, other: str = "") -> dict[str, str]:
    return {_FILE: text, "things/part.py": "X = 1\n", "things/other.py": other}


_RUN: Final = {_FILE: "X = 1\n", "things/__main__.py": "print(1)\n"}
_UNRUN: Final = {_FILE: "X = 1\n"}

_RUNNING: Final[tuple[Rule, ...]] = (
    BREAKS.calls(
        "package-no-longer-runs",
        Text("A package can't be run any more", "`python -m` finds no `__main__` in it.", _MAIN),
        facet(sig.RUN, candidate=(ABSENT,)),
        library(_RUN, _UNRUN),
    ),
    FITS.calls(
        "package-runs",
        Text("A package can be run", "No old use runs it.", _MAIN),
        facet(sig.RUN, released=(ABSENT,)),
        library(_UNRUN, _RUN),
    ),
)

_SCRIPT: Final = {_FILE: "X = 1\n", "things/tool.py": "def main(): ...\nif __name__ == '__main__':\n    main()\n"}
_LIBRARY: Final = {_FILE: "X = 1\n", "things/tool.py": "def main(): ...\n"}

_RUN_BY_NAME: Final[tuple[Rule, ...]] = (
    BREAKS.calls(
        "module-no-longer-runs",
        Text("A module does nothing any more when it is run", "`python -m` loads it and ends.", _ASKED),
        facet(sig.SCRIPT, candidate=(ABSENT,)),
        library(_SCRIPT, _LIBRARY),
    ),
    FITS.calls(
        "module-runs",
        Text("A module does something when it is run", "No old use runs it.", _ASKED),
        facet(sig.SCRIPT, released=(ABSENT,)),
        library(_LIBRARY, _SCRIPT),
    ),
)

_SURE: Final = (LoadedBy.BY_PACKAGE, LoadedBy.IN_PASSING)

_LOADED: Final[tuple[Rule, ...]] = (
    BREAKS.calls(
        "submodule-no-longer-loaded",
        Text(
            "A package no longer imports a module of its own",
            "After an import of the package alone, its module is no attribute of it any more.",
            _SUBMODULES,
        ),
        Match(elements=_MODULES, facets=(sig.LOADED,), released=(LoadedBy.BY_PACKAGE,), candidate=(LoadedBy.NOT,)),
        library(_loads("from . import part"), _loads("")),
    ),
    FITS.calls(
        "submodule-loaded",
        Text(
            "An import of the package loads one of its modules",
            "The module is an attribute of the package, whichever statement loads it.",
            _SUBMODULES,
        ),
        Match(elements=_MODULES, facets=(sig.LOADED,), candidate=_SURE),
        library(_loads(""), _loads("from . import part")),
    ),
    OPEN.calls(
        "submodule-loading-unknown",
        Text(
            "A module may no longer be loaded with its package",
            "It was loaded in passing by another import, or a condition or a function decides.",
            _SUBMODULES,
        ),
        Match(elements=_MODULES, facets=(sig.LOADED,)),
        library(_loads("from .part import X"), _loads("X = 1\n")),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_PYTHONS, *_INSTALLED, *_RUNNING, *_RUN_BY_NAME, *_LOADED)
