"""One side of a comparison as a codec: messages of its own pool, written and read on either wire."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from evreview.contract.model import Contract
from evreview.contracts.descriptors import STAND_IN, Descriptors, descriptors_of
from evreview.core.vocabulary import Json, Plane

if TYPE_CHECKING:
    from google.protobuf.message import Message

MOST_SHOWN: Final = 8
_DEEPEST: Final = 20
_STRING: Final = 9
_HOLDING: Final = "evreview.holding."
_HOLDER: Final = ".Holder"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a side makes of a message.

    Attributes:
        values: by field number every value that it reads, a default where the field is not there.
        refused: why it refuses the message, "" when it reads it.
        message: the message as read, None when refused.
    """

    values: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    refused: str = ""
    message: Message | None = None


class Side:
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

    def read(self, message: Any, plane: Plane, payload: str, numbers: Sequence[int]) -> Reading:
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
            return Reading(refused=_short(error))
        missing = [one.name for one in self._required(message) if not found.HasField(one.name)]
        asked = {one.name for one in self._required(message) if one.number in numbers}
        if asked & set(missing):
            # Another field that is missing has a row of its own.
            return Reading(refused=f"without {', '.join(missing)}, which is required")
        fields = ((number, self.field(message, number)) for number in numbers)
        return Reading({number: values_of(found, one) for number, one in fields if one is not None}, "", found)


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
        return f"{'no text, ' if one.type == _STRING else ''}bytes {value.hex()}"
    return value  # type: ignore[no-any-return]
