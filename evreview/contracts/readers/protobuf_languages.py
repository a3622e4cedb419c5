"""Features of editions for the code of one language, as `(pb.cpp).string_type`: what holds for fields, messages, enums.

A feature holds for all that is declared inside of what says it, unless that says it again. Source: protobuf.dev,
"Feature Settings for Editions"; targets and defaults are read from the files that declare the features.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from evreview.contract.model import Facet
from evreview.contracts.readers.protobuf_scope import Declared
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.protobuf.options import Options

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

MESSAGE, FIELD, ENUM, VALUE = 3, 4, 6, 7
"""What a feature is for, as `FieldOptions.OptionTargetType` numbers it."""
_EDITIONS: Final = {"": 998, "proto2": 998, "proto3": 999}
_BASE: Final = 1000
"""Edition 2023: what says the default of its own edition, at most of this one, says nothing."""
Said = dict[str, tuple[Any, Any]]
"""By name what a feature is set to, and the field that declares it."""
Idle = Sequence[str]


class Languages:
    """Reads the features of one descriptor set.

    Args:
        types: every declared type, by full name.
        options: reads options as the set declares them.
    """

    def __init__(self, types: Mapping[str, Declared], options: Options) -> None:
        self._types = types
        self._options = options
        self._known: dict[str, Said] = {}

    def of_type(self, one: Declared) -> Iterator[Facet]:
        """What holds for a message or enum."""
        yield from self._facets(one.scope.file, self._around(one), ENUM if one.is_enum else MESSAGE)

    def of_field(self, file: FileDescriptorProto, around: str, options: Iterable[Any], idle: Idle) -> Iterator[Facet]:
        """What holds for a field of a message, or an extension declared in it.

        Args:
            file: that declares it.
            around: full name of the message that it is declared in, "" for none.
            options: its own, outermost first.
            idle: names of features that say nothing of a field of its type.
        """
        said = self._around(self._types[around]) if around in self._types else self._of_file(file)
        for each in options:
            said = said | self._said(each)
        yield from self._facets(file, said, FIELD, idle)

    def of_value(self, one: Declared, options: Any) -> Iterator[Facet]:
        """What an enum's value says itself; what its enum says is told there."""
        around = self._around(one)
        own = {name: said for name, said in self._said(options).items() if (around.get(name) or (None,))[0] != said[0]}
        yield from self._facets(one.scope.file, own, VALUE)

    def _around(self, one: Declared) -> Said:
        if one.name not in self._known:
            outer = self._around(self._types[one.around]) if one.around else self._of_file(one.scope.file)
            self._known[one.name] = outer | self._said(one.proto.options)
        return self._known[one.name]

    def _of_file(self, file: FileDescriptorProto) -> Said:
        if file.name not in self._known:
            self._known[file.name] = self._said(file.options)
        return self._known[file.name]

    def _said(self, options: Any) -> Said:
        if not options.HasField("features"):
            return {}
        features = self._options.read(options).features
        return {
            f"({language.full_name}).{field.name}": (value, field)
            for language, held in features.ListFields()
            if language.is_extension and language.message_type is not None
            for field, value in held.ListFields()
        }

    def _facets(self, file: FileDescriptorProto, said: Said, target: int, idle: Idle = ()) -> Iterator[Facet]:
        for name, (value, field) in sorted(said.items()):
            declared = self._options.read(field.GetOptions())
            if target not in declared.targets or field.name in idle:
                continue
            shown = self._options.shown(field, value)
            if _word(shown) != _default(declared, min(_EDITIONS.get(file.syntax, file.edition), _BASE)):
                yield Facet(f"option features.{name}", Aspect.ANNOTATIONS, shown)


def _default(declared: Any, edition: int) -> str:
    """What a feature is where nothing is said, in an edition."""
    known = [(each.edition, each.value) for each in declared.edition_defaults if each.edition <= edition]
    return max(known)[1] if known else ""


def _word(shown: Json) -> str:
    return str(shown).lower() if isinstance(shown, bool) else str(shown)
