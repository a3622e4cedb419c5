"""Proofs of rows about Python libraries: client code that the released library takes and the candidate does not.

Calls are computed from both signatures, so a row about an argument is decided: by a call that is refused or lands
elsewhere, or because every call that the released signature takes is taken. Annotations are decided by the lattice of
`shapes/annotations.py`, with the classes of both libraries. Nothing is imported or executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.kind_spec import Decision, Told
from evreview.comparison.ledger import Ledger
from evreview.comparison.proof.outcome import NOT_ASKED, UNCOMPUTED, Proof, unproven
from evreview.comparison.rules.classifier import classify
from evreview.contract.model import Contract, ElementKind
from evreview.contracts.readers.python_standard import is_one_of
from evreview.core.vocabulary import Answer, Change, Json, ProofMethod, ProofStatus, Verdict
from evreview.kinds.openapi.prover import replay_command
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.alignment import keeps_positions
from evreview.kinds.python.annotations import arguments
from evreview.kinds.python.call_binding import Refused, Signature, rebound_calls, refused_calls, signature_of
from evreview.kinds.python.client_uses import Use, Way, from_json, told
from evreview.kinds.python.rule_examples import ANNOTATED, IN_NEITHER, TYPING_ONLY, TYPING_OPEN
from evreview.ledger.handed_on import handed_on
from evreview.proof.kinds import python_reasons as why
from evreview.proof.kinds.python_code import code_of
from evreview.proof.kinds.python_library import Library, texts
from evreview.proof.kinds.python_overloads import covers, inserted, jointly, overloads_of, reordered
from evreview.proof.kinds.python_rows import argument_of, key_of, uses_of
from evreview.shapes.annotations import Known, is_within

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
            return self._opened(delta, why.BORROWED)
        if delta.facet != sig.LISTED and any(side.is_set_later(delta.operation) for side in self._sides):
            return self._opened(delta, why.LATER)
        about_call = delta.element is ElementKind.ARGUMENT or delta.facet == sig.ORDER
        if (about_call or delta.facet == sig.METACLASS) and any(side.borrows(delta.operation) for side in self._sides):
            return self._opened(delta, why.BORROWED)
        if delta.facet == sig.METACLASS and any(side.may_have_metaclass(delta.operation) for side in self._sides):
            return self._opened(delta, why.INHERITED_META)
        if delta.facet == sig.RESULT and self._is_veiled(delta.operation):
            return self._opened(delta, why.VEILED)
        if delta.facet == sig.IS and sig.ATTRIBUTE in (delta.released, delta.candidate):
            sides = (side.names.get(delta.operation) for side in (self._released, self._candidate))
            made = any(one is not None and one.facet(sig.WRITTEN) is not None for one in sides)
            return _decided(Answer.UNKNOWN, unproven(why.MADE), call=True) if made else None
        if delta.facet in (sig.ANNOTATION, sig.RETURNS, sig.TYPE):
            return self._typed(delta)
        if delta.element is ElementKind.OVERLOAD:
            return self._overloaded(delta)
        if delta.facet == sig.OVERLOADS:
            old, new = (overloads_of(side, delta.operation) for side in (self._released, self._candidate))
            return self._overtaken(reordered(old, new, self._known))
        if delta.facet == sig.ANCESTORS and self._still_all(delta):
            return _decided(Answer.YES, _proved(why.STILL_ALL), call=False)
        if delta.facet == sig.SHAPE and _is_renamed(delta):
            return _decided(Answer.YES, _proved(why.SAME_SHAPE), call=False)
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
        if decision.accepts_old_requests is Answer.YES:
            return (
                None
                if classify(delta).verdict is Verdict.COMPATIBLE
                else _decided(Answer.UNKNOWN, unproven(why.VEILED), call=True)
            )
        return replace(decision, proof=unproven(why.VEILED))

    def _opened(self, delta: Delta, reason: str) -> Decision | None:
        """Unknown in place of breaking."""
        breaking = classify(delta).verdict is Verdict.BREAKING
        return _decided(Answer.UNKNOWN, unproven(reason), call=True) if breaking else None

    def _is_veiled(self, name: str) -> bool:
        """True where the sides differ in decorators that are not known."""
        decorators = [side.decorators(name) for side in self._sides]
        return decorators[0] != decorators[1] and any(side.is_opaque(name) for side in self._sides)

    def _gone(self, delta: Delta) -> Decision | None:
        """A name that the candidate now may make at run time is neither there nor gone."""
        name = delta.operation or str(delta.address).partition(" ")[2]
        if self._released.is_perhaps(name):
            return _decided(Answer.UNKNOWN, unproven(why.PERHAPS), call=True)
        if self._candidate.has_from_standard(name) or self._candidate.has_from_object(name):
            return _decided(Answer.UNKNOWN, unproven(why.INHERITED), call=True)
        if self._candidate.is_set_later(name):
            return _decided(Answer.UNKNOWN, unproven(why.LATER), call=True)
        fresh = self._candidate.is_dynamic(name) and not self._released.is_dynamic(name)
        if not fresh and not self._candidate.may_answer(name):
            return None
        return _decided(Answer.UNKNOWN, unproven(why.DYNAMIC), call=True)

    def _typed(self, delta: Delta) -> Decision | None:
        old, new = delta.released, delta.candidate
        if not isinstance(old, str) or not isinstance(new, str) or delta.change is not Change.CHANGED:
            return None
        takes = delta.facet == sig.ANNOTATION
        if delta.facet == sig.RETURNS and (both := self._awaited(delta.operation, old, new)) is not None:
            old, new = both
            if is_within(new, old, self._known) is not Answer.YES:
                return _decided(Answer.UNKNOWN, unproven(why.AWAITED), call=False)
            return replace(_decided(Answer.YES, _proved(why.SUBTYPE), call=False), planes=IN_NEITHER)
        if delta.facet == sig.RETURNS:
            # Of an instance of the class itself, `Self` is the class.
            new = _SELF.sub(delta.operation.rpartition(".")[0] or "Self", new)
        answer = is_within(old, new, self._known) if takes else is_within(new, old, self._known)
        if delta.facet == sig.TYPE and answer is Answer.YES and self._is_settable(delta):
            return None
        if answer is Answer.UNKNOWN:
            return None
        if answer is Answer.YES:
            return _decided(answer, _proved(why.SUBTYPE), call=takes)
        found = self._searched(delta) or unproven(why.NO_USE)
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
            return self._overtaken(answer) if answer is not Answer.YES else None
        if delta.change is not Change.REMOVED:
            return None
        gone = sides[0].get(key_of(delta.released))
        if gone is None or not sides[1]:
            return _decided(Answer.UNKNOWN, unproven(why.NO_OVERLOADS), call=True)
        answers = {covers(one, gone, self._known) for one in sides[1].values()}
        if answers == {Answer.NO} and jointly(sides[1].values(), gone, self._known):
            answers = {Answer.UNKNOWN}
        if Answer.YES in answers:
            return _decided(Answer.YES, _proved(why.ANOTHER_OVERLOAD), call=True)
        if Answer.UNKNOWN in answers:
            return _decided(Answer.UNKNOWN, unproven(why.MAYBE_OVERLOAD), call=True)
        return None

    def _overtaken(self, answer: Answer) -> Decision:
        """What follows where another overload speaks first now."""
        if answer is Answer.YES:
            return replace(_decided(answer, _proved(why.SAME_OVERLOAD), call=True), planes=IN_NEITHER)
        planes = TYPING_OPEN if answer is Answer.UNKNOWN else TYPING_ONLY
        reason = why.MAYBE_FIRST if answer is Answer.UNKNOWN else why.FIRST_OVERLOAD
        return replace(_decided(answer, unproven(reason), call=True), planes=planes)

    def _is_settable(self, delta: Delta) -> bool:
        sides = (side.names.get(delta.operation) for side in (self._released, self._candidate))
        return any(one is None or one.facet(sig.SETTABLE) is True for one in sides)

    def _known(self, name: str) -> Known | None:
        return self._candidate.known(name) or self._released.known(name)

    def _called(self, delta: Delta) -> Decision | None:
        old, new = (signature_of(side.names.get(delta.operation)) for side in (self._released, self._candidate))
        if old is None or new is None:
            return _decided(Answer.UNKNOWN, unproven(why.ELSEWHERE), call=True)
        found = next(_showing(delta, old, new), None)
        if found is not None:
            way = Way.CALL if found.after.error else Way.MEANT
            proof = self._witness(Use(way, delta.operation, found.call, words=found.before.roles), delta)
            return _decided(Answer.NO, proof, call=True) if proof is not None else None
        if classify(delta).verdict is Verdict.COMPATIBLE or delta.change is not Change.CHANGED or _is_binding(delta):
            found_none = _without_witness(delta, old, new)
            is_absorbed = found_none is not None and found_none.proof.reason == why.ABSORBED
            # A pydantic model drops names that it does not know: nothing was meant by them.
            return None if is_absorbed and self._is_model(delta.operation) else found_none
        return None

    def _is_model(self, name: str) -> bool:
        element = self._released.names.get(name)
        return element is not None and any("pydantic." in one for one in texts(element.facet(sig.OPEN)))

    def proof(self, delta: Delta) -> Proof:
        """Client code that shows the row, or why there is none."""
        if classify(delta).verdict is not Verdict.BREAKING:
            return UNCOMPUTED
        if not self._asked:
            return unproven(NOT_ASKED)
        return self._searched(delta) or unproven(why.NO_USE)

    def _searched(self, delta: Delta) -> Proof | None:
        uses = uses_of(delta, self._released, self._candidate, self._known)
        return next((proof for use in uses if (proof := self._witness(use, delta)) is not None), None)

    def _witness(self, use: Use, delta: Delta) -> Proof | None:
        """The proof by a use, None when it shows nothing."""
        before, after = (told(side, use, self._known) for side in (self._released, self._candidate))
        if before.accepted is not Answer.YES or after.accepted is not Answer.NO:
            return None
        paths = [self._released.contract.path, self._candidate.contract.path]
        return Proof(
            status=ProofStatus.WITNESSED,
            method=ProofMethod.VALIDATION,
            witness=_json(use, self._released, (before, after)),
            command=replay_command(paths, delta.id),
            reason=f"client code that the released library takes; with the candidate: {after.says}",
        )


def _json(use: Use, released: Library, said: tuple[Told, Told]) -> dict[str, Json]:
    return {
        "message": use.to_json(code_of(use, released)),
        "accepted_by": "released",
        "refused_by": "candidate",
        "released": said[0].says,
        "candidate": said[1].says,
    }


def _proved(reason: str) -> Proof:
    return Proof(status=ProofStatus.PROVED, method=ProofMethod.CONTAINMENT, witness={}, command="", reason=reason)


def _decided(answer: Answer, proof: Proof, *, call: bool) -> Decision:
    """A decision about what clients write (`call`) or about what they get."""
    return Decision(
        accepts_old_requests=answer if call else Answer.NOT_APPLICABLE,
        emits_old_compatible=Answer.NOT_APPLICABLE if call else answer,
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
        return _decided(Answer.UNKNOWN, unproven(why.SWALLOWED), call=True)
    if refused_calls(old, new):
        return None
    moves = {move for each in rebound_calls(old, new) for move in _moves(each)} - _renamed(old, new)
    if (sig.KEYWORDS, argument_of(delta)[0]) in moves:
        return _decided(Answer.UNKNOWN, unproven(why.ABSORBED), call=True)
    if moves and classify(delta).verdict is Verdict.BREAKING:
        return _decided(Answer.UNKNOWN, unproven(why.SWALLOWED), call=True)
    return None if moves else _decided(Answer.YES, _proved(why.EVERY_CALL), call=True)


def _showing(delta: Delta, old: Signature, new: Signature) -> Iterator[Refused]:
    """Calls that the released signature takes and that show this row: refused, or landing elsewhere."""
    if delta.facet == sig.ANNOTATION:
        return
    if classify(delta).verdict is Verdict.COMPATIBLE:
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
        yield from (each for each in refused_calls(old, new) if "missing" in each.after.error and _names(each, name))
    elif delta.facet != sig.DEFAULT:
        given = [each for each in refused_calls(old, new) if name in each.before.values]
        by_name = [each for each in given if name in each.call.keywords]
        yield from (by_name or given) if delta.facet == sig.NAME else given
    yield from _starred(delta, old, new)


def _starred(delta: Delta, old: Signature, new: Signature) -> Iterator[Refused]:
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


def _moves(each: Refused) -> Iterator[tuple[str, str]]:
    """The parameters that one value gets into before and after, where they differ."""
    pairs = zip(each.before.roles, each.after.roles, strict=True)
    return ((before, after) for before, after in pairs if before != after)


def _renamed(old: Signature, new: Signature) -> set[tuple[str, str]]:
    """Positions whose parameter has another name, where neither name is one of the other side."""
    names = {each.name for each in old.parameters}, {each.name for each in new.parameters}
    pairs = ((before.name, after.name) for before, after in zip(old.places, new.places, strict=False))
    return {(before, after) for before, after in pairs if before not in names[1] and after not in names[0]}


def _lands_elsewhere(each: Refused, renamed: set[tuple[str, str]]) -> bool:
    """True when a value by position gets into another parameter, and not into one that only got another name."""
    count = each.call.positional
    pairs = zip(each.before.roles[:count], each.after.roles[:count], strict=True)
    return any(before != after and (before, after) not in renamed for before, after in pairs)


def _names(refused: Refused, name: str) -> bool:
    return repr(name) in refused.after.error


def replay(released: Contract, candidate: Contract, witness: Json) -> tuple[Told, Told]:
    """What both libraries make of a retained use.

    Raises:
        ValueError: it is no witness of this kind.
    """
    if not isinstance(witness, dict):
        raise ValueError("the witness is no object")
    use, sides = from_json(witness.get("message")), [Library(side) for side in handed_on(released, candidate)]

    def known(name: str) -> Known | None:
        return sides[1].known(name) or sides[0].known(name)

    before, after = (told(side, use, known) for side in sides)
    return before, after
