"""What syntax, edition and options make of a file, message, enum or field: its resolved features.

Source of the defaults: protobuf.dev, "Feature Settings for Editions".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorProto


@dataclass(frozen=True, slots=True)
class Features:
    """The features that reach a wire, each with its resolved value in lower case."""

    field_presence: str
    enum_type: str
    repeated_field_encoding: str
    utf8_validation: str
    message_encoding: str
    json_format: str

    def under(self, options: Any) -> Features:
        """These features where `options` stand below them."""
        features = options.features
        own = {
            name: _word(features, name) for name in self.__slots__ if features.HasField(name) and _word(features, name)
        }
        return replace(self, **own) if own else self


_PROTO2: Final = Features("explicit", "closed", "expanded", "none", "length_prefixed", "legacy_best_effort")
_PROTO3: Final = Features("implicit", "open", "packed", "verify", "length_prefixed", "allow")
_EDITION: Final = Features("explicit", "open", "packed", "verify", "length_prefixed", "allow")
_DEFAULTS: Final[Mapping[str, Features]] = {"proto2": _PROTO2, "proto3": _PROTO3}


def syntax_of(file: FileDescriptorProto) -> str:
    """`proto2`, `proto3` or `edition 2023`."""
    if file.syntax == "editions":
        from google.protobuf.descriptor_pb2 import Edition

        return f"edition {Edition.Name(file.edition).removeprefix('EDITION_')}"
    return file.syntax or "proto2"


def features_of(file: FileDescriptorProto) -> Features:
    """The features of a whole file."""
    return _DEFAULTS.get(syntax_of(file), _EDITION).under(file.options)


def _word(features: Any, name: str) -> str:
    value = features.DESCRIPTOR.fields_by_name[name].enum_type.values_by_number.get(getattr(features, name))
    word = value.name.lower() if value is not None else ""
    return "" if word.endswith("_unknown") else word
