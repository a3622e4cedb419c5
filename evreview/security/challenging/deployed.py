"""What stands before the service: the supplied wiring searched, or what to ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.codefacts.model import Route
from evreview.core.quoted_text import Subject, Text, listed, text
from evreview.core.vocabulary import Area, EvidenceId, EvidenceType
from evreview.evidence.citation import at_lines
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Citation
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import DeploymentRecord
from evreview.security.challenging.asking import Listed, compensating, header_of, lacking
from evreview.security.challenging.material import Material, Suspicion
from evreview.security.revisions import reviewed, revision_of
from evreview.security.trust.deployed import deployment_tie
from evreview.workflows.w3.excerpts import cited, shown
from evreview.workflows.w3.model import Challenge, Standing
from evreview.workflows.w3.step5_triage.nginx import wired
from evreview.workflows.w3.step5_triage.proxy_rules import Asked, Wired

_CONFIGURATION: Final = frozenset({EvidenceType.CONFIGURATION_EXCERPT, EvidenceType.ROLLOUT_RECORD})
_WIRING: Final = re.compile(
    r"\bkind:\s*(?:Ingress|IngressRoute|HTTPRoute|Gateway|VirtualService|AuthorizationPolicy|NetworkPolicy|EnvoyFilter"
    r"|RequestAuthentication|Middleware)\b|\btraefik\.|nginx\.ingress\.kubernetes\.io|envoy\.filters|\bproxy_pass\b"
    r"|\breverse_proxy\b|\bforward_auth\b|\bauth_request\b|\bhttp-request deny\b|\bhttp_filters\b"
)
_EFFECTS: Final = {
    "network": "the wiring lets no outsider reach the route",
    "authentication": "the wiring asks who calls",
    "header": "the wiring replaces what the caller wrote in the header",
    "address": "the wiring writes the address itself",
    "errors": "the wiring answers failures itself",
    "unclear": "what stands there may limit access; for whom and for which routes is not read",
}


def deployment(
    material: Material, one: Suspicion, route: Route | None, controls: Sequence[Listed]
) -> Iterator[Challenge]:
    """Every piece of supplied wiring that was searched, or what to request where none was."""
    place: Text = ("deployment wiring",)
    items = [source.item for source in material.sources if "deployment" in source.parts]
    items += _alike(material)
    items += [excerpt.item for control, _ in controls for excerpt in control.deployment or ()]
    found, strong = _weakest(material, one, items, _paths(material, one, route))
    if strong:
        untied = standing_elsewhere(material, *(item for item, _ in strong))
        yield _wiring(place, Standing.PRESENT, *strong[0]) if untied is None else _untied(place, strong[0], untied)
        return
    unclear = [(item, each) for item, each in found if each.effect == "unclear"]
    if unclear:
        names = [_file(material, item) for item in dict.fromkeys(item for item, _ in unclear)]
        yield _wiring(place, Standing.UNKNOWN, *unclear[0], names)
        return
    missing = lacking(material, controls, "deployment wiring")
    if missing is not None:
        yield Challenge(place=place, standing=Standing.UNKNOWN, why=missing[0], citations=missing[1])
        return
    quoted = [excerpt for control, _ in controls for excerpt in control.deployment or ()]
    if quoted:
        why = text("the inventory quotes wiring for this control whose form is not read; state in `surrounding` of the "
                   "inventory what it does")  # fmt: skip
        yield Challenge(
            place=place, standing=Standing.UNKNOWN, why=why, citations=shown(material.bundle, quoted[0]).citations
        )
        return
    told = _told(material) if not items else None
    if told is not None:
        yield told
        return
    if not controls and not items:
        why = text("supply what stands before ", Subject(one.route or one.path), ": proxy, gateway, network policy")
        yield Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=())
        return
    seen = cited([Citation(item) for item in dict.fromkeys(items)], [at for _, at in controls])
    yield Challenge(place=place, standing=Standing.ABSENT, why=("nothing there does it",), citations=seen)


_Found = list[tuple[EvidenceId, Wired]]


def _paths(material: Material, one: Suspicion, route: Route | None) -> list[str]:
    """The paths that the wiring is asked about: of a service that asks nobody who calls, each that attackers reach."""
    if route is not None:
        return [route.path]
    reached = [path.route for path in material.trust.paths if path.in_reach and path.route]
    asked = [known.path for name in dict.fromkeys(reached) if (known := material.route(name)) is not None]
    return asked if asked and one.whole and one.area is Area.AUTHENTICATION else ["/"]


def _weakest(
    material: Material, one: Suspicion, items: Sequence[EvidenceId], paths: Sequence[str]
) -> tuple[_Found, _Found]:
    """What stands before the path that is held least: everything, and what would do it."""
    best: tuple[_Found, _Found] = ([], [])
    for path in paths:
        asked = Asked(path=path, header=header_of(one))
        found = [(item, each) for item in dict.fromkeys(items) for each in _wired(material, item, asked)]
        strong = [(item, each) for item, each in found if each.effect in compensating(one)]
        best = (found, strong)
        if not strong:
            break
    return best


def standing_elsewhere(material: Material, *items: EvidenceId) -> tuple[Text, tuple[Citation, ...]] | None:
    """What shows that wiring stands around another revision than the reviewed one; None where nothing does."""
    wanted = reviewed(material.bundle)
    for item in items:
        own = revision_of(material.bundle, item)
        if own and wanted and not same_revision(own, wanted):
            return ("it is of ", Subject(own), ", not of the reviewed revision"), (Citation(item),)
    tie = deployment_tie(material.bundle)
    return (tie.why, tie.citations) if tie.other else None


def _untied(place: Text, strong: tuple[EvidenceId, Wired], other: tuple[Text, tuple[Citation, ...]]) -> Challenge:
    """Wiring that would do it, around another revision: it refutes nothing."""
    item, each = strong
    at = at_lines(item, each.line) if each.line else Citation(item)
    why = text(_EFFECTS[each.effect], ", but ", *other[0], "; supply the record of a deployment of the reviewed one")
    return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=cited((at,), other[1]))


def _told(material: Material) -> Challenge | None:
    """Wiring that a deployment record speaks of, while no configuration of it was supplied."""
    for cited_record in records_of(material.bundle, DeploymentRecord):
        if cited_record.record.wiring:
            why = text("supply the configuration of ", Subject(cited_record.record.wiring[0]))
            on = (cited_record.at("/wiring/0"),)
            return Challenge(place=("deployment wiring",), standing=Standing.UNKNOWN, why=why, citations=on)
    return None


def _wired(material: Material, item: EvidenceId, asked: Asked) -> tuple[Wired, ...]:
    found = material.bundle.items.get(item)
    return wired(found.content, asked) if found is not None else ()


def _alike(material: Material) -> Iterator[EvidenceId]:
    """Configuration that looks like wiring, whatever part it is mapped to."""
    for item in material.bundle.items.values():
        if item.type in _CONFIGURATION and item.record is None and _WIRING.search(item.content):
            yield item.id


def _file(material: Material, item: EvidenceId) -> str:
    """The path of a piece of wiring, its id where none is known."""
    paths = [source.path for source in material.sources if source.item == item]
    found = material.bundle.items.get(item)
    return paths[0] if paths else (found.file if found is not None and found.file else str(item))


def _wiring(place: Text, standing: Standing, item: EvidenceId, each: Wired, names: Sequence[str] = ()) -> Challenge:
    at = at_lines(item, each.line) if each.line else Citation(item)
    why: Text = (_EFFECTS[each.effect],)
    if standing is Standing.UNKNOWN:
        why = text(
            "another control may stand in ", *listed(names), ": ", *why,
            "; supply the block that answers the route as plain configuration, or a retained check of it",
        )  # fmt: skip
    return Challenge(place=place, standing=standing, why=why, citations=(at,))
