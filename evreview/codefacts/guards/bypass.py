"""Ways past a check that the caller chooses: `?debug=1` before it, or a header that no secret stands in."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import FUNCTIONS, Scope, last_name
from evreview.codefacts.names import Definition, Modules, remembered
from evreview.core.vocabulary import ABSENT

_READ: Final = frozenset(
    {"headers", "cookies", "COOKIES", "META", "args", "values", "query_params", "query", "GET", "form", "POST", "json",
     "data"}
)  # fmt: skip
"""Members of a request that hold what the caller sends."""
_REQUEST: Final = re.compile(r"(^|[._])(req|request)$")
CREDENTIAL: Final = re.compile(
    r"authoriz|api-?_?key|(^|[-_.])(key|token|secret|signature|session|sid|jwt|code|otp|ticket|csrf|access-control)"
    r"|password|credential",
    re.IGNORECASE,
)
"""Names of what is compared with something that not everybody knows, and of what browsers send by themselves."""
ABORTING: Final = frozenset({"abort", "redirect"})
_REFUSING: Final = re.compile(r"Forbidden|Unauthorized|Redirect|Denied")
_OTHER: Final = re.compile(
    r"NotFound|Http404|Validation|Invalid|BadRequest|Conflict|Unprocessable|^(Value|Type|Key)Error$"
)
_STATUS: Final = re.compile(r"^HTTP_[1-5][0-9][0-9]_")
_REFUSED: Final = frozenset({301, 302, 303, 307, 308, 401, 403})
_SAME: Final = frozenset({"lower", "upper", "strip", "casefold", "bool", "int", "str"})
_HOPS: Final = 3


def bypass_conditions(modules: Modules, scope: Scope, arguments: Collection[str] = ()) -> tuple[Spot, ...]:
    """The conditions of a function on such a value under which a caller gets by what refuses after them.

    Args:
        scope: the function's.
        arguments: names of its parameters that stand for values of the request.
    """
    return tuple(dict.fromkeys(scope.spot(node) for node in bypass_expressions(modules, scope, arguments)))


def bypass_expressions(modules: Modules, scope: Scope, arguments: Collection[str] = ()) -> tuple[ast.expr, ...]:
    """The same conditions as they are written."""
    named = own_arguments(scope, arguments)
    work = _BypassSearch(modules, scope, named)
    key = f"ways past {id(scope.node)} {' '.join(sorted(named))}"
    return remembered(modules, key, lambda: tuple(work.ways(getattr(scope.node, "body", []))))


def own_arguments(scope: Scope, arguments: Collection[str]) -> frozenset[str]:
    """The names of a function's own parameters that are among those."""
    given = getattr(scope.node, "args", None)
    return (
        frozenset(one.arg.lower() for one in ast.walk(given) if isinstance(one, ast.arg)) & frozenset(arguments)
        if given
        else frozenset()
    )


def unsent_passes(modules: Modules, scope: Scope, arguments: Collection[str]) -> tuple[Spot, ...]:
    """The conditions by which a function lets callers pass who send nothing, before it refuses others."""
    body: list[ast.stmt] = getattr(scope.node, "body", [])
    found: list[Spot] = []
    last = max((place for place, one in enumerate(body) if refuses(modules, scope, one)), default=-1)
    for statement in body[: max(last, 0)]:
        if not isinstance(statement, ast.If):
            continue
        asked = _absent(statement.test)
        named = isinstance(asked, ast.Name) and asked.id.lower() in arguments and _is_argument(scope, asked.id)
        if (named or (asked is not None and key_of(asked) is not None)) and _gives_plain(statement.body):
            found.append(scope.spot(statement.test))
    return tuple(found)


def _absent(test: ast.expr) -> ast.expr | None:
    """`x` of `x is None`, `not x` and `x == ""`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=asked):
            return asked
        case ast.Compare(left=asked, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None | "")]):
            return asked
    return None


def _gives_plain(body: list[ast.stmt]) -> bool:
    """True for a block that returns something that it makes of nothing: None, a constant, `User("anonymous")`."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    calls = [last_name(node.func) for node in nodes if isinstance(node, ast.Call)]
    return _leaves(body) and all(name[:1].isupper() for name in calls)


def refuses(modules: Modules, scope: Scope, statement: ast.stmt) -> bool:
    """True when a statement, or a supplied function that it calls, refuses callers."""

    def found() -> bool:
        return any(
            _denies(node) or (isinstance(node, ast.Call) and _calls_refusal(modules, scope, node))
            for node in ast.walk(statement)
        )

    return remembered(modules, f"refuses {id(statement)}", found)


def _calls_refusal(modules: Modules, scope: Scope, call: ast.Call) -> bool:
    found = modules.called(scope, call)
    if not isinstance(found, Definition) or not isinstance(found.node, FUNCTIONS):
        return False
    node = found.node
    return remembered(modules, f"denies {id(node)}", lambda: any(_denies(one) for one in ast.walk(node)))


class _BypassSearch:
    def __init__(self, modules: Modules, scope: Scope, arguments: frozenset[str]) -> None:
        self._modules = modules
        self._scope = scope
        self._arguments = arguments

    def ways(self, body: list[ast.stmt], refused_after: bool = False) -> Iterator[ast.expr]:
        """The tests of a block, its inner blocks included."""
        last = max((place for place, one in enumerate(body) if self._refuses(one)), default=-1)
        for place, statement in enumerate(body):
            if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                continue
            after = refused_after or place < last
            if isinstance(statement, ast.If):
                ways = (self._before(statement, after), self._beside(statement), self._around(statement, after))
                yield from [statement.test] if any(ways) else []
            for name in ("body", "orelse", "finalbody"):
                yield from self.ways(getattr(statement, name, []), after)

    def _before(self, block: ast.If, refused_after: bool) -> bool:
        """`if debug: return` before what refuses."""
        refused = refused_after or any(self._refuses(one) for one in block.orelse)
        return refused and _leaves(block.body) and self._chosen(block.test, True)

    def _beside(self, block: ast.If) -> bool:
        """`if not debug and not verify(token): raise`."""
        if not direct(block.body) or not isinstance(block.test, ast.BoolOp) or not isinstance(block.test.op, ast.And):
            return False
        chosen = [part for part in block.test.values if self._chosen(part, False)]
        others = [part for part in block.test.values if part not in chosen]
        return bool(chosen) and any(isinstance(node, ast.Call) for part in others for node in ast.walk(part))

    def _around(self, block: ast.If, refused_after: bool) -> bool:
        """`if not debug: check()`, and `if token: check()` where nothing refuses who sends none."""
        checks = not direct(block.body) and any(self._refuses(one) for one in block.body)
        if not checks or any(self._refuses(one) for one in block.orelse):
            return False
        return self._chosen(block.test, False) or (not refused_after and self._unsent(block.test))

    def _unsent(self, test: ast.expr) -> bool:
        """True when sending nothing makes the test false: `if request.headers.get("Authorization"): check()`."""
        match test:
            case ast.BoolOp(op=ast.And(), values=parts):
                return any(self._unsent(part) for part in parts)
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=str(value))]):
                return value != "" and self._is_sent(left)
            case ast.Compare(ops=[ast.In()], comparators=[holder]):
                return _holder(holder)
        return self._is_sent(test)

    def _is_sent(self, node: ast.expr) -> bool:
        """True for any value of the request, credentials too."""
        node = _bare(node)
        if isinstance(node, ast.Name):
            return node.id.lower() in self._arguments and _is_argument(self._scope, node.id)
        return key_of(node) is not None

    def _chosen(self, test: ast.expr, truth: bool) -> bool:
        """True when the caller makes the test so by sending a value."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._chosen(operand, not truth)
            case ast.BoolOp(op=op, values=parts):
                enough = any if isinstance(op, ast.Or) is truth else all
                return enough(self._chosen(part, truth) for part in parts)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(left, op, right, truth)
        return truth and self._is_read(test)

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr, truth: bool) -> bool:
        if isinstance(op, ast.In if truth else ast.NotIn) and _holder(right):
            name = constant(self._modules, self._scope, left)
            return isinstance(name, str) and name is not ABSENT and not CREDENTIAL.search(name)
        if not isinstance(op, (ast.Eq, ast.Is, ast.In) if truth else (ast.NotEq, ast.IsNot, ast.NotIn)):
            return False
        for one, other in ((left, right), (right, left)):
            value = constant(self._modules, self._scope, other)
            if value is not ABSENT and value is not None and value != "" and self._is_read(one):
                return True
        return False

    def _is_read(self, node: ast.expr, hops: int = _HOPS) -> bool:
        """True for a value of the request that by its name is no credential."""
        node = _bare(node)
        if isinstance(node, ast.Name) and hops > 0:
            if node.id.lower() in self._arguments and _is_argument(self._scope, node.id):
                return not CREDENTIAL.search(node.id)
            bindings = self._scope.names.get(node.id, [])
            value = bindings[0].node if len(bindings) == 1 else None
            return isinstance(value, ast.expr) and self._is_read(value, hops - 1)
        key = key_of(node)
        name = constant(self._modules, self._scope, key) if key is not None else ABSENT
        return isinstance(name, str) and name is not ABSENT and not CREDENTIAL.search(name)

    def _refuses(self, statement: ast.stmt) -> bool:
        return refuses(self._modules, self._scope, statement)


def _is_argument(scope: Scope, name: str) -> bool:
    bindings = scope.names.get(name, [])
    return len(bindings) == 1 and isinstance(bindings[0].node, ast.arg)


def _bare(node: ast.expr) -> ast.expr:
    """`request.args.get("x")` of `request.args.get("x").lower()` and of `int(request.args.get("x"))`."""
    while isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _SAME:
            node = node.func.value
        elif isinstance(node.func, ast.Name) and node.func.id in _SAME and len(node.args) == 1:
            node = node.args[0]
        else:
            break
    return node


def _holder(node: ast.expr) -> bool:
    """`request.headers` and its kin."""
    return isinstance(node, ast.Attribute) and node.attr in _READ and bool(_REQUEST.search(ast.unparse(node.value)))


def key_of(node: ast.expr) -> ast.expr | None:
    """`"x"` of `request.args["x"]` and `request.args.get("x")`, None for anything else."""
    match node:
        case ast.Subscript(value=holder, slice=key) if _holder(holder):
            return key
        case ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[key, *_]) if _holder(holder):
            return key
    return None


def _denies(node: ast.AST) -> bool:
    """A raise, an abort or an answer that refuses callers; one that finds their values wrong does not."""
    match node:
        case ast.Raise(exc=ast.Call() as call):
            return _refuses_callers(call, not _OTHER.search(last_name(call.func)))
        case ast.Raise(exc=ast.Name() | ast.Attribute() as raised):
            return not _OTHER.search(last_name(raised))
        case ast.Return(value=ast.Tuple(elts=[_, status, *_])):
            return _status(status) in _REFUSED
        case ast.Call() if last_name(node.func) in ABORTING:
            return _refuses_callers(node, True)
        case ast.Call():
            return _refuses_callers(node, bool(_REFUSING.search(last_name(node.func))))
    return False


def _refuses_callers(call: ast.Call, otherwise: bool) -> bool:
    """By the status that a call states; `otherwise` where it states none."""
    stated = [word.value for word in call.keywords if word.arg in ("status", "status_code", "code")]
    statuses = [status for one in [*stated, *call.args[:2]] if (status := _status(one)) is not None]
    return statuses[0] in _REFUSED if statuses else otherwise


def _status(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)) if 100 <= value <= 599:
            return value
        case ast.Attribute(attr=name) if _STATUS.search(name):
            return int("".join(char for char in name if char.isdigit())[:3])
        case ast.Attribute(attr="UNAUTHORIZED"):
            return 401
        case ast.Attribute(attr="FORBIDDEN"):
            return 403
    return None


def _leaves(body: list[ast.stmt]) -> bool:
    """True for a block that returns an answer or nothing, no error of any kind."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    failing = (isinstance(node, ast.Raise) or _denies(node) or fails(node) for node in nodes)
    return any(isinstance(node, ast.Return) for node in nodes) and not any(failing)


def returns_plainly(body: list[ast.stmt]) -> bool:
    """The same, where no status of an error is written in any way."""
    numbers = (node.value for part in body for node in ast.walk(part) if isinstance(node, ast.Constant))
    return _leaves(body) and not any(isinstance(one, int) and 300 <= one <= 599 for one in numbers)


def fails(node: ast.AST) -> bool:
    """An answer with the status of an error."""
    parts: list[ast.expr] = []
    match node:
        case ast.Return(value=ast.Tuple(elts=[_, *rest])):
            parts = rest[:1]
        case ast.Call(func=called):
            parts = [word.value for word in node.keywords if word.arg in ("status", "status_code")]
            parts += node.args[:2] if last_name(called) in ABORTING else node.args[1:2]
    return any((_status(one) or 0) >= 300 for one in parts)


def direct(body: list[ast.stmt]) -> bool:
    """True for a block that refuses by its own statements, below no further condition."""
    plain = [one for one in body if isinstance(one, ast.Raise | ast.Return | ast.Expr)]
    return any(_denies(node) for statement in plain for node in ast.walk(statement))
