"""Every rule over the rows of sources that it matches and that it leaves alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from evreview.prose import plain
from tests.security.leads import input_rows as inputs
from tests.security.leads import object_rows as objects
from tests.security.leads.sources import leads

Rows = Mapping[str, Any]
FOUND: Final[Mapping[str, Rows]] = {
    "object-without-owner-check": objects.OBJECT_POSITIVE,
    "unguarded-sibling": objects.SIBLING_POSITIVE,
    "privilege-field-writable": objects.FIELD_POSITIVE,
    "unsafe-deserialisation": inputs.LOAD_POSITIVE,
    "sql-by-string": inputs.SQL_POSITIVE,
    "command-by-string": inputs.COMMAND_POSITIVE,
    "code-from-request": inputs.CODE_POSITIVE,
    "template-from-string": inputs.TEMPLATE_POSITIVE,
    "internal-error-in-response": inputs.ERROR_POSITIVE,
    "debug-mode-on": inputs.DEBUG_POSITIVE,
    "verification-disabled": inputs.VERIFY_POSITIVE,
    "credentials-to-any-origin": inputs.CORS_POSITIVE,
    "secret-in-source": inputs.SECRET_POSITIVE,
}
SILENT: Final[Mapping[str, Rows]] = {
    "object-without-owner-check": objects.OBJECT_NEGATIVE,
    "unguarded-sibling": objects.SIBLING_NEGATIVE,
    "privilege-field-writable": objects.FIELD_NEGATIVE,
    "unsafe-deserialisation": inputs.LOAD_NEGATIVE,
    "sql-by-string": inputs.SQL_NEGATIVE,
    "command-by-string": inputs.COMMAND_NEGATIVE,
    "code-from-request": inputs.CODE_NEGATIVE,
    "template-from-string": inputs.TEMPLATE_NEGATIVE,
    "internal-error-in-response": inputs.ERROR_NEGATIVE,
    "debug-mode-on": inputs.DEBUG_NEGATIVE,
    "verification-disabled": inputs.VERIFY_NEGATIVE,
    "credentials-to-any-origin": inputs.CORS_NEGATIVE,
    "secret-in-source": inputs.SECRET_NEGATIVE,
}


def rows(table: Mapping[str, Rows]) -> list[Any]:
    return [
        pytest.param(rule, source, id=f"{rule}-{name}") for rule, each in table.items() for name, source in each.items()
    ]


@pytest.mark.parametrize(("rule", "source"), rows(FOUND))
def test_a_row_is_found(rule: str, source: str | Mapping[str, str]) -> None:
    assert leads(source, rule)


@pytest.mark.parametrize(("rule", "source"), rows(SILENT))
def test_a_look_alike_is_left_alone(rule: str, source: str | Mapping[str, str]) -> None:
    assert [plain(lead.says) for lead in leads(source, rule)] == []
