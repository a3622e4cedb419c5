"""The drafts of JSON Schema: how a schema names one, and the keywords that each of them does not know.

What a draft does not know its validators pass over (draft 4 validation, section 4.3, and later ones likewise), so that
it decides nothing. Sources: the changes that each draft lists against the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from evreview.contract.model import SchemaDialect
from evreview.core.vocabulary import Json

_URI: Final = re.compile(r"https?://json-schema\.org/(?:draft[-/])?(04|06|07|2019-09|2020-12|schema)(?:/schema)?#?")
_NAMED: Final[Mapping[str, SchemaDialect]] = {
    "04": SchemaDialect.DRAFT_4,
    "06": SchemaDialect.DRAFT_6,
    "07": SchemaDialect.DRAFT_7,
    "2019-09": SchemaDialect.DRAFT_2019_09,
    "2020-12": SchemaDialect.DRAFT_2020_12,
    "schema": SchemaDialect.DRAFT_2020_12,
}
_IN_6: Final = frozenset({"const", "contains", "propertyNames"})
_IN_7: Final = frozenset({"if", "then", "else", "contentEncoding", "contentMediaType"})
_IN_2019: Final = frozenset(
    {"dependentRequired", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties", "minContains", "maxContains"}
    | {"$recursiveRef"}
)
_IN_2020: Final = frozenset({"prefixItems", "$dynamicRef"})
UNKNOWN: Final[Mapping[SchemaDialect, frozenset[str]]] = {
    SchemaDialect.DRAFT_4: _IN_6 | _IN_7 | _IN_2019 | _IN_2020,
    SchemaDialect.DRAFT_6: _IN_7 | _IN_2019 | _IN_2020,
    SchemaDialect.DRAFT_7: _IN_2019 | _IN_2020,
    SchemaDialect.DRAFT_2019_09: _IN_2020,
    SchemaDialect.DRAFT_2020_12: frozenset({"$recursiveRef", "additionalItems"}),
}
"""Keywords that decide something in another draft, and nothing in this one. `dependencies` stays where it is: what a
schema converts it to says whether it counts."""


def draft_of(written: Json) -> SchemaDialect | None:
    """The draft that a `$schema` names, None for one that is not known."""
    match = _URI.fullmatch(written) if isinstance(written, str) else None
    return _NAMED[match[1]] if match is not None else None
