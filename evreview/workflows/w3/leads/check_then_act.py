"""Counts that are compared in one step and taken from in another: two calls at once may both pass the check."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import last_name
from evreview.core.quoted_text import Text, UserText, text
from evreview.workflows.w3.access_control.access_words import words
from evreview.workflows.w3.access_control.owner_checks import tables
from evreview.workflows.w3.access_control.request_values import only_value
from evreview.workflows.w3.access_control.units import Hit, RuleInput, hit
from evreview.workflows.w3.leads.input_checks import reached

_COUNTED: Final = frozenset(
    {"balance", "credit", "credits", "stock", "quantity", "remaining", "available", "points", "funds", "seats",
     "budget", "allowance", "inventory", "quota", "uses", "bal"}
)  # fmt: skip
"""Words in names of what is counted down."""
_FILLED: Final = frozenset({"taken", "booked", "reserved", "redeemed", "sold", "used", "claimed"})
"""The same of what is counted up to a limit."""
_ALL: Final = _COUNTED | _FILLED
_CHOSEN: Final = re.compile(r"(?is)^\s*select\s+(.{1,400}?)\s+from\b")
_SETS: Final = re.compile(r"(?i)\bset\s+(\w+)\s*=\s*(?:\?|%s|[:$%]\(?\w+)")
_HELD: Final = re.compile(
    r"(?<![a-z])r?w?lock(?!out)|for[_ ]update|mutex|semaphore|serializable|acquire|compare_and|\bF\("
    r"|begin (immediate|exclusive)|\bwatch\(|\bversion\s*=\s*(\?|%s|:)",
    re.IGNORECASE,
)
"""What keeps a second call out, in names and statements."""
_ISOLATED: Final = re.compile(
    r"(?i:isolation[_ ]?level[\"']?\s{0,4}[=:(]\s{0,4}[\w.\"']{0,60}serializable"
    r"|transaction_isolation\W{1,4}serializable|version_id_col|CheckConstraint)|\bCHECK\s{0,4}\("
)
"""What keeps it out for every statement: how connections are made, and constraints."""
_TOGETHER: Final = re.compile(r"(?i)transaction|atomic|(?<![a-z])begin(?![a-z])|isolation")
"""What makes several steps one, where how far apart two calls are kept is a setting."""
_KEEPING: Final = frozenset({"commit", "save", "asave", "flush", "put", "update", "replace", "execute", "merge", "add"})
_LESSENS: Final = re.compile(r"(?i)\bset\s+(\w+)\s*=\s*\1\s*-")
_AT_ONCE: Final[Text] = ("what the store does with two such calls at once: a constraint, or its isolation",)


def checks_then_acts(reading: RuleInput) -> Iterator[Hit]:
    """A count that is compared and then taken from in another step, with nothing that keeps a second call out."""
    isolated = any(_ISOLATED.search(source.text) for source in reading.sources)
    for unit in reading.units:
        if any(_HELD.search(_code(frame.scope.node)) for frame in unit.frames):
            continue
        nodes = [(frame, node) for frame in unit.frames for node in reading.nodes(frame.scope.node)]
        compared = {word for frame, node in nodes for word in _compared(frame, node)}
        told: set[str] = set()
        for frame, node in nodes:
            for word in sorted((_taken_from(frame, node) & compared) - told):
                told.add(word)
                says = text("a count is compared, and taken from in another step: ", UserText(word))
                shown = not isolated and _is_shown(reading, frame, node, word)
                yield replace(hit(frame, node, unit.route, says), lacks=() if shown else _AT_ONCE)


def _code(function: ast.AST) -> str:
    """The text of a function without what is said in it."""
    body = [
        one
        for one in getattr(function, "body", [])
        if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]
    return "\n".join(ast.unparse(one) for one in (*body, *getattr(function, "decorator_list", ())))


def _is_shown(reading: RuleInput, frame: Frame, write: ast.AST, word: str) -> bool:
    """True where one function reads a row of a store, compares its count and writes it back, as a request says."""
    nodes = reading.nodes(frame.scope.node)
    before = getattr(write, "lineno", 0)
    tests = [one for one in nodes if word in _compared(frame, one) and getattr(one, "lineno", before) <= before]
    calls = [one for one in nodes if isinstance(one, ast.Call)]
    read = _row_of(frame, write, calls)
    if not tests or read is None or _TOGETHER.search(_code(frame.scope.node)):
        return False
    if not any(last_name(one.func) in _KEEPING for one in calls):
        return False
    sides = [part for one in tests if isinstance(one, ast.Compare) for part in (one.left, *one.comparators)]
    told = [*sides, *read.args, *(given.value for given in read.keywords)]
    return any(origin.place != "address" for one in told for origin in reached(reading, frame, one))


def _row_of(frame: Frame, write: ast.AST, calls: Sequence[ast.Call]) -> ast.Call | None:
    """The call that reads the row which is written: the object's, or the `SELECT` of the same table by the same key."""
    match write:
        case (
            ast.AugAssign(target=ast.Attribute(value=ast.Name() as row))
            | ast.Assign(targets=[ast.Attribute(value=ast.Name() as row)])
        ):
            known = only_value(frame, row)
            made = known[1] if known is not None else None
            made = made.value if isinstance(made, ast.Await) else made
            return made if isinstance(made, ast.Call) and not last_name(made.func)[:1].isupper() else None
        case ast.Call(args=[ast.Constant(value=str(update)), *given]):
            for one in calls:
                said = one.args[0].value if one.args and isinstance(one.args[0], ast.Constant) else None
                if isinstance(said, str) and _CHOSEN.match(said) and set(tables(said)) & set(tables(update)):
                    keys = [_plain(part) for part in one.args[1:]]
                    if {name for key in keys for name in key} & {name for part in given for name in _plain(part)}:
                        return one
    return None


def _plain(node: ast.expr) -> set[str]:
    """The values of a statement, as written."""
    parts = [node]
    if isinstance(node, ast.Tuple | ast.List):
        parts = node.elts
    elif isinstance(node, ast.Dict):
        parts = node.values
    return {ast.unparse(one) for one in parts}


def _compared(frame: Frame, node: ast.AST) -> frozenset[str]:
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return _counts(frame, node.left) | _counts(frame, node.comparators[0])
    return frozenset()


def _taken_from(frame: Frame, node: ast.AST) -> frozenset[str]:
    """The counts that `x.n -= 1`, `x.n = x.n - 1`, `set("n", left - 1)` and `UPDATE … SET n = n - 1` take from."""
    match node:
        case ast.AugAssign(target=ast.Attribute() | ast.Subscript() as target, op=ast.Sub()):
            return _counts(frame, target) & _COUNTED
        case ast.AugAssign(target=ast.Attribute() | ast.Subscript() as target, op=ast.Add()):
            return _counts(frame, target) & _FILLED
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript() as target], value=value):
            return _counts(frame, target) & _lessened(frame, value)
        case ast.Call(func=ast.Attribute(attr="set" | "hset" | "put"), args=[key, *_, value]):
            return _lessened(frame, value) & _words_of(key)
        case ast.Call(args=[ast.Constant(value=str(statement)), *_]):
            found = _LESSENS.search(statement)
            held = found and re.search(rf"\bwhere\b.*\b{found[1]}\s*>", statement, re.IGNORECASE | re.DOTALL)
            if found is None:
                return _put(frame, statement, node.args[1:])
            return frozenset() if held else _COUNTED & frozenset(words(found[1]))
    return frozenset()


def _put(frame: Frame, statement: str, given: Sequence[ast.expr]) -> frozenset[str]:
    """The count that `UPDATE … SET n = ?` gets the rest of, where it does not ask again whether enough is there."""
    found = _SETS.search(statement)
    if found is None or re.search(rf"\bwhere\b.*\b{found[1]}\s*[>=]", statement, re.IGNORECASE | re.DOTALL):
        return frozenset()
    values = [part for one in given for part in (one.elts if isinstance(one, ast.Tuple | ast.List) else [one])]
    values += [part for one in given if isinstance(one, ast.Dict) for part in one.values]
    return frozenset(words(found[1])).intersection(*[frozenset().union(*(_lessened(frame, one) for one in values))])


def _lessened(frame: Frame, value: ast.expr, hops: int = 3) -> frozenset[str]:
    """The counts from which an expression takes something off, over local names."""
    match value:
        case ast.BinOp(left=left, op=ast.Sub()):
            return _counts(frame, left) & _COUNTED
        case ast.BinOp(left=left, op=ast.Add()):
            return _counts(frame, left) & _FILLED
        case ast.IfExp(body=body, orelse=other):
            return _lessened(frame, body, hops) | _lessened(frame, other, hops)
        case ast.Name() if hops > 0:
            known = only_value(frame, value)
            return _lessened(known[0], known[1], hops - 1) if known is not None else frozenset()
    return frozenset()


def _counts(frame: Frame, node: ast.expr, hops: int = 2) -> frozenset[str]:
    """What an expression counts by its names: a member, a key, a collection, over local names."""
    found: set[str] = set()
    for part in ast.walk(node):
        match part:
            case ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
                found |= _ALL & set(words(name))
            case ast.Constant(value=str(told)) if (chosen := _CHOSEN.match(told)) is not None:
                found |= _COUNTED & set(re.findall("[a-z]+", chosen[1].lower()))
            case ast.Subscript(value=ast.Name(id=name)):
                found |= _COUNTED & {word.removesuffix("s") for word in words(name)}
            case ast.Call(func=ast.Attribute(value=held, attr="get" | "hget"), args=[key, *_]):
                named = words(held.id) if isinstance(held, ast.Name) else ()
                found |= _words_of(key) | (_COUNTED & {word.removesuffix("s") for word in named})
            case ast.Name() if hops > 0:
                known = only_value(frame, part)
                found |= _counts(known[0], known[1], hops - 1) if known is not None else _unpacked(frame, part.id)
    return frozenset(found)


def _unpacked(frame: Frame, name: str) -> frozenset[str]:
    """The count that a name says which gets one part of a row: `(balance,) = cursor.fetchone()`."""
    bound = frame.scope.names.get(name, [])
    rows = [one for one in bound if isinstance(one.statement, ast.Assign) and _is_row(one.statement)]
    return _COUNTED & frozenset(words(name)) if rows and len(rows) == len(bound) else frozenset()


def _is_row(statement: ast.Assign) -> bool:
    value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
    return isinstance(statement.targets[0], ast.Tuple) and isinstance(value, ast.Call)


def _words_of(key: ast.expr) -> frozenset[str]:
    told = [part.value for part in ast.walk(key) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return _COUNTED & frozenset(word for one in told for word in re.findall("[a-z]+", one.lower()))
