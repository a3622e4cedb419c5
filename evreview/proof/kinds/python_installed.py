"""What a library as a whole says to a use: where it is installed, what it loads, which commands it brings."""

from __future__ import annotations

from evreview.comparison.kind_spec import Told
from evreview.core.vocabulary import Answer
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.parsed import BY_PACKAGE, IN_PASSING, NOT, PERHAPS
from evreview.kinds.python.rules_packaging import floor_of
from evreview.proof.kinds.python_library import Library, texts


def yes(says: str) -> Told:
    """The use is taken."""
    return Told(accepted=Answer.YES, says=says)


def no(says: str) -> Told:
    """The use is refused."""
    return Told(accepted=Answer.NO, says=says)


def open_(says: str) -> Told:
    """Nobody knows without running it."""
    return Told(accepted=Answer.UNKNOWN, says=says)


def installed(library: Library, python: str) -> Told:
    """Whether a version of Python is admitted."""
    floor = floor_of(library.contract.root.facet(sig.REQUIRES_PYTHON) or "")
    asked = tuple(int(part) for part in python.split("."))
    if floor is None:
        return open_("the versions that it runs on are not a plain floor")
    if floor and floor[: len(asked)] > asked:
        return no(f"requires Python {'.'.join(map(str, floor[:2]))} or later")
    return yes(f"Python {python} is admitted")


def loaded(library: Library, name: str) -> Told:
    """Whether an import of the package around a module gives the module."""
    module, last = library.modules.get(name), name.rpartition(".")[2]
    found = module.facet(sig.LOADED) if module is not None else NOT
    if found in (BY_PACKAGE, IN_PASSING):
        return yes(f"the package loads {last}")
    if found == PERHAPS:
        return open_(f"whether something loads {last} is not told")
    return no(f"AttributeError: module {name.rpartition('.')[0]!r} has no attribute {last!r}")


def pointed(library: Library, point: str) -> Told:
    """Whether an entry point is declared."""
    listed = library.contract.root.facet(sig.ENTRY_POINTS)
    if not isinstance(listed, list):
        return open_("no metadata say which entry points there are")
    return yes(f"{point} is declared") if point in texts(listed) else no(f"{point}: not found")


def run(library: Library, package: str) -> Told:
    """Whether `python -m` runs a package."""
    listed = (library.contract.root, *library.modules.values())
    if any(one.facet(sig.RUN) == package for one in listed):
        return yes(f"{package} has a __main__")
    return no(f"No module named {package}.__main__; {package!r} is a package and cannot be directly executed")


def scripted(library: Library, module: str) -> Told:
    """Whether a module does more when it is run than when it is loaded."""
    listed = (library.contract.root, *library.modules.values())
    if any(one.facet(sig.SCRIPT) == module for one in listed):
        return yes(f"{module} does something when it is run")
    return no(f"{module} is loaded, and nothing is run")


def checked(library: Library, _: str) -> Told:
    """Whether a type checker reads the annotations."""
    if library.contract.root.facet(sig.TYPED) is True:
        return yes("the library is marked as typed")
    return no("a type checker: missing library stubs or py.typed marker")
