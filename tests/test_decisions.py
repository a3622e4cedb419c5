"""Decisions rest on enums and records: no control flow compares, prefixes or parses a sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from tests.test_architecture import SOURCES

READERS = {
    "evreview/report/pages/artifact_page.py": "headings of a Markdown artifact",
    "evreview/core/json_text.py": "errors of the JSON library",
    "evreview/core/yaml_text.py": "errors of the YAML library",
    "evreview/evidence/typed_reader.py": "words of pydantic",
    "evreview/workflows/w3/abuse_cases/sarif_import.py": "placeholders that scanners write",
    "evreview/kinds/graphql/reader.py": "errors of the GraphQL library",
    "evreview/kinds/protobuf/codec.py": "errors of the protobuf library",
    "evreview/kinds/protobuf/compiler.py": "output of protoc",
    "evreview/report/difference_text.py": "steps of an address",
    "evreview/report/forms_in_words.py": "keys of a row's forms, which are JSON",
    "evreview/report/ledger_formats.py": "the JSON object of a comparison, which says in words what a proof rests on",
    "evreview/report/output_contract.py": "cells of a Markdown artifact",
    "evreview/report/validate_claims.py": "cells of a Markdown artifact",
    "evreview/report/validate_glance.py": "statements of a Markdown artifact",
    "evreview/sandbox/syscall_trace.py": "output of strace",
    "evreview/workflows/w3/access_control/owner_checks.py": "SQL of the evidence",
    "evreview/workflows/w3/leads/secrets_in_source.py": "PEM blocks of the evidence",
}
"""Who compares words that others wrote, and whose words. Everybody else asks an enum or a field."""
WORDS = {"evreview.kinds.python.signatures": "facets of Python's elements and what they hold, which rows show as JSON"}
"""Modules whose constants are keys and words of the data itself."""

SENTENCE = re.compile(r"[A-Za-z][\w'’-]*[,;:]? [A-Za-z]")
TESTS = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit"}
TOLD = {"found", "reason", "why", "says", "doubt", "advice"}
"""Attributes that hold what people read."""
Constants = Mapping[str, frozenset[str]]


def spoken(node: ast.AST) -> Iterator[str]:
    """The sentences among the texts that are written in an expression."""
    texts = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str))
    yield from (text for text in texts if SENTENCE.search(text))


def sentences_of(tree: ast.Module) -> frozenset[str]:
    """The names on module level that hold a sentence, or a collection with one."""
    found = set()
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if _is_told(value):
                found.add(name)
    return frozenset(found)


def _is_told(value: ast.expr) -> bool:
    """True for a text, and for a collection of texts, with a sentence."""
    match value:
        case ast.Constant() | ast.JoinedStr():
            return any(spoken(value))
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return any(map(_is_told, parts))
        case ast.BinOp(left=left, right=right):
            return _is_told(left) or _is_told(right)
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple"), args=parts):
            return any(map(_is_told, parts))
    return False


@cache
def known() -> Constants:
    """The sentences of each module by its dotted name."""
    dotted = {name.removesuffix(".py").replace("/", "."): source for name, source in SOURCES.items()}
    return {name: sentences_of(ast.parse(source)) for name, source in dotted.items() if name not in WORDS}


def named(tree: ast.Module, told: Constants) -> tuple[frozenset[str], Mapping[str, frozenset[str]]]:
    """The names that stand for sentences in a file, and those behind the modules that it imports."""
    here, modules = set(sentences_of(tree)), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                name = one.asname or one.name
                if one.name in told.get(node.module, ()):
                    here.add(name)
                modules[name] = told.get(f"{node.module}.{one.name}", frozenset())
    return frozenset(here), modules


def offences(source: str, told: Constants) -> Iterator[str]:
    """Every place where a decision hangs on words."""
    tree = ast.parse(source)  # all trees of the package at once are two gigabytes
    here, modules = named(tree, told)

    def is_sentence(node: ast.AST) -> bool:
        match node:
            case ast.Name(id=name):
                return name in here
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                return name in modules.get(module, ())
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return any(map(is_sentence, parts))
            case ast.Starred(value=value):
                return is_sentence(value)
            case ast.BinOp(left=left, right=right):
                return is_sentence(left) or is_sentence(right)
        return isinstance(node, ast.Constant | ast.JoinedStr) and any(spoken(node))

    def is_told(node: ast.AST) -> bool:
        own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
        return isinstance(node, ast.Attribute) and node.attr in TOLD and not own

    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others) if any(map(is_sentence, [left, *others])):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[other]) if is_told(other):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=args) if name in TESTS:
                if any(map(is_sentence, args)) or is_told(value):
                    yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(attr="search" | "match" | "fullmatch"), args=[other]) if is_told(other):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]) if is_sentence(key):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if is_sentence(key):
                if not (isinstance(value, ast.Name) and value.id == "Literal"):
                    yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.MatchValue(value=value) if is_sentence(value):
                yield f"{value.lineno}: case {ast.unparse(value)}"


PLANTED = (
    'if row.state == "closed by evidence": ...',
    'if "closed by evidence" != row.state: ...',
    'if row.state in ("open", "closed by evidence"): ...',
    'if "the header" in told: ...',
    'told.startswith("not ready")',
    'told.removeprefix("not ready ")',
    'match told:\n    case "not ready": ...',
    'DOUBT = "nothing could be told"\nif doubt == DOUBT: ...',
    'DOUBTS: Final = frozenset({"too deep", "too wide"})\nif doubt in DOUBTS: ...',
    "from evreview.told import DOUBT as WHY\nif doubt is WHY: ...",
    "from evreview import told\nif doubt == told.DOUBT: ...",
    'if "decorator" in one.found: ...',
    "one.reason.startswith(WORD)",
    "WORDS.search(one.found)",
    'kept.get("caller decisions")',
    'say(kept["caller decisions"])',
)
ALLOWED = (
    "if row.state is State.CLOSED: ...",
    'if row.state == "closed": ...',
    'if delta.facet == "": ...',
    'DOUBT = "nothing could be told"\nsay(DOUBT)',
    'told.startswith(("anyOf(", "{~"))',
    'tables["Wire differences"] = frame',
    'State = Literal["in place", "removed"]',
)


@pytest.mark.parametrize("source", PLANTED)
def test_a_decision_on_words_is_seen(source: str) -> None:
    assert [*offences(source, {"evreview.told": frozenset({"DOUBT"})})] != []


@pytest.mark.parametrize("source", ALLOWED)
def test_a_decision_on_enums_and_single_words_is_none(source: str) -> None:
    assert [*offences(source, {})] == []


def test_nothing_is_decided_by_words_that_we_wrote() -> None:
    found = {name: [*offences(source, known())] for name, source in SOURCES.items()}
    told = [f"{name}:{one}" for name, several in found.items() for one in several if name not in READERS]
    assert not told, "\n".join(told)


def test_each_reader_of_others_words_reads_some() -> None:
    assert [name for name in READERS if not [*offences(SOURCES[name], known())]] == []
