"""One direction of a row of Avro: whether data of one side is read by the other, and the datum that shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from evreview.contracts.avro.logical import effective
from evreview.contracts.avro.model import Named, Type
from evreview.core.vocabulary import Answer, Json
from evreview.kinds.avro.codec import Data, with_field
from evreview.kinds.avro.resolution import Clash, Problem, Resolution, answer_of
from evreview.proof.kinds.avro_logical import Apart, apart, parted

Show = Callable[[Data], Any]
"""Makes the key of a root and a datum of it, None where no root leads there."""


@dataclass(frozen=True, slots=True)
class Direction:
    """One direction of a row: what stands against reading, and how to show it.

    Attributes:
        answer: yes, no, unknown, or n/a where nothing is read that way.
        problems: the clashes; none where the answer is yes.
        show: makes the datum that shows them.
        means: True where the bytes are read, and what a logical type makes of them is asked.
    """

    answer: Answer
    problems: tuple[Problem, ...] = ()
    show: Show | None = None
    means: bool = False


YES: Final = Direction(Answer.YES)
NOT: Final = Direction(Answer.NOT_APPLICABLE)


class Held(NamedTuple):
    """A type, and the field and record that hold it; without a record it is a root, or part of a call."""

    type: Type
    name: str = ""
    holder: Named | None = None

    def shown(self, datum: Show) -> Show:
        """What makes a datum of a root with this type's own datum in its place."""
        holder = self.holder
        if holder is None:
            return lambda data: (key_of(data, self.type), datum(data))
        return lambda data: data.leading(holder.name, lambda _: with_field(data, holder, self.name, datum(data)))


def key_of(data: Data, root: Type) -> str:
    """The key of a root."""
    keys = (key for key, each in data.schema.roots.items() if each is root)
    return next(keys, next(iter(data.schema.roots), ""))


def answered(problems: tuple[Problem, ...]) -> Direction:
    """The direction of a call, of which no datum by itself is shown."""
    return Direction(answer_of(problems), problems) if problems else YES


def named_otherwise(problem: Problem, writer: Named, read: bool) -> Direction:
    """The direction of a named type whose name or size is another one."""
    if read:
        return YES
    return Direction(Answer.NO, (problem,), lambda data: data.leading(writer.name, data.smallest))


def whole(writer: Type, reader: Type, by: Resolution) -> Direction:
    """The direction of a root as a whole."""
    problems = by.problems(reader, writer)
    if not problems:
        return YES
    return Direction(answer_of(problems), problems, Held(writer).shown(lambda data: data.clashing(writer, reader, by)))


def means(writer: Held, reader: Held, forms: tuple[Json, Json]) -> Direction:
    """The direction of a logical type: what the reader makes of the writer's values.

    Args:
        writer: the writer's type.
        reader: the reader's.
        forms: the logical types that the row is about, the writer's first.
    """
    way, found = parted(writer.type, reader.type, forms)
    return _meaning(found, writer.shown(lambda data: data.along(writer.type, way, lambda _: found.shown)))


def fixed_means(writer: Named, reader: Named) -> Direction:
    """The direction of a fixed with another logical type."""
    own, other = (effective(each.logical, each.sort, each.size) for each in (writer, reader))
    found = apart(other, own, writer.size)
    return _meaning(found, lambda data: data.leading(writer.name, lambda _: found.shown))


def _meaning(found: Apart, show: Show) -> Direction:
    if found.answer is Answer.YES:
        return YES
    problem = Problem(Clash.MEANING, found.why)
    return Direction(found.answer, (problem,), show if found.shown is not None else None, means=True)
