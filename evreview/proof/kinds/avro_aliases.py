"""Aliases as their author wrote them: libraries take some by the letter that the specification completes.

Avro 1.12, Names: an alias without a namespace is meant in that of its type. The schemas here hold it completed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from evreview.contract.model import Contract
from evreview.contracts.avro.model import Named, Schema
from evreview.core.json_pointer import follow


def as_written(contract: Contract, schema: Schema) -> Schema | None:
    """The schema with its aliases by the letter, None where they are written in full."""
    names = {name: _by_the_letter(contract, named) for name, named in schema.names.items()}
    return replace(schema, names=names) if any(names[name] is not schema.names[name] for name in names) else None


def _by_the_letter(contract: Contract, named: Named) -> Named:
    document = contract.documents.get(named.place.file)
    node = follow(document, named.place.pointer) if named.aliases and not isinstance(document, str) else None
    listed = node.get("aliases") if isinstance(node, (dict, Mapping)) else None
    written = tuple(str(alias) for alias in listed) if isinstance(listed, list) else named.aliases
    return named if written == named.aliases else replace(named, aliases=written)
