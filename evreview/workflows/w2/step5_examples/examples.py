"""Request and response examples of a contract's operations, and the way from an operation to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Answer, Json
from evreview.messages.admission import NO_BODY, OTHER_TOKEN, UNREAD
from evreview.messages.bodies import encode
from evreview.messages.composer import Composer, Wish
from evreview.messages.media_types import is_json, is_unwritten, stands_for
from evreview.messages.message import Message
from evreview.messages.parameter_styles import NoCodec, NotOnWire, style_of, to_pairs, to_text
from evreview.messages.routing import base_text, children_of
from evreview.redaction.redactor import Guard
from evreview.reference.examples.judging import CHECKS
from evreview.reference.examples.model import Example, Label, Omitted, Part, Subject, Why, example_id
from evreview.reference.examples.printed import base_of, body_of, headers_of, url_of
from evreview.workflows.w2.step5_examples.valid_values import Case, Cases, SourcedValue

_TRIED: Final = 8
_HARMLESS: Final = frozenset({NO_BODY, OTHER_TOKEN})
NO_SCHEMA: Final = "the contract does not say what the body holds"
NOT_WRITTEN: Final = "nothing here writes this media type"
REFUSED: Final = "the whole message is not accepted by both validators"
REPORTED: Final = "the guard reports the whole message"


class _Stop(Exception):
    """Why no example comes about."""

    def __init__(self, why: Why, reason: str, part: str = "") -> None:
        self.why, self.reason, self.part = why, reason, part
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class _Choice:
    """The value chosen for one element."""

    element: Element
    part: str
    found: SourcedValue
    case: Case | None


class Examples:
    """The examples of one contract; each schema is looked at once."""

    def __init__(self, contract: Contract, *, base_url: str = "", guard: Guard | None = None) -> None:
        """`base_url`: its recorded shape; at a host that is not reserved for documentation only its path is taken."""
        self._guard = guard or Guard()
        self.cases = Cases(contract, self._guard)
        self._composer = Composer(self.cases.first)
        self._base = base_of(base_url)
        self._own_base = not base_url

    def request(self, operation: Element) -> Example | Omitted:
        """The request example of an operation: its body in JSON where it may be."""
        found = self.requests(operation)
        return next((each for each in found if isinstance(each, Example)), found[0])

    def requests(self, operation: Element) -> tuple[Example | Omitted, ...]:
        """One example per media type of the request body, one without a body where none is declared."""
        body = next(iter(children_of(operation, ElementKind.BODY)), None)
        media = _by_liking(children_of(body, ElementKind.MEDIA_TYPE)) if body is not None else ()
        chains: list[tuple[Element, ...]] = [(operation, body, each) for each in media if body is not None]
        return tuple(self._made(chain, Part.REQUEST) for chain in chains or [(operation,)])

    def responses(self, operation: Element) -> tuple[Example | Omitted, ...]:
        """One example per declared response and media type."""
        chains: list[tuple[Element, ...]] = []
        for response in children_of(operation, ElementKind.RESPONSE):
            media = _by_liking(children_of(response, ElementKind.MEDIA_TYPE))
            chains += [(operation, response, each) for each in media] or [(operation, response)]
        return tuple(self._made(chain, Part.RESPONSE) for chain in chains)

    def composed(
        self, chain: tuple[Element, ...], about: Subject, label: Label, given: Mapping[int, Json]
    ) -> Example | Omitted:
        """The example of a chain from the operation down to a media type; `given` are values by element id."""
        try:
            return self._example(chain, about, label, given)
        except _Stop as stop:
            return Omitted(about=about, why=stop.why, reason=stop.reason, part=stop.part)

    def _made(self, chain: tuple[Element, ...], part: Part) -> Example | Omitted:
        return self.composed(chain, subject_of(chain, part), Label.PROPOSED, {})

    def _example(self, chain: tuple[Element, ...], about: Subject, label: Label, given: Mapping[int, Json]) -> Example:
        media = chain[-1] if chain[-1].kind is ElementKind.MEDIA_TYPE else None
        fixed = [self._choice(element, given) for element in self._parts(chain, about)]
        last = _Stop(Why.DISAGREED, REFUSED, "body")
        for body in self._bodies(media, given):
            chosen = [*fixed, *([body] if body is not None else [])]
            try:
                return self._whole(chain, about, label, chosen)
            except _Stop as stop:
                last = stop
        raise last

    def _parts(self, chain: tuple[Element, ...], about: Subject) -> Iterator[Element]:
        """What the message carries besides its body: owed parameters, or the response's headers."""
        if about.part is Part.RESPONSE:
            yield from children_of(chain[1], ElementKind.HEADER)
        # The request line of a response names its request: the path's parameters have to be there.
        for element in children_of(chain[0], ElementKind.PARAMETER):
            if element.facet("required") is True and (about.part is Part.REQUEST or element.key.startswith("path:")):
                yield element

    def _choice(self, element: Element, given: Mapping[int, Json]) -> _Choice:
        location = element.key.partition(":")[0] if element.kind is ElementKind.PARAMETER else "header"
        part = f"{location} {element.name}"
        content = next(iter(children_of(element, ElementKind.MEDIA_TYPE)), None)
        holder = content if content is not None else element
        if id(holder) in given:
            return _Choice(holder, part, SourcedValue(given[id(holder)]), None)
        if holder.value is None:
            return _Choice(holder, part, SourcedValue("example"), None)
        case = self.cases.of(holder, holder.value, flat=content is None)
        reason = ""
        for at, found in enumerate(case.values()):
            reason = "" if content is not None else _unwritable(element, location, found.value)
            if not reason:
                return _Choice(holder, part, found, case)
            if at > _TRIED:
                break
        raise _Stop(Why.NO_FORMAT if reason else case.why or Why.NOT_FOUND, reason or case.reason, part)

    def _bodies(self, media: Element | None, given: Mapping[int, Json]) -> Iterator[_Choice | None]:
        if media is None:
            yield None
            return
        kind = stands_for(media.key)
        if is_unwritten(kind):
            raise _Stop(Why.NO_FORMAT, NOT_WRITTEN, "body")
        if id(media) in given:
            yield _Choice(media, "body", SourcedValue(given[id(media)]), None)
            return
        if media.value is None:
            if is_json(kind) or "form" in kind:
                raise _Stop(Why.UNDESCRIBED, NO_SCHEMA, "body")
            yield _Choice(
                media, "body", SourcedValue("example" if kind.startswith("text/") else "<binary content>"), None
            )
            return
        case = self.cases.of(media, media.value, flat=not is_json(kind))
        form, last, some = self.cases.first.judge.body_outline(media, kind), None, False
        for at, found in enumerate(case.values()):
            try:
                encode(found.value, media, kind, form)
                some = True
                yield _Choice(media, "body", found, case)
            except NoCodec as error:
                raise _Stop(Why.NO_FORMAT, str(error), "body") from None
            except NotOnWire as error:
                last = last or error
            if at > _TRIED:
                break
        if not some:
            why = Why.NO_FORMAT if last else case.why or Why.NOT_FOUND
            raise _Stop(why, str(last or case.reason), "body")

    def _whole(self, chain: tuple[Element, ...], about: Subject, label: Label, chosen: list[_Choice]) -> Example:
        values = {id(each.element): each.found.value for each in chosen}
        try:
            message = self._composer.compose(Wish(chain=chain, values=values))
        except NotOnWire as error:
            raise _Stop(Why.NO_FORMAT, str(error)) from None
        self._accepted(message)
        made = Example(
            id=example_id(about, label),
            about=about,
            label=label,
            message=message,
            url="" if about.part is Part.RESPONSE else url_of(message, self._base, self._prefix(chain[0])),
            headers=headers_of(message),
            body=body_of(message),
            values={each.part: each.found.value for each in chosen},
            accepted_by=CHECKS,
            places={each.part: each.found.place for each in chosen if each.found.place is not None},
            remarks=tuple(_remarks(chosen)),
        )
        text = self._text(made)
        if self._guard.clean(text) != text:
            raise _Stop(Why.GUARDED, REPORTED)
        return made

    def _accepted(self, message: Message) -> None:
        for side in (self.cases.first, self.cases.second):
            heard = side.accepts(message)
            if UNREAD in heard.open:
                raise _Stop(Why.UNREAD, UNREAD)
            if heard.accepted is Answer.NO or not _HARMLESS.issuperset(heard.open):
                raise _Stop(Why.DISAGREED, next(iter(heard.open), REFUSED))

    def _prefix(self, operation: Element) -> str:
        """The base path that the contract puts before an operation's path, when the recorded one stands for it."""
        servers = self.cases.first.routes.servers(operation)
        return "" if self._own_base or not servers else base_text(servers[0], {})

    def _text(self, example: Example) -> str:
        """What the guard has to see beside the path, which is the contract's own."""
        query = [f"{name}={text}" for name, text in (*example.message.query, *example.message.cookies)]
        return "\n".join([*query, *(f"{name}: {text}" for name, text in example.headers), "", example.body])


def request_example(contract: Contract, operation: Element, *, base_url: str = "") -> Example | Omitted:
    """The request example of one operation. For many operations keep an `Examples`."""
    return Examples(contract, base_url=base_url).request(operation)


def response_examples(contract: Contract, operation: Element) -> tuple[Example | Omitted, ...]:
    """The response examples of one operation, per status and media type. For many operations keep an `Examples`."""
    return Examples(contract).responses(operation)


def subject_of(chain: tuple[Element, ...], part: Part) -> Subject:
    """What the example of a chain is of."""
    response = next((element.key for element in chain if element.kind is ElementKind.RESPONSE), "")
    media = chain[-1].key if chain[-1].kind is ElementKind.MEDIA_TYPE else ""
    return Subject(chain[0].key, part, response, media)


def _by_liking(media: tuple[Element, ...]) -> list[Element]:
    """JSON first, what nobody here writes last."""
    return sorted(media, key=lambda each: (is_unwritten(stands_for(each.key)), not is_json(stands_for(each.key))))


def _unwritable(element: Element, location: str, value: Json) -> str:
    """Why a parameter's or header's style cannot carry a value, "" when it can."""
    style = style_of(element, location, element.name)
    try:
        if location in ("query", "cookie"):
            to_pairs(value, style)
        else:
            to_text(value, style)
    except NotOnWire as error:
        return str(error)
    return ""


def _remarks(chosen: list[_Choice]) -> Iterator[Text]:
    for each in chosen:
        if each.found.place is not None:
            yield ("stated by the contract: ", str(each.found.place))
        yield from each.case.remarks if each.case is not None else ()
