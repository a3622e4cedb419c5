"""Passwords that are kept or compared as a hash that is quick to try."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.names import External
from evreview.core.quoted_text import Text, text
from evreview.workflows.w3.access_control.access_words import says
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import Reading

_QUICK: Final = frozenset({"md4", "md5", "sha", "sha1", "ripemd160"})
_HASHERS: Final = ("MD5PasswordHasher", "UnsaltedMD5PasswordHasher", "SHA1PasswordHasher", "UnsaltedSHA1PasswordHasher")
_SETTING: Final = "PASSWORD_HASHERS"
_PASSWORDS: Final = frozenset({"password", "passwd", "pwd", "passphrase", "passcode", "pw"})
_ELSEWHERE: Final = frozenset({"pwned", "breach", "leaked", "hibp"})
_READERS: Final[Text] = ("who can read the stored hashes",)


def quick_password_hashes(reading: Reading) -> Iterator[Hit]:
    """One hit per quick hash of what is named as a password, and per setting whose first hasher is one."""
    for unit in reading.units:
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                if isinstance(node, ast.Call) and _is_quick(reading, frame, node) and _of_password(frame, node):
                    yield _hit(frame, node, unit.route)
    for scope, statement in reading.modules.statements():
        first = _first_hasher(statement)
        if first is not None and str(constant(reading.modules, scope, first)).rpartition(".")[2] in _HASHERS:
            yield _hit(Frame(scope), statement, "")


def _first_hasher(statement: ast.stmt) -> ast.expr | None:
    """The first of `PASSWORD_HASHERS = […]`, with which Django hashes."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_])):
            return first if name == _SETTING else None
    return None


def _hit(frame: Frame, node: ast.AST, route: str) -> Hit:
    return replace(hit(frame, node, route, text("a password is hashed with a quick hash")), lacks=_READERS)


def _is_quick(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    found = reading.modules.called(frame.scope, call)
    if not isinstance(found, External) or found.package not in ("hashlib", "Crypto", "Cryptodome"):
        return False
    if found.name == "hashlib.new" and call.args:
        kind = constant(reading.modules, frame.scope, call.args[0])
        return isinstance(kind, str) and kind.lower().replace("-", "") in _QUICK
    return bool(_QUICK.intersection(part.lower() for part in found.name.split(".")))


def _of_password(frame: Frame, call: ast.Call) -> bool:
    """True where a name below the arguments is a password's, and none says that leaked ones are asked for."""
    names = [part.id for one in call.args for part in ast.walk(one) if isinstance(part, ast.Name)]
    names += [part.attr for one in call.args for part in ast.walk(one) if isinstance(part, ast.Attribute)]
    keys = [part.value for one in call.args for part in ast.walk(one) if isinstance(part, ast.Constant)]
    names += [one for one in keys if isinstance(one, str) and one.isidentifier()]
    told = {node.attr for node in ast.walk(frame.scope.node) if isinstance(node, ast.Attribute)}
    texts = [node.value for node in ast.walk(frame.scope.node) if isinstance(node, ast.Constant)]
    asked = " ".join([frame.scope.qualname, *told, *(one for one in texts if isinstance(one, str))]).lower()
    return any(says(name, _PASSWORDS) for name in names) and not any(word in asked for word in _ELSEWHERE)
