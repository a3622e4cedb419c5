"""A FileDescriptorSet as JSON, as buf and protobuf's printers write it: made into the bytes that it stands for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from evreview.contract.model import Place, Unread
from evreview.contracts.descriptors import load_descriptors
from evreview.core.errors import bad_input
from evreview.core.vocabulary import Json

if TYPE_CHECKING:
    from google.protobuf.descriptor_pool import DescriptorPool

_OPENING: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\s*\"file\"\s*:\s*\[\s*\{\s*\"name\"\s*:\s*\"[^\"\n]+\"")
_SET: Final = "google.protobuf.FileDescriptorSet"


def opens_as_set(data: bytes) -> bool:
    """True for JSON that opens like a descriptor set: its only list, and the name of a first file."""
    return _OPENING.match(data) is not None


def set_of_json(data: bytes, file: str) -> tuple[bytes, tuple[Unread, ...]]:
    """The serialised set, and the options that its own files do not declare.

    Raises:
        BadInput: `proto-set-broken`, and what `load_descriptors` raises.
    """
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    text = data.decode("utf-8-sig", "replace")
    plain = _parsed(text, FileDescriptorSet(), file, None).SerializeToString()
    pool = load_descriptors(plain, file).pool
    missing = sorted({name for name in _bracketed(json.loads(text)) if not _knows(pool, name)})
    unread = tuple(
        Unread(Place(file, ""), f"option ({name})", "write the set with the file that declares it") for name in missing
    )
    try:
        # Custom options are known to the set's own language only, where it holds that.
        from google.protobuf.message_factory import GetMessageClass

        own = GetMessageClass(pool.FindMessageTypeByName(_SET))()
    except KeyError:
        return plain, unread
    return _parsed(text, own, file, pool).SerializeToString(), unread


def _parsed(text: str, into: Any, file: str, pool: DescriptorPool | None) -> Any:
    from google.protobuf.json_format import Parse, ParseError

    try:
        return Parse(text, into, ignore_unknown_fields=True, descriptor_pool=pool)
    except (ParseError, ValueError, TypeError, KeyError, RecursionError) as error:
        advice = "write the set again, for example buf build -o set.json"
        found = f"no FileDescriptorSet: {' '.join(str(error).split())[:200]}"
        raise bad_input("proto-set-broken", found, file=file, advice=advice) from None


def _bracketed(form: Json) -> Iterator[str]:
    """The names of extensions anywhere in the JSON."""
    waiting = [form]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield from (key[1:-1] for key in one if key.startswith("[") and key.endswith("]"))
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _knows(pool: DescriptorPool, name: str) -> bool:
    try:
        pool.FindExtensionByName(name)
    except KeyError:
        return False
    return True
