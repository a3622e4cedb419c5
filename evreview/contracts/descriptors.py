"""A FileDescriptorSet as a pool of its own: nothing of one contract is seen by another, or by this program."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from evreview.contracts.model import Contract
from evreview.errors import BadInput, Problem

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
    from google.protobuf.descriptor_pool import DescriptorPool

STORED: Final = "(descriptors)"
"""Under this name the documents of a protobuf contract hold its descriptor set, as base64 text."""


@dataclass(frozen=True, slots=True)
class Descriptors:
    """The files of a set, each after those that it imports, and the pool that knows them all."""

    files: tuple[FileDescriptorProto, ...]
    pool: DescriptorPool


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
    pool = DescriptorPool()
    for each in files:
        try:
            pool.AddSerializedFile(each.SerializeToString())
        except (TypeError, ValueError) as error:
            raise BadInput([Problem(code="proto-set-broken", found=f"{each.name}: {error}", file=file)]) from None
    return Descriptors(files, pool)


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
