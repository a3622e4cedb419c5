"""Each weakness is named at its function where it stands, and nothing of it where it is mended."""

from __future__ import annotations

import pytest

from tests.workflows.w3.leads.check_rows import BESIDE, CHECKS
from tests.workflows.w3.leads.denied_rows import DENIED
from tests.workflows.w3.leads.hook_rows import HOOKS, NO_HOOKS, QUESTIONS
from tests.workflows.w3.leads.sources import leads
from tests.workflows.w3.leads.spelling_rows import SPELLINGS
from tests.workflows.w3.leads.twin_rows import TWINS

ROWS = TWINS | SPELLINGS | HOOKS | DENIED | CHECKS
EACH = pytest.mark.parametrize(("rule", "flawed", "mended"), ROWS.values(), ids=ROWS)


@EACH
def test_the_flawed_one_is_named_at_its_function(rule: str, flawed: str, mended: str) -> None:
    found = [lead for lead in leads(flawed) if lead.rule == rule]
    assert len(found) == 1 and found[0].symbol and found[0].route


def test_an_unsigned_webhook_is_one_cause() -> None:
    code = (
        "from flask import Flask, request\napp = Flask('x')\nclass Order:\n    owner = 1\n@app.post('/hooks/pay')\n"
        "def hook():\n    Order.query.get(request.get_json()['order_id']).paid = True\n    return ''\n"
    )
    assert [lead.rule for lead in leads(code) if lead.symbol == "hook"] == ["unsigned-webhook"]
    other = leads(code.replace("/hooks/pay", "/orders/pay").replace("def hook", "def pay"))
    assert [lead.rule for lead in other if lead.symbol == "pay"] == ["object-without-owner-check"]


@EACH
def test_the_mended_one_is_not_named(rule: str, flawed: str, mended: str) -> None:
    assert [lead.symbol for lead in leads(mended) if lead.rule == rule] == []


@pytest.mark.parametrize("name", HOOKS)
def test_what_only_the_shape_or_another_file_tells_is_a_question(name: str) -> None:
    found = leads(HOOKS[name][1], "unsigned-webhook")
    assert [bool(lead.lacks) for lead in found] == [name in QUESTIONS]


@pytest.mark.parametrize("code", NO_HOOKS.values(), ids=NO_HOOKS)
def test_what_asks_its_sender_or_has_none_is_no_hook(code: str) -> None:
    assert leads(code, "unsigned-webhook") == ()


@pytest.mark.parametrize("name", CHECKS)
def test_only_a_folder_beside_the_one_meant_is_a_question(name: str) -> None:
    rule, flawed, _ = CHECKS[name]
    assert [bool(lead.lacks) for lead in leads(flawed, rule)] == [name in BESIDE]
