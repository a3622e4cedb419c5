"""The three forms in which a contract can be written, and what each of them can say in a schema."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

Schema = dict[str, Any] | bool


class Form(StrEnum):
    """A version of the format; Swagger 2.0 says less in a parameter than in a body."""

    V20 = "2.0"
    V30 = "3.0"
    V31 = "3.1"

    @property
    def components(self) -> tuple[str, ...]:
        """Where named schemas stand."""
        return ("definitions",) if self is Form.V20 else ("components", "schemas")

    def named(self, name: str) -> Schema:
        """A reference to a named schema."""
        return {"$ref": "#/" + "/".join((*self.components, name))}


ALL: Final = frozenset(Form)
THREE: Final = frozenset({Form.V30, Form.V31})
OLD: Final = frozenset({Form.V20, Form.V30})
LATEST: Final = frozenset({Form.V31})

PARAMETER_KEYWORDS: Final = frozenset(
    {
        *("type", "format", "items", "default", "enum", "x-nullable", "multipleOf", "uniqueItems", "pattern"),
        *("maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"),
        *("maxLength", "minLength", "maxItems", "minItems"),
    }
)
"""What Swagger 2.0 lets a parameter or header that is no body say about its value."""
