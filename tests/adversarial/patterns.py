"""Hostile regular expressions: backtracking, automata with 2^n states, counts of counts, and what no automaton has."""

from __future__ import annotations

from tests.adversarial.inputs import Pair, api, case


def _pattern(released: str, candidate: str, **more: object) -> Pair:
    old, new = ({"type": "string", "pattern": pattern, **more} for pattern in (released, candidate))
    return api(old), api(new)


@case
def nested_quantifiers() -> Pair:
    return _pattern("^(a+)+$", "^((a+)+)+b?$")


@case
def overlapping_alternatives() -> Pair:
    return _pattern("^(a|a|aa)*$", "^(a|aa|aaa)*c$")


@case
def quadratic_tail() -> Pair:
    return _pattern("(x+x+)+y", "(x+x+)+z")


@case
def optional_run() -> Pair:
    return _pattern("^(?:a?){60}a{60}$", "^(?:a?){61}a{60}$")


@case
def mail_address() -> Pair:
    return _pattern(
        r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
        r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,4})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
    )


@case
def exponential_automaton() -> Pair:
    """The smallest deterministic automaton has 2^30 states."""
    return _pattern("^(a|b)*a(a|b){30}$", "^(a|b)*a(a|b){31}$")


@case
def counts_of_counts() -> Pair:
    return _pattern("^((a{1,100}){1,100}){1,100}$", "^((a{1,100}){1,100}){1,101}$")


@case
def huge_count() -> Pair:
    return _pattern("^a{0,1000000000}$", "^a{0,1000000001}$")


@case
def medium_count() -> Pair:
    return _pattern("^[a-z]{1,60000}$", "^[a-z0-9]{1,60000}$", minLength=50_000)


@case
def back_reference() -> Pair:
    return _pattern(r"^(a+)\1$", r"^(a+)b\1$")


@case
def look_around() -> Pair:
    return _pattern(r"^(?=.*[a-z])(?=.*[0-9])(?!.*x).{8,64}$", r"^(?=.*[a-z])(?=.*[0-9])(?<!y)(?!.*x).{8,63}$")


@case
def huge_alternation() -> Pair:
    words = [f"word{at:05d}" for at in range(3_000)]
    return _pattern(f"^(?:{'|'.join(words)})$", f"^(?:{'|'.join(words[1:])})$")


@case
def deep_groups() -> Pair:
    return _pattern("(" * 2000 + "a" + ")" * 2000, "(" * 2000 + "b" + ")" * 2000)


@case
def unicode_classes() -> Pair:
    return _pattern(r"^[\p{L}\p{N}_]{1,200}$", r"^[\p{Lu}\p{N}_]{1,200}$")


@case
def broken_expressions() -> Pair:
    return _pattern("([", "(?<")


@case
def pattern_with_lengths() -> Pair:
    return _pattern("^(ab|cd|ef)+$", "^(ab|cd|gh)+$", minLength=99_999, maxLength=100_001)
