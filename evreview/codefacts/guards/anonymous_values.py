"""What expressions come to for a caller who may not come in: known forms only, everything else is open.

Such a caller sends credentials, though none that fit: asking whether some are there decides nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from evreview.codefacts.asgi.security_schemes import scheme_of
from evreview.codefacts.constants import constant
from evreview.codefacts.guards.bypass import CREDENTIAL, key_of
from evreview.codefacts.model import AccessKind
from evreview.codefacts.modules import FUNCTIONS, Scope, last_name
from evreview.codefacts.names import Definition, External, Modules
from evreview.core.vocabulary import ABSENT

# Words in names by which checks of callers are told: who calls, what asks, what is true for some callers only.


REQUESTS: Final = frozenset({"request", "req", "scope", "conn", "connection", "websocket", "info"})
CALLERS: Final = re.compile(
    r"(^|_|\.)(user|users?_?id|username|principal|identity|caller|claims|actor|viewer|requester|me|auth|account|subject|member"
    r"|operator|session|payload|profile|staff|admin|login|logged_in|signed_in|state|g|who|owner_of|current_\w+)$",
    re.IGNORECASE,
)
"""Last words of names under which code keeps who calls."""
OF_REQUESTS: Final = frozenset({"user", "auth", "state", "session", "identity", "principal", "claims", "ctx"})
"""What code and frameworks keep on a request once they know who calls."""
SIGNED: Final = ("flask.session", "flask.g", "quart.session", "quart.g", "flask_login.current_user",
                  "flask_jwt_extended.current_user", "flask_security.current_user")  # fmt: skip
PARSING: Final = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "casefold", "split", "rsplit", "partition", "rpartition", "decode",
     "encode", "removeprefix", "removesuffix", "replace", "startswith", "endswith", "isdigit", "isalnum", "isascii",
     "str", "int", "float", "bytes", "list", "dict", "tuple", "set", "len", "b64decode", "urlsafe_b64decode", "loads",
     "unquote", "match", "fullmatch", "search", "get_unverified_header", "get_unverified_claims", "get_json", "json",
     "isinstance", "type", "sorted", "min", "max", "zip", "enumerate", "format", "join", "title", "getlist", "keys",
     "items", "values", "parse", "get_authorization_scheme_param"}
)  # fmt: skip
"""Calls whose outcome is still what the caller sent."""
SHAPES: Final = frozenset({"len", "int", "float", "startswith", "endswith", "isdigit", "isalnum", "isascii", "match",
                            "fullmatch", "search", "isinstance", "type", "min", "max"})  # fmt: skip
"""Those of them that tell a form only."""
PLAIN: Final = ("builtins", "json", "orjson", "base64", "binascii", "urllib", "re", "html", "fastapi", "codecs")
YES: Final = re.compile(
    r"^(compare_digest|checkpw|can|may|owns|grants?|check_?\w*|((is|has|user|token|key|request)_)?(valid|verif|authenti"
    r"|authoriz|authoris|allow|permit|logged_in|signed_in|admin|staff|superuser|owner|member|perm|role|scope|right)\w*)$"
    r"|^(can|may|has|owns)_|_(allowed|permitted|authorized|authenticated|valid|verified|ok|admin|access)$",
    re.IGNORECASE,
)
"""Names of calls and members that are true for callers who may come in."""
NO: Final = re.compile(
    r"anonymous|guest|unauth|invalid|mismatch|missing|unknown|foreign|denied|forbidden|bad|wrong|fail|refus|reject",
    re.IGNORECASE,
)
SOME: Final = re.compile(
    r"disabled|locked|block|banned|suspend|deleted|expir|revok|active|enabled|confirmed|limit|rate|busy|old|test|debug",
    re.IGNORECASE,
)
"""Names of what is true for some callers, whether they may come in or not."""
RIGHTS: Final = re.compile(
    r"admin|staff|superuser|role|scope|perm|right|owner|manager|moderator|editor|operator|support|internal|can_|may_|has_"
    r"|is_|allow|group|privileg|author|access|grant|member",
    re.IGNORECASE,
)
CLOSED: Final = re.compile(r"private|hidden|restricted|confidential|secret|protected|draft", re.IGNORECASE)
OPENED: Final = re.compile(r"public|published|shared|visible", re.IGNORECASE)
SCHEMES: Final = frozenset({"bearer", "basic", "digest", "token", "jwt", "apikey", "negotiate", ""})
PREFLIGHT: Final = frozenset({"OPTIONS", "HEAD", "TRACE"})


Flag = Literal["sent", "credential", "caller", "request", "constant"]
"""Chosen by the caller; chosen and meant to show who calls; made of what was verified; the request; a constant."""


_SENT: Final[frozenset[Flag]] = frozenset({"sent"})
_MEANT: Final[frozenset[Flag]] = frozenset({"credential"})


@dataclass(frozen=True, slots=True)
class AbstractValue:
    """What an expression comes to: true, false or open, and what it is made of."""

    truth: bool | None = None
    flags: frozenset[Flag] = frozenset()

    @property
    def shows(self) -> bool:
        """True for what tells who calls, or is meant to."""
        return bool(self.flags & {"caller", "credential"})

    @property
    def sent(self) -> bool:
        """True for what the caller chooses."""
        return "sent" in self.flags


MOST: Final = 20_000
"""Expressions looked at for one function; code that was written to branch without end is open from there."""
OPEN: Final = AbstractValue()
NOTHING: Final = AbstractValue(False, frozenset({"constant"}))
State = dict[str, AbstractValue]


def joined(values: Iterable[AbstractValue]) -> AbstractValue:
    """One of several: true or false only where all are."""
    kept = list(values)
    truths = {one.truth for one in kept}
    flags: frozenset[Flag] = frozenset().union(*(one.flags for one in kept))
    return AbstractValue(truths.pop() if len(truths) == 1 else None, flags)


@dataclass(slots=True)
class AbstractValues:
    """Tells values in one way through functions.

    Attributes:
        named: names of arguments that stand for values of the request.
        returned: what a supplied function gives that caller, None where it is not followed.
        left: how many expressions may still be asked for.
    """

    modules: Modules
    kind: AccessKind
    named: frozenset[str] = frozenset()
    returned: Callable[[Scope, ast.Call, State], AbstractValue | None] = field(default=lambda *_: None)
    left: int = MOST

    @property
    def who(self) -> AbstractValue:
        """Who calls: nobody known, or somebody known without a right."""
        return WHO if self.kind == "authentication" else AbstractValue(None, WHO.flags)

    def of(self, scope: Scope, node: ast.expr | None, state: State) -> AbstractValue:
        """The value of an expression; open once too many were asked for."""
        self.left -= 1
        if self.left < 0:
            return OPEN
        match node:
            case None:
                return NOTHING
            case ast.Constant(value=value):
                return AbstractValue(bool(value), frozenset({"constant"}))
            case ast.Name():
                return self._name(scope, node, state)
            case ast.Await(value=inner) | ast.Starred(value=inner):
                return self.of(scope, inner, state)
            case ast.NamedExpr(target=ast.Name(id=name), value=inner):
                state[name] = self.of(scope, inner, state)
                return state[name]
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner_value = self.of(scope, operand, state)
                return AbstractValue(None if inner_value.truth is None else not inner_value.truth, inner_value.flags)
            case ast.BoolOp(op=op, values=parts):
                return self._several([self.of(scope, part, state) for part in parts], isinstance(op, ast.Or))
            case ast.IfExp(test=test, body=body, orelse=other):
                told = self.of(scope, test, state).truth
                both = [self.of(scope, body, state), self.of(scope, other, state)]
                return joined(both) if told is None else both[0 if told else 1]
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(scope, (left, op, right), state)
            case ast.Attribute():
                return self._attribute(scope, node, state)
            case ast.Subscript():
                return self._subscript(scope, node, state)
            case ast.Call():
                return self._call(scope, node, state)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                sides = self.of(scope, left, state), self.of(scope, right, state)
                return AbstractValue("caller" in sides[1].flags or None, sides[0].flags | sides[1].flags)
            case ast.BinOp(op=ast.BitAnd()):
                flags = self._flags(scope, ast.iter_child_nodes(node), state)
                return AbstractValue(False if "caller" in flags else None, flags)
            case ast.GeneratorExp(elt=elt) | ast.ListComp(elt=elt) | ast.SetComp(elt=elt):
                return self._comprehension(scope, elt, node.generators, state)
        return AbstractValue(None, self._flags(scope, ast.iter_child_nodes(node), state))

    def _flags(self, scope: Scope, nodes: Iterable[ast.AST], state: State) -> frozenset[Flag]:
        """What the parts are made of; what is partly no constant is none."""
        found = [self.of(scope, one, state).flags for one in nodes if isinstance(one, ast.expr)]
        flags: frozenset[Flag] = frozenset().union(*found)
        return flags if all("constant" in one for one in found) else flags - {"constant"}

    def _several(self, parts: Sequence[AbstractValue], ends: bool) -> AbstractValue:
        truths = [one.truth for one in parts]
        flags: frozenset[Flag] = frozenset().union(*(one.flags for one in parts)) - {"constant"}
        return AbstractValue(ends if ends in truths else None if None in truths else not ends, flags)

    def _comprehension(
        self, scope: Scope, elt: ast.expr, generators: Sequence[ast.comprehension], state: State
    ) -> AbstractValue:
        inner = dict(state)
        for one in generators:
            flags = self.of(scope, one.iter, state).flags
            inner |= {
                part.id: AbstractValue(None, flags) for part in ast.walk(one.target) if isinstance(part, ast.Name)
            }
            for test in one.ifs:
                if self.of(scope, test, inner).truth is False:
                    return AbstractValue(False, flags)
        return self.of(scope, elt, inner)

    # Names and members

    def _name(self, scope: Scope, node: ast.Name, state: State) -> AbstractValue:
        if node.id in state:
            return state[node.id]
        found = self.modules.lookup(scope, node.id)
        if isinstance(found, External) and found.name in SIGNED:
            return self.who
        if node.id in REQUESTS:
            return AbstractValue(True, frozenset({"request"}))
        value = constant(self.modules, scope, node)
        if value is not ABSENT:
            return AbstractValue(bool(value), frozenset({"constant"}))
        inner = isinstance(found, Definition) and found.scope.kind == "function"
        return self.who if inner and CALLERS.search(node.id) else OPEN

    def argument(self, scope: Scope, one: ast.arg, default: ast.expr | None) -> AbstractValue:
        """What a parameter is that the framework, or a caller that is not followed, fills in."""
        texts = " ".join(ast.unparse(part) for part in (one.annotation, default) if part is not None)
        marked = re.search(r"\b(Depends|Security)\(", texts)
        if marked is not None:
            return (
                AbstractValue(None, frozenset({"sent", "credential"}))
                if self._is_scheme(scope, one, default)
                else self.who
            )
        if re.search(r"\b(Header|Cookie)\(", texts) or CREDENTIAL.search(one.arg):
            return AbstractValue(None, frozenset({"sent", "credential"}))
        if one.arg in REQUESTS or re.search(r"\b\w*(Request|WebSocket|HTTPConnection)\b", texts):
            return AbstractValue(True, frozenset({"request"}))
        if one.arg in ("self", "cls"):
            return OPEN
        if one.arg.lower() in self.named or re.search(r"\b(Query|Path|Body|Form)\(", texts):
            return AbstractValue(None, frozenset({"sent"}))
        return self.who if CALLERS.search(one.arg) else AbstractValue(None, frozenset({"sent"}))

    def _is_scheme(self, scope: Scope, one: ast.arg, default: ast.expr | None) -> bool:
        """True for a parameter that FastAPI's own schemes fill: they look at no more than its form."""
        outer = scope.parent or scope
        for node in (part for top in (one.annotation, default) if top is not None for part in ast.walk(top)):
            if isinstance(node, ast.Call) and last_name(node.func) in ("Depends", "Security"):
                for named in [*node.args[:1], *(word.value for word in node.keywords if word.arg == "dependency")]:
                    found = self.modules.resolve(outer, named)
                    if isinstance(named, ast.Call):
                        found = Definition(named, outer, "", named)
                    if isinstance(found, Definition) and scheme_of(self.modules, found) is not None:
                        return True
        return False

    def _attribute(self, scope: Scope, node: ast.Attribute, state: State) -> AbstractValue:
        name = node.attr
        if name in ("is_authenticated", "is_anonymous"):
            known = name == "is_anonymous" if self.kind == "authentication" else None
            return AbstractValue(known, frozenset({"caller"}))
        if isinstance(node.value, ast.Name) and node.value.id == "self" and name in REQUESTS:
            return AbstractValue(True, frozenset({"request"}))
        held = self.of(scope, node.value, state)
        if "request" in held.flags:
            return self.who if name in OF_REQUESTS else AbstractValue(None, _SENT | _credential(name))
        if "caller" in held.flags:
            return self._right(name)
        if held.sent:
            return AbstractValue(None, held.flags)
        if self.kind == "authorization" and not held.flags:
            return AbstractValue(True if CLOSED.search(name) else False if OPENED.search(name) else None)
        return OPEN

    def _right(self, name: str) -> AbstractValue:
        """A member of who calls: nobody has one, and who is known has none of the rights."""
        if self.kind == "authentication":
            return WHO if not NO.search(name) else AbstractValue(True, WHO.flags)
        if NO.search(name):
            return AbstractValue(True, WHO.flags)
        told = RIGHTS.search(name) and not SOME.search(name)
        return WHO if told else AbstractValue(None, WHO.flags)

    def _subscript(self, scope: Scope, node: ast.Subscript, state: State) -> AbstractValue:
        held, key = self.of(scope, node.value, state), self.of(scope, node.slice, state)
        name = constant(self.modules, scope, node.slice)
        if "request" in held.flags:
            known = isinstance(name, str) and (name in OF_REQUESTS or CALLERS.search(name))
            return self.who if known else AbstractValue(None, _SENT | _credential(str(name)))
        if "caller" in held.flags:
            return self._right(name) if isinstance(name, str) and name is not ABSENT else self.who
        if held.sent:
            told = _credential(name) if isinstance(name, str) and name is not ABSENT else frozenset()
            return AbstractValue(None, held.flags | told)
        return self.who if key.shows else AbstractValue(None, key.flags - {"constant"})

    # Comparisons

    def _compared(self, scope: Scope, parts: tuple[ast.expr, ast.cmpop, ast.expr], state: State) -> AbstractValue:
        left, op, right = parts
        one, other = self.of(scope, left, state), self.of(scope, right, state)
        flags = (one.flags | other.flags) - {"constant"}
        if isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            truth = self._equal(scope, (left, one), (right, other))
            return AbstractValue(truth if truth is None or isinstance(op, ast.Eq | ast.Is) else not truth, flags)
        if isinstance(op, ast.In | ast.NotIn):
            known = ("caller" in other.flags) if not one.shows else not other.sent
            known = known or (self.kind == "authentication" and one.sent and not other.flags)
            return AbstractValue(isinstance(op, ast.NotIn) if known else None, flags)
        if self.kind == "authorization" and ("caller" in one.flags) is not ("caller" in other.flags):
            low = isinstance(op, ast.Lt | ast.LtE)
            return AbstractValue(low if "caller" in one.flags else not low, flags)
        return AbstractValue(None, flags)

    def _equal(
        self, scope: Scope, left: tuple[ast.expr, AbstractValue], right: tuple[ast.expr, AbstractValue]
    ) -> bool | None:
        """False for what a caller would have to know or to be; of `x is None`, whether nothing was found."""
        if ast.dump(left[0]) == ast.dump(right[0]):
            return True
        for (node, one), (kept, other) in ((left, right), (right, left)):
            if isinstance(kept, ast.Constant) and kept.value in (None, ""):
                return None if one.truth is None else not one.truth
            if isinstance(kept, ast.Constant) and isinstance(kept.value, bool):
                return None if one.truth is None else one.truth is kept.value
            if _preflight(node, kept):
                return False
            if "caller" in one.flags and not (self.kind == "authorization" and SOME.search(ast.unparse(node))):
                return False
            plain = constant(self.modules, scope, kept)
            scheme = isinstance(plain, str) and plain is not ABSENT and plain.strip().lower() in SCHEMES
            if "credential" in one.flags and not other.sent and not scheme:
                return False
            if self.kind == "authentication" and one.sent and not other.flags:
                return False
        return None

    # Calls

    def _call(self, scope: Scope, call: ast.Call, state: State) -> AbstractValue:
        name = last_name(call.func)
        arguments = [*call.args, *(word.value for word in call.keywords)]
        if name in ("any", "all", "bool") and len(arguments) == 1 and isinstance(call.func, ast.Name):
            return self.of(scope, arguments[0], state)
        if name == "getattr" and len(arguments) > 1 and isinstance(arguments[1], ast.Constant):
            return self._attribute(scope, ast.Attribute(arguments[0], str(arguments[1].value), ast.Load()), state)
        key = key_of(call)
        if key is not None:
            return self._read(scope, call, key)
        own = self.returned(scope, call, state)
        if own is not None:
            return own
        held = self.of(scope, call.func.value, state) if isinstance(call.func, ast.Attribute) else OPEN
        flags = held.flags | self._flags(scope, arguments, state)
        if name == "isinstance" and len(arguments) > 1:
            anonymous = bool(NO.search(ast.unparse(arguments[1])))
            known = anonymous or (self.kind == "authentication" and "caller" in flags)
            return AbstractValue(anonymous if known else None, flags - {"constant"})
        if name in ("is_authenticated", "is_anonymous"):
            return self._attribute(scope, call.func, state) if isinstance(call.func, ast.Attribute) else OPEN
        if "request" in held.flags and name in ("json", "get_json", "form", "body", "text", "post", "read", "get_data"):
            return AbstractValue(None, frozenset({"sent"}))
        found = self.modules.called(scope, call)
        elsewhere = isinstance(found, External) and found.package not in PLAIN
        if name in PARSING and "caller" not in flags and not elsewhere:
            return AbstractValue(None, _SENT if name in SHAPES and flags & _SENT else flags - {"constant", "request"})
        if name == "get" and len(arguments) > 1 and self.of(scope, arguments[1], state).truth:
            return AbstractValue(None, flags - {"constant", "sent"})
        if name == "get" and held.sent and arguments:  # headers of ASGI, by names in bytes
            key = getattr(arguments[0], "value", None)
            named = key.decode("ascii", "replace") if isinstance(key, bytes) else str(key)
            return AbstractValue(None, held.flags | _credential(named))
        return self._outcome(name, flags)

    def _read(self, scope: Scope, call: ast.Call, key: ast.expr) -> AbstractValue:
        """`request.headers.get("Authorization")`."""
        name = constant(self.modules, scope, key)
        shown = re.search(r"\.(headers|cookies|COOKIES|META)$", ast.unparse(call.func).rpartition(".")[0])
        told = _MEANT if shown and name is ABSENT else _credential(str(name))
        return AbstractValue(None, _SENT | told)

    def _outcome(self, name: str, flags: frozenset[Flag]) -> AbstractValue:
        """What a call makes of what it is given: nothing, for who may not come in."""
        made = WHO.flags
        if name[:1].isupper():
            return AbstractValue(True, made if flags & {"caller", "credential"} else flags - {"constant"})
        if SOME.search(name):
            return AbstractValue(None, made)
        if NO.search(name):
            return AbstractValue(True, made)
        if self.kind == "authorization" and "caller" not in flags and not YES.search(name):
            return AbstractValue(
                None, made if flags & {"credential", "request"} or CALLERS.search(name) else frozenset()
            )
        if flags & {"caller", "credential", "request"} or YES.search(name) or CALLERS.search(name):
            return WHO
        return AbstractValue(None, flags - {"constant", "sent"})


WHO: Final = AbstractValue(False, frozenset({"caller"}))


def _credential(name: str) -> frozenset[Flag]:
    return _MEANT if CREDENTIAL.search(name) else frozenset()


def _preflight(node: ast.expr, kept: ast.expr) -> bool:
    """`request.method == "OPTIONS"`: a browser's own question, which leaves no operation open."""
    known = isinstance(kept, ast.Constant) and kept.value in PREFLIGHT
    return known and isinstance(node, ast.Attribute) and node.attr == "method"


def walked(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes below some, without inner functions and classes."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop(0)
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield node
            waiting.extend(ast.iter_child_nodes(node))
