"""Binding against Python itself: signatures and calls made at random, and those that the containment proof rests on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.kinds.python import signatures as sig
from evreview.kinds.python.call_binding import (
    Call,
    Parameter,
    Signature,
    bind,
    refused_calls,
    signature_of,
    typical_calls,
)
from tests.pipeline import written

NAMES = ("a", "b", "c", "d", "e")
KINDS = (sig.POSITIONAL_ONLY, sig.EITHER, sig.KEYWORD_ONLY)


@st.composite
def signatures(draw: st.DrawFn) -> Signature:
    """A signature that Python admits: kinds in order, defaults behind required places, variadics at theirs."""
    names = draw(st.permutations(NAMES))[: draw(st.integers(0, 5))]
    kinds = sorted((draw(st.sampled_from(KINDS)) for _ in names), key=KINDS.index)
    optional = False
    made = []
    for name, kind in zip(names, kinds, strict=True):
        optional = draw(st.booleans()) if kind == sig.KEYWORD_ONLY else optional or draw(st.booleans())
        made.append(Parameter(name, kind, not optional))
    places = [each for each in made if each.positional]
    rest = [Parameter("args", sig.REST, False)] if draw(st.booleans()) else []
    swallow = [Parameter("kwargs", sig.KEYWORDS, False)] if draw(st.booleans()) else []
    return Signature((*places, *rest, *(each for each in made if not each.positional), *swallow))


def source(signature: Signature) -> str:
    """The signature as Python code."""
    parts = []
    last = [each for each in signature.parameters if each.kind == sig.POSITIONAL_ONLY][-1:]
    starred = bool(signature.rest)
    for each in signature.parameters:
        if each.kind == sig.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        sign = each.kind if each.kind in (sig.REST, sig.KEYWORDS) else ""
        optional = not each.required and not sign
        parts.append(f"{sign}{each.name}{'=None' if optional else ''}")
        parts += ["/"] if [each] == last else []
    return f"def f({', '.join(parts)}): ...\n"


def real(signature: Signature) -> Callable[[Call], set[str] | None]:
    """Which parameters a function of our own, with this signature, gets the values of a call in; None: a TypeError."""
    made: dict[str, Callable[..., dict[str, object]]] = {}
    exec(source(signature).replace("...", "return locals()"), made)

    def bound(call: Call) -> set[str] | None:
        try:
            found = made["f"](*range(1, call.positional + 1), **dict.fromkeys(call.keywords, "k"))
        except TypeError:
            return None
        return {name for name, value in found.items() if value}

    return bound


CALLS = st.builds(
    Call, st.integers(0, 6), st.lists(st.sampled_from((*NAMES, "other")), unique=True, max_size=4).map(tuple)
)


@given(signatures(), st.lists(CALLS, max_size=6))
@settings(max_examples=300, deadline=None)
def test_calls_bind_as_python_binds_them(signature: Signature, calls: list[Call]) -> None:
    there = real(signature)
    for call in calls:
        found, expected = bind(signature, call), there(call)
        assert (not found.error) == (expected is not None), (source(signature), call, found)
        if expected is not None:
            assert set(found.values) == expected


@given(signatures())
@settings(max_examples=200, deadline=None)
def test_typical_calls_are_calls_that_the_signature_takes(signature: Signature) -> None:
    there = real(signature)
    assert [call for call in typical_calls(signature) if there(call) is None] == []


@given(signatures(), signatures(), st.lists(CALLS, max_size=25))
@settings(max_examples=300, deadline=None)
def test_what_refuses_no_typical_call_refuses_none(old: Signature, new: Signature, calls: list[Call]) -> None:
    if not refused_calls(old, new):
        before, after = real(old), real(new)
        assert [call for call in calls if before(call) is not None and after(call) is None] == []


@given(signatures())
@settings(max_examples=200, deadline=None)
def test_the_reader_reads_the_signature_that_was_written(signature: Signature) -> None:
    contract = written("m.py", source(signature).encode())
    assert signature_of(contract.operations[0]) == signature


@pytest.mark.parametrize(
    ("code", "call", "error"),
    [
        ("def f(a): ...", Call(2), "takes 1 positional argument but 2 were given"),
        ("def f(a): ...", Call(1, ("a",)), "got multiple values for argument 'a'"),
        ("def f(a): ...", Call(1, ("b",)), "got an unexpected keyword argument 'b'"),
        ("def f(a, *, b): ...", Call(0), "missing 2 required arguments: 'a' and 'b'"),
    ],
)
def test_errors_say_what_python_says(code: str, call: Call, error: str) -> None:
    signature = signature_of(written("m.py", code.encode()).operations[0])
    assert signature is not None
    assert bind(signature, call).error == error
