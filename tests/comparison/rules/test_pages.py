"""The catalogue by kind: each rule stands on one page, and `evreview rules --kind` lists what may speak."""

from __future__ import annotations

from collections import Counter

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.app.commands.rules import own
from evreview.core.vocabulary import ContractKind
from evreview.kinds.rule_catalogue import BY_KIND, CATALOGUE


def test_every_rule_stands_on_the_page_of_one_kind() -> None:
    assert Counter(rule.id for kind in BY_KIND for rule in own(kind)) == Counter(rule.id for rule in CATALOGUE)


@pytest.mark.parametrize("kind", BY_KIND)
def test_a_kind_lists_the_rules_that_may_speak(kind: ContractKind) -> None:
    done = CliRunner().invoke(app, ["rules", "--kind", kind.value])
    assert done.exit_code == 0
    listed = [line.split()[0] for line in done.stdout.splitlines()[:-2] if line]
    assert listed == [rule.id for rule in BY_KIND[kind]]


def test_a_rule_of_another_kind_is_not_found() -> None:
    done = CliRunner().invoke(app, ["rules", "operation-removed", "--kind", "graphql"])
    assert done.exit_code == 2 and "graphql-operation-removed" in done.stderr
