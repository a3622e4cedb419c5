"""Options as facets, resolved features, and every message and enum of a descriptor set with its place."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final, cast

from evreview.contract.model import Facet, Place
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Aspect, ClosedVocabulary, Json

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorProto
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message import Message


class FacetName(ClosedVocabulary):
    """Names of facets that decide something by themselves."""

    RESERVED_NUMBERS = "reserved numbers"
    RESERVED_NAMES = "reserved names"
    BEHAVIOR = "option (google.api.field_behavior)"
    LIMITS = "option (buf.validate.field)"
    OLD_LIMITS = "option (validate.rules)"


HTTP: Final = "google.api.http"
_WHOLE_SEGMENT: Final = re.compile(r"=\*\}")
"""A variable that says that it stands for one segment: so does one that says nothing."""
_READ_ELSEWHERE: Final = frozenset(
    {"features", "uninterpreted_option", "deprecated", "packed", "map_entry", "message_set_wire_format"}
    | {"idempotency_level", "java_string_check_utf8", "allow_alias"}
)


class Options:
    """Reads the options of one descriptor set."""

    def __init__(self, pool: DescriptorPool) -> None:
        self._pool = pool
        self._classes: dict[str, type[Message] | None] = {}

    def facets(self, options: Message) -> Iterator[Facet]:
        """One facet per option that is set and no resolved property, custom options with what they say."""
        if not options.ByteSize():
            return
        for field, value in self.read(options).ListFields():
            if field.is_extension:
                yield self._custom(field, value)
            elif field.name not in _READ_ELSEWHERE:
                yield Facet(f"option {field.name}", Aspect.ANNOTATIONS, self._json(field, value))
        yield from self._unknown(options)

    def read(self, options: Message) -> Any:
        """The options as the set's own descriptor language reads them, with the extensions that it knows."""
        name = options.DESCRIPTOR.full_name
        if name not in self._classes:
            from google.protobuf.message_factory import GetMessageClass

            try:
                self._classes[name] = GetMessageClass(self._pool.FindMessageTypeByName(name))
            except KeyError:
                self._classes[name] = None
        own = self._classes[name]
        return options if own is None else own.FromString(options.SerializeToString())

    def _custom(self, field: Any, value: Any) -> Facet:
        if field.full_name == HTTP:
            return Facet(HTTP, Aspect.METHODS, list(_bindings(value)))
        return Facet(f"option ({field.full_name})", Aspect.ANNOTATIONS, self._json(field, value))

    def _unknown(self, options: Message) -> Iterator[Facet]:
        """Options whose declaration is not in the set, as their numbers and bytes."""
        from google.protobuf.unknown_fields import UnknownFieldSet

        found: dict[int, list[Json]] = {}
        for each in cast("Iterable[Any]", UnknownFieldSet(self.read(options))):
            data = each.data
            shown: Json = data if isinstance(data, int) else data.hex() if isinstance(data, bytes) else "(group)"
            found.setdefault(each.field_number, []).append(shown)
        for number, shown in sorted(found.items()):
            yield Facet(f"option {number}", Aspect.ANNOTATIONS, {"undeclared": shown})

    def _json(self, field: Any, value: Any) -> Json:
        if field.is_repeated and not isinstance(value, (str, bytes)):
            return [self._single(field, one) for one in value]
        return self._single(field, value)

    def shown(self, field: Any, value: Any) -> Json:
        """What an option, or a member of one, is set to, as JSON."""
        return self._json(field, value)

    def _single(self, field: Any, value: Any) -> Json:
        if field.message_type is not None:
            return self._message(value)
        if field.enum_type is not None:
            known = field.enum_type.values_by_number.get(value)
            return known.name if known is not None else int(value)
        return base64.b64encode(value).decode() if isinstance(value, bytes) else value

    def _message(self, value: Message) -> Json:
        return {
            (f"[{field.full_name}]" if field.is_extension else field.name): self._json(field, held)
            for field, held in value.ListFields()
            if not _is_map(field)
        } | {field.name: _mapped(held) for field, held in value.ListFields() if _is_map(field)}


def _is_map(field: Any) -> bool:
    return bool(field.message_type is not None and field.message_type.GetOptions().map_entry)


def _mapped(held: Any) -> Json:
    return {str(key): str(held[key]) for key in sorted(held)}


def _bindings(rule: Any) -> Iterator[Json]:
    """The routes of an HTTP rule, the first one first."""
    for each in (rule, *rule.additional_bindings):
        verb = each.WhichOneof("pattern")
        custom = verb == "custom"
        found: dict[str, Json] = {
            "method": (each.custom.kind if custom else verb.upper()) if verb else "",
            "path": _WHOLE_SEGMENT.sub("}", each.custom.path if custom else getattr(each, verb)) if verb else "",
        }
        found |= {name: getattr(each, name) for name in ("body", "response_body") if getattr(each, name)}
        yield found


# What syntax, edition and options make of a file, message, enum or field: its resolved features.
#
# Source of the defaults: protobuf.dev, "Feature Settings for Editions".


@frozen
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
            name: _enum_word(features, name)
            for name in (each.name for each in fields(self))
            if features.HasField(name) and _enum_word(features, name)
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


def _enum_word(features: Any, name: str) -> str:
    value = features.DESCRIPTOR.fields_by_name[name].enum_type.values_by_number.get(getattr(features, name))
    word = value.name.lower() if value is not None else ""
    return "" if word.endswith("_unknown") else word


# Every message and enum of a set, with its full name, features and place, and what it refers to.


Path = tuple[int, ...]
MESSAGES, ENUMS, SERVICES, EXTENSIONS = 4, 5, 6, 7
"""Numbers of a file's lists in its descriptor, which its places are told by."""


@frozen
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


@frozen
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


# Features of editions for the code of one language, as `(pb.cpp).string_type`: what holds for fields, messages, enums.
#
# A feature holds for all that is declared inside of what says it, unless that says it again. Source: protobuf.dev,
# "Feature Settings for Editions"; targets and defaults are read from the files that declare the features.


MESSAGE, FIELD, ENUM, VALUE = 3, 4, 6, 7
"""What a feature is for, as `FieldOptions.OptionTargetType` numbers it."""
_EDITIONS: Final = {"": 998, "proto2": 998, "proto3": 999}
_BASE: Final = 1000
"""Edition 2023: what says the default of its own edition, at most of this one, says nothing."""
FeatureValues = dict[str, tuple[Any, Any]]
"""By name what a feature is set to, and the field that declares it."""
NonWire = Sequence[str]


class Languages:
    """Reads the features of one descriptor set.

    Args:
        types: every declared type, by full name.
        options: reads options as the set declares them.
    """

    def __init__(self, types: Mapping[str, Declared], options: Options) -> None:
        self._types = types
        self._options = options
        self._known: dict[str, FeatureValues] = {}

    def of_type(self, one: Declared) -> Iterator[Facet]:
        """What holds for a message or enum."""
        yield from self._facets(one.scope.file, self._around(one), ENUM if one.is_enum else MESSAGE)

    def of_field(
        self, file: FileDescriptorProto, around: str, options: Iterable[Any], non_wire: NonWire
    ) -> Iterator[Facet]:
        """What holds for a field of a message, or an extension declared in it.

        Args:
            file: that declares it.
            around: full name of the message that it is declared in, "" for none.
            options: its own, outermost first.
            non_wire: names of features that say nothing of a field of its type.
        """
        said = self._around(self._types[around]) if around in self._types else self._of_file(file)
        for each in options:
            said = said | self._said(each)
        yield from self._facets(file, said, FIELD, non_wire)

    def of_value(self, one: Declared, options: Any) -> Iterator[Facet]:
        """What an enum's value says itself; what its enum says is told there."""
        around = self._around(one)
        own = {name: said for name, said in self._said(options).items() if (around.get(name) or (None,))[0] != said[0]}
        yield from self._facets(one.scope.file, own, VALUE)

    def _around(self, one: Declared) -> FeatureValues:
        if one.name not in self._known:
            outer = self._around(self._types[one.around]) if one.around else self._of_file(one.scope.file)
            self._known[one.name] = outer | self._said(one.proto.options)
        return self._known[one.name]

    def _of_file(self, file: FileDescriptorProto) -> FeatureValues:
        if file.name not in self._known:
            self._known[file.name] = self._said(file.options)
        return self._known[file.name]

    def _said(self, options: Any) -> FeatureValues:
        if not options.HasField("features"):
            return {}
        features = self._options.read(options).features
        return {
            f"({language.full_name}).{field.name}": (value, field)
            for language, held in features.ListFields()
            if language.is_extension and language.message_type is not None
            for field, value in held.ListFields()
        }

    def _facets(
        self, file: FileDescriptorProto, said: FeatureValues, target: int, non_wire: NonWire = ()
    ) -> Iterator[Facet]:
        for name, (value, field) in sorted(said.items()):
            declared = self._options.read(field.GetOptions())
            if target not in declared.targets or field.name in non_wire:
                continue
            shown = self._options.shown(field, value)
            if _shown_word(shown) != _default(declared, min(_EDITIONS.get(file.syntax, file.edition), _BASE)):
                yield Facet(f"option features.{name}", Aspect.ANNOTATIONS, shown)


def _default(declared: Any, edition: int) -> str:
    """What a feature is where nothing is said, in an edition."""
    known = [(each.edition, each.value) for each in declared.edition_defaults if each.edition <= edition]
    return max(known)[1] if known else ""


def _shown_word(shown: Json) -> str:
    return str(shown).lower() if isinstance(shown, bool) else str(shown)
