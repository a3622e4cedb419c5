"""An objection to a removal stands whatever its subject is called, and whatever the inventory says of the use."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import pytest

from evreview.workflows.session import Review
from tests.golden.answers import ADOPTED, LEDGER_OWNER, RELEASE_MANAGER, REMOVAL_APPROVED, decided
from tests.golden.runs import finished, section, varied

ANSWERED: Final = (*ADOPTED, LEDGER_OWNER, RELEASE_MANAGER, REMOVAL_APPROVED)
ROW: Final = "the row"
"""Stands for the id of the row that is removed, which is known after a run."""
SHOP, LEDGER, MANAGER = "Storefront owner", "Finance integrations owner", "Release manager"


def said(subject: str, role: str, stance: str | None, hour: int = 9, words: str = "see letter 4") -> dict[str, Any]:
    entry = {"kind": "disposition", "subject": subject, "role": role, "decision": words}
    return entry | {"at": f"2026-11-19T{hour:02}:00:00+00:00", "stance": stance}


@cache
def removed_row() -> str:
    frame = finished("everything-approved").registers["removals"]
    assert list(frame["element"]) == ["legacyReference"]
    rows = finished("everything-approved").facts.removals
    return str(rows[0].delta_ids[0])


def with_entries(*entries: dict[str, Any]) -> Review:
    ids = {ROW: removed_row(), f"F-{ROW}": removed_row().replace("D-", "F-")}
    told = [entry | {"subject": ids.get(entry["subject"], entry["subject"])} for entry in entries]
    return varied((*ANSWERED, *map(decided, told)))


def removal(done: Review) -> str:
    frame = done.registers["gates"]
    return str(dict(zip(frame["gate"], frame["state"], strict=True))["remove-deprecated"])


STANDS: Final = {
    "a client that uses nothing of it": [said("storefront", SHOP, "objects")],
    "the other client": [said("ledger-export", LEDGER, "objects")],
    "the element": [said("legacyReference", SHOP, "objects")],
    "the row": [said(ROW, LEDGER, "objects")],
    "the row's finding": [said(f"F-{ROW}", LEDGER, "objects")],
    "an item": [said("E10", LEDGER, "objects")],
    "a role that owns no client": [said("legacyReference", MANAGER, "objects")],
    "the objection is later, and stands first": [
        said("storefront", SHOP, "objects", 12),
        said("storefront", SHOP, "consents", 10),
    ],
    "somebody else consents": [said("legacyReference", SHOP, "objects"), said("legacyReference", MANAGER, "consents")],
    "a later entry takes no stance": [said("storefront", SHOP, "objects"), said("storefront", SHOP, None, 11)],
    "words of consent": [said("storefront", SHOP, "objects", words="no objection, moved to id")],
}
SETTLED: Final = {
    "consents": [said("storefront", SHOP, "consents")],
    "words of objection": [said("storefront", SHOP, "consents", words="we can't see why it must stay")],
    "consents later": [said("storefront", SHOP, "objects"), said("storefront", SHOP, "consents", 11)],
    "consents later by another name": [said(ROW, SHOP, "objects"), said("legacyReference", SHOP, "consents", 11)],
    "after the review's date": [said("storefront", SHOP, "objects") | {"at": "2026-11-25T09:00:00+00:00"}],
}


@pytest.mark.req("W1A-005")
@pytest.mark.parametrize("entries", STANDS.values(), ids=list(STANDS))
def test_an_objection_stands_until_its_role_consents(entries: list[dict[str, Any]]) -> None:
    done = with_entries(*entries)
    assert (removal(done), done.exit_status) == ("open", 4)
    told = section(done.artifact, "Decision record")
    assert "(objects)" in told and "objects to" in told


@pytest.mark.parametrize("entries", SETTLED.values(), ids=list(SETTLED))
def test_a_removal_that_is_consented_to_goes_on(entries: list[dict[str, Any]]) -> None:
    done = with_entries(*entries)
    assert (removal(done), done.exit_status) == ("approved", 0)


def test_an_objection_to_another_row_holds_the_shipment() -> None:
    rows = finished("everything-approved").facts.rows
    other = next(row.delta.id for row in rows if row.delta.id != removed_row())
    frame = with_entries(said(str(other), SHOP, "objects")).registers["gates"]
    found = dict(zip(frame["gate"], frame["state"], strict=True))
    assert found == {"ship-breaking-change": "open", "remove-deprecated": "approved"}
