"""A FileDescriptorSet as a pool of its own: nothing of one contract is seen by another, or by this program."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from evreview.contract.model import Contract
from evreview.core.errors import BadInput, Problem

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import (
        DescriptorProto,
        FieldDescriptorProto,
        FileDescriptorProto,
        FileDescriptorSet,
    )
    from google.protobuf.descriptor_pool import DescriptorPool

STORED: Final = "(descriptors)"
"""Under this name the documents of a protobuf contract hold its descriptor set, as base64 text."""
STAND_IN: Final = "\ue000"
"""How a JSON name ends in a pool that is another field's name, or its JSON name: the runtime knows no such message."""


@dataclass(frozen=True, slots=True)
class Descriptors:
    """The files of a set, each after those that it imports, and the pool that knows them all.

    Attributes:
        stands_in: whether JSON names of the pool end with `STAND_IN`.
    """

    files: tuple[FileDescriptorProto, ...]
    pool: DescriptorPool
    stands_in: bool = False


def stored(data: bytes) -> str:
    """A set as text."""
    return base64.b64encode(data).decode()


def descriptors_of(contract: Contract) -> Descriptors:
    """The descriptors of a protobuf contract, loaded once more.

    Raises:
        BadInput: see `load_descriptors`.
    """
    return load_descriptors(base64.b64decode(str(contract.documents[STORED])), contract.path)


def load_descriptors(data: bytes, file: str) -> Descriptors:
    """The descriptors of a serialised set.

    Raises:
        BadInput: `proto-set-broken`, `proto-import-missing`.
    """
    from google.protobuf.descriptor_pb2 import FileDescriptorSet
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message import DecodeError

    try:
        found = FileDescriptorSet.FromString(data)
    except DecodeError as error:
        advice = "write the set again: protoc --include_imports --descriptor_set_out=FILE"
        problem = Problem(code="proto-set-broken", found=f"no FileDescriptorSet: {error}", file=file, advice=advice)
        raise BadInput([problem]) from None
    files = _in_order(found, file)
    pool, stands_in = DescriptorPool(), False
    for each in files:
        loaded = _without_clashes(each)
        stands_in |= loaded is not each
        try:
            pool.AddSerializedFile(loaded.SerializeToString())
        except (TypeError, ValueError) as error:
            raise BadInput([Problem(code="proto-set-broken", found=f"{each.name}: {error}", file=file)]) from None
    return Descriptors(files, pool, stands_in)


def _without_clashes(file: FileDescriptorProto) -> FileDescriptorProto:
    """The file, or a copy in which JSON names that the runtime refuses beside other names have stand-ins.

    protoc compiles them: a JSON name may be the name of another field, and in proto2 its JSON name, too.
    """
    if not any(_clashing(message) for message in _messages(file.message_type)):
        return file
    made = type(file)()
    made.CopyFrom(file)
    for message in _messages(made.message_type):
        for at, field in enumerate(_clashing(message), 1):
            field.json_name += STAND_IN * at
    return made


def _messages(top: Iterable[DescriptorProto]) -> Iterator[DescriptorProto]:
    for message in top:
        yield message
        yield from _messages(message.nested_type)


def _clashing(message: DescriptorProto) -> list[FieldDescriptorProto]:
    """The fields whose JSON name is the name of another field, or the JSON name of one before."""
    names = {field.name for field in message.field}
    taken: set[str] = set()
    found: list[FieldDescriptorProto] = []
    for field in message.field:
        if field.json_name in taken or (field.json_name != field.name and field.json_name in names):
            found.append(field)
        else:
            taken.add(field.json_name)
    return found


def _in_order(found: FileDescriptorSet, file: str) -> tuple[FileDescriptorProto, ...]:
    """The files, each after those that it imports."""
    by_name = {each.name: each for each in found.file}
    absent = sorted({name for each in found.file for name in each.dependency} - by_name.keys())
    if absent:
        advice = "write the set with --include_imports"
        raise BadInput(
            Problem(code="proto-import-missing", found=f"the set lacks {name}", file=file, advice=advice)
            for name in absent
        )
    ordered: dict[str, FileDescriptorProto] = {}
    waiting: list[tuple[str, Iterable[str]]] = []
    for first in by_name:
        waiting.append((first, iter(by_name[first].dependency)))
        entered = {first}
        while waiting:
            name, rest = waiting[-1]
            following = next((each for each in rest if each not in ordered and each not in entered), None)
            if following is None:
                ordered.setdefault(name, by_name[name])
                waiting.pop()
            else:
                entered.add(following)
                waiting.append((following, iter(by_name[following].dependency)))
    return tuple(ordered.values())
