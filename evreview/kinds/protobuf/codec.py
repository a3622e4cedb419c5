"""One side's messages written and read on either wire, values that tell field types apart, equality of values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from evreview.contract.model import Contract
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Json, Plane
from evreview.kinds.protobuf.reader import STAND_IN, Descriptors, descriptors_of

if TYPE_CHECKING:
    from google.protobuf.message import Message


# One side as a codec: messages of its own pool.


MOST_SHOWN: Final = 8
_DEEPEST: Final = 20
_STRING_TYPE: Final = 9
_HOLDING: Final = "evreview.holding."
_HOLDER: Final = ".Holder"


@frozen
class DecodedMessage:
    """What a side makes of a message.

    Attributes:
        values: by field number every value that it reads, a default where the field is not there.
        refused: why it refuses the message, "" when it reads it.
        message: the message as read, None when refused.
    """

    values: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    refused: str = ""
    message: Message | None = None


class ContractMessages:
    """A contract's messages.

    Args:
        name: `released` or `candidate`.
        contract: what declares them.
    """

    def __init__(self, name: str, contract: Contract) -> None:
        self.name = name
        self._contract = contract
        self._held: dict[str, Any] = {}
        self._demanded: dict[str, list[Any]] = {}

    @cached_property
    def descriptors(self) -> Descriptors:
        """The contract's descriptors, loaded when they are first asked for."""
        return descriptors_of(self._contract)

    def type(self, name: str) -> Any | None:
        """The descriptor of a message, None for a name that is none; a made one for the name of a holder."""
        if name.startswith(_HOLDING):
            return self._holder(name.removeprefix(_HOLDING).removesuffix(_HOLDER))
        try:
            return self.descriptors.pool.FindMessageTypeByName(name)
        except KeyError:
            return None

    def _holder(self, enum: str) -> Any | None:
        """A message that holds an enum which no message of the contract holds."""
        from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

        held = self.enum(enum)
        if held is None:
            return None
        name = holder_of(enum)
        if name in self._held:
            return self._held[name]
        made = FileDescriptorProto(name=f"{name}.proto", package=name.rpartition(".")[0], syntax="proto2")
        made.dependency.append(held.file.name)
        value = FieldDescriptorProto(
            name="value",
            number=1,
            label=FieldDescriptorProto.LABEL_OPTIONAL,
            type=FieldDescriptorProto.TYPE_ENUM,
            type_name=f".{enum}",
            json_name="value",
        )
        made.message_type.add(name=name.rpartition(".")[2], field=[value])
        self.descriptors.pool.AddSerializedFile(made.SerializeToString())
        self._held[name] = self.descriptors.pool.FindMessageTypeByName(name)
        return self._held[name]

    def enum(self, name: str) -> Any | None:
        """The descriptor of an enum, None for a name that is none."""
        try:
            return self.descriptors.pool.FindEnumTypeByName(name)
        except KeyError:
            return None

    def field(self, message: Any, number: int) -> Any | None:
        """The field or extension of a message with a number."""
        own = message.fields_by_number.get(number)
        if own is not None:
            return own
        try:
            return self.descriptors.pool.FindExtensionByNumber(message, number)
        except KeyError:
            return None

    def messages(self) -> Iterator[Any]:
        """Every message that the set declares."""
        for file in self.descriptors.files:
            waiting = list(self.descriptors.pool.FindFileByName(file.name).message_types_by_name.values())
            while waiting:
                one = waiting.pop(0)
                yield one
                waiting.extend(one.nested_types)

    def _required(self, message: Any) -> list[Any]:
        """The required fields at the top of a message."""
        name = message.full_name
        if name not in self._demanded:
            self._demanded[name] = [one for one in message.fields if one.is_required]
        return self._demanded[name]

    def new(self, message: Any) -> Message:
        """An empty message."""
        from google.protobuf.message_factory import GetMessageClass

        return GetMessageClass(message)()

    def complete(self, message: Message, depth: int = _DEEPEST) -> None:
        """Sets what is required and not set, so that the message can be written."""
        for one in self._required(message.DESCRIPTOR):
            if message.HasField(one.name):
                continue
            if one.message_type is not None:
                getattr(message, one.name).SetInParent()
            else:
                setattr(message, one.name, getattr(message, one.name))
        for one, value in message.ListFields() if depth else ():
            if one.message_type is not None and not one.is_repeated:
                self.complete(value, depth - 1)

    def written(self, message: Message, plane: Plane) -> str | None:
        """The message as hexadecimal bytes or as JSON; None when this side can't write it."""
        if plane is Plane.BINARY:
            return message.SerializePartialToString(deterministic=True).hex()
        from google.protobuf.json_format import Error, MessageToDict

        try:
            shown = MessageToDict(message, descriptor_pool=self.descriptors.pool)
        except (Error, TypeError, ValueError, KeyError):
            return None
        written = json.dumps(shown, ensure_ascii=False)
        return written.replace(STAND_IN, "") if self.descriptors.stands_in else written

    def read(self, message: Any, plane: Plane, payload: str, numbers: Sequence[int]) -> DecodedMessage:
        """What this side reads of a payload, at the fields with these numbers."""
        from google.protobuf.json_format import Parse, ParseError
        from google.protobuf.message import DecodeError

        found = self.new(message)
        try:
            if plane is Plane.BINARY:
                found.MergeFromString(bytes.fromhex(payload))
            else:
                if self.descriptors.stands_in:
                    payload = json.dumps(_with_stand_ins(message, json.loads(payload)), ensure_ascii=False)
                Parse(payload, found, descriptor_pool=self.descriptors.pool)
                _no_enum_of_bool(message, json.loads(payload))
        except (ParseError, DecodeError, ValueError, TypeError, RecursionError) as error:
            return DecodedMessage(refused=_short(error))
        missing = [one.name for one in self._required(message) if not found.HasField(one.name)]
        asked = {one.name for one in self._required(message) if one.number in numbers}
        if asked & set(missing):
            # Another field that is missing has a row of its own.
            return DecodedMessage(refused=f"without {', '.join(missing)}, which is required")
        fields = ((number, self.field(message, number)) for number in numbers)
        return DecodedMessage({number: values_of(found, one) for number, one in fields if one is not None}, "", found)


def json_name(one: Any) -> str:
    """What JSON calls a field."""
    return str(one.json_name).rstrip(STAND_IN)


def _with_stand_ins(message: Any, held: Json) -> Json:
    """JSON of a message with the names that its pool has for its members: a JSON name goes before a field's name."""
    if not isinstance(held, Mapping):
        return held
    own = {json_name(one): one for one in message.fields if one.json_name.endswith(STAND_IN)}
    named = {one.json_name: one for one in message.fields} | {one.name: one for one in message.fields} | own
    made: dict[str, Json] = {}
    for name, value in held.items():
        one = named.get(name)
        inner: Any = one.message_type if one is not None else None
        if one is not None and is_map(one) and isinstance(value, Mapping):
            inner = inner.fields_by_name["value"].message_type
            if inner is not None:
                value = {key: _with_stand_ins(inner, each) for key, each in value.items()}
        elif inner is not None:
            value = (
                [_with_stand_ins(inner, each) for each in value]
                if isinstance(value, list)
                else (_with_stand_ins(inner, value))
            )
        made[own[name].json_name if name in own else name] = value
    return made


def _no_enum_of_bool(message: Any, held: Json) -> None:
    """Refuses a boolean for an enum: Python's parser alone takes it for a number.

    Raises:
        ValueError: there is one.
    """
    for name, value in held.items() if isinstance(held, Mapping) else ():
        one = next((each for each in message.fields if name in (each.json_name, each.name)), None)
        if one is not None and is_map(one):
            one, value = (
                one.message_type.fields_by_name["value"],
                list(value.values()) if isinstance(value, Mapping) else [],
            )
        for each in value if isinstance(value, list) else [value]:
            if one is not None and one.enum_type is not None and isinstance(each, bool):
                raise ValueError(f"Invalid enum value {json.dumps(each)} for enum type {one.enum_type.full_name}")
            if one is not None and one.message_type is not None:
                _no_enum_of_bool(one.message_type, each)


def holder_of(enum: str) -> str:
    """The full name of a message that is made to hold an enum."""
    return f"{_HOLDING}{enum}{_HOLDER}"


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()).partition(" Available Fields")[0]
    return text[:200] or type(error).__name__


def is_map(one: Any) -> bool:
    """True for a map field."""
    return bool(one.message_type is not None and one.is_repeated and one.message_type.GetOptions().map_entry)


def values_of(message: Message, one: Any) -> list[Any]:
    """The values of a field: of a map its pairs, of a singular field one value, which is the default when unset.

    A message that is not set is no value: that it is there says something, though nothing is in it.
    """
    held = message.Extensions[one] if one.is_extension else getattr(message, one.name)
    if is_map(one):
        return sorted(((key, held[key]) for key in held), key=lambda pair: repr(pair[0]))
    if one.is_repeated:
        return list(held)
    return [held] if one.message_type is None or _has(message, one) else []


def _has(message: Message, one: Any) -> bool:
    return message.HasExtension(one) if one.is_extension else message.HasField(one.name)


def put(message: Message, one: Any, values: Sequence[Any]) -> None:
    """Sets a field to values: of a map pairs."""
    if is_map(one):
        held = getattr(message, one.name)
        for key, value in values:
            if one.message_type.fields_by_name["value"].message_type is not None:
                held[key].MergeFrom(value)
            else:
                held[key] = value
        return
    held = message.Extensions[one] if one.is_extension else getattr(message, one.name)
    if one.is_repeated:
        held.extend(values)
    elif one.message_type is not None:
        held.SetInParent()
        held.MergeFrom(values[-1])
    elif one.is_extension:
        message.Extensions[one] = values[-1]
    else:
        setattr(message, one.name, values[-1])


def shown(one: Any, values: Sequence[Any]) -> Json:
    """Values as plain JSON, enum values by name where they have one."""
    told: list[Json] = [_single(one, value) for value in values[:MOST_SHOWN]]
    return told if one.is_repeated else told[0] if told else None


def _single(one: Any, value: Any) -> Json:
    if isinstance(value, tuple):
        entry = one.message_type.fields_by_name
        return {str(value[0]): _single(entry["value"], value[1])}
    if one.message_type is not None:
        return {each.name: shown(each, values_of(value, each)) for each, _ in value.ListFields()}
    if one.enum_type is not None:
        known = one.enum_type.values_by_number.get(value)
        return f"{known.name} ({value})" if known is not None else f"{value} (no name)"
    if isinstance(value, bytes):
        return f"{'no text, ' if one.type == _STRING_TYPE else ''}bytes {value.hex()}"
    return value  # type: ignore[no-any-return]


_MOST_OF_A_MESSAGE: Final = 200
_DEPTH: Final = 6
_TINY32, _BIG32, _HUGE32 = -(2**31), 2**31 - 1, 2**32 - 1
_SHORT: Final = (1, -1, _BIG32, _TINY32, 0)
_LONG: Final = (1, -1, 2**40, -(2**63), 2**63 - 1, 0)
_UNSIGNED: Final = (1, 2**40, 2**64 - 1, 0)
_SCALARS: Final[Mapping[int, tuple[Any, ...]]] = {
    1: (1.5, 0.1, -2.0, 0.0), 2: (1.5, -2.0, 0.0), 3: _LONG, 4: _UNSIGNED, 5: _SHORT, 6: _UNSIGNED,
    7: (1, _HUGE32, 0), 8: (True, False), 9: ("abc", "é", ""), 12: (b"abc", b"\xff\xfe", b""), 13: (1, _HUGE32, 0),
    15: _SHORT, 16: _LONG, 17: _SHORT, 18: _LONG,
}  # fmt: skip
"""By number of the type: ordinary values, and the ends of its range. Parsers cut numbers, so that the ends show it."""

_STRING: Final = 9
_WRAPPERS: Final = frozenset(
    f"google.protobuf.{name}Value"
    for name in ("Double", "Float", "Int64", "UInt64", "Int32", "UInt32", "Bool", "String", "Bytes")
)

Same = Callable[[str, str], bool]
"""Whether a type of the writer and one of the reader are one type, whose differences have rows of their own."""


def values(one: Any, partners: Same, reader: Any | None = None) -> Iterator[Any]:
    """Single values of a field, ordinary ones first; of a map its pairs."""
    if is_map(one):
        key, value = (one.message_type.fields_by_name[name] for name in ("key", "value"))
        other = reader.message_type.fields_by_name["value"] if reader is not None and is_map(reader) else None
        ordinary = next(values(value, partners, other))
        yield from ((each, ordinary) for each in _SCALARS[key.type])
        yield from ((_SCALARS[key.type][0], each) for each in values(value, partners, other))
    elif one.message_type is not None:
        yield from islice(_messages(one, partners, reader, _DEPTH), _MOST_OF_A_MESSAGE)
    elif one.enum_type is not None:
        if reader is not None and reader.enum_type is not None and partners(_name(one), _name(reader)):
            yield from _common(one.enum_type, reader.enum_type)
            return
        numbers = [value.number for value in one.enum_type.values]
        yield from (number for number in numbers if number)
        yield from (number for number in numbers if not number)
        if not one.enum_type.is_closed:
            yield from (
                number for number in (max(numbers) + 1, _BIG32, _TINY32) if number not in numbers and number <= _BIG32
            )
    else:
        yield from _SCALARS[one.type]


def _name(one: Any) -> str:
    return str(one.enum_type.full_name)


def _common(mine: Any, theirs: Any) -> list[int]:
    """The numbers that two versions of one enum call by the same name, zero last: other numbers have rows."""
    names = {value.number: value.name for value in theirs.values}
    return sorted(
        (value.number for value in mine.values if names.get(value.number) == value.name), key=lambda number: number == 0
    )


def _messages(one: Any, partners: Same, reader: Any | None, depth: int) -> Iterator[Any]:
    """Messages with one field each, then an empty one; where the types are one type, just something to see."""
    from google.protobuf.message_factory import GetMessageClass

    made = GetMessageClass(one.message_type)
    other = reader.message_type if reader is not None else None
    if other is None or partners(one.message_type.full_name, other.full_name):
        yield from islice(_plain(made, other), 2)
    else:
        names = (one.message_type.full_name, other.full_name)

        def within(left: str, right: str) -> bool:
            return (left, right) == names or partners(left, right)

        for each in one.message_type.fields if depth > 0 else ():
            theirs = other.fields_by_number.get(each.number)
            for content in _contents(each, within, theirs, depth - 1):
                message = made()
                put(message, each, content)
                yield message
    yield made()


def _contents(one: Any, partners: Same, reader: Any | None, depth: int) -> Iterator[list[Any]]:
    """Contents of a field in a message: each single value, and two of them for a reader that takes one."""
    nested = one.message_type is not None and not is_map(one)
    for value in _messages(one, partners, reader, depth) if nested else values(one, partners, reader):
        yield [value]
    if one.is_repeated and not is_map(one) and reader is not None and not reader.is_repeated:
        yield list(islice(_messages(one, partners, reader, depth) if nested else values(one, partners, reader), 2))


def members(message: Any, other: Any, partners: Same) -> Iterator[dict[int, list[Any]]]:
    """Contents of a message, one field each, in which two types may differ."""
    if partners(message.full_name, other.full_name):
        return

    def within(left: str, right: str) -> bool:
        return (left, right) == (message.full_name, other.full_name) or partners(left, right)

    for each in message.fields:
        yield from ({each.number: content} for content in lists(each, within, other.fields_by_number.get(each.number)))


def left(message: Any, other: Any, partners: Same, depth: int = _DEPTH) -> Iterator[dict[int, list[Any]]]:
    """Contents of a message, one field each, that another type has no field for, at any depth."""
    from google.protobuf.message_factory import GetMessageClass

    if depth == 0 or partners(message.full_name, other.full_name):
        return
    for each in message.fields:
        theirs = other.fields_by_number.get(each.number)
        if theirs is None:
            yield {each.number: next(lists(each, partners))}
        elif each.message_type is not None and theirs.message_type is not None and not is_map(each):
            for content in left(each.message_type, theirs.message_type, partners, depth - 1):
                made = GetMessageClass(each.message_type)()
                for number, values_ in content.items():
                    put(made, each.message_type.fields_by_number[number], values_)
                yield {each.number: [made]}


def without_added(message: Any, other: Any) -> None:
    """Takes away what another type has no field for: readers of JSON ignore what was added after them."""
    for each, value in message.ListFields():
        theirs = None if each.is_extension else other.fields_by_number.get(each.number)
        if theirs is None:
            message.ClearField(each.name) if not each.is_extension else None
        elif each.message_type is not None and theirs.message_type is not None and not is_map(each):
            for one in value if each.is_repeated else (value,):
                without_added(one, theirs.message_type)


def _plain(made: Any, other: Any | None) -> Iterator[Any]:
    """Messages with one ordinary value each, in a field that both types have alike."""
    for each in made.DESCRIPTOR.fields:
        theirs = other.fields_by_number.get(each.number) if other is not None else each
        alike = theirs is not None and (theirs.name, theirs.type, theirs.is_repeated) == (
            each.name,
            each.type,
            each.is_repeated,
        )
        if alike and each.type in _SCALARS:
            for value in _SCALARS[each.type][:2]:
                message = made()
                put(message, each, [value])
                yield message


def is_bounded(one: Any, reader: Any | None, partners: Same) -> bool:
    """True when `values` may leave out kinds of values of a message, because there are too many."""
    if one.message_type is None or reader is None or reader.message_type is None:
        return False
    if partners(one.message_type.full_name, reader.message_type.full_name):
        return False
    return sum(1 for _ in islice(_messages(one, partners, reader, _DEPTH), _MOST_OF_A_MESSAGE + 1)) > _MOST_OF_A_MESSAGE


def lists(one: Any, partners: Same, reader: Any | None = None) -> Iterator[list[Any]]:
    """Contents of a field: each single value; of a repeated one also two values together."""
    yield from ([value] for value in values(one, partners, reader))
    if one.is_repeated:
        yield list(islice(values(one, partners, reader), 2))
    if one.is_repeated and not is_map(one) and reader is not None and is_map(reader):
        # A map keeps the last of two pairs with one key.
        yield list(islice(values(one, partners, reader), 1)) * 2


def same(written: Sequence[Any], one: Any, read: Sequence[Any], other: Any, partners: Same) -> bool:
    """True when a reader sees the values that the writer wrote.

    Args:
        written, one: the values, and the writer's field.
        read, other: what the reader sees, and its field.
        partners: types that are one type.
    """
    if len(written) != len(read):
        return False
    if is_map(one) is not is_map(other):
        written, read = _in_order(written, one), _in_order(read, other)
    return all(_alike((left, one), (right, other), partners) for left, right in zip(written, read, strict=True))


def _alike(left: tuple[Any, Any], right: tuple[Any, Any], partners: Same) -> bool:
    (mine, one), (theirs, other) = left, right
    if isinstance(mine, tuple) or isinstance(theirs, tuple):
        wrote, read = _entry(mine, one), _entry(theirs, other)
        pairs = zip(wrote, read, strict=False)
        return bool(wrote and read) and all(_held_alike(before, after, partners) for before, after in pairs)
    if one.message_type is not None and other.message_type is not None:
        if partners(one.message_type.full_name, other.message_type.full_name):
            return bool(mine.ByteSize() == 0 or theirs.ByteSize() > 0)
        return _fields_alike(mine, theirs, partners)
    (mine, one), (theirs, other) = _unwrapped(mine, one), _unwrapped(theirs, other)
    if one.message_type is not None or other.message_type is not None:
        return False
    if one.enum_type is not None and other.enum_type is not None:
        return _one_value(mine, one.enum_type, theirs, other.enum_type)
    if other.type == _STRING and isinstance(theirs, bytes):
        # No runtime has to read such a string, and several replace what they can't.
        return False
    if isinstance(mine, (str, bytes)) or isinstance(theirs, (str, bytes)):
        return _bytes(mine) == _bytes(theirs)
    return bool(mine == theirs)


def _fields_alike(mine: Any, theirs: Any, partners: Same) -> bool:
    """True when the reader sees every field that it knows as it was written; others it keeps as unknown."""
    for each, _ in mine.ListFields():
        other = theirs.DESCRIPTOR.fields_by_number.get(each.number)
        if other is not None and not same(values_of(mine, each), each, values_of(theirs, other), other, partners):
            return False
    return True


def _held_alike(wrote: tuple[Sequence[Any], Any], read: tuple[Sequence[Any], Any], partners: Same) -> bool:
    """True when a reader sees what the key or the value of a pair holds; what is not written there is its zero."""
    (mine, one), (theirs, other) = wrote, read
    if not mine or not theirs:
        return all(not _is_set(value, field) for values_, field in (wrote, read) for value in values_)
    return same(mine, one, theirs, other, partners)


def _is_set(value: Any, one: Any) -> bool:
    return bool(value.ByteSize() if one.message_type is not None else value != one.default_value)


def _entry(value: Any, one: Any) -> list[tuple[Sequence[Any], Any]]:
    """What key and value hold, of a map's pair or of a message that is written like one."""
    if isinstance(value, tuple):
        entry = one.message_type.fields_by_name
        return [([value[0]], entry["key"]), ([value[1]], entry["value"])]
    if one.message_type is None:
        return []
    own = one.message_type.fields_by_number
    return [(values_of(value, own[number]), own[number]) for number in (1, 2) if number in own]


def _one_value(wrote: int, mine: Any, read: int, theirs: Any) -> bool:
    """True for numbers of one name, and for one number whose names mean no other one to the reader."""
    names = {value.name for value in mine.values if value.number == wrote}
    meant = {theirs.values_by_name[name].number for name in names if name in theirs.values_by_name}
    return read in meant if wrote != read else meant <= {read}


def _in_order(pairs: Sequence[Any], one: Any) -> list[Any]:
    """Pairs by their keys: a map has no order of its own."""
    return sorted(pairs, key=lambda pair: repr([list(held) for held, _ in _entry(pair, one)[:1]]))


def _unwrapped(value: Any, one: Any) -> tuple[Any, Any]:
    """The value of a wrapper, which JSON writes like its bare type."""
    if one.message_type is None or one.is_repeated or one.message_type.full_name not in _WRAPPERS:
        return value, one
    return value.value, one.message_type.fields_by_number[1]


def _bytes(value: Any) -> bytes | None:
    return value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else None
