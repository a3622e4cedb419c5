"""Proofs of rows about Python libraries: client code that the released library takes and the candidate does not.

Calls are computed from both signatures, so a row about an argument is decided: by a call that is refused or lands
elsewhere, or because every call that the released signature takes is taken. Annotations are decided by the lattice of
`annotations`, with the classes of both libraries. Nothing is imported or executed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.kind_spec import Decision, WitnessJudgement
from evreview.comparison.ledger import Ledger
from evreview.comparison.proof.outcome import UNCOMPUTED, Proof, ProofReason, replay_command, unproven
from evreview.contract.model import Contract, ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Absent, Change, Form, Json, ProofMethod, ProofStatus, Sentence, Tristate, Verdict
from evreview.kinds.python import SPEC
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.alignment import keeps_positions, with_reexports
from evreview.kinds.python.annotations import Classes, KnownClass, arguments, is_within, union_members
from evreview.kinds.python.call_binding import (
    EMPTY,
    Call,
    Library,
    RefusedCall,
    Signature,
    bind,
    covers,
    inserted,
    jointly,
    overloads_of,
    rebound_calls,
    refused_calls,
    reordered,
    signature_of,
    texts,
    typical_calls,
)
from evreview.kinds.python.client_uses import ClientUse, UseKind, code_of, from_json, result_word, told
from evreview.kinds.python.names import is_one_of
from evreview.kinds.python.rule_examples import ANNOTATED, IN_NEITHER, TYPING_ONLY, TYPING_OPEN
from evreview.kinds.python.rules_packaging import floor_of

# Why a row is decided, or is not.


class CallReason(Sentence):
    """The reason that a model of pydantic takes back: it drops names that it does not know."""

    ABSORBED = (
        "a value that went to `**` under this name now goes to the argument; whether it means the same is not told"
    )


SWALLOWED: Final = (
    "every call that gives it still binds, to `*args` or `**kwargs`; what becomes of the value is not told"
)
ELSEWHERE: Final = "another library decides the signature on one side"
NO_USE: Final = "the rule speaks: no client code that was tried shows the difference"
PERHAPS: Final = "a condition decides whether the released library has the name"
LATER: Final = "a function of the library sets the member on its class; whether it has run, no text tells"
BORROWED: Final = "another library may give what stands for the name, and decides what it takes and gives"
INHERITED_META: Final = "a base of another library may have a metaclass"
VEILED: Final = "a decorator that is not known may change what the function takes; the rule reads it as written"
DYNAMIC: Final = "the candidate makes names at run time (`__getattr__`)"
MADE: Final = "one side assigns what a call makes: a class, a function or any value, known only by running it"
EVERY_CALL: Final = "every call that the released signature takes binds alike"
NO_OVERLOADS: Final = "no overload is left, and the signature itself speaks"
ANOTHER_OVERLOAD: Final = "another overload takes and gives all that it did"
SAME_OVERLOAD: Final = "where two overloads fit a call, the one that speaks first now gives what the other one did"
FIRST_OVERLOAD: Final = "a type checker: another overload fits first now, and gives another type"
MAYBE_FIRST: Final = "another overload may fit first now; how the types relate is not known"
MAYBE_OVERLOAD: Final = "another overload may take and give all that it did; how the types relate is not known"
STILL_ALL: Final = "the classes that it inherits from now are all that the released ones were, under whatever names"
INHERITED: Final = (
    "a class of Python itself that it inherits from has the member; whether it takes the same is not told"
)
SAME_SHAPE: Final = "as many fields, and those that stay keep their positions: a field only got another name"
AWAITED: Final = "one side is `async`, the other one says so by its annotation; how what they give relates is not known"
SUBTYPE: Final = "every value of the one annotation is a value of the other"


# Which client code shows a row, by the rule that spoke.


@frozen
class _RowQuestion:
    """A row and both libraries."""

    delta: Delta
    released: Library
    candidate: Library
    classes: Classes

    @property
    def name(self) -> str:
        """The public name that the row is about."""
        return self.delta.operation or str(self.delta.address).partition(" ")[2]

    @property
    def call(self) -> Call:
        """The shortest call that both take, or that the released library takes."""
        old, new = (signature_of(side.names.get(self.name)) for side in (self.released, self.candidate))
        found = [*typical_calls(old), EMPTY] if old is not None else [EMPTY]
        return next((call for call in found if new is None or not bind(new, call).error), found[0])


def argument_of(delta: Delta) -> tuple[str, bool]:
    """The name of the argument that a row is about, and whether the row is about calls that leave it out."""
    name = str(delta.address).rpartition("argument ")[2]
    added = delta.facet == "" and delta.change is Change.ADDED
    lost = delta.facet == sig.DEFAULT and isinstance(delta.candidate, Absent)
    return name, added or lost


def uses_of(delta: Delta, released: Library, candidate: Library, classes: Classes) -> Iterator[ClientUse]:
    """Uses that may show a row, the plainest first."""
    asked = _RowQuestion(delta, released, candidate, classes)
    making = _BY_RULE.get(str(SPEC.classify(delta).rule or "").removeprefix("python-")) or _BY_FACET.get(delta.facet)
    if making is not None:
        yield from making(asked)


def _removed(asked: _RowQuestion) -> Iterable[ClientUse]:
    element = asked.released.names.get(asked.name)
    if element is not None and element.facet(sig.IS) == sig.KEY:
        yield ClientUse(UseKind.READ_KEY, asked.name)
        return
    member = asked.name.rpartition(".")[0] in asked.released.names
    yield ClientUse(UseKind.GET if member else UseKind.IMPORT, asked.name)


def _bases(asked: _RowQuestion) -> Iterable[ClientUse]:
    """Two bases that changed places, in the released order."""
    old, new = texts(asked.delta.released), texts(asked.delta.candidate)
    for at, first in enumerate(old):
        for second in old[at + 1 :]:
            if first in new and second in new and new.index(second) < new.index(first):
                yield ClientUse(UseKind.BASES, asked.name, words=(first, second))


def _turned(asked: _RowQuestion) -> Iterable[ClientUse]:
    yield ClientUse(UseKind.CALL, asked.name, asked.call)
    yield ClientUse(UseKind.READ, asked.name)
    yield ClientUse(UseKind.SET, asked.name)
    yield ClientUse(UseKind.SUBCLASS, asked.name)


def _default(asked: _RowQuestion) -> Iterable[ClientUse]:
    name, _ = argument_of(asked.delta)
    old, new = (signature_of(side.names.get(asked.name)) for side in (asked.released, asked.candidate))
    for call in typical_calls(old or Signature()):
        if name not in bind(old or Signature(), call).values and new is not None and not bind(new, call).error:
            yield ClientUse(UseKind.DEFAULT, asked.name, call, name, (str(asked.delta.released),))


def _result(asked: _RowQuestion) -> Iterable[ClientUse]:
    element = asked.released.names.get(asked.name)
    kind = str(element.facet(sig.RESULT) if element is not None else "")
    word = "async " if kind.startswith("async ") else ""
    yield ClientUse(result_word(asked.released, asked.name), asked.name, asked.call, word)


def _demanded(asked: _RowQuestion) -> Iterable[ClientUse]:
    owner = asked.name.rpartition(".")[0]
    element = asked.candidate.names.get(asked.name)
    way = UseKind.ACCEPT if element is not None and element.facet(sig.DEMANDED) == "protocol" else UseKind.IMPLEMENT
    yield ClientUse(way, owner, words=tuple(asked.released.demanded(owner)))


def _passed(asked: _RowQuestion) -> Iterable[ClientUse]:
    name, _ = argument_of(asked.delta)
    old, new = str(asked.delta.released), str(asked.delta.candidate)
    for member in union_members(old):
        if is_within(member, new, asked.classes) is Tristate.NO:
            yield ClientUse(UseKind.PASS, asked.name, word=member, words=(name,))


def _taken(asked: _RowQuestion) -> Iterable[ClientUse]:
    is_called = signature_of(asked.released.names.get(asked.name)) is not None
    yield ClientUse(UseKind.TAKE, asked.name, asked.call, str(asked.delta.released), ("called",) if is_called else ())


def _floor(asked: _RowQuestion) -> Iterable[ClientUse]:
    floor = floor_of(asked.delta.released)
    below = floor_of(asked.delta.candidate)
    lowest = floor[:2] if floor else (below[0], max(below[1] - 1, 0)) if below else ()
    if lowest:
        yield ClientUse(UseKind.INSTALL, "", word=".".join(map(str, lowest)))


def _keys(asked: _RowQuestion) -> Iterable[ClientUse]:
    owner = asked.name.rpartition(".")[0]
    inside = f"{owner}."
    required = [
        key.removeprefix(inside)
        for key, one in asked.released.names.items()
        if key.startswith(inside) and one.facet(sig.REQUIRED_KEY) is True
    ]
    yield ClientUse(UseKind.BUILD, owner, words=tuple(required))


def key_of(form: Form) -> str:
    """The key of an overload, by the form that its row shows."""
    return str(form.get("overload", "")) if isinstance(form, Mapping) else str(form)


def _plain(way: UseKind, word: str = "") -> Callable[[_RowQuestion], Iterable[ClientUse]]:
    return lambda asked: [ClientUse(way, asked.name, word=word)]


def _called(way: UseKind) -> Callable[[_RowQuestion], Iterable[ClientUse]]:
    return lambda asked: [ClientUse(way, asked.name, asked.call)]


def _as_released(way: UseKind, *, named: bool = True) -> Callable[[_RowQuestion], Iterable[ClientUse]]:
    """Uses that rest on the released form, of the name or of the library as a whole."""
    return lambda asked: [ClientUse(way, asked.name if named else "", word=str(asked.delta.released))]


def _each_lost(way: UseKind, *, named: bool = True) -> Callable[[_RowQuestion], Iterable[ClientUse]]:
    """A use for each text of the released list that the candidate's has not."""
    return lambda asked: (
        ClientUse(way, asked.name if named else "", word=one)
        for one in texts(asked.delta.released)
        if one not in texts(asked.delta.candidate)
    )


def _all_released(way: UseKind) -> Callable[[_RowQuestion], Iterable[ClientUse]]:
    return lambda asked: [ClientUse(way, asked.name, words=tuple(texts(asked.delta.released)))]


def _final(asked: _RowQuestion) -> Iterable[ClientUse]:
    element = asked.released.names.get(asked.name)
    variable = element is not None and element.facet(sig.IS) == sig.ATTRIBUTE
    yield ClientUse(UseKind.SET if variable else UseKind.SUBCLASS, asked.name)


_BY_RULE: Final[Mapping[str, Callable[[_RowQuestion], Iterable[ClientUse]]]] = {
    "name-removed": _removed,
    "name-unlisted": _plain(UseKind.STAR),
    "name-turned": _turned,
    "default-changed": _default,
    "became-awaitable": _result,
    "no-longer-awaitable": _result,
    "result-kind-changed": _result,
    "method-bound": _called(UseKind.ON_CLASS),
    "method-freed": _called(UseKind.GIVEN),
    "ancestor-removed": _each_lost(UseKind.IS_A),
    "metaclass-changed": _plain(UseKind.SUBCLASS, "another.Metaclass"),
    "became-final": _final,
    "demanded-member-added": _demanded,
    "member-became-demanded": _demanded,
    "protocol-member-added": _demanded,
    "became-frozen": lambda asked: [ClientUse(UseKind.SET, key) for key in _members(asked)],
    "no-longer-ordered": _plain(UseKind.SORT),
    "no-longer-hashable": _plain(UseKind.HASH),
    "new-attributes-refused": _plain(UseKind.NEW_ATTRIBUTE, "anything"),
    "tuple-shape-changed": _all_released(UseKind.UNPACK),
    "attribute-became-read-only": _plain(UseKind.SET),
    "property-lost-deleter": _plain(UseKind.DELETE),
    "enum-value-changed": _as_released(UseKind.VALUE),
    "enum-text-changed": _as_released(UseKind.TEXT),
    "package-no-longer-runs": _as_released(UseKind.RUN, named=False),
    "module-no-longer-runs": _as_released(UseKind.SCRIPT, named=False),
    "key-added-required": _keys,
    "key-became-required": _keys,
    "key-became-optional": _plain(UseKind.READ_KEY),
    "overload-removed": lambda asked: [ClientUse(UseKind.OVERLOAD, asked.name, word=key_of(asked.delta.released))],
    "floor-raised": _floor,
    "entry-point-removed": _each_lost(UseKind.POINT, named=False),
    "base-order-changed": _bases,
    "attribute-left-class": _plain(UseKind.GET_ON_CLASS),
    "subclass-keyword-required": _all_released(UseKind.SUBCLASS),
    "enum-closed": _plain(UseKind.SUBCLASS),
    "type-arguments-refused": _plain(UseKind.SUBSCRIPT),
    "no-longer-checkable": _plain(UseKind.ISINSTANCE),
    "typing-marker-removed": lambda asked: [ClientUse(UseKind.CHECK, "")],
    "submodule-no-longer-loaded": _plain(UseKind.LOADED),
}
_BY_FACET: Final[Mapping[str, Callable[[_RowQuestion], Iterable[ClientUse]]]] = {
    sig.ANNOTATION: _passed,
    sig.RETURNS: _taken,
    sig.TYPE: _taken,
}


def _members(asked: _RowQuestion) -> list[str]:
    """The attributes of a class that both sides have."""
    inside = f"{asked.name}."
    return [
        key
        for key, one in asked.released.names.items()
        if key.startswith(inside) and one.facet(sig.IS) == sig.ATTRIBUTE and key in asked.candidate.names
    ]


_AWAITABLES: Final = frozenset({"Awaitable", "Coroutine"})
_SELF: Final = re.compile(r"\bSelf\b")
_NAMES: Final = (ElementKind.OPERATION, ElementKind.MODULE)


class PythonProver:
    """Decides rows about calls and annotations, and looks for client code that shows the others.

    Args:
        ledger: the rows and both contracts.
        witnesses: False to leave out code that no verdict rests on.
    """

    def __init__(self, ledger: Ledger, *, witnesses: bool) -> None:
        self._released, self._candidate = Library(ledger.released), Library(ledger.candidate)
        self._sides = (self._released, self._candidate)
        self._asked = witnesses

    def decision(self, delta: Delta) -> Decision | None:
        """What both signatures, or both annotations, say of the row."""
        if delta.facet == "" and delta.change is Change.REMOVED and delta.element in _NAMES:
            return self._gone(delta)
        if delta.facet != sig.LISTED and any(side.is_borrowed(delta.operation) for side in self._sides):
            return self._opened(delta, BORROWED)
        if delta.facet != sig.LISTED and any(side.is_set_later(delta.operation) for side in self._sides):
            return self._opened(delta, LATER)
        about_call = delta.element is ElementKind.ARGUMENT or delta.facet == sig.ORDER
        if (about_call or delta.facet == sig.METACLASS) and any(side.borrows(delta.operation) for side in self._sides):
            return self._opened(delta, BORROWED)
        if delta.facet == sig.METACLASS and any(side.may_have_metaclass(delta.operation) for side in self._sides):
            return self._opened(delta, INHERITED_META)
        if delta.facet == sig.RESULT and self._is_veiled(delta.operation):
            return self._opened(delta, VEILED)
        if delta.facet == sig.IS and sig.ATTRIBUTE in (delta.released, delta.candidate):
            sides = (side.names.get(delta.operation) for side in (self._released, self._candidate))
            made = any(one is not None and one.facet(sig.WRITTEN) is not None for one in sides)
            return _decided(Tristate.UNKNOWN, unproven(MADE), call=True) if made else None
        if delta.facet in (sig.ANNOTATION, sig.RETURNS, sig.TYPE):
            return self._typed(delta)
        if delta.element is ElementKind.OVERLOAD:
            return self._overloaded(delta)
        if delta.facet == sig.OVERLOADS:
            old, new = (overloads_of(side, delta.operation) for side in (self._released, self._candidate))
            return self._overtaken(reordered(old, new, self._known))
        if delta.facet == sig.ANCESTORS and self._still_all(delta):
            return _decided(Tristate.YES, _proved(STILL_ALL), call=False)
        if delta.facet == sig.SHAPE and _is_renamed(delta):
            return _decided(Tristate.YES, _proved(SAME_SHAPE), call=False)
        return self._unveiled(delta, self._called(delta)) if about_call else None

    def _still_all(self, delta: Delta) -> bool:
        """True when instances are all that they were, though the line of inheritance names less, or other names."""
        old, new = texts(delta.released), texts(delta.candidate)
        lost = set(old) - set(new)
        kept = (is_one_of(new, one) or self._candidate.inherits(delta.operation, one) for one in lost)
        return bool(lost) and all(kept)

    def _unveiled(self, delta: Delta, decision: Decision | None) -> Decision | None:
        """A decision about calls, without its proof where a decorator may make them others."""
        if decision is None or not any(side.is_opaque(delta.operation) for side in self._sides):
            return decision
        if decision.accepts_old_requests is Tristate.YES:
            return (
                None
                if SPEC.classify(delta).verdict is Verdict.COMPATIBLE
                else _decided(Tristate.UNKNOWN, unproven(VEILED), call=True)
            )
        return replace(decision, proof=unproven(VEILED))

    def _opened(self, delta: Delta, reason: str) -> Decision | None:
        """Unknown in place of breaking."""
        breaking = SPEC.classify(delta).verdict is Verdict.BREAKING
        return _decided(Tristate.UNKNOWN, unproven(reason), call=True) if breaking else None

    def _is_veiled(self, name: str) -> bool:
        """True where the sides differ in decorators that are not known."""
        decorators = [side.decorators(name) for side in self._sides]
        return decorators[0] != decorators[1] and any(side.is_opaque(name) for side in self._sides)

    def _gone(self, delta: Delta) -> Decision | None:
        """A name that the candidate now may make at run time is neither there nor gone."""
        name = delta.operation or str(delta.address).partition(" ")[2]
        if self._released.is_perhaps(name):
            return _decided(Tristate.UNKNOWN, unproven(PERHAPS), call=True)
        if self._candidate.has_from_standard(name) or self._candidate.has_from_object(name):
            return _decided(Tristate.UNKNOWN, unproven(INHERITED), call=True)
        if self._candidate.is_set_later(name):
            return _decided(Tristate.UNKNOWN, unproven(LATER), call=True)
        fresh = self._candidate.is_dynamic(name) and not self._released.is_dynamic(name)
        if not fresh and not self._candidate.may_answer(name):
            return None
        return _decided(Tristate.UNKNOWN, unproven(DYNAMIC), call=True)

    def _typed(self, delta: Delta) -> Decision | None:
        old, new = delta.released, delta.candidate
        if not isinstance(old, str) or not isinstance(new, str) or delta.change is not Change.CHANGED:
            return None
        takes = delta.facet == sig.ANNOTATION
        if delta.facet == sig.RETURNS and (both := self._awaited(delta.operation, old, new)) is not None:
            old, new = both
            if is_within(new, old, self._known) is not Tristate.YES:
                return _decided(Tristate.UNKNOWN, unproven(AWAITED), call=False)
            return replace(_decided(Tristate.YES, _proved(SUBTYPE), call=False), planes=IN_NEITHER)
        if delta.facet == sig.RETURNS:
            # Of an instance of the class itself, `Self` is the class.
            new = _SELF.sub(delta.operation.rpartition(".")[0] or "Self", new)
        answer = is_within(old, new, self._known) if takes else is_within(new, old, self._known)
        if delta.facet == sig.TYPE and answer is Tristate.YES and self._is_settable(delta):
            return None
        if answer is Tristate.UNKNOWN:
            return None
        if answer is Tristate.YES:
            return _decided(answer, _proved(SUBTYPE), call=takes)
        found = self._searched(delta) or unproven(NO_USE)
        decided = _decided(answer, found, call=takes)
        return Decision(
            accepts_old_requests=decided.accepts_old_requests,
            emits_old_compatible=decided.emits_old_compatible,
            proof=found,
            planes=ANNOTATED,
        )

    def _awaited(self, name: str, old: str, new: str) -> tuple[str, str] | None:
        """What awaiting gives on both sides, where one side says it by `async` and the other one by its annotation."""
        kinds = [side.names[name].facet(sig.RESULT) if name in side.names else None for side in self._sides]
        written = [text.split("[")[0] in _AWAITABLES for text in (old, new)]
        if kinds != ["awaitable", "awaitable"] or written[0] is written[1] or (written[0] and "Await" not in old):
            return None
        inside = [arguments(text)[-1] if said else text for text, said in zip((old, new), written, strict=True)]
        return inside[0], inside[1]

    def _overloaded(self, delta: Delta) -> Decision | None:
        """Whether another overload takes and gives all that a removed one did, or an added one takes calls away."""
        sides = [overloads_of(side, delta.operation) for side in (self._released, self._candidate)]
        if delta.change is Change.ADDED:
            answer = inserted(key_of(delta.candidate), (sides[0], sides[1]), self._known)
            return self._overtaken(answer) if answer is not Tristate.YES else None
        if delta.change is not Change.REMOVED:
            return None
        gone = sides[0].get(key_of(delta.released))
        if gone is None or not sides[1]:
            return _decided(Tristate.UNKNOWN, unproven(NO_OVERLOADS), call=True)
        answers = {covers(one, gone, self._known) for one in sides[1].values()}
        if answers == {Tristate.NO} and jointly(sides[1].values(), gone, self._known):
            answers = {Tristate.UNKNOWN}
        if Tristate.YES in answers:
            return _decided(Tristate.YES, _proved(ANOTHER_OVERLOAD), call=True)
        if Tristate.UNKNOWN in answers:
            return _decided(Tristate.UNKNOWN, unproven(MAYBE_OVERLOAD), call=True)
        return None

    def _overtaken(self, answer: Tristate) -> Decision:
        """What follows where another overload speaks first now."""
        if answer is Tristate.YES:
            return replace(_decided(answer, _proved(SAME_OVERLOAD), call=True), planes=IN_NEITHER)
        planes = TYPING_OPEN if answer is Tristate.UNKNOWN else TYPING_ONLY
        reason = MAYBE_FIRST if answer is Tristate.UNKNOWN else FIRST_OVERLOAD
        return replace(_decided(answer, unproven(reason), call=True), planes=planes)

    def _is_settable(self, delta: Delta) -> bool:
        sides = (side.names.get(delta.operation) for side in (self._released, self._candidate))
        return any(one is None or one.facet(sig.SETTABLE) is True for one in sides)

    def _known(self, name: str) -> KnownClass | None:
        return self._candidate.known(name) or self._released.known(name)

    def _called(self, delta: Delta) -> Decision | None:
        old, new = (signature_of(side.names.get(delta.operation)) for side in (self._released, self._candidate))
        if old is None or new is None:
            return _decided(Tristate.UNKNOWN, unproven(ELSEWHERE), call=True)
        found = next(_showing(delta, old, new), None)
        if found is not None:
            way = UseKind.CALL if found.after.error else UseKind.MEANT
            proof = self._witness(ClientUse(way, delta.operation, found.call, words=found.before.roles), delta)
            return _decided(Tristate.NO, proof, call=True) if proof is not None else None
        if (
            SPEC.classify(delta).verdict is Verdict.COMPATIBLE
            or delta.change is not Change.CHANGED
            or _is_binding(delta)
        ):
            found_none = _without_witness(delta, old, new)
            is_absorbed = found_none is not None and found_none.proof.reason is CallReason.ABSORBED
            # A pydantic model drops names that it does not know: nothing was meant by them.
            return None if is_absorbed and self._is_model(delta.operation) else found_none
        return None

    def _is_model(self, name: str) -> bool:
        element = self._released.names.get(name)
        return element is not None and any("pydantic." in one for one in texts(element.facet(sig.OPEN)))

    def proof(self, delta: Delta) -> Proof:
        """Client code that shows the row, or why there is none."""
        if SPEC.classify(delta).verdict is not Verdict.BREAKING:
            return UNCOMPUTED
        if not self._asked:
            return unproven(ProofReason.NOT_ASKED)
        return self._searched(delta) or unproven(NO_USE)

    def _searched(self, delta: Delta) -> Proof | None:
        uses = uses_of(delta, self._released, self._candidate, self._known)
        return next((proof for use in uses if (proof := self._witness(use, delta)) is not None), None)

    def _witness(self, use: ClientUse, delta: Delta) -> Proof | None:
        """The proof by a use, None when it shows nothing."""
        before, after = (told(side, use, self._known) for side in (self._released, self._candidate))
        if before.accepted is not Tristate.YES or after.accepted is not Tristate.NO:
            return None
        paths = [self._released.contract.path, self._candidate.contract.path]
        return Proof(
            status=ProofStatus.WITNESSED,
            method=ProofMethod.VALIDATION,
            witness=_json(use, self._released, (before, after)),
            command=replay_command(paths, delta.id),
            reason=f"client code that the released library takes; with the candidate: {after.says}",
        )


def _json(use: ClientUse, released: Library, said: tuple[WitnessJudgement, WitnessJudgement]) -> dict[str, Json]:
    return {
        "message": use.to_json(code_of(use, released)),
        "accepted_by": "released",
        "refused_by": "candidate",
        "released": said[0].says,
        "candidate": said[1].says,
    }


def _proved(reason: str) -> Proof:
    return Proof(status=ProofStatus.PROVED, method=ProofMethod.CONTAINMENT, witness={}, command="", reason=reason)


def _decided(answer: Tristate, proof: Proof, *, call: bool) -> Decision:
    """A decision about what clients write (`call`) or about what they get."""
    return Decision(
        accepts_old_requests=answer if call else Tristate.NOT_APPLICABLE,
        emits_old_compatible=Tristate.NOT_APPLICABLE if call else answer,
        proof=proof,
    )


def _is_renamed(delta: Delta) -> bool:
    """True for a named tuple of as many fields, where those that stay keep their positions."""
    old, new = texts(delta.released), texts(delta.candidate)
    return len(old) == len(new) and keeps_positions(old, new)


def _is_binding(delta: Delta) -> bool:
    """True for a row that is about whether calls bind, and about nothing else."""
    changed = isinstance(delta.candidate, str) and isinstance(delta.released, str)
    return delta.facet in (sig.KIND, sig.NAME, sig.ORDER) or (delta.facet == sig.DEFAULT and not changed)


def _without_witness(delta: Delta, old: Signature, new: Signature) -> Decision | None:
    """What follows where no call shows the row: calls that land in `*args`, or signatures that are contained."""
    gone = delta.facet == sig.NAME or (delta.facet == "" and delta.change is Change.REMOVED)
    if gone:
        return _decided(Tristate.UNKNOWN, unproven(SWALLOWED), call=True)
    if refused_calls(old, new):
        return None
    moves = {move for each in rebound_calls(old, new) for move in _moves(each)} - _renamed(old, new)
    if (sig.KEYWORDS, argument_of(delta)[0]) in moves:
        return _decided(Tristate.UNKNOWN, unproven(CallReason.ABSORBED), call=True)
    if moves and SPEC.classify(delta).verdict is Verdict.BREAKING:
        return _decided(Tristate.UNKNOWN, unproven(SWALLOWED), call=True)
    return None if moves else _decided(Tristate.YES, _proved(EVERY_CALL), call=True)


def _showing(delta: Delta, old: Signature, new: Signature) -> Iterator[RefusedCall]:
    """Calls that the released signature takes and that show this row: refused, or landing elsewhere."""
    if delta.facet == sig.ANNOTATION:
        return
    if SPEC.classify(delta).verdict is Verdict.COMPATIBLE:
        # What went into `**kwargs` under the name of an argument by position is now given twice.
        name, _ = argument_of(delta)
        twice = f"multiple values for argument {dict(_renamed(old, new)).get(name, name)!r}"
        yield from (each for each in refused_calls(old, new) if twice in each.after.error)
        yield from _starred(delta, old, new)
        return
    if delta.facet == sig.ORDER:
        renamed = _renamed(old, new)
        yield from (each for each in rebound_calls(old, new) if _lands_elsewhere(each, renamed))
        yield from (each for each in refused_calls(old, new) if each.call.positional)
        return
    name, missing = argument_of(delta)
    name = next((each.name for each in old.parameters if each.kind == name), name)
    if missing:
        name = dict(_renamed(old, new)).get(name, name)
        yield from (
            each
            for each in refused_calls(old, new)
            if "missing" in each.after.error and (repr(name) in each.after.error)
        )
    elif delta.facet != sig.DEFAULT:
        given = [each for each in refused_calls(old, new) if name in each.before.values]
        by_name = [each for each in given if name in each.call.keywords]
        yield from (by_name or given) if delta.facet == sig.NAME else given
    yield from _starred(delta, old, new)


def _starred(delta: Delta, old: Signature, new: Signature) -> Iterator[RefusedCall]:
    """Calls that both take, and that give a value to `*` or `**` on one side and to the row's argument on the other.

    It means another thing only where what it was meant for, or what it gets into, is there on both sides.
    """
    if delta.facet == sig.DEFAULT or delta.change is Change.REMOVED:
        return
    name, _ = argument_of(delta)
    kept = _roles(old) & _roles(new)
    for each in rebound_calls(old, new):
        for move in _moves(each):
            fresh = move[0] == sig.KEYWORDS and move[1] not in kept
            if name in move and {sig.REST, sig.KEYWORDS} & set(move) and kept & set(move) and not fresh:
                yield each


def _roles(signature: Signature) -> set[str]:
    return {each.kind if each.kind in (sig.REST, sig.KEYWORDS) else each.name for each in signature.parameters}


def _moves(each: RefusedCall) -> Iterator[tuple[str, str]]:
    """The parameters that one value gets into before and after, where they differ."""
    pairs = zip(each.before.roles, each.after.roles, strict=True)
    return ((before, after) for before, after in pairs if before != after)


def _renamed(old: Signature, new: Signature) -> set[tuple[str, str]]:
    """Positions whose parameter has another name, where neither name is one of the other side."""
    names = {each.name for each in old.parameters}, {each.name for each in new.parameters}
    pairs = ((before.name, after.name) for before, after in zip(old.places, new.places, strict=False))
    return {(before, after) for before, after in pairs if before not in names[1] and after not in names[0]}


def _lands_elsewhere(each: RefusedCall, renamed: set[tuple[str, str]]) -> bool:
    """True when a value by position gets into another parameter, and not into one that only got another name."""
    count = each.call.positional
    pairs = zip(each.before.roles[:count], each.after.roles[:count], strict=True)
    return any(before != after and (before, after) not in renamed for before, after in pairs)


def replay(released: Contract, candidate: Contract, witness: Json) -> tuple[WitnessJudgement, WitnessJudgement]:
    """What both libraries make of a retained use.

    Raises:
        ValueError: it is no witness of this kind.
    """
    if not isinstance(witness, dict):
        raise ValueError("the witness is no object")
    use, sides = from_json(witness.get("message")), [Library(side) for side in with_reexports(released, candidate)]

    def known(name: str) -> KnownClass | None:
        return sides[1].known(name) or sides[0].known(name)

    before, after = (told(side, use, known) for side in sides)
    return before, after
