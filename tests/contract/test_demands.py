"""Alternatives sorted by scheme say what all of them asked one after the other say."""

from __future__ import annotations

from itertools import combinations, product

from evreview.contract.security_requirements import Credentials, Demands, meets

SCOPES = ((), ("read",), ("read", "write"))
ALL: tuple[Credentials, ...] = (
    {},
    *({name: scopes} for name, scopes in product("ab", SCOPES)),
    *({"a": mine, "b": theirs} for mine, theirs in product(SCOPES, SCOPES)),
)


def test_the_sorted_alternatives_say_what_all_of_them_say() -> None:
    for alternatives in (*combinations(ALL, 1), *combinations(ALL, 2), *combinations(ALL[1:], 3)):
        demands = Demands(alternatives)
        for presented in ALL:
            assert demands.met(presented) is any(meets(presented, each) for each in alternatives)


def test_no_way_at_all_is_met_by_nothing() -> None:
    assert not any(map(Demands(()).met, ALL))
