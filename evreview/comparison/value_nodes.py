"""Compares what two schema nodes say about a value itself: types, null, enum, bounds and scalar keywords."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.noise import BASE64, BINARY, IDLE, IDLE_NULLABLE
from evreview.comparison.wire_forms import canonical, ordered, same
from evreview.contract.model import SchemaDialect
from evreview.core.vocabulary import MISSING, Aspect, Change, Form
from evreview.ledger.keywords import ASPECTS, RELEVANT
from evreview.ledger.node_pair import NodePair
from evreview.schema.reader import BOUNDS, idle_nullable, json_type, marks_nullable
from evreview.schema.view import Bound, SchemaView
from evreview.schema.wire_text import BINARY_NAMES, is_binary

_BASE64_NAMES: Final = ("contentEncoding", "format")
_NUMBERS: Final = ("number", "integer")


def compare_types(pair: NodePair) -> bool:
    """Compares types and null; False when the types have nothing in common, so that the rest can't be compared."""
    before, after = pair.before, pair.after
    if _only_null(before) is not _only_null(after):
        pair.add(Aspect.TYPES, "type", *(_with_null(view) for view in (before, after)))
        return False
    overlap = before.types is None or after.types is None or before.may_be(*after.types) or after.may_be(*before.types)
    if before.types != after.types and not (overlap and _said_by_enum(before, after)):
        pair.add(Aspect.TYPES, "type", before.type_form, after.type_form)
    if (
        before.null != after.null
        and _says_null(before)
        and _says_null(after)
        and (overlap or before.types == after.types)
    ):
        pair.add(Aspect.NULLABILITY, "nullable", before.null, after.null)
    elif before.null == after.null:
        _idle_nullable(pair)
    return overlap


def _only_null(view: SchemaView) -> bool:
    return view.types is not None and not view.types


def _with_null(view: SchemaView) -> Form:
    """The types, null among them: beside a value that is always null it is no aside."""
    if not view.null or not view.types:
        return view.type_form
    return ordered([*view.types, "null"])


def _said_by_enum(before: SchemaView, after: SchemaView) -> bool:
    """True where values of other types came into or went from an enumeration: its rows say all that the types say."""
    if "x-extensible-enum" in before.keywords or before.enum is None or after.enum is None:
        return False
    return not same(ordered(before.enum), ordered(after.enum)) and all(
        view.may_be(json_type(value)) for view in (before, after) for value in view.enum or ()
    )


def _idle_nullable(pair: NodePair) -> None:
    """One row where `nullable` came or went in a place without effect: noise where null may come anyway."""
    old, new = pair.released.parts[0].node, pair.candidate.parts[0].node
    said = marks_nullable(old, pair.old.views.dialect), marks_nullable(new, pair.new.views.dialect)
    idle = idle_nullable(old, pair.old.views.dialect) or idle_nullable(new, pair.new.views.dialect)
    if said[0] != said[1] and idle and pair.before.null:
        pair.add(Aspect.NULLABILITY, "nullable", *said, reason=IDLE_NULLABLE)
    elif said[0] != said[1] and idle:
        pair.add(Aspect.NULLABILITY, "nullable", *said, facts={fact.WITHOUT_EFFECT: True})


def _says_null(view: SchemaView) -> bool:
    return view.typed or view.composed or view.enum is not None


def compare_enum(pair: NodePair) -> None:
    """Compares the admitted values: one row for what came, one for what went, one when the list itself did."""
    before, after = pair.before.enum, pair.after.enum
    if before is None and after is None:
        return
    released: Form = MISSING if before is None else ordered(before)
    candidate: Form = MISSING if after is None else ordered(after)
    extensible = {fact.EXTENSIBLE: True} if "x-extensible-enum" in pair.before.keywords else {}
    if before is None or after is None:
        pair.add(Aspect.ENUMS, "enum", released, candidate, facts={fact.ENUM_WHOLE: True, **extensible})
        return
    known_before, known_after = ({canonical(value) for value in values} for values in (before, after))
    gone = ordered(value for value in before if canonical(value) not in known_after)
    come = ordered(value for value in after if canonical(value) not in known_before)
    shared = {**extensible, fact.ADDED_VALUES: come, fact.REMOVED_VALUES: gone}
    if come:
        pair.add(Aspect.ENUMS, "enum", released, candidate, change=Change.ADDED, facts=shared)
    if gone:
        pair.add(Aspect.ENUMS, "enum", released, candidate, change=Change.REMOVED, facts=shared)


def compare_bounds(pair: NodePair) -> None:
    """Compares minimum and maximum, whatever keyword spells them."""
    concerned = pair.before.may_be("number", "integer") and pair.after.may_be("number", "integer")
    if not concerned and pair.before.types != pair.after.types:
        return
    for name, before, after in (
        ("minimum", pair.before.minimum, pair.after.minimum),
        ("maximum", pair.before.maximum, pair.after.maximum),
    ):
        if before != after:
            facet, released, candidate = _bound_forms(name, before, after)
            pair.add(Aspect.NUMERIC_RANGES, facet, released, candidate, reason="" if concerned else IDLE)


def _bound_forms(name: str, before: Bound | None, after: Bound | None) -> tuple[str, Form, Form]:
    """Plain numbers where both sides are of one kind, so that a rule can compare them."""
    exclusive = [bound.exclusive for bound in (before, after) if bound is not None]
    if all(exclusive):
        name = "exclusive" + name[0].upper() + name[1:]
    mixed = any(exclusive) and not all(exclusive)

    def form(bound: Bound | None) -> Form:
        if bound is None:
            return MISSING
        return bound.form if mixed else bound.value

    return name, form(before), form(after)


def compare_keywords(pair: NodePair, *, told: frozenset[str] = frozenset()) -> None:
    """Compares the scalar keywords; one that says nothing about these types is noise.

    Args:
        pair: both nodes.
        told: keywords of which the row of a choice tells, as far as they limit values.
    """
    before, after = pair.before.keywords, pair.after.keywords
    alike = _two_spellings(pair)
    for name in sorted(before.keys() | after.keys()):
        if name in alike or (name in told and name in RELEVANT):
            continue
        if not _speaks(pair, name):
            if pair.before.types == pair.after.types and not same(before.get(name, MISSING), after.get(name, MISSING)):
                pair.add(ASPECTS[name], name, before.get(name, MISSING), after.get(name, MISSING), reason=IDLE)
            continue
        differs(pair, ASPECTS[name], name, before.get(name, MISSING), after.get(name, MISSING))


def _speaks(pair: NodePair, name: str) -> bool:
    """False for a keyword that says nothing about the types of one side: what a format of texts is to numbers."""
    relevant = RELEVANT.get(name, ())
    if name == "format":
        said = [str(view.keywords[name]) for view in (pair.before, pair.after) if name in view.keywords]
        return any(_both_may_be(pair, _NUMBERS if form in BOUNDS else ("string",)) for form in said)
    return not relevant or _both_may_be(pair, relevant)


def _two_spellings(pair: NodePair) -> tuple[str, ...]:
    """The keywords that say one thing in two versions' spelling, with a noise row; none for what may be two."""
    for named, is_said, reason in ((_BASE64_NAMES, _is_base64, BASE64), (BINARY_NAMES, is_binary, BINARY)):
        sides = (pair.before, pair.old), (pair.after, pair.new)
        said = [{name: view.keywords[name] for name in named if name in view.keywords} for view, _ in sides]
        meant = (is_said(each, side.views.dialect) for each, (_, side) in zip(said, sides, strict=True))
        if not same(*said) and all(meant):
            pair.add(Aspect.ENCODINGS, named[0], *said, reason=reason)
            return named
    return ()


def _is_base64(said: Mapping[str, Form], dialect: SchemaDialect) -> bool:
    if said.get("format", "byte") != "byte":
        return False
    return str(said.get("contentEncoding", "base64")).lower() == "base64" and bool(said)


def _both_may_be(pair: NodePair, types: tuple[str, ...]) -> bool:
    return pair.before.may_be(*types) and pair.after.may_be(*types)


def differs(pair: NodePair, aspect: Aspect, facet: str, released: Form | None, candidate: Form | None) -> None:
    """Records a keyword whose two values are not the same; None stands for an absent discriminator."""
    before: Form = MISSING if released is None and facet == "discriminator" else released
    after: Form = MISSING if candidate is None and facet == "discriminator" else candidate
    if not same(before, after):
        pair.add(aspect, facet, before, after)
