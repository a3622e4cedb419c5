"""Every message and enum of a descriptor set, with its full name, features and place, and what it refers to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evreview.contract.model import Place
from evreview.contracts.readers.protobuf_features import Features, features_of

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

Path = tuple[int, ...]
MESSAGES, ENUMS, SERVICES, EXTENSIONS = 4, 5, 6, 7
"""Numbers of a file's lists in its descriptor, which its places are told by."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A file: its descriptor, the lines of its declarations, and its name as the user knows it.

    Attributes:
        lines: by descriptor path; {} where the set carries no places.
        shown: the file, or the set, that places name.
    """

    file: FileDescriptorProto
    lines: Mapping[Path, int]
    shown: str

    def place(self, path: Path) -> Place:
        """Where a declaration stands: its line, or that of what holds it."""
        at = path
        while at and at not in self.lines:
            at = at[:-1]
        # A set is no text: everything of it stands in its first line, and addresses tell its parts apart.
        return Place.at_line(self.shown, self.lines.get(at, 1))

    def line(self, path: Path) -> str:
        """The pointer of a facet that is written at a path, "" when its line is not known."""
        return f"L{self.lines[path]}" if path in self.lines else ""

    def full(self, name: str, around: str = "") -> str:
        """The full name of what is declared in the file, or in the message `around`."""
        return ".".join(part for part in (around or self.file.package, name) if part)


@dataclass(frozen=True, slots=True)
class Declared:
    """One message or enum.

    Attributes:
        name: its full name.
        proto: its descriptor.
        features: resolved for itself.
        around: full name of the message around it, "" at the top of its file.
    """

    name: str
    proto: Any
    features: Features
    scope: Scope
    path: Path
    around: str = ""

    @property
    def is_enum(self) -> bool:
        """True for an enum, False for a message."""
        return bool(self.proto.DESCRIPTOR.name == "EnumDescriptorProto")

    @property
    def references(self) -> Iterator[str]:
        """Full names of the types of its fields."""
        if not self.is_enum:
            yield from (field.type_name[1:] for field in self.proto.field if field.type_name)


def scoped(file: FileDescriptorProto, shown: str, *, by_lines: bool) -> Scope:
    """A file as its places are told."""
    lines = {tuple(at.path): at.span[0] + 1 for at in file.source_code_info.location} if by_lines else {}
    return Scope(file, lines, shown)


def declared(scope: Scope) -> Iterator[Declared]:
    """Everything that a file declares, in the order of the file, what is nested after what holds it."""
    features = features_of(scope.file)
    waiting: list[tuple[Any, Path, Features, str]]
    waiting = [(proto, (ENUMS, at), features, "") for at, proto in enumerate(scope.file.enum_type)]
    waiting += [(proto, (MESSAGES, at), features, "") for at, proto in enumerate(scope.file.message_type)]
    waiting.reverse()
    while waiting:
        proto, path, above, around = waiting.pop()
        one = Declared(scope.full(proto.name, around), proto, above.under(proto.options), scope, path, around)
        yield one
        if not one.is_enum:
            below = [(proto, (*path, 4, at), one.features, one.name) for at, proto in enumerate(one.proto.enum_type)]
            below += [(proto, (*path, 3, at), one.features, one.name) for at, proto in enumerate(one.proto.nested_type)]
            waiting += reversed(below)


def reached(starts: Iterable[str], types: Mapping[str, Declared]) -> frozenset[str]:
    """The types that messages of some types may hold, themselves with them."""
    found = {name for name in starts if name in types}
    waiting = list(found)
    while waiting:
        for name in types[waiting.pop()].references:
            if name in types and name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)
