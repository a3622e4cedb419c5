"""`diff_contracts`: what differs between two contracts, as facts. Nobody is judged here."""

from __future__ import annotations

from dataclasses import replace

from evreview.comparison.component_identity import Fingerprints
from evreview.comparison.drafts import Draft, Where, draft_of, element_drafts, merged, schema_drafts
from evreview.comparison.elements import ElementDiff, version_rows
from evreview.comparison.equivalence import Equivalence, explain
from evreview.comparison.node_pair import Equality
from evreview.comparison.noise import UNUSED_SERVERS
from evreview.comparison.reachability import reach
from evreview.comparison.redundant_rows import one_per_cause, one_per_field
from evreview.comparison.relocation import moved_rows
from evreview.comparison.schema_pairs import SchemaGraph, leading_to_differences
from evreview.comparison.wire_forms import Forms, cut
from evreview.contract.model import Contract, Element, SchemaDialect, Unread
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Address, ContractKind, DeltaId
from evreview.ledger.base_paths import aligned
from evreview.ledger.called_alike import called_alike
from evreview.ledger.contexts import contexts_of
from evreview.ledger.delta import Delta, Noise
from evreview.ledger.document_noise import base_drafts, order_drafts, rename_drafts
from evreview.ledger.ghosts import Ghosts
from evreview.ledger.identity import delta_ids
from evreview.ledger.idle_defaults import tell_defaults
from evreview.ledger.idle_servers import is_of_document, served_by_none, without_servers
from evreview.ledger.ledger import Ledger
from evreview.ledger.names import settled_names
from evreview.ledger.node_pair import Side
from evreview.ledger.null_told import tell_null
from evreview.ledger.payload_languages import one_per_language
from evreview.ledger.scheme_names import same_schemes
from evreview.ledger.shared_parameters import with_components
from evreview.ledger.shared_servers import of_all_operations
from evreview.ledger.taken_over import with_takers
from evreview.ledger.told_elsewhere import demanded_schemes, told_elsewhere
from evreview.ledger.unfolded import unfolded
from evreview.ledger.unread_parts import with_unread
from evreview.ledger.unread_patterns import unread_patterns
from evreview.ledger.written_openness import tell_openness
from evreview.ledger.xml_noise import without_xml
from evreview.schema.views import Views


def diff_contracts(released: Contract, candidate: Contract) -> Ledger:
    """The ledger of every difference between two contracts of one kind.

    Args:
        released: the contract that clients know.
        candidate: the contract that may replace it.

    Returns:
        The ledger; the same for equal documents, whatever the machine, the order of keys or the component names.
    """
    released, candidate = same_schemes(*called_alike(released, candidate))
    old, new = Resolver(released.documents), Resolver(candidate.documents)
    dialects = dialect_of(released), dialect_of(candidate)
    graph = SchemaGraph(
        _side(old, dialects[0]), _side(new, dialects[1]), Equality(old, new, one_dialect=dialects[0] is dialects[1])
    )
    folded = unfolded(released, candidate, (graph.old, graph.new))
    released, candidate = folded.contracts
    found = ElementDiff(graph.old, graph.new, graph, folded.rows)
    moved, base = aligned(released, candidate)
    found.walk(*(_same_types(released, moved) if released.kind is ContractKind.PROTOBUF else (released, moved)))
    found.rows = with_takers(settled_names(found.rows, released, candidate), released)
    found.rows = one_per_language(with_unread(found.rows, released, candidate), released)
    found.rows = told_elsewhere(found.rows, released, candidate)
    idle = served_by_none(found.positions, released, candidate)
    if idle:
        found.rows = without_servers(found.rows)
    found.rows = of_all_operations(found.rows, found.positions)
    found.rows = with_components(found.rows, found.positions, released, candidate)
    found.rows = one_per_cause(found.rows, released)
    graph.settle()
    equivalence = Equivalence((released, graph.old), (candidate, graph.new))
    equal = equivalence.among(graph.pairs)
    if equivalence.judged:
        tell_openness(graph.pairs, (graph.old, graph.new))
    explain([*(root.pair for root in found.roots), *graph.choices], graph.pairs, equal, equivalence.moved)
    tell_null(graph.pairs, (released, graph.old), (candidate, graph.new))
    tell_defaults(graph.pairs, found.roots)
    live = leading_to_differences(graph.pairs)
    ghosts = Ghosts(graph.old, graph.pairs, live)
    ghosts.grow(found.lost, graph.pairs)
    reached = reach(found.roots, live, ghosts)
    everything = frozenset(position.operation for position in found.positions if position.operation)
    entries = released.root.place.file, candidate.root.place.file
    drafts = merged(
        [
            *_version_drafts(released, found, everything, idle=idle),
            *element_drafts(released.kind, demanded_schemes(found.rows), everything),
            *element_drafts(released.kind, moved_rows(found.positions, entries), everything),
            *one_per_field(without_xml(schema_drafts(released.kind, graph.pairs, reached), found.roots), released),
            *rename_drafts(released, graph),
            *order_drafts(released, candidate, graph),
            *base_drafts(released, base, everything),
        ]
    )
    names = _names(drafts, Fingerprints(released, old, graph.old.views, graph.old.forms))
    deltas, noise = _numbered(drafts, names)
    return Ledger(
        released=released,
        candidate=candidate,
        deltas=deltas,
        noise=noise,
        contexts=contexts_of(deltas, found, graph),
        unread=(*_unread(released, graph.old.views), *_unread(candidate, graph.new.views)),
        pairs={name: draft.pairs for draft, name in zip(drafts, names, strict=True) if draft.pairs},
        roots=tuple(found.roots),
    )


def _same_types(released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
    """Both contracts with types that only got another name under one key."""
    from evreview.ledger.protobuf_types import aligned_types

    found = aligned_types(released, candidate)
    return found.released, found.candidate


def _unread(contract: Contract, views: Views) -> tuple[Unread, ...]:
    """What the reader of a contract could not understand, then what its compared schemas say that nobody can read."""
    met = {item.place: item for item in unread_patterns(contract, views.dialect)} | views.unread
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


def _side(resolver: Resolver, dialect: SchemaDialect) -> Side:
    views = Views(resolver, dialect)
    return Side(views, Forms(views))


def _version_drafts(released: Contract, found: ElementDiff, everything: frozenset[str], *, idle: bool) -> list[Draft]:
    drafts = []
    for difference, positions in version_rows(found):
        of_document = [is_of_document(position, position.released) for position in positions]
        if idle and all(of_document):
            difference = replace(difference, reason=UNUSED_SERVERS)
        inside = frozenset(position.operation for position in positions if position.operation)
        names = everything if any(of_document) and not (idle and inside) else inside
        where = Where("", Address(f"version {difference.released}"), names, released.root, "")
        drafts.append(draft_of(released.kind, difference, where, shared=len(names) > 1))
    return drafts


def _names(drafts: list[Draft], marks: Fingerprints) -> tuple[DeltaId, ...]:
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
