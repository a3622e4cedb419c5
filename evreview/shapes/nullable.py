"""`nullable` where it has no effect: authors and generators write it there to say that null may come."""

from __future__ import annotations

from collections.abc import Mapping

from evreview.contract.model import SchemaDialect
from evreview.core.vocabulary import Json
from evreview.schema.reader import extends_null, says_nullable


def marks_nullable(node: Json, dialect: SchemaDialect) -> bool:
    """True when a node of any OpenAPI says `nullable`, whether its version gives that an effect or not."""
    if dialect is SchemaDialect.OPENAPI_3_1:
        return isinstance(node, (dict, Mapping)) and node.get("nullable") is True
    return says_nullable(node, dialect)


def idle_nullable(node: Json, dialect: SchemaDialect) -> bool:
    """True when `nullable` stands where it has no effect: OpenAPI 3.0.3 (section 4.7.24.1), and anywhere in 3.1.

    It adds null to the `type` of the same schema object only, and an `enum` without null still refuses null.
    OpenAPI 3.1 has no such keyword: null is a type.
    """
    if dialect is SchemaDialect.OPENAPI_3_1:
        return marks_nullable(node, dialect)
    if not says_nullable(node, dialect) or not isinstance(node, (dict, Mapping)) or extends_null(node, dialect):
        return False
    listed = node.get("enum")
    return "type" not in node or (isinstance(listed, list) and not any(value is None for value in listed))
