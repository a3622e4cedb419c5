"""Texts written in the source that a signing, deciphering or verifying function takes as its key."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.modules import Module
from evreview.codefacts.names import Definition, External, Modules

_LEAST: Final = 8
"""Shorter texts are examples, and no key in use."""
_SECOND: Final = frozenset(
    {"jwt.encode", "jwt.decode", "jose.jwt.encode", "jose.jwt.decode", "jose.jws.sign", "jose.jws.verify",
     "jwt.api_jwt.encode", "jwt.api_jwt.decode", "jose.jwe.decrypt"}
)  # fmt: skip
_FIRST: Final = frozenset(
    {"hmac.new", "hmac.digest", "hmac.HMAC", "cryptography.fernet.Fernet", "itsdangerous.Signer",
     "itsdangerous.TimestampSigner", "itsdangerous.Serializer", "itsdangerous.TimedSerializer",
     "itsdangerous.URLSafeSerializer", "itsdangerous.URLSafeTimedSerializer", "itsdangerous.JSONWebSignatureSerializer",
     "itsdangerous.url_safe.URLSafeTimedSerializer", "Crypto.Cipher.AES.new", "Cryptodome.Cipher.AES.new",
     "cryptography.hazmat.primitives.ciphers.aead.AESGCM", "cryptography.hazmat.primitives.ciphers.algorithms.AES"}
)  # fmt: skip
_WORDS: Final = ("key", "secret", "secret_key")


def literal_keys(modules: Modules) -> Iterator[tuple[Module, int]]:
    """The module and line of every text that a supplied source uses as a key."""
    for scope, statement in modules.statements():
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for call in ast.walk(statement):
            given = _key(modules.called(scope, call), call) if isinstance(call, ast.Call) else None
            while isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "encode":
                given = given.func.value
            if _is_literal(given):
                yield scope.module, given.lineno  # type: ignore[union-attr]
                continue
            found = modules.resolve(scope, given) if given is not None else None
            if isinstance(found, Definition) and _is_literal(found.node):
                yield found.scope.module, getattr(found.node, "lineno", 0)


def _key(called: object, call: ast.Call) -> ast.expr | None:
    """The argument that is the key, None where the call takes none."""
    if not isinstance(called, External) or called.name not in _FIRST | _SECOND:
        return None
    named = [word.value for word in call.keywords if word.arg in _WORDS]
    place = 1 if called.name in _SECOND else 0
    positional = call.args[place] if len(call.args) > place else None
    return next(iter(named), positional)


def _is_literal(node: ast.AST | None) -> bool:
    """True for a text that is long enough, without blanks, and no public key."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str | bytes):
        return False
    value = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
    return len(value) >= _LEAST and "PUBLIC KEY" not in value and not any(sign.isspace() for sign in value.strip())
