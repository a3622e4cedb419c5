"""Error handlers of Flask apps and blueprints, and what is known of werkzeug's exceptions."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import decorators, is_function
from evreview.codefacts.constants import constant, of, whole
from evreview.codefacts.control_flow import is_kind_of
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition, External, Resolved

EXCEPTIONS: Final = {
    "BadRequest": 400, "Unauthorized": 401, "Forbidden": 403, "NotFound": 404, "MethodNotAllowed": 405,
    "NotAcceptable": 406, "RequestTimeout": 408, "Conflict": 409, "Gone": 410, "LengthRequired": 411,
    "PreconditionFailed": 412, "RequestEntityTooLarge": 413, "RequestURITooLarge": 414, "UnsupportedMediaType": 415,
    "RequestedRangeNotSatisfiable": 416, "ExpectationFailed": 417, "ImATeapot": 418, "UnprocessableEntity": 422,
    "Locked": 423, "FailedDependency": 424, "PreconditionRequired": 428, "TooManyRequests": 429,
    "RequestHeaderFieldsTooLarge": 431, "UnavailableForLegalReasons": 451, "InternalServerError": 500,
    "NotImplemented": 501, "BadGateway": 502, "ServiceUnavailable": 503, "GatewayTimeout": 504,
    "HTTPVersionNotSupported": 505, "BadRequestKeyError": 400,
}  # fmt: skip
"""Status of each class of `werkzeug.exceptions`."""
_BY_STATUS: Final = {status: name for name, status in reversed(EXCEPTIONS.items())}


@dataclass(frozen=True, slots=True)
class Handled:
    """One error handler: for a status or a class, by which function, of which app or blueprint."""

    status: int | None
    cls: Resolved
    function: Definition
    owner: int | None


class ErrorHandlers:
    """Every error handler that the supplied files register."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.all: list[Handled] = []
        for scope, statement in modules.statements():
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                for name, call in decorators(statement):
                    if isinstance(name, ast.Attribute) and name.attr in ("errorhandler", "app_errorhandler") and call:
                        owner = None if name.attr == "app_errorhandler" else modules.resolve(scope, name.value)
                        function = Definition(statement, scope, statement.name, statement)
                        self._add(scope, call.args[:1], function, owner)
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                call = statement.value
                if isinstance(call.func, ast.Attribute) and call.func.attr == "register_error_handler":
                    found = modules.resolve(scope, call.args[1]) if len(call.args) > 1 else None
                    if isinstance(found, Definition) and is_function(found):
                        self._add(scope, call.args[:1], found, modules.resolve(scope, call.func.value))

    def _add(self, scope: object, given: list[ast.expr], function: Definition, owner: Resolved) -> None:
        for one in given:
            status = whole(constant(self.modules, scope, one))  # type: ignore[arg-type]
            cls = None if status is not None else self.modules.resolve(scope, one)  # type: ignore[arg-type]
            blueprint = self.modules.is_a(self.modules.class_of(owner), ("flask", "flask_smorest"), "Blueprint")
            key = id(owner.node) if blueprint and isinstance(owner, Definition) else None
            self.all.append(Handled(status, cls, function, key))

    def for_status(self, status: int, owner: int | None) -> Definition | None:
        """The handler of an aborted status."""
        raised = External(f"werkzeug.exceptions.{_BY_STATUS.get(status, 'HTTPException')}")
        exact = [one for one in self._of(owner) if one.status == status]
        return (exact[0].function if exact else None) or self.for_class(raised, owner)

    def for_class(self, raised: Resolved, owner: int | None) -> Definition | None:
        """The handler of a raised class, that of the nearest class first."""
        ancestry = self.modules.ancestry(raised) if isinstance(raised, Definition) else (raised,)
        for base in ancestry:
            for one in self._of(owner):
                if _same(one.cls, base):
                    return one.function
        status = self.status_of(raised)
        http = [one for one in self._of(owner) if isinstance(one.cls, External) and one.cls.last == "HTTPException"]
        if status is not None and http:
            return http[0].function
        rest = [one for one in self._of(owner) if one.cls is not None and is_kind_of(self.modules, raised, one.cls)]
        return rest[0].function if rest else None

    def status_of(self, raised: Resolved) -> int | None:
        """The status of an HTTP exception, by werkzeug's class or by the `code` that a class states."""
        if isinstance(raised, Definition):
            for base in self.modules.ancestry(raised):
                if isinstance(base, Definition) and self._sets_code(base):
                    return None
                if isinstance(base, External):
                    return self.status_of(base)
                code = whole(of(self.modules, self.modules.member(raised, "code")))
                if code is not None and self.modules.is_a(raised, ("werkzeug",), "HTTPException", *EXCEPTIONS):
                    return code
            return None
        if isinstance(raised, External) and raised.package in ("werkzeug", "flask"):
            return EXCEPTIONS.get(raised.last)
        return None

    def is_answer(self, raised: Resolved) -> bool:
        """True for an HTTP exception of werkzeug's, which Flask answers with its status."""
        return self.modules.is_a(raised, ("werkzeug", "flask"), "HTTPException", *EXCEPTIONS)

    def _sets_code(self, cls: Definition) -> bool:
        """True where objects of a class get a status or an answer of their own: `self.code = code`."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr in ("code", "response")
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            for node in ast.walk(cls.node)
        )

    def _of(self, owner: int | None) -> list[Handled]:
        """The handlers that hold for a blueprint's routes, its own first."""
        return [one for one in self.all if one.owner == owner and owner is not None] + [
            one for one in self.all if one.owner is None
        ]


def _same(left: Resolved, right: Resolved) -> bool:
    if isinstance(left, Definition) and isinstance(right, Definition):
        return left.node is right.node
    return isinstance(left, External) and isinstance(right, External) and left == right
