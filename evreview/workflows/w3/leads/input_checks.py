"""Values of the request that a condition compares with something, or that a call checks: their form is known there."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import Scope, all_given, last_name
from evreview.codefacts.names import Definition
from evreview.core.vocabulary import ABSENT
from evreview.workflows.w3.access_control.request_values import RequestSource, bindings, only_value
from evreview.workflows.w3.access_control.units import CodeUnit, RuleInput

# Tests that turn away what is on a list: whatever is on no list passes them, so they fix nothing.


_LISTED: Final = re.compile(r"block|deny|denied|forbid|\bbad|black|banned|disallow", re.IGNORECASE)
"""Names of lists of what is turned away."""
_ASKING: Final = frozenset({"startswith", "endswith", "match", "search", "fullmatch", "findall"})
_MATCHING_OPERATORS: Final = (ast.In, ast.Eq, ast.Is)
_MISSING: Final = (ast.NotIn, ast.NotEq, ast.IsNot)

Taken = Callable[[Frame, ast.expr], bool]
Texts = Callable[[ast.expr], list[str]]


def denials_of(reading: RuleInput, frame: Frame, sent: Taken) -> tuple[ast.expr, ...]:
    """The parts of a function's tests by which something is turned away when they hold.

    Args:
        sent: whether an expression holds what the caller sends.
    """
    return tuple(
        leaf
        for node in reading.nodes(frame.scope.node)
        if isinstance(node, ast.If) and _turns_away(reading, frame, node.body, sent)
        for leaf in _holding(node.test, True)
    )


def _holding(test: ast.expr, positive: bool) -> Iterator[ast.expr]:
    """The matches in a test that hold, or would have to, where it is `positive`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _holding(operand, not positive)
        case ast.BoolOp(values=parts):
            yield from (leaf for part in parts for leaf in _holding(part, positive))
        case ast.Call(func=ast.Name(id="any" | "all"), args=[ast.GeneratorExp(elt=elt) | ast.ListComp(elt=elt)]):
            yield from _holding(elt, positive)
        case ast.Compare(ops=[op]) if isinstance(op, _MATCHING_OPERATORS if positive else _MISSING):
            yield test
        case ast.Call(func=function) if positive and last_name(function) in _ASKING:
            yield test


def _turns_away(reading: RuleInput, frame: Frame, body: Sequence[ast.stmt], sent: Taken) -> bool:
    """True for lines that end without what was sent: a refusal, `return False`, `to = "/"`."""
    match body[-1]:
        case ast.Raise():
            return True
        case ast.Return(value=value):
            accepts = isinstance(value, ast.Constant) and value.value is True
            return value is None or not (accepts or sent(frame, value))
        case ast.Assign(targets=[ast.Name()], value=ast.Constant(value=value)):
            return value is not True
        case ast.Expr(value=ast.Call(func=function)):
            return last_name(function) in ("abort", "send_error") or bool(reading.denials.of(frame, body))
    return False


def lists_hosts(leaf: ast.expr, texts: Texts, rooted: bool) -> bool:
    """True where what is turned away are listed hosts or beginnings; a sign that no host may hold is a rule.

    Args:
        rooted: what is sent has to begin with `/`: then two of them are all that is left to turn away.
    """
    listed = _listed(leaf, texts)
    if rooted and any(one in ("//", "/") for one in listed):
        return False
    if isinstance(leaf, ast.Call) and last_name(leaf.func) not in ("startswith", "endswith"):
        return bool(listed) and not any("[^" in one for one in listed)
    return any(one.strip() for one in listed) or bool(_LISTED.search(ast.unparse(leaf)))


def lists_files(leaf: ast.expr, texts: Texts) -> bool:
    """True where a step upwards, or another folder, is not among what is turned away."""
    listed = _listed(leaf, texts)
    inside = isinstance(leaf, ast.Compare) and isinstance(leaf.ops[0], ast.In | ast.NotIn)
    if isinstance(leaf, ast.Call) and last_name(leaf.func) not in ("startswith", "endswith"):
        return False
    return bool(listed) and not (inside and any(one in ("..", "../", "/", "\\") for one in listed))


def _listed(leaf: ast.expr, texts: Texts) -> list[str]:
    """The texts that a value is asked for."""
    match leaf:
        case ast.Compare(left=left, comparators=[right]):
            return texts(left) or texts(right)
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=[told, *_]):
            return texts(told)
        case ast.Call(args=[told, _, *_]):
            return texts(told)
        case ast.Call(func=ast.Attribute(value=held)):
            return texts(held)
    return []


# Tests that keep nothing from its use: those on which only a log hangs, and those that come after it.


_TELLING: Final = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "log", "print", "bind", "flash"}
)
_ANSWERING: Final = frozenset(
    {"startswith", "endswith", "is_relative_to", "match", "fullmatch", "search", "isalnum", "isdigit", "isidentifier"}
)
"""Calls that say yes or no and raise nothing."""


@dataclass(frozen=True, slots=True)
class ValueUse:
    """Where a value is used: the function, and the last line of the statement; None where it may come round again."""

    scope: Scope
    last: int | None


def use_of(reading: RuleInput, frame: Frame, node: ast.expr) -> ValueUse:
    """Where an expression of a function stands."""
    line = node.lineno
    around = [
        one
        for one in reading.nodes(frame.scope.node)
        if isinstance(one, ast.stmt) and one.lineno <= line <= (one.end_lineno or one.lineno)
    ]
    if any(isinstance(one, ast.For | ast.AsyncFor | ast.While) for one in around):
        return ValueUse(frame.scope, None)
    simple = [one.end_lineno or one.lineno for one in around if not hasattr(one, "body")]
    return ValueUse(frame.scope, max(simple, default=node.end_lineno or line))


def keeping(reading: RuleInput, frame: Frame, use: ValueUse | None) -> Iterator[ast.AST]:
    """The nodes of a function that may keep a value from its use."""
    told = only_told(reading, frame)
    last = use.last if use is not None and use.scope is frame.scope else None
    for node in reading.nodes(frame.scope.node):
        if id(node) not in told and (last is None or getattr(node, "lineno", 0) <= last):
            yield node


def only_told(reading: RuleInput, frame: Frame) -> frozenset[int]:
    """What stands in tests after which the function goes on with no more than a line of a log."""
    key = f"only told {id(frame.scope.node)}"
    if key not in reading.kept:
        reading.kept[key] = frozenset(id(part) for one in _idle(reading, frame) for part in ast.walk(one))
    return reading.kept[key]  # type: ignore[return-value]


def _idle(reading: RuleInput, frame: Frame) -> Iterator[ast.AST]:
    nodes = reading.nodes(frame.scope.node)
    told = [node for node in nodes if isinstance(node, ast.If) and not node.orelse and _tells(node.body)]
    yield from told
    within = {id(part) for one in told for part in ast.walk(one)}
    used = {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in within
    }
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in used:
                yield from (one for one in ast.walk(value) if _answers(one))
            case ast.Expr(value=value) if _answers(value):
                yield value
            case ast.Try(body=[ast.Expr(value=value)], handlers=handlers, orelse=[]) if handlers:
                if all(_tells(one.body) for one in handlers):
                    yield value


def _answers(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) or (isinstance(node, ast.Call) and last_name(node.func) in _ANSWERING)


def _tells(body: list[ast.stmt]) -> bool:
    return all(_is_line(one) for one in body)


def _is_line(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=function)):
            return last_name(function) in _TELLING
    return False


_CHECKING: Final = re.compile(
    r"valid|(?<!mark_)safe(?!string)|allow|check|relative_to|commonpath|commonprefix|startswith|endswith|^(full)?match$"
    r"|verify|permitted|trusted|isalnum|isdigit|isidentifier|ensure|require|sanit|clean",
    re.IGNORECASE,
)
"""Names of calls that look at what a value is."""
_BEGINS: Final = ("/", "http", "http:", "https:", "http://", "https://")
_PATTERN_CALLS: Final = frozenset({"match", "search", "fullmatch"})
_OPENING: Final = re.compile(r"(\^|\\A)?(/|https?:(//)?)(\.[*+]\$?|\[[^\]]*/[^\]]*\][*+]\$?)?")
"""Patterns that ask how a text begins and let a host pass behind it."""
_HOST: Final = re.compile(r"host|netloc|domain|authority", re.IGNORECASE)
_BARE: Final = re.compile(r"(https?:)?(//)?[\w-]+(\.[\w-]+)+(:\d+)?\Z|https?://[\w-]+\Z")
"""A host behind which a text may go on: `https://example.com`, which `https://example.com.evil` begins with."""
_BEHIND: Final = re.compile(r"[$/)](\.[*+])?\)?[$]?\Z|\(\?:?[^)]*[$/][^)]*\)|\[/")
"""The end of a pattern that fixes where a host ends."""
_PLAIN_PATHS: Final = frozenset({"abspath", "realpath", "normpath", "str", "fspath"})
"""Calls whose outcome ends with no separator."""
_HOPS: Final = 4


def checked(reading: RuleInput, unit: CodeUnit, use: ValueUse | None = None) -> frozenset[RequestSource]:
    """The values that are compared with what the caller does not choose, or given to a call that checks them.

    Args:
        use: where a value is used: what comes after it, in the same function, or hangs a log on it only, is no check.
    """
    found: set[RequestSource] = set()
    for frame in unit.frames:
        for node in keeping(reading, frame, use):
            for looked in _looked_at(reading, frame, node):
                found.update(reached(reading, frame, looked))
    return frozenset(found)


def host_checked(reading: RuleInput, unit: CodeUnit, use: ValueUse | None = None) -> frozenset[RequestSource]:
    """The same for where an answer leads: that a text starts with `/` or `http` says nothing about its host.

    What a supplied function is called says nothing either: what it compares does.
    """
    found: set[RequestSource] = set()
    for frame in unit.frames:
        rooted = any(_is_rooted(node) for node in reading.nodes(frame.scope.node))
        denied = _denied(reading, frame, partial(lists_hosts, rooted=rooted))
        for node in keeping(reading, frame, use):
            weak = id(node) in denied or _is_weak(node) or _is_loose(reading, frame, node)
            weak = weak or _is_of_scheme(node) or _is_read_itself(reading, frame, node)
            looked = [] if weak else [*_looked_at(reading, frame, node), *_hosts(reading, frame, node, denied)]
            for one in looked:
                found.update(reached(reading, frame, one))
    return frozenset(found)


def path_checked(
    reading: RuleInput, unit: CodeUnit, use: ValueUse | None = None, *, beside: bool = True
) -> frozenset[RequestSource]:
    """The same for names of files: a common prefix is no folder, and a name that still holds `..` says nothing.

    Args:
        beside: a beginning without a separator, which a folder beside the one meant has as well, counts.
    """
    found: set[RequestSource] = set()
    for frame in unit.frames:
        denied = _denied(reading, frame, lists_files)
        for node in keeping(reading, frame, use):
            weak = id(node) in denied or _is_prefix(frame, node) or (not beside and _is_cut(reading, frame, node))
            for one in [] if weak else _looked_at(reading, frame, node):
                found.update(reached(reading, frame, one))
    return frozenset(found)


def _is_cut(reading: RuleInput, frame: Frame, node: ast.AST) -> bool:
    """`full.startswith("/srv/files")`: `/srv/files-of-others` begins so as well."""
    match node:
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[prefix]):
            known = only_value(frame, prefix) if isinstance(prefix, ast.Name) else None
            where, made = known if known is not None else (frame, prefix)
            if isinstance(made, ast.Call) and last_name(made.func) in _PLAIN_PATHS:
                return True
            return any("/" in one and not one.endswith("/") for one in _texts(reading, where, made))
    return False


def _denied(reading: RuleInput, frame: Frame, listed: Callable[[ast.expr, Texts], bool]) -> frozenset[int]:
    """What a function's lists turn away, with all parts of these tests, by identity."""

    def sent(where: Frame, node: ast.expr) -> bool:
        return bool(reached(reading, where, node))

    def texts(node: ast.expr) -> list[str]:
        return _texts(reading, frame, node)

    leaves = [leaf for leaf in denials_of(reading, frame, sent) if listed(leaf, texts)]
    return frozenset(id(part) for leaf in leaves for part in ast.walk(leaf))


def _is_rooted(node: ast.AST) -> bool:
    """`to.startswith("/")`, `to[0] == "/"`: what begins so leads to another host only behind two slashes."""
    match node:
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Constant(value="/")]):
            return True
        case ast.Compare(left=ast.Subscript(), comparators=[ast.Constant(value="/")]):
            return True
    return False


def _is_of_scheme(node: ast.AST) -> bool:
    """`urlsplit(url).scheme not in ("http", "https")`: any host has one of these."""
    return isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute) and node.left.attr == "scheme"


def _is_prefix(frame: Frame, node: ast.AST) -> bool:
    """`commonprefix([path, ROOT]) != ROOT`, and `join(ROOT, name).startswith(ROOT)` of what nobody has made plain."""
    match node:
        case ast.Compare(left=ast.Call(func=function)) | ast.Call(func=function) if (
            last_name(function) == "commonprefix"
        ):
            return True
        case ast.Call(func=ast.Attribute(value=held, attr="startswith"), args=[_]):
            return _holds_steps(frame, held)
        case ast.Call(func=ast.Attribute(value=held, attr="is_relative_to" | "relative_to")):
            return _holds_steps(frame, held)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute(value=held, attr="parents")]):
            return _holds_steps(frame, held)
    return False


def _holds_steps(frame: Frame, held: ast.expr) -> bool:
    """True for a name put together below a folder in which `..` still stands as it was sent."""
    known = only_value(frame, held) if isinstance(held, ast.Name) else None
    match known[1] if known is not None else held:
        case (
            ast.Call(func=ast.Name(id="str"), args=[inner]) | ast.Call(func=ast.Attribute(attr="fspath"), args=[inner])
        ):
            return _holds_steps(frame, inner)
        case ast.Call(func=ast.Attribute(value=inner, attr="as_posix"), args=[]):
            return _holds_steps(frame, inner)
        case ast.BinOp(op=ast.Div()):
            return True
        case ast.Call(func=function, args=[_, *others]):
            return last_name(function) == "joinpath" or (last_name(function) == "join" and bool(others))
    return False


def _is_weak(node: ast.AST) -> bool:
    """`to.startswith("/")`, `to[0] == "/"`, `to.startswith("http")`: a host behind two slashes passes them."""
    match node:
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Constant(value=str(begin))]):
            return begin in _BEGINS
        case ast.Call(func=function, args=[ast.Constant(value=str(pattern)), _]) if (
            last_name(function) in _PATTERN_CALLS
        ):
            return bool(_OPENING.fullmatch(pattern))
        case ast.Compare(left=ast.Constant(value=str(part)), ops=[ast.In() | ast.NotIn()]):
            return part in _BEGINS or part == "://"
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Tuple(elts=parts)]):
            return all(isinstance(one, ast.Constant) and one.value in _BEGINS for one in parts)
        case ast.Compare(left=ast.Subscript(slice=ast.Constant(value=0)), comparators=[ast.Constant(value="/")]):
            return True
        case ast.Compare(left=ast.Subscript(slice=ast.Slice(upper=ast.Constant(value=1))), comparators=[_]):
            return True
        case ast.Subscript(slice=ast.Constant(value=0)) | ast.Subscript(slice=ast.Slice()):
            return True
    return False


def _is_read_itself(reading: RuleInput, frame: Frame, node: ast.AST) -> bool:
    found = reading.modules.called(frame.scope, node) if isinstance(node, ast.Call) else None
    return isinstance(found, Definition) and isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef)


def _is_loose(reading: RuleInput, frame: Frame, node: ast.AST) -> bool:
    """Tests of a host that another host passes: `endswith("example.com")`, `"example.com" in url`, a bare pattern."""
    match node:
        case ast.Call(func=ast.Attribute(value=held, attr="endswith"), args=[suffix]):
            told = _texts(reading, frame, suffix)
            whole = not _HOST.search(ast.unparse(held)) and any("/" not in one for one in told)
            return bool(told) and (whole or any(one[:1] not in (".", "/", "@") for one in told))
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[prefix]):
            return any(_BARE.match(one) for one in _texts(reading, frame, prefix))
        case ast.Call(func=ast.Attribute(attr="find" | "count" | "index" | "rfind")):
            return True
        case ast.Compare(left=ast.Call(func=ast.Attribute(attr="find" | "count" | "index" | "rfind"))):
            return True
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[held]):
            named = any(_BARE.match(one) for one in _texts(reading, frame, left))
            return named and bool(reached(reading, frame, held))
        case ast.Call(func=function, args=[pattern, *_]) if last_name(function) in _PATTERN_CALLS:
            told = _texts(reading, frame, pattern)
            return any(not _is_bound(one, last_name(function)) for one in told)
    return False


def _is_bound(pattern: str, how: str) -> bool:
    """True for a pattern that fixes a host on both sides."""
    begins = how != "search" or pattern.startswith(("^", "\\A"))
    ends = how == "fullmatch" or pattern.endswith(("$", "\\Z", "/")) or bool(_BEHIND.search(pattern))
    return begins and ends and re.match(r"(\^|\\A)?(https\??:|http:)?(//)?\(?\.[*+]\??(?!\)?\\\.)", pattern) is None


def _texts(reading: RuleInput, frame: Frame, node: ast.expr) -> list[str]:
    """The constant texts that an expression is one of, over tuples and loops; [] where one is not told."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        each = [_texts(reading, frame, one) for one in node.elts]
        return [text for one in each for text in one] if all(each) else []
    value = constant(reading.modules, frame.scope, node)
    if value is ABSENT and isinstance(node, ast.Name):
        for walk in reading.nodes(frame.scope.node):
            if isinstance(walk, ast.comprehension | ast.For) and getattr(walk.target, "id", "") == node.id:
                known = only_value(frame, walk.iter) if isinstance(walk.iter, ast.Name) else None
                held = known[1] if known is not None else walk.iter
                held = held.args[0] if isinstance(held, ast.Call) and len(held.args) == 1 else held
                if isinstance(held, ast.Tuple | ast.List | ast.Set):
                    return _texts(reading, frame, held)
    return [value] if isinstance(value, str) and value is not ABSENT else []


def _hosts(reading: RuleInput, frame: Frame, node: ast.AST, denied: frozenset[int]) -> Iterator[ast.expr]:
    """What a condition, or a function that answers yes or no, asks the host of: `if urlsplit(to).netloc`."""
    tests = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) else []
    if isinstance(node, ast.Return) and isinstance(node.value, ast.BoolOp | ast.UnaryOp | ast.Compare):
        tests = [node.value]
    waiting: list[ast.AST] = [*tests]
    while waiting:
        part = waiting.pop()
        loose = id(part) in denied or _is_weak(part) or _is_loose(reading, frame, part)
        if loose or _is_read_itself(reading, frame, part):
            continue
        if isinstance(part, ast.Attribute) and part.attr in ("netloc", "hostname", "host"):
            yield part.value
        waiting += ast.iter_child_nodes(part)


def _looked_at(reading: RuleInput, frame: Frame, node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left=left, comparators=[right]):
            empty = isinstance(right, ast.Constant) and right.value in (None, "", True, False)
            if not (empty and reading.origins.of(frame, left)) and not (
                reached(reading, frame, left) and reached(reading, frame, right)
            ):
                yield from (left, right)
        case ast.Call(func=function) if _CHECKING.search(last_name(function)):
            yield from all_given(node)
            if isinstance(function, ast.Attribute):
                yield function.value
        case ast.Subscript(slice=key):
            yield key  # only what is listed is found


def reached(reading: RuleInput, frame: Frame, node: ast.expr, hops: int = _HOPS) -> frozenset[RequestSource]:
    """The values below an expression, whatever calls make of them, over local names."""
    found: set[RequestSource] = set(reading.origins.of(frame, node))
    whole = {id(part) for part in _containers(node)}
    for part in ast.walk(node) if hops > 0 else ():
        if id(part) in whole:
            continue
        if isinstance(part, ast.Name):
            found.update(reading.origins.of(frame, part))
            for where, binding in bindings(frame, part):
                value = binding.node if isinstance(binding.node, ast.expr) else None
                if value is not None and value is not node:
                    found |= reached(reading, where, value, hops - 1)
        elif isinstance(part, ast.Call | ast.Subscript | ast.Attribute) and part is not node:
            found.update(reading.origins.of(frame, part))
    return frozenset(found)


def _containers(node: ast.expr) -> Iterator[ast.AST]:
    """`request.args` of `request.args["name"]`: a look at one parameter says nothing of the others."""
    for part in ast.walk(node):
        match part:
            case ast.Subscript(value=held, slice=ast.Constant(value=str())):
                yield held
            case ast.Call(func=ast.Attribute(value=held, attr="get") as function, args=[ast.Constant(value=str()), *_]):
                yield from (held, function)
