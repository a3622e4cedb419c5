"""What the tests of a run assert, whether their supplied source shows it, and which operation they speak of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from evreview.contract.model import Contract
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import AssertedFact
from evreview.evidence.test_results.model import Assertion, Case, RetainedRun
from evreview.workflows.w2.facts import Operation
from evreview.workflows.w2.scope import operations_of, spelled, whole_paths

Added = Mapping[str, list[tuple[Citation, AssertedFact]]]


def added(run: RetainedRun) -> Added:
    """The facts that a wrapper adds, by the test that they are about, each with its place in the wrapper."""
    found: dict[str, list[tuple[Citation, AssertedFact]]] = {}
    for at, fact in enumerate(run.record.record.asserts):
        found.setdefault(fact.test, []).append((run.record.at(f"/asserts/{at}"), fact))
    return found


def asserted(run: RetainedRun, case: Case, facts: Added) -> Iterator[tuple[Assertion, tuple[Citation, ...]]]:
    """Every assertion of a case with the place of the test, and with the wrapper's line where the wrapper states it."""
    here = run.at(case.locator)
    for assertion in case.assertions:
        yield assertion, (here,)
    for place, fact in facts.get(case.id, ()):
        yield _as_assertion(fact, case), (here, place)


def _as_assertion(fact: AssertedFact, case: Case) -> Assertion:
    """A fact of the wrapper; how it ended is how its test ended, whatever the wrapper says."""
    return Assertion(
        operation=fact.operation,
        outcome=case.outcome,
        status=fact.status,
        media_type=fact.media_type or "",
        field=fact.field or "",
        concern=fact.concern,
        expects=fact.expects,
    )


# Whether the source of a test shows what the wrapper of its run says that the test asserts. Nothing runs.


_VERBS: Final = frozenset({"get", "put", "post", "delete", "patch", "head", "options", "trace", "request"})
_READING: Final = frozenset({"get", "head", "options", "trace"})
_MEMBERS: Final[Mapping[str, int]] = {
    "OK": 200,
    "CREATED": 201,
    "ACCEPTED": 202,
    "NON_AUTHORITATIVE_INFORMATION": 203,
    "NO_CONTENT": 204,
    "RESET_CONTENT": 205,
    "PARTIAL_CONTENT": 206,
    "MULTI_STATUS": 207,
    "ALREADY_REPORTED": 208,
    "IM_USED": 226,
    "MULTIPLE_CHOICES": 300,
    "MOVED_PERMANENTLY": 301,
    "FOUND": 302,
    "SEE_OTHER": 303,
    "NOT_MODIFIED": 304,
    "USE_PROXY": 305,
    "TEMPORARY_REDIRECT": 307,
    "PERMANENT_REDIRECT": 308,
    "BAD_REQUEST": 400,
    "UNAUTHORIZED": 401,
    "PAYMENT_REQUIRED": 402,
    "FORBIDDEN": 403,
    "NOT_FOUND": 404,
    "METHOD_NOT_ALLOWED": 405,
    "NOT_ACCEPTABLE": 406,
    "PROXY_AUTHENTICATION_REQUIRED": 407,
    "REQUEST_TIMEOUT": 408,
    "CONFLICT": 409,
    "GONE": 410,
    "LENGTH_REQUIRED": 411,
    "PRECONDITION_FAILED": 412,
    "REQUEST_ENTITY_TOO_LARGE": 413,
    "REQUEST_URI_TOO_LONG": 414,
    "UNSUPPORTED_MEDIA_TYPE": 415,
    "REQUESTED_RANGE_NOT_SATISFIABLE": 416,
    "EXPECTATION_FAILED": 417,
    "IM_A_TEAPOT": 418,
    "MISDIRECTED_REQUEST": 421,
    "UNPROCESSABLE_ENTITY": 422,
    "LOCKED": 423,
    "FAILED_DEPENDENCY": 424,
    "TOO_EARLY": 425,
    "UPGRADE_REQUIRED": 426,
    "PRECONDITION_REQUIRED": 428,
    "TOO_MANY_REQUESTS": 429,
    "REQUEST_HEADER_FIELDS_TOO_LARGE": 431,
    "UNAVAILABLE_FOR_LEGAL_REASONS": 451,
    "INTERNAL_SERVER_ERROR": 500,
    "NOT_IMPLEMENTED": 501,
    "BAD_GATEWAY": 502,
    "SERVICE_UNAVAILABLE": 503,
    "GATEWAY_TIMEOUT": 504,
    "HTTP_VERSION_NOT_SUPPORTED": 505,
    "VARIANT_ALSO_NEGOTIATES": 506,
    "INSUFFICIENT_STORAGE": 507,
    "LOOP_DETECTED": 508,
    "NOT_EXTENDED": 510,
    "NETWORK_AUTHENTICATION_REQUIRED": 511,
}
"""The members of `http.HTTPStatus`; the module itself reaches the network."""
_NUMBERED: Final = re.compile(r"(?<!\d)([1-5]\d\d)(?!\d)")
_IDLE: Final = frozenset({"print", "range", "len", "int", "str", "repr", "sleep", "log", "debug", "info", "randint"})
"""Calls that assert nothing of a number that they are given."""
_ANY_FAILURE: Final = frozenset({"AssertionError", "Exception", "BaseException"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Values = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class TestSource:
    """One supplied file of tests.

    Attributes:
        item: the evidence item.
        text: its content.
    """

    __test__ = False
    item: EvidenceId
    text: str = field(repr=False)

    @cached_property
    def tree(self) -> ast.Module:
        """The file's statements, none when it is no Python."""
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module([], [])

    @cached_property
    def values(self) -> _Values:
        """The statuses that names at the top of the file stand for."""
        return _values(self.tree)

    @cached_property
    def functions(self) -> Mapping[str, list[_Function]]:
        """Every function of the file by its name."""
        found: dict[str, list[_Function]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, _Function):
                found.setdefault(node.name, []).append(node)
        return found


def unshown(test: str, status: int | None, method: str, sources: Iterable[TestSource]) -> str:
    """Why the source of a test does not show a status, "" when it does, or when no source of the test is supplied.

    A status is shown when the test, or a function of its file that it calls, compares something with it. A test that
    only reads asserts nothing about an operation that writes.

    Args:
        test: as the output names it.
        status: that the wrapper says is asserted.
        method: of the operation that it is said to be asserted of.
        sources: the supplied files of tests.
    """
    name = test.partition("[")[0].replace("::", ".").rpartition(".")[2]
    own = [(source, node) for source in sources for node in source.functions.get(name, ())]
    if status is None or not own:
        return ""
    for source, node in own:
        reached = tuple(_reached(node, source))
        if status in {number for each in reached for number in _compared(each, source)}:
            return "" if _may_send(method, reached) else "its source sends no request that could be of the operation"
    return f"its source compares nothing with {status}"


def _reached(node: _Function, source: TestSource) -> Iterator[_Function]:
    """The function, and those of its own file that it calls or takes as fixtures."""
    waiting, seen = [node], {id(node)}
    while waiting:
        current = waiting.pop()
        yield current
        names = {each.id for each in ast.walk(current) if isinstance(each, ast.Name)}
        names |= {each.attr for each in ast.walk(current) if isinstance(each, ast.Attribute)}
        names |= {argument.arg for argument in current.args.args}
        for found in (one for name in sorted(names) for one in source.functions.get(name, ())):
            if id(found) not in seen and not found.name.startswith("test"):
                seen.add(id(found))
                waiting.append(found)


def _compared(node: _Function, source: TestSource) -> Iterator[int]:
    """Statuses that an assertion compares, that a helper is given, or that a parametrised test takes."""
    for decorator in node.decorator_list:
        yield from _numbers(decorator)
    known = {**source.values, **_values(node)}
    for part in _live(node.body):
        yield from _pattern(part.pattern) if isinstance(part, ast.match_case) else _deciding(part, known)


def _live(body: Iterable[ast.stmt]) -> Iterator[ast.expr | ast.match_case]:
    """What a block evaluates: nothing behind its end, below a test that is never true, or where failing is caught."""
    for statement in body:
        match statement:
            case ast.If(test=test):
                never, always = (isinstance(test, ast.Constant) and bool(test.value) is told for told in (False, True))
                if not never:
                    yield from (ast.UnaryOp(ast.Not(), test),) if _fails(statement.body) else ()
                    yield from _live(statement.body)
                if not always:
                    yield from _live(statement.orelse)
            case ast.Try():
                caught = any(_catches(each) for each in statement.handlers)
                yield from () if caught else _live((*statement.body, *statement.orelse))
                yield from (each for handler in statement.handlers for each in _live(handler.body))
                yield from _live(statement.finalbody)
            case ast.With() | ast.AsyncWith():
                yield from () if any(_forgives(item) for item in statement.items) else _live(statement.body)
            case ast.Match():
                yield from statement.cases
                yield from (each for case in statement.cases for each in _live(case.body))
            case ast.While(test=ast.Constant(value=False | 0 | None)):
                yield from _live(statement.orelse)
            case ast.For() | ast.AsyncFor() | ast.While():
                yield from _live((*statement.body, *statement.orelse))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield from _live(statement.body)
            case _:
                yield from (each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.expr))
        if isinstance(statement, ast.Return | ast.Raise | ast.Continue | ast.Break) or _skips(statement):
            return


def _deciding(node: ast.AST, known: _Values, *, turned: bool = False) -> Iterator[int]:
    """The statuses without which an expression does not hold."""
    match node:
        case ast.BoolOp(op=op, values=parts):
            if isinstance(op, ast.And) is not turned:
                yield from (each for part in parts for each in _deciding(part, known, turned=turned))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _deciding(inner, known, turned=not turned)
        case ast.IfExp():
            return
        case ast.Compare(left=left, ops=[op, *_], comparators=others):
            equal = not isinstance(op, ast.NotEq | ast.NotIn | ast.IsNot)
            found = [each for part in (left, *others) for each in _numbers(part, known)] if equal is not turned else []
            one_of = isinstance(op, ast.In | ast.NotIn) and len({each // 100 for each in found}) > 1
            yield from () if one_of else found
        case ast.Call() if not _is_request(node) and _name(node.func) not in _IDLE:
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                yield from _numbers(argument, known, whole=True)
            yield from (each for part in ast.iter_child_nodes(node) for each in _deciding(part, known))
        case _:
            yield from (each for part in ast.iter_child_nodes(node) for each in _deciding(part, known, turned=turned))


def _pattern(node: ast.pattern) -> Iterator[int]:
    return _numbers(node, {})


def _numbers(node: ast.AST, known: _Values = MappingProxyType({}), *, whole: bool = False) -> Iterator[int]:
    """The statuses that an expression names: numbers, `HTTPStatus.CONFLICT`, `HTTP_409_CONFLICT`, names for them."""
    for inner in [node] if whole else ast.walk(node):
        if isinstance(inner, ast.Constant) and type(inner.value) is int:
            yield inner.value
        name = _name(inner)
        if name in _MEMBERS:
            yield _MEMBERS[name]
        elif found := _NUMBERED.search(name.replace("_", " ")):
            yield int(found[1])
        elif isinstance(inner, ast.Name):
            yield from known.get(name, ())


def _values(node: ast.AST) -> _Values:
    """What names are given in a file's first level or in a function, as far as it is a status or several."""
    found: dict[str, tuple[int, ...]] = {}
    for inner in ast.iter_child_nodes(node) if isinstance(node, ast.Module) else ast.walk(node):
        match inner:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = (*found.get(name, ()), *_plain(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = (*found.get(name, ()), *_plain(value))
            case ast.For(target=ast.Name(id=name), iter=value):
                found[name] = (*found.get(name, ()), *_plain(value))
            case _:
                continue
    return found


def _plain(node: ast.expr) -> tuple[int, ...]:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return tuple(each for part in parts for each in _numbers(part, whole=True))


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _fails(body: Iterable[ast.stmt]) -> bool:
    """True for a block that fails the test."""
    return any(
        isinstance(each, ast.Raise)
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) and _name(each.value.func) == "fail")
        for each in body
    )


def _skips(statement: ast.stmt) -> bool:
    called = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(called, ast.Call) and _name(called.func) in ("skip", "skipTest", "xfail", "exit")


def _catches(handler: ast.ExceptHandler) -> bool:
    """True for a handler that takes a failed assertion and goes on."""
    names = {_name(each) for each in ast.walk(handler.type)} if handler.type else _ANY_FAILURE
    return bool(names & _ANY_FAILURE) and not _fails(handler.body)


def _forgives(item: ast.withitem) -> bool:
    """True for a block in which a failed assertion is forgotten, or asked for."""
    call = item.context_expr
    if not isinstance(call, ast.Call) or _name(call.func) not in ("suppress", "raises", "assertRaises"):
        return False
    return any(_name(argument) in _ANY_FAILURE for argument in call.args)


def _is_request(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr.lower() in _VERBS


def _may_send(method: str, functions: Iterable[_Function]) -> bool:
    """False when every request that the functions are seen to make only reads, and the operation is one that writes."""
    if method.lower() in _READING:
        return True
    sent = {
        inner.func.attr.lower()
        for each in functions
        for inner in ast.walk(each)
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and _is_request(inner)
    }
    return not sent or bool(sent - _READING)


# Which operation a test speaks of: an operation id, a method with a template, or a method with a concrete path.


NONE = "the contract has no such operation"
SEVERAL = "its path fits several operations of the contract alike"


@dataclass(frozen=True, slots=True)
class Traced:
    """The operation, or why there is none."""

    operation: Operation | None = None
    reason: str = ""


class Tracing:
    """The operations of a contract by everything that tests call them."""

    def __init__(self, contract: Contract) -> None:
        self._by_name: dict[str, list[Operation]] = {}
        self._by_shape: dict[tuple[str, str], Operation] = {}
        self._templates: dict[tuple[str, int], list[tuple[tuple[str, ...], Operation]]] = {}
        for operation in operations_of(contract):
            self._by_name.setdefault(operation.id, []).append(operation)
            if operation.operation_id:
                self._by_name.setdefault(operation.operation_id, []).append(operation)
            for path in whole_paths(contract, operation):
                shape = spelled(path)
                self._by_shape.setdefault((operation.method, shape), operation)
                parts = tuple(shape.split("/"))
                self._templates.setdefault((operation.method, len(parts)), []).append((parts, operation))

    def named(self, name: str) -> Traced:
        """The operation of an assertion: `getOrder`, `GET /orders/{id}` or `GET /orders/ord_1`."""
        found = self._by_name.get(name, [])
        if found:
            return Traced(found[0]) if len(found) == 1 else Traced(reason="several operations have this operation id")
        method, _, path = " ".join(name.split()).partition(" ")
        if not path.startswith("/"):
            return Traced(reason=NONE)
        alike = self._by_shape.get((method.upper(), spelled(path)))
        return Traced(alike) if alike is not None else self.sent(method, path)

    def sent(self, method: str, path: str) -> Traced:
        """The operation of a request; the template wins that is literal wherever another one is."""
        path = path.partition("?")[0]
        for text in dict.fromkeys((path, path.rstrip("/") or "/")):
            parts = tuple(unquote(part) for part in text.split("/"))
            fitting = [each for each in self._templates.get((method.upper(), len(parts)), ()) if _fits(each[0], parts)]
            if fitting:
                return _most_literal(fitting)
        return Traced(reason=NONE)


def _fits(template: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    return all(_segment(one, other) for one, other in zip(template, parts, strict=True))


def _segment(template: str, text: str) -> bool:
    """True when a segment fits; one with text beside its variable fits when that text stands around something."""
    if "{}" not in template:
        return template == text
    first, *rest = template.split("{}")
    if not text.startswith(first) or len(text) <= len(template.replace("{}", "")):
        return False
    at = len(first)
    for literal in rest[:-1]:
        at = text.find(literal, at + 1)
        if at < 0:
            return False
        at += len(literal)
    return text.endswith(rest[-1]) and len(text) - len(rest[-1]) > at


def _most_literal(fitting: Iterable[tuple[tuple[str, ...], Operation]]) -> Traced:
    ranked = [(tuple("{}" in part for part in parts), operation) for parts, operation in fitting]
    for variables, operation in ranked:
        others = [other for other, there in ranked if there is not operation]
        if variables not in others and all(_at_least_as_literal(variables, other) for other in others):
            return Traced(operation)
    return Traced(reason=SEVERAL)


def _at_least_as_literal(one: tuple[bool, ...], other: tuple[bool, ...]) -> bool:
    return all(mine <= theirs for mine, theirs in zip(one, other, strict=True))
