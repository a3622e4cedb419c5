"""Added operations that answer requests which a released path template answered: are these requests still admitted?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.pairing import fixed
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Answer, Json, Polarity
from evreview.kinds.openapi.prover_structure import NO_OPERATION
from evreview.messages.admission import demanded
from evreview.messages.composer import Wish
from evreview.messages.parameter_styles import NotOnWire, from_text, style_of
from evreview.messages.routing import children_of
from evreview.proof.messages.witness import Carried, Messages, Side, witness_of

EXCLUDED: Final = "the released contract admits no request to this path: its parameter excludes the text"
UNDECIDED: Final = "whether the released path parameter admits the text is not known"
STILL: Final = "every request that was tried is admitted before and after, by another operation"
_MOST_MESSAGES: Final = 40
_FREE: Final = "{}"


def taken_over(messages: Messages, delta: Delta) -> Carried:
    """A request that the released template admitted and the added operation refuses, or why there is none.

    `refuted` where the released contract admitted no request to the path at all.
    """
    sender, receiver = messages.sides(Polarity.READ)
    key = str(delta.facts[comparison_delta.TAKES_OVER])
    top = sender.operation(key)
    if top is None:
        return Carried(reason=NO_OPERATION)
    path = _path_values(sender, top, fixed(key, delta.operation) or ())
    if isinstance(path, Carried):
        return path
    reason = STILL
    for wish in islice(_wishes(sender, top, receiver.operation(delta.operation), path), _MOST_MESSAGES):
        try:
            heard = messages.heard(sender.composer.compose(wish), Polarity.READ)
        except NotOnWire as error:
            reason = str(error)
            continue
        if heard.sent.accepted is not Answer.YES or heard.sent.operation != key:
            reason = "; ".join(heard.sent.open) or reason
        elif heard.received.operation == key:
            return Carried(reason="the candidate contract still routes the request to the template")
        elif heard.received.accepted is Answer.NO:
            broken = heard.received.violations[0]
            value = heard.sent.read.get(broken.part)
            return Carried(witness=witness_of(heard.message, value, (sender, receiver), broken))
    return Carried(reason=reason)


def _path_values(sender: Side, top: Element, texts: tuple[str, ...]) -> dict[int, Json] | Carried:
    """The values of the path parameters that the concrete path writes out."""
    judge = sender.acceptor.judge
    declared = {element.key: element for element in children_of(top, ElementKind.PARAMETER)}
    found: dict[int, Json] = {}
    for at, text in enumerate(texts):
        element = declared.get(f"path:{at}")
        if text == _FREE:
            continue
        if element is None or children_of(element, ElementKind.MEDIA_TYPE):
            return Carried(reason=UNDECIDED)
        readings = from_text(text, style_of(element, "path", element.name), judge.outline(element))
        where = element.value
        errors = [judge.errors(where, element.polarity, each) if where is not None else () for each in readings]
        if any(isinstance(each, str) for each in errors):
            return Carried(reason=UNDECIDED)
        if () not in errors:
            return Carried(reason=EXCLUDED, refuted=True)
        found[id(element)] = readings[errors.index(())]
    return found


def _wishes(sender: Side, top: Element, other: Element | None, path: Mapping[int, Json]) -> Iterator[Wish]:
    """The plainest request, then one per way to present credentials and per value of each part, the parts in turn."""
    yield Wish(chain=(top,), values=path, other=other)
    for alternative in demanded(top)[1]:
        yield Wish(chain=(top,), values=path, other=other, credentials=alternative)
    for chain in _parts(top):
        target = chain[-1]
        values = sender.composer.values(target) if target.value is not None else ()
        for value in values if id(target) not in path else ():
            yield Wish(chain=chain, values={**path, id(target): value}, other=other)


def _parts(top: Element) -> Iterator[tuple[Element, ...]]:
    for child in children_of(top, ElementKind.PARAMETER):
        yield top, child
    for body in children_of(top, ElementKind.BODY):
        for media in children_of(body, ElementKind.MEDIA_TYPE):
            yield top, body, media
