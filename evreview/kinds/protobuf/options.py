"""Options as facets: what the language defines, what the set's own extensions define, and what is unknown."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from evreview.contract.model import Facet
from evreview.core.vocabulary import Aspect, Json

if TYPE_CHECKING:
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message import Message

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
