"""Pairs the elements of two contracts by kind and key; the only other ways to pair are named here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from evreview.comparison.node_pair import NodePair, SchemaReaders
from evreview.comparison.noise import without_version
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Element, ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Direction, Json, Role
from evreview.schema.branch_labels import fixed_value
from evreview.schema.view import SchemaView, Sub, value_sub

_VERSIONED: Final = (ElementKind.OPERATION, ElementKind.SERVER)
_RANGED: Final = (ElementKind.MEDIA_TYPE, ElementKind.RESPONSE)
"""The kinds whose keys may be ranges. No other element is compared with all the siblings of the other side."""


@frozen
class Paired:
    """The members of two parents.

    Attributes:
        both: pairs by equal kind and key, in released order; then a media type that got another name.
        versions: pairs of operations or servers whose keys differ in a version segment only, with both segments.
        gone, come: what only one side has.
    """

    both: list[tuple[Element, Element]] = field(default_factory=list)
    versions: list[tuple[Element, Element, str, str]] = field(default_factory=list)
    gone: list[Element] = field(default_factory=list)
    come: list[Element] = field(default_factory=list)


def pair_elements(released: Sequence[Element], candidate: Sequence[Element]) -> Paired:
    """Each element with its counterpart."""
    others = {_identity(element): element for element in candidate}
    found = Paired()
    for element in released:
        other = others.pop(_identity(element), None)
        if other is None:
            found.gone.append(element)
        else:
            found.both.append((element, other))
    found.come.extend(others.values())
    _pair_versions(found)
    return found


def _identity(element: Element) -> tuple[ElementKind, str, Role | None]:
    # A directive that only schemas apply is no other form of one that documents name: it comes and goes by itself.
    return element.kind, element.key, element.role if element.kind is ElementKind.DIRECTIVE else None


def _pair_versions(found: Paired) -> None:
    """Moves operations and servers that differ in their version segment only from `gone` and `come` to `versions`."""
    waiting: dict[tuple[ElementKind, str, str], list[tuple[Element, str]]] = {}
    for element in found.come:
        if element.kind in _VERSIONED:
            bare, version = without_version(element.key)
            waiting.setdefault((element.kind, element.role.value, bare), []).append((element, version))
    for element in list(found.gone):
        if element.kind not in _VERSIONED:
            continue
        bare, version = without_version(element.key)
        candidates = waiting.get((element.kind, element.role.value, bare), [])
        if len(candidates) == 1:
            other, new_version = candidates.pop()
            found.versions.append((element, other, version, new_version))
            found.gone.remove(element)
            found.come.remove(other)


def plain_name(key: str) -> str:
    """A media type's name without what has no effect in it.

    RFC 8259, section 11, of JSON and `charset`: "Adding one really has no effect on compliant recipients."
    """
    kind, *parameters = (part.strip() for part in key.lower().split(";"))
    if not parameters or not (kind in ("application/json", "text/json") or kind.endswith("+json")):
        return key
    return ";".join([kind, *(each for each in parameters if each.replace('"', "") != "charset=utf-8")])


def pair_media_types(found: Paired, released: Sequence[Element], candidate: Sequence[Element]) -> None:
    """Moves media types that only got another name to `both`: two spellings, and the one that went and one that came.

    Not the latter when the other side still holds one of them beside the two, under a range. Of several types that went
    into one range that came it is the first.
    """
    _pair_spellings(found)
    _pair_ranges(found, released, candidate)
    gone, come = (_only_media_type(elements) for elements in (found.gone, found.come))
    if gone is None or come is None:
        return
    if covering(gone, _without(candidate, come)) or covering(come, _without(released, gone)):
        return
    found.both.append((gone, come))
    found.gone.remove(gone)
    found.come.remove(come)


def has_new_name(released: Element, candidate: Element) -> bool:
    """True for a pair that another name is a row of; a message's name is a facet of its own, and off the wire."""
    return released.key != candidate.key and released.kind is not ElementKind.MESSAGE


Alike = Callable[[Element, Element], bool]
"""Whether two responses hold much the same."""


def pair_replaced_statuses(
    found: Paired, released: Sequence[Element], candidate: Sequence[Element], alike: Alike
) -> None:
    """Moves a status that went and one of its class that came in its place (200 and 201) to `both`.

    They are the only ones of the class that went and came; of errors, which are many, the only ones that stood there.
    """
    gone, come = (_by_class(elements) for elements in (found.gone, found.come))
    mine, theirs = (_by_class(elements) for elements in (released, candidate))
    for kind in sorted(gone.keys() & come.keys()):
        old, new = gone[kind][0], come[kind][0]
        if len(gone[kind]) > 1 or len(come[kind]) > 1 or (kind in "45" and len(mine[kind]) + len(theirs[kind]) > 2):
            continue
        if covering(old, candidate) or covering(new, released) or not alike(old, new):
            continue
        found.both.append((old, new))
        found.gone.remove(old)
        found.come.remove(new)


def _by_class(elements: Iterable[Element]) -> dict[str, list[Element]]:
    """The statuses that are no ranges, by their first digit."""
    found: dict[str, list[Element]] = {}
    for element in elements:
        if element.kind is ElementKind.RESPONSE and element.key.isdigit():
            found.setdefault(element.key[0], []).append(element)
    return found


def pair_statuses(found: Paired, released: Sequence[Element], candidate: Sequence[Element]) -> None:
    """Moves a status that went and the range that came in its place to `both`: one edit, which may add other statuses.

    Of several statuses that went into one range it is the first; the others are still described there. Not a range
    that a released one holds, which adds none.
    """
    if not found.gone:
        return
    come = [each for each in found.come if each.kind is ElementKind.RESPONSE and range_over(each, released) is None]
    for general in sorted(come, key=lambda element: element.key == "default"):
        held = [element for element in found.gone if covers(general, element, candidate)]
        if held:
            first = min(held, key=lambda element: element.key)
            found.both.append((first, general))
            found.gone.remove(first)
            found.come.remove(general)


def _pair_ranges(found: Paired, released: Sequence[Element], candidate: Sequence[Element]) -> None:
    """Moves the first of several media types that went and the range that came in their place to `both`."""
    for general in [each for each in found.come if each.kind is ElementKind.MEDIA_TYPE]:
        held = [element for element in found.gone if covers(general, element)]
        if len(held) < 2 or covering(general, released):
            continue
        first = min(held, key=lambda element: element.key)
        if not covering(first, _without(candidate, general)):
            found.both.append((first, general))
            found.gone.remove(first)
            found.come.remove(general)


def _pair_spellings(found: Paired) -> None:
    types = {
        plain_name(element.key): element for element in reversed(found.come) if element.kind is ElementKind.MEDIA_TYPE
    }
    for element in [each for each in found.gone if each.kind is ElementKind.MEDIA_TYPE] if types else ():
        other = types.pop(plain_name(element.key), None)
        if other is not None:
            found.both.append((element, other))
            found.gone.remove(element)
            found.come.remove(other)


def _without(elements: Iterable[Element], one: Element) -> list[Element]:
    return [element for element in elements if element is not one]


def _only_media_type(elements: Sequence[Element]) -> Element | None:
    types = [element for element in elements if element.kind is ElementKind.MEDIA_TYPE]
    return types[0] if len(types) == 1 else None


def covers(general: Element, special: Element, beside: Iterable[Element] = ()) -> bool:
    """True when the key of `general` is a range that holds the key of `special` (`application/*`, `2XX`, `default`).

    `beside`: the siblings of `general`. A `default` beside a success speaks of errors: nobody takes it for the
    description of one more success.
    """
    if general.kind is not special.kind or general.key == special.key:
        return False
    if general.kind is ElementKind.MEDIA_TYPE:
        return _media_covers(general.key.lower(), special.key.lower())
    if general.kind is not ElementKind.RESPONSE:
        return False
    if general.key == "default":
        success = any(
            other.kind is general.kind and other.key != "default" and not other.in_error and other is not special
            for other in beside
        )
        return special.in_error or not success
    return general.key.upper().endswith("XX") and special.key[:1] == general.key[:1] and special.key != "default"


def _media_covers(general: str, special: str) -> bool:
    if general in ("*/*", "*"):
        return True
    if special.partition(";")[0] == general or plain_name(special) == plain_name(general):
        return True
    kind, _, subtype = general.partition("/")
    return subtype == "*" and special.partition("/")[0] == kind


def range_over(element: Element, siblings: Sequence[Element]) -> Element | None:
    """The narrowest of the other side's siblings that covers `element`."""
    if element.kind not in _RANGED:
        return None
    found = [sibling for sibling in siblings if covers(sibling, element, siblings)]
    return min(found, key=lambda sibling: (sibling.key in ("*/*", "default"), sibling.key), default=None)


def told_by_range(element: Element, own: Sequence[Element], theirs: Sequence[Element]) -> bool:
    """True for an element that went into a range that came, or came out of one that went: one edit, the range's.

    Args:
        element: a media type or response of one side only.
        own: its siblings and itself.
        theirs: the elements of the other side.
    """
    general = range_over(element, theirs)
    return general is not None and all(_identity(one) != _identity(general) for one in own)


def covering(element: Element, siblings: Sequence[Element]) -> str:
    """Key of the narrowest sibling that covers `element`, "" when none does."""
    found = range_over(element, siblings)
    return "" if found is None else found.key


def covered(element: Element, own: Iterable[Element], siblings: Iterable[Element]) -> list[str]:
    """Keys of the other side's siblings that `element`, which stands beside `own`, covers; sorted."""
    if element.kind not in _RANGED:
        return []
    beside = tuple(own)
    return sorted(sibling.key for sibling in siblings if covers(element, sibling, beside))


# Addresses that an application no longer names when it receives: whether a template of the other side holds them.


_FREE: Final = "{}"
_LABEL: Final = "("
"""Starts what stands for an address that a contract leaves open."""
_PLAIN: Final = frozenset({"type", "enum", "default"})


def template_over(element: Element, siblings: Sequence[Element]) -> Element | None:
    """The received address with the fewest variables that holds another one, None when there is none.

    An address that the other side has as well is heard there; this is for one that it lacks.
    """
    if not _is_received(element) or element.key.partition(" ")[2].startswith(_LABEL):
        return None
    found = [each for each in siblings if _FREE in each.key and _is_received(each) and _holds(each, element)]
    return min(found, key=lambda each: (each.key.count(_FREE), each.key), default=None)


def fixed(template: str, key: str) -> tuple[str, ...] | None:
    """What stands in a more concrete key for each variable of a template, `{}` for one that is free in both.

    None when the key does not fit, or writes a variable beside other text.
    """
    found = re.fullmatch(r"([^/{}]+?|\{\})".join(map(re.escape, template.split(_FREE))), key)
    return found.groups() if found else None


def without_variables(operation: Element) -> Element:
    """The operation without the variables of its address, which the address of the other side settles."""
    kept = tuple(child for child in operation.children if child.kind is not ElementKind.PARAMETER)
    return replace(operation, children=kept)


def _is_received(element: Element) -> bool:
    received = element.role is Role.MESSAGE and element.direction is Direction.READ
    return received and element.kind is ElementKind.OPERATION


def _holds(template: Element, element: Element) -> bool:
    """True when every text of the one address is one of the other: its variables take whatever stands there."""
    texts = fixed(template.key, element.key)
    if texts is None:
        return False
    return all(_takes(each, texts) for each in template.children if each.kind is ElementKind.PARAMETER)


def _takes(variable: Element, texts: tuple[str, ...]) -> bool:
    node = variable.value.node if variable.value is not None else None
    part, _, number = variable.key.partition(":")
    # A variable that the payload repeats says something of the message, too.
    if part != "address" or int(number) >= len(texts) or variable.facet("location") is not None:
        return False
    if not isinstance(node, dict) or node.get("type", "string") != "string" or not node.keys() <= _PLAIN:
        return False
    listed = node.get("enum")
    return listed is None or (isinstance(listed, list) and texts[int(number)] in listed)


# What travels and tells the branches of a choice apart: members that they fix, and values of a discriminator.


Marks = tuple[Sequence[bytes], Sequence[bytes]]
"""A mark per branch of the released choice and of the candidate's; empty for a branch without one."""
Named = Mapping[str, int]
_Fixed = Mapping[str, bytes]
_SEVERAL = 2


def tags_of(pair: NodePair, released: Sequence[Sub], candidate: Sequence[Sub]) -> list[Marks]:
    """The marks of the branches of a pair's choice, those that tell most first."""
    named = named_branches(pair.before, released), named_branches(pair.after, candidate)
    return tags_among(pair, released, candidate, named)


def tags_among(
    pair: NodePair, released: Sequence[Sub], candidate: Sequence[Sub], named: tuple[Named, Named]
) -> list[Marks]:
    """The same where the branches that a discriminator's values name are known already, by their positions."""
    before, after = pair.before.discriminator, pair.after.discriminator
    chosen = before.property if before is not None and after is not None and before.property == after.property else None
    sides = _fixed_of(pair.old, released), _fixed_of(pair.new, candidate)
    owed = Counter(name for side, subs in ((pair.old, released), (pair.new, candidate)) for name in _owed(side, subs))
    names = _telling(sides[0]) & _telling(sides[1])
    found = {
        name: ([each.get(name, b"") for each in sides[0]], [each.get(name, b"") for each in sides[1]])
        for name in sorted(names, key=lambda name: (-owed[name], name))
    }
    first = [found.pop(chosen)] if chosen in found else []
    mapped = [_mapped(named, len(released), len(candidate))] if chosen is not None else []
    return [*first, *mapped, *found.values()]


def named_branches(view: SchemaView, branches: Sequence[Sub]) -> dict[str, int]:
    """The branch of each value, where the discriminator names one of the branches that stand here."""
    tails = {tail(branch): at for at, branch in enumerate(branches)}
    values = view.discriminator.values if view.discriminator is not None else {}
    return {value: tails[ref.rsplit("/", 1)[-1]] for value, ref in values.items() if ref.rsplit("/", 1)[-1] in tails}


def tail(branch: Sub) -> str:
    """The last step of the reference that a branch is, "" for one that is written in place."""
    node = branch.parts[0].node
    ref = node.get("$ref") if isinstance(node, dict) else None
    return ref.rsplit("/", 1)[-1] if isinstance(ref, str) else ""


def _mapped(named: tuple[Named, Named], released: int, candidate: int) -> Marks:
    """Branches are marked by the values that both sides know: one more value is no other branch."""
    both = sorted(named[0].keys() & named[1].keys())

    def marks(branches: Named, count: int) -> list[bytes]:
        values: list[list[str]] = [[] for _ in range(count)]
        for value in both:
            values[branches[value]].append(value)
        return [canonical(list(each)) if each else b"" for each in values]

    return marks(named[0], released), marks(named[1], candidate)


def _fixed_of(side: SchemaReaders, branches: Iterable[Sub]) -> list[_Fixed]:
    return [
        {name: value for name, sub in side.view(branch).properties.items() if (value := _only_value(side, sub))}
        for branch in branches
    ]


def _only_value(side: SchemaReaders, sub: Sub) -> bytes:
    view = side.view(sub)
    return canonical(view.enum[0]) if view.enum is not None and len(view.enum) == 1 and not view.null else b""


def _owed(side: SchemaReaders, branches: Iterable[Sub]) -> Iterable[str]:
    return (name for branch in branches for name in side.view(branch).required)


def _telling(branches: Sequence[_Fixed]) -> set[str]:
    """The members that several branches fix, each to a value of its own."""
    counts = Counter(name for branch in branches for name in branch)
    values = Counter(pair for branch in branches for pair in branch.items())
    repeated = {name for (name, _), count in values.items() if count > 1}
    return {name for name, count in counts.items() if count >= _SEVERAL} - repeated


# Which branch of the released composition is which branch of the candidate's.


Pairs = list[tuple[int, int]]
_Mark = Callable[[int], bytes]
_ENOUGH = 0.34
"""The likeness from which on two schemas without other marks are taken for one."""


def pair_branches(
    old: SchemaReaders,
    new: SchemaReaders,
    released: Sequence[Sub],
    candidate: Sequence[Sub],
    tags: Iterable[Marks] = (),
) -> tuple[Pairs, list[int], list[int]]:
    """Paired positions, released positions without partner, candidate positions without partner.

    A branch that kept its name and its content decides first, then `tags`, which travel. Names of references come next,
    then equal content, fixed values and titles, then the best likeness.
    """
    pairs: Pairs = []
    left, right = list(range(len(released))), list(range(len(candidate)))
    for mine, theirs in _usage_paths((old, new), (released, candidate), tags):
        by_key: dict[bytes, list[int]] = {}
        for at in right:
            by_key.setdefault(theirs(at), []).append(at)
        for at in list(left):
            key = mine(at)
            if key and by_key.get(key):
                other = by_key[key].pop(0)
                pairs.append((at, other))
                left.remove(at)
                right.remove(other)
    _alike(pairs, left, right, [old.view(sub) for sub in released], [new.view(sub) for sub in candidate])
    return sorted(pairs), left, right


def _usage_paths(
    sides: tuple[SchemaReaders, SchemaReaders], branches: tuple[Sequence[Sub], Sequence[Sub]], tags: Iterable[Marks]
) -> Iterator[tuple[_Mark, _Mark]]:
    """The marks of the branches by position, one pair of readers after the other."""

    def by(usage_path: Callable[[SchemaReaders, Sub], bytes], at: int) -> _Mark:
        return lambda position: usage_path(sides[at], branches[at][position])

    told = [marks for marks in tags if _disagree(marks, branches)]
    for marks in told:
        if marks is told[0]:
            yield by(_kept, 0), by(_kept, 1)
        yield marks[0].__getitem__, marks[1].__getitem__
    for usage_path in (_name, _content, _fixed, _title):
        yield by(usage_path, 0), by(usage_path, 1)


def _disagree(marks: Marks, branches: tuple[Sequence[Sub], Sequence[Sub]]) -> bool:
    """True when equal marks stand on branches that names don't pair; else names say the same, and are faster asked."""
    names = {mark: tail(sub) for mark, sub in zip(marks[0], branches[0], strict=True) if mark}
    others = ((names[mark], tail(sub)) for mark, sub in zip(marks[1], branches[1], strict=True) if mark in names)
    return any(name != other or not name for name, other in others)


def _kept(side: SchemaReaders, sub: Sub) -> bytes:
    name = _name(side, sub)
    return name and name + b"\n" + _content(side, sub)


def _name(side: SchemaReaders, sub: Sub) -> bytes:
    return tail(sub).encode("utf-8", "surrogatepass")


def _content(side: SchemaReaders, sub: Sub) -> bytes:
    return canonical(side.forms.of(sub))


def _fixed(side: SchemaReaders, sub: Sub) -> bytes:
    return fixed_value(side.view(sub)).encode("utf-8", "surrogatepass")


def _title(side: SchemaReaders, sub: Sub) -> bytes:
    title: Json = side.view(sub).annotations.get("title")
    return title.encode("utf-8", "surrogatepass") if isinstance(title, str) else b""


def _alike(
    pairs: Pairs, left: list[int], right: list[int], before: Sequence[SchemaView], after: Sequence[SchemaView]
) -> None:
    """Pairs the rest: those without members type by type in reading order, the others by likeness, the best first."""
    plain: dict[object, list[int]] = {}
    holders: dict[str, list[int]] = {}
    for two in right:
        if not after[two].properties and after[two].typed:
            plain.setdefault(after[two].types, []).append(two)
        for name in after[two].properties:
            holders.setdefault(name, []).append(two)
    found = {}
    for one in left:
        if not before[one].properties and plain.get(before[one].types):
            found[one] = plain[before[one].types].pop(0)
    meeting = {(one, two) for one in left for name in before[one].properties for two in holders.get(name, ())}
    taken = set(found.values())
    for score, one, two in sorted((-_likeness(before[one], after[two]), one, two) for one, two in meeting):
        if -score >= _ENOUGH and one not in found and two not in taken:
            found[one] = two
            taken.add(two)
    pairs += found.items()
    left[:] = (one for one in left if one not in found)
    right[:] = (two for two in right if two not in taken)


def held_alike(sides: tuple[SchemaReaders, SchemaReaders], released: Element, candidate: Element) -> bool:
    """Whether two messages name the same media types and hold much the same in each."""
    mine, theirs = (
        {child.key: child for child in each.children if child.kind is ElementKind.MEDIA_TYPE}
        for each in (released, candidate)
    )
    return mine.keys() == theirs.keys() and all(_values_alike(sides, mine[key], theirs[key]) for key in mine)


def _values_alike(sides: tuple[SchemaReaders, SchemaReaders], released: Element, candidate: Element) -> bool:
    if released.value is None or candidate.value is None:
        return released.value is candidate.value
    views = (side.view(value_sub(each)) for side, each in zip(sides, (released, candidate), strict=True))
    return _likeness(*views) >= _ENOUGH


def _likeness(before: SchemaView, after: SchemaView) -> float:
    """0 for nothing in common, 1 for the same types and field names."""
    if before.types != after.types:
        return 0.0
    names, others = set(before.properties), set(after.properties)
    return len(names & others) / len(names | others) if names or others else 1.0
