"""Sampled values: boundaries of the keyword table's numbers, lengths and names, and something of every type."""

from __future__ import annotations

from typing import Final

GENERAL: Final = (None, True, False, 0, 1, 3, -1, 1.5, "", "a", "abcd", [], ["a"], [1], {}, {"a": "x"}, {"a": 1})
NUMBERS: Final = (
    *range(-2, 9), 10, 12, 20, 0.5, 1.5, 2.5, 3.5, 0.1, 2**31 - 1, 2**31, -(2**31) - 1, 2**53, 2**63, 1e300,
)  # fmt: skip
TEXTS: Final = (
    "", "a", "b", "ab", "ba", "abc", "bcd", "abcd", "abcde", "abcdef", "c", "cab", "xx", "a\nb", "1", "12", "1.5",
    "true", "null", "é", "2024-01-31", "2024-13-01", "2024-01-31T10:00:00Z", "6f9619ff-8b86-d011-b42d-00c04fc964ff",
    "1.2.3.4", "a@b.example", "http://a.example/", "aGk=", "a,b", '{"a":1}', '{"a":"x"}', "[1]",
)  # fmt: skip
LISTS: Final = (
    [], ["a"], ["b"], ["a", "b"], ["a", "a"], ["a", "b", "c"], list("abcd"), list("abcde"), [1], [1, 2], [1, 1],
    [1, "a"], ["a", 1], ["a", "b", 1], [1, 2, 3], ["a", 1, 2], [None], [True], [["a"]], [{"a": 1}], ["abcd"], [1.5],
    [1, 2, 3, 4], ["b", 1], ["a", True], [1, "a", "b"], ["a", 1, "b"], [1, 2, "a"],
)  # fmt: skip
MAPS: Final = (
    {}, {"a": "x"}, {"a": 1}, {"a": None}, {"b": "x"}, {"b": 1}, {"a": "x", "b": "y"}, {"a": 1, "b": 2},
    {"a": "x", "b": 2}, {"a": 1, "b": "y"}, {"a": "x", "b": "y", "c": "z"}, {"c": "x"}, {"c": 1}, {"a": "x", "c": 1},
    {"n_a": 1}, {"n_a": "x"}, {"a": "x", "n_a": 1}, {"m_a": 1}, {"m_a": "x"}, {"aa": "x"}, {"aaaa": 1}, {"a": True},
    {"a": "x", "b": "y", "c": "z", "d": 1}, {"a": "x", "c": "z"}, {"b": "y", "c": "z"}, {"b": "y", "c": 1},
    {"a": "abcd"}, {"a": 1.5}, {"a": []}, {"a": "x", "b": None}, {"a": 1, "c": "x"}, {"k": "cat"}, {"k": "dog"},
    {"k": "cow"}, {"k": "cat", "a": 1}, {"k": "cat", "b": 1}, {"k": "dog", "b": 1}, {"k": "dog", "a": 1},
    {"k": "cat", "a": 1, "b": 1}, {"t": "cat", "a": 1}, {"k": "dog", "t": "cat", "a": 1, "b": 1},
    {"k": "cat", "t": "dog", "a": 1, "b": 1}, {"a": 1, "b": 1, "c": 1}, {"a": "x", "b": "y", "c": 1},
    {"a": "x", "c": 1, "d": 1}, {"k": "Cat", "a": 1}, {"k": "Dog", "b": 1}, {"b": "y", "c": 1, "d": 1},
    {"a": 1, "c": 1, "d": 1}, {"k": "Cat", "b": 1}, {"k": "Dog", "a": 1}, {"k": "Cat", "a": 1, "b": 1},
    {"k": "", "a": 1},
)  # fmt: skip
MIXED: Final = (*NUMBERS[:12], *TEXTS[:10], *LISTS[:12], *MAPS[:12])
