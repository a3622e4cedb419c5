"""Whether the supplied source of a test shows what the wrapper of its run says that the test asserts. Nothing runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from evreview.vocab import EvidenceId

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
_Function = ast.FunctionDef | ast.AsyncFunctionDef


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
    def functions(self) -> Mapping[str, list[_Function]]:
        """Every function of the file by its name, nothing when it is no Python."""
        try:
            tree = ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return {}
        found: dict[str, list[_Function]] = {}
        for node in ast.walk(tree):
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
        if status in {number for each in reached for number in _compared(each)}:
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


def _compared(node: _Function) -> Iterator[int]:
    """Statuses that an assertion compares, that a helper is given, or that a parametrised test takes."""
    for decorator in node.decorator_list:
        yield from _numbers(decorator)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Compare) and not isinstance(inner.ops[0], ast.NotEq | ast.NotIn | ast.IsNot):
            for part in (inner.left, *inner.comparators):
                yield from _numbers(part)
        elif isinstance(inner, ast.Call) and not _is_request(inner):
            for argument in (*inner.args, *(keyword.value for keyword in inner.keywords)):
                yield from _numbers(argument, whole=True)
        elif isinstance(inner, ast.match_case):
            yield from _numbers(inner.pattern)


def _numbers(node: ast.AST, *, whole: bool = False) -> Iterator[int]:
    """The statuses that an expression names: numbers, `HTTPStatus.CONFLICT`, `HTTP_409_CONFLICT`."""
    for inner in [node] if whole else ast.walk(node):
        if isinstance(inner, ast.Constant) and type(inner.value) is int:
            yield inner.value
        name = inner.attr if isinstance(inner, ast.Attribute) else inner.id if isinstance(inner, ast.Name) else ""
        if name in _MEMBERS:
            yield _MEMBERS[name]
        elif found := _NUMBERED.search(name.replace("_", " ")):
            yield int(found[1])


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
