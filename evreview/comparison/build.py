"""`diff_contracts`: what differs between two contracts, as facts. Nobody is judged here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison.component_identity import ComponentIdentities, address
from evreview.comparison.delta import Context, Delta, Noise, RawDifference
from evreview.comparison.delta_ids import delta_ids
from evreview.comparison.drafts import Draft, Where, draft_of, element_drafts, merged, schema_drafts
from evreview.comparison.elements import ElementDiff, Position, is_of_document, version_rows
from evreview.comparison.equivalence import Equivalence, explain, tell_null, tell_openness
from evreview.comparison.kind_spec import KindSpec
from evreview.comparison.ledger import Ledger
from evreview.comparison.node_pair import Equality, SchemaReaders
from evreview.comparison.noise import NoiseReason
from evreview.comparison.reachability import RemovedUses, reach, relocation_rows
from evreview.comparison.redundant_rows import demanded_schemes, tell_defaults, without_xml
from evreview.comparison.schema_pairs import SchemaGraph, leading_to_deltas, leading_to_differences
from evreview.comparison.wire_forms import Forms, cut, element_form
from evreview.contract.json_reader import schemas
from evreview.contract.model import Contract, Element, ElementKind, Place, SchemaDialect, UnsupportedConstruct
from evreview.contract.references import Resolver
from evreview.core.vocabulary import ABSENT, Address, Aspect, Change, DeltaId, Form, Json, Role
from evreview.schema.reader import EXPRESSIONS, malformed
from evreview.schema.views import Views

# Unchanged elements that a row needs in order to be read: what stays while something beside it changes.


SUCCESS_STAYS: Final = "the success response of this operation stays as it is; only the error response changes"
SIBLING_STAYS: Final = "another content type of the same message, unchanged"
ACCESS_STAYS: Final = "a way of access to the same operation that stays as it is"


def contexts_of(deltas: Sequence[Delta], found: ElementDiff, graph: SchemaGraph) -> tuple[Context, ...]:
    """The contexts of all deltas, in the order of the deltas."""
    touched = leading_to_deltas(graph.pairs)
    dirty = {root.position.steps for root in found.roots if id(root.pair) in touched}
    dirty |= {row.steps for row in found.rows if not row.difference.reason}
    by_operation: dict[str, list[Position]] = {}
    for position in found.positions:
        by_operation.setdefault(position.operation, []).append(position)
    names = Unchanged(dirty, by_operation, found.old.forms)
    return tuple(context for delta in deltas for context in names.of(delta))


class Unchanged:
    """Finds the unchanged elements beside a delta."""

    def __init__(self, dirty: set[tuple[str, ...]], positions: dict[str, list[Position]], forms: Forms) -> None:
        self._changed = {steps[:length] for steps in dirty for length in range(1, len(steps) + 1)}
        self._positions = positions
        self._forms = forms

    def of(self, delta: Delta) -> Iterable[Context]:
        """The contexts of one delta, sorted by address."""
        if delta.in_error and delta.role is Role.RESPONSE:
            yield from self._list(delta, self._success(delta.operation), SUCCESS_STAYS)
        if delta.aspect is Aspect.CONTENT_TYPES and delta.change is not Change.ADDED:
            yield from self._list(delta, self._siblings(delta), SIBLING_STAYS)
        if delta.element is ElementKind.SECURITY:
            yield from self._list(delta, self._access(delta), ACCESS_STAYS)

    def _list(self, delta: Delta, positions: Iterable[Position], why: str) -> Iterable[Context]:
        for position in sorted(positions, key=lambda position: position.steps):
            if position.steps not in self._changed:
                element = position.released
                yield Context(
                    delta_id=delta.id,
                    address=address(position.steps),
                    form=element_form(element, self._forms),
                    place=element.value.place if element.value is not None else element.place,
                    why=why,
                )

    def _success(self, operation: str) -> Iterable[Position]:
        wanted = (ElementKind.MEDIA_TYPE,)
        found = [
            position
            for position in self._positions.get(operation, ())
            if position.released.kind in wanted
            and position.released.role is Role.RESPONSE
            and not position.released.in_error
        ]
        return found or [
            position
            for position in self._positions.get(operation, ())
            if position.released.kind is ElementKind.RESPONSE and not position.released.in_error
        ]

    def _siblings(self, delta: Delta) -> Iterable[Position]:
        parent = delta.address.rpartition(" > ")[0]
        return [
            position
            for position in self._positions.get(delta.operation, ())
            if position.released.kind is ElementKind.MEDIA_TYPE and address(position.steps[:-1]) == parent
        ]

    def _access(self, delta: Delta) -> Iterable[Position]:
        """The declarations of the schemes that both forms demand."""
        kept = _schemes(delta.released) & _schemes(delta.candidate)
        return [
            position
            for position in self._positions.get("", ())
            if position.released.kind is ElementKind.SECURITY_SCHEME and position.released.key in kept
        ]


def _schemes(form: Form) -> set[str]:
    listed = form if isinstance(form, (list, tuple)) else ()
    return {name for alternative in listed if isinstance(alternative, dict) for name in alternative}


# Noise about the document as a whole: components that changed their name, and the order of keys.


def rename_drafts(released: Contract, graph: SchemaGraph) -> list[Draft]:
    """One noise draft per pair of different component names that references of both sides use in one place."""
    drafts = []
    names = {(_name(old), _name(new)): pair for (old, new), pair in sorted(graph.renames.items())}
    for (old, new), (before, after) in sorted(names.items()):
        difference = RawDifference(
            aspect=Aspect.IDENTIFIERS,
            facet="component name",
            released=old or ABSENT,
            candidate=new or ABSENT,
            released_place=before.place,
            candidate_place=after.place,
            reason=NoiseReason.RENAMED if old and new else NoiseReason.MOVED,
            change=Change.CHANGED,
        )
        where = Where("", Address(f"component {old or new}"), frozenset(), released.root, "")
        drafts.append(draft_of(released.kind, difference, where, shared=False))
    return drafts


def order_drafts(released: Contract, candidate: Contract, graph: SchemaGraph) -> list[Draft]:
    """One noise draft when schemas differ in nothing but the order of their keys."""
    if not graph.reordered:
        return []
    difference = RawDifference(
        aspect=Aspect.IDENTIFIERS,
        facet="order of keys",
        released="schemas",
        candidate="schemas",
        released_place=released.root.place,
        candidate_place=candidate.root.place,
        reason=NoiseReason.ORDER,
    )
    where = Where("", Address("document"), frozenset(), released.root, "")
    return [draft_of(released.kind, difference, where, shared=False)]


def base_drafts(released: Contract, moved: RawDifference | None, everything: frozenset[str]) -> list[Draft]:
    """The noise draft of a base path that went into the paths, or came out of them."""
    if moved is None:
        return []
    where = Where("", Address("document"), everything, released.root, "")
    return [draft_of(released.kind, moved, where, shared=len(everything) > 1)]


def _name(ref: str) -> str:
    return ref.rsplit("/", 1)[-1]


# Expressions that nobody here reads, in schemas of events: listed also where both sides say the same.
#
# What a comparison never looks at, since both sides agree, is understood all the less for that.


def unread_patterns(contract: Contract, dialect: SchemaDialect) -> Iterator[UnsupportedConstruct]:
    """Every expression in the contract's schemas that can't be read, by place."""
    for file, document in contract.documents.items():
        for place, node in schemas(Place(file, ""), document):
            said: dict[str, Json] = {name: node[name] for name in EXPRESSIONS if name in node}
            for bad in malformed(said, dialect) if said else ():
                if len(bad.steps) == 1:
                    yield UnsupportedConstruct(place.child(*bad.steps), bad.found, bad.advice)


def diff_contracts(released: Contract, candidate: Contract, spec: KindSpec) -> Ledger:
    """The ledger of every difference between two contracts of one kind.

    Args:
        released: the contract that clients know.
        candidate: the contract that may replace it.

    Returns:
        The ledger; the same for equal documents, whatever the machine, the order of keys or the component names.
    """
    released, candidate = spec.with_shared_names(released, candidate)
    old, new = Resolver(released.documents), Resolver(candidate.documents)
    dialects = dialect_of(released), dialect_of(candidate)
    graph = SchemaGraph(
        _side(old, dialects[0]), _side(new, dialects[1]), Equality(old, new, one_dialect=dialects[0] is dialects[1])
    )
    prepared = spec.prepared(released, candidate, (graph.old, graph.new))
    released, candidate = prepared.contracts
    found = ElementDiff(graph.old, graph.new, graph, spec.pairing(), list(prepared.rows))
    found.walk(*prepared.walked)
    spec.settle(found, released, candidate)
    graph.settle()
    equivalence = Equivalence((released, graph.old), (candidate, graph.new))
    equal = equivalence.among(graph.pairs)
    if equivalence.judged:
        tell_openness(graph.pairs, (graph.old, graph.new))
    explain([*(root.pair for root in found.roots), *graph.choices], graph.pairs, equal, equivalence.moved)
    tell_null(graph.pairs, (released, graph.old), (candidate, graph.new))
    tell_defaults(graph.pairs, found.roots)
    drafts = _drafts((released, candidate), found, spec, prepared.moved)
    names = _names(drafts, ComponentIdentities(released, old, graph.old.views, graph.old.forms))
    deltas, noise = _numbered(drafts, names)
    return Ledger(
        spec=spec,
        released=released,
        candidate=candidate,
        deltas=deltas,
        noise=noise,
        contexts=contexts_of(deltas, found, graph),
        unread=tuple(
            item
            for contract, side in ((released, graph.old), (candidate, graph.new))
            for item in _unread(contract, side.views, everywhere=spec.events)
        ),
        pairs={name: draft.pairs for draft, name in zip(drafts, names, strict=True) if draft.pairs},
        roots=tuple(found.roots),
    )


def _drafts(
    contracts: tuple[Contract, Contract], found: ElementDiff, spec: KindSpec, moved: RawDifference | None
) -> list[Draft]:
    """Everything that was found, as drafts in reading order, one per edit."""
    released, candidate = contracts
    graph, kind = found.graph, released.kind
    live = leading_to_differences(graph.pairs)
    removed_uses = RemovedUses(graph.old, graph.pairs, live)
    removed_uses.grow(found.lost, graph.pairs)
    reached = reach(found.roots, live, removed_uses)
    everything = frozenset(position.operation for position in found.positions if position.operation)
    entries = released.root.place.file, candidate.root.place.file
    return merged(
        [
            *_version_drafts(released, found, everything),
            *element_drafts(kind, demanded_schemes(found.rows), everything),
            *element_drafts(kind, relocation_rows(found.positions, entries), everything),
            *spec.settled_drafts(without_xml(schema_drafts(kind, graph.pairs, reached), found.roots)),
            *rename_drafts(released, graph),
            *order_drafts(released, candidate, graph),
            *base_drafts(released, moved, everything),
        ]
    )


def _unread(contract: Contract, views: Views, *, everywhere: bool) -> tuple[UnsupportedConstruct, ...]:
    """What the reader of a contract could not understand, then what its compared schemas say that nobody can read."""
    listed = unread_patterns(contract, views.dialect) if everywhere else ()
    met = {item.place: item for item in listed} | views.unread
    return (*contract.unread, *sorted(met.values(), key=lambda item: (item.place.file, item.place.pointer)))


def dialect_of(contract: Contract) -> SchemaDialect:
    """The dialect of the contract's schemas, 2020-12 when it has none."""
    stack: list[Element] = [contract.root]
    while stack:
        element = stack.pop()
        if element.value is not None:
            return element.value.dialect
        stack.extend(element.children)
    return SchemaDialect.DRAFT_2020_12


def _side(resolver: Resolver, dialect: SchemaDialect) -> SchemaReaders:
    views = Views(resolver, dialect)
    return SchemaReaders(views, Forms(views))


def _version_drafts(released: Contract, found: ElementDiff, everything: frozenset[str]) -> list[Draft]:
    drafts, non_wire = [], found.non_wire_servers
    for difference, positions in version_rows(found):
        of_document = [is_of_document(position, position.released) for position in positions]
        if non_wire and all(of_document):
            difference = replace(difference, reason=NoiseReason.UNUSED_SERVERS)
        inside = frozenset(position.operation for position in positions if position.operation)
        names = everything if any(of_document) and not (non_wire and inside) else inside
        where = Where("", Address(f"version {difference.released}"), names, released.root, "")
        drafts.append(draft_of(released.kind, difference, where, shared=len(names) > 1))
    return drafts


def _names(drafts: list[Draft], marks: ComponentIdentities) -> tuple[DeltaId, ...]:
    return delta_ids(
        [
            (draft.delta, draft.anchor.fields(marks) if draft.anchor is not None else (), draft.reason)
            for draft in drafts
        ]
    )


def _numbered(drafts: list[Draft], names: tuple[DeltaId, ...]) -> tuple[tuple[Delta, ...], tuple[Noise, ...]]:
    numbered = [(replace(draft.delta, id=name), draft.reason) for draft, name in zip(drafts, names, strict=True)]
    return (
        tuple(delta for delta, reason in numbered if not reason),
        tuple(Noise(delta=_shown(delta), reason=reason) for delta, reason in numbered if reason),
    )


def _shown(delta: Delta) -> Delta:
    """A difference without effect, its forms cut: nothing but a reader looks at them."""
    return replace(delta, released=cut(delta.released), candidate=cut(delta.candidate))
