"""What one Python file declares, as plain values: texts as written, names not yet resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evreview.contracts.readers.python_answers import Answers
from evreview.kinds.python.parsed import Loads
from evreview.kinds.python.signatures import EITHER, KEYWORDS, REST


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One parameter of a signature; `kind` is one of the five of `signatures`.

    `default` and `annotation` are source texts, None where there is none.
    """

    name: str
    kind: str = EITHER
    default: str | None = None
    annotation: str | None = None

    @property
    def required(self) -> bool:
        """True when a call has to give it."""
        return self.default is None and self.kind not in (REST, KEYWORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What every declaration has.

    Attributes:
        name, file, line: what and where.
        runtime: False below `if TYPE_CHECKING`.
        forms: what it is in each branch, where branches of the file define it differently.
        perhaps: a condition decides whether the file binds it at all.
        borrowed: one branch takes it from another library.
    """

    name: str
    file: str
    line: int
    runtime: bool = True
    forms: tuple[str, ...] = ()
    perhaps: bool = False
    borrowed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Function(Declared):
    """A function or method.

    Attributes:
        decorators: dotted paths of the decorators, resolved as far as the file tells.
        decorated: the decorators as written, in the same order.
        labels: what the decorators make of it (`async`, `classmethod`, `staticmethod`, `abstractmethod`, …).
        yields: it is a generator.
        overloads: its declared overloads; the function itself is the implementation.
        deprecated: the message of `@deprecated`, None without one.
        raises: exceptions that its docstring names.
        attributes: what the file sets on it.
        gives: what it makes of a function that it decorates, "" where it gives a plain value.
    """

    arguments: tuple[Argument, ...] = ()
    returns: str | None = None
    decorators: tuple[str, ...] = ()
    decorated: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()
    yields: bool = False
    overloads: tuple[Function, ...] = ()
    deprecated: str | None = None
    raises: tuple[str, ...] = ()
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    gives: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute(Declared):
    """A variable, or a property when its labels say so (`property`, `writable`, `deletable`)."""

    value: str | None = None
    annotation: str | None = None
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias(Declared):
    """A name that an import binds; a star import has the name `*`."""

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Class(Declared):
    """A class: its bases as dotted paths, the keywords and decorators as texts, the members in order of writing."""

    bases: tuple[str, ...] = ()
    keywords: Mapping[str, str] = field(default_factory=dict)
    decorators: tuple[tuple[str, str], ...] = ()
    members: Mapping[str, Member] = field(default_factory=dict)


Member = Function | Attribute | Alias | Class


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One file.

    Attributes:
        path: its dotted name.
        file: where it is written.
        package: it is an `__init__`.
        members: by name; a name bound twice holds what was bound last, as far as no condition decides.
        stars: modules that `import *` takes everything from.
        exports: `__all__` as written, each a name or `module:` and the module whose `__all__` is added; None without.
        unread: lines where `__all__` changes in a way that only running tells, with the statement.
        untold: statements that bind names which only running tells.
        later: attributes that its functions set on what stands outside of them, as dotted paths.
        answers: what its `__getattr__` says.
        loads: its imports.
        script: it does more when it is run by its name than when it is imported.
    """

    path: str
    file: str
    package: bool = False
    members: Mapping[str, Member] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    exports: tuple[str, ...] | None = None
    unread: tuple[tuple[int, str], ...] = ()
    untold: tuple[str, ...] = ()
    later: frozenset[str] = frozenset()
    answers: Answers = Answers()  # noqa: RUF009 -- a frozen value
    loads: Loads = Loads()  # noqa: RUF009 -- a frozen value
    script: bool = False
