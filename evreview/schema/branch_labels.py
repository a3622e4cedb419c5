"""Names for the branches of a composition, made from what travels on the wire, never from component names."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence

import orjson

from evreview.schema.view import SchemaView, Sub

Branch = tuple[Sub, SchemaView]


def branch_labels(parent: SchemaView, branches: Sequence[Branch]) -> list[str]:
    """One label per branch, unique among them: discriminator value, constant, type, or a digest of the shape."""
    ways: tuple[Callable[[SchemaView, Branch], str], ...] = (_by_discriminator, _by_type, _by_fields, _by_digest)
    labels = [""] * len(branches)
    for way in ways:
        open_ = [at for at, label in enumerate(labels) if not label]
        found = {at: way(parent, branches[at]) for at in open_}
        counts = Counter(found.values())
        taken = set(labels)
        for at, label in found.items():
            if label and counts[label] == 1 and label not in taken:
                labels[at] = label
    return _numbered(parent, branches, labels)


def _by_discriminator(parent: SchemaView, branch: Branch) -> str:
    """The value of the one field that the branch fixes, preferably the discriminator's."""
    view = branch[1]
    if parent.discriminator is not None:
        name = parent.discriminator.property
        for part in branch[0].parts:
            tail = part.place.pointer.rsplit("/", 1)[-1]
            values = [value for value, ref in parent.discriminator.values.items() if ref.rsplit("/", 1)[-1] == tail]
            if values:
                return f"{name}={min(values)}"
    return fixed_value(view)


def fixed_value(view: SchemaView) -> str:
    """`name=value` of the first field that admits one text only, "" when there is none."""
    fixed = sorted((name, _only_value(sub)) for name, sub in view.properties.items() if _only_value(sub))
    return f"{fixed[0][0]}={fixed[0][1]}" if fixed else ""


def _only_value(sub: Sub) -> str:
    node = sub.parts[0].node
    if not isinstance(node, dict):
        return ""
    listed = node.get("enum")
    value = (
        node.get("const") if "const" in node else (listed[0] if isinstance(listed, list) and len(listed) == 1 else None)
    )
    return value if isinstance(value, str) else ""


def _by_type(parent: SchemaView, branch: Branch) -> str:
    form = branch[1].type_form
    return form if isinstance(form, str) and form != "(absent)" else ""


def _by_fields(parent: SchemaView, branch: Branch) -> str:
    """A digest of the field names alone, which survive edits of what stands below them."""
    view = branch[1]
    if not view.properties:
        return ""
    shape = [sorted(view.types or ()), sorted(view.properties)]
    return hashlib.sha256(orjson.dumps(shape)).hexdigest()[:6]


def _by_digest(parent: SchemaView, branch: Branch) -> str:
    view = branch[1]
    shape = [
        sorted(view.types or ()),
        sorted(view.properties),
        sorted(view.required),
        sorted(map(repr, view.enum or ())),
        sorted((name, repr(value)) for name, value in view.keywords.items()),
    ]
    return hashlib.sha256(orjson.dumps(shape)).hexdigest()[:6]


def _numbered(parent: SchemaView, branches: Sequence[Branch], labels: list[str]) -> list[str]:
    """Labels with a number where the shape alone can't tell two branches apart."""
    taken = set(labels)
    for at, label in enumerate(labels):
        if not label:
            stem, number = _by_digest(parent, branches[at]), 1
            while f"{stem}.{number}" in taken:
                number += 1
            labels[at] = f"{stem}.{number}"
            taken.add(labels[at])
    return labels
