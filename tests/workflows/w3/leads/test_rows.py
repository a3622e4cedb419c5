"""Every rule over the rows of sources that it matches and that it leaves alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.quoted_text import plain
from evreview.workflows.w3.leads.catalogue import find_leads
from tests.workflows.w3.leads import drf_rows as drf
from tests.workflows.w3.leads import fetched_rows as fetched
from tests.workflows.w3.leads import field_rows as members
from tests.workflows.w3.leads import guard_rows as guards
from tests.workflows.w3.leads import input_rows as inputs
from tests.workflows.w3.leads import kept_rows as kept
from tests.workflows.w3.leads import key_rows as keys
from tests.workflows.w3.leads import more_rows as more
from tests.workflows.w3.leads import object_rows as objects
from tests.workflows.w3.leads import place_rows as places
from tests.workflows.w3.leads import sibling_rows as siblings
from tests.workflows.w3.leads.sources import files, leads

Rows = Mapping[str, Any]
FOUND: Final[Mapping[str, Rows]] = {
    "object-without-owner-check": objects.OBJECT_POSITIVE
    | fetched.OBJECT_POSITIVE
    | drf.OBJECT_POSITIVE
    | keys.POSITIVE,
    "unguarded-sibling": siblings.SIBLING_POSITIVE | drf.SIBLING_POSITIVE,
    "way-past-a-guard": guards.PAST_POSITIVE,
    "credential-not-checked": guards.PRESENCE_ONLY_POSITIVE,
    "constant-credential": guards.CONSTANT_POSITIVE,
    "privilege-field-writable": members.FIELD_POSITIVE | drf.FIELD_POSITIVE,
    "unsafe-deserialisation": inputs.LOAD_POSITIVE,
    "sql-by-string": inputs.SQL_POSITIVE | drf.SQL_POSITIVE,
    "caller-controlled-decision": drf.WORD_POSITIVE,
    "command-by-string": inputs.COMMAND_POSITIVE,
    "code-from-request": inputs.CODE_POSITIVE,
    "template-from-string": inputs.TEMPLATE_POSITIVE,
    "internal-error-in-response": inputs.ERROR_POSITIVE,
    "debug-mode-on": inputs.DEBUG_POSITIVE,
    "verification-disabled": inputs.VERIFY_POSITIVE,
    "credentials-to-any-origin": inputs.CORS_POSITIVE,
    "secret-in-source": inputs.SECRET_POSITIVE,
    **places.FOUND,
    **kept.FOUND,
}
SILENT: Final[Mapping[str, Rows]] = {
    "object-without-owner-check": objects.OBJECT_NEGATIVE
    | fetched.OBJECT_NEGATIVE
    | drf.OBJECT_NEGATIVE
    | keys.NEGATIVE,
    "unguarded-sibling": siblings.SIBLING_NEGATIVE | drf.SIBLING_NEGATIVE,
    "way-past-a-guard": guards.PAST_NEGATIVE,
    "credential-not-checked": guards.PRESENCE_ONLY_NEGATIVE,
    "constant-credential": guards.CONSTANT_NEGATIVE,
    "privilege-field-writable": members.FIELD_NEGATIVE | drf.FIELD_NEGATIVE,
    "unsafe-deserialisation": inputs.LOAD_NEGATIVE,
    "sql-by-string": inputs.SQL_NEGATIVE | drf.SQL_NEGATIVE,
    "caller-controlled-decision": drf.WORD_NEGATIVE,
    "command-by-string": inputs.COMMAND_NEGATIVE,
    "code-from-request": inputs.CODE_NEGATIVE,
    "template-from-string": inputs.TEMPLATE_NEGATIVE,
    "internal-error-in-response": inputs.ERROR_NEGATIVE,
    "debug-mode-on": inputs.DEBUG_NEGATIVE,
    "verification-disabled": inputs.VERIFY_NEGATIVE,
    "credentials-to-any-origin": inputs.CORS_NEGATIVE,
    "secret-in-source": inputs.SECRET_NEGATIVE,
    **places.SILENT,
    **kept.SILENT,
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


@pytest.mark.parametrize("name", more.FOUND)
def test_a_further_form_is_found(name: str) -> None:
    assert leads(more.FOUND[name], name.partition(":")[0])


@pytest.mark.parametrize("name", more.SILENT)
def test_a_further_look_alike_is_left_alone(name: str) -> None:
    assert [plain(lead.says) for lead in leads(more.SILENT[name], name.partition(":")[0])] == []


def test_files_that_are_only_tests_are_left_out() -> None:
    (source,) = files(inputs.SECRET_POSITIVE["name"])
    tests_only = replace(source, parts=("test",))
    assert find_leads([tests_only], read_sources([tests_only])) == ()
    both = replace(source, parts=("test", "shared"))
    assert find_leads([both], read_sources([both]))


def test_a_secret_in_other_files_is_found_too() -> None:
    text = (
        f"services:\n  app:\n    environment:\n      API_SECRET: {inputs.SECRET_POSITIVE['name'].split(chr(34))[1]}\n"
    )
    assert [lead.path for lead in leads({"deploy/compose.yaml": text}, "secret-in-source")] == ["deploy/compose.yaml"]


def test_two_readings_are_the_same() -> None:
    source = objects.OBJECT_POSITIVE["fastapi-helper"]
    assert leads(source) == leads(source)
