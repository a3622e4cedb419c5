"""Secrets in the sources: where and of what kind, by the redactor. Never a value."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.model import SourceText, Spot
from evreview.codefacts.modules import Module
from evreview.codefacts.names import Definition, External, Modules
from evreview.core.quoted_text import text
from evreview.redaction.detector import Kind
from evreview.redaction.redactor import Redactor, secret_member
from evreview.workflows.w3.access_control.units import Hit, RuleInput

# Texts written in the source that a signing, deciphering or verifying function takes as its key.


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


_KINDS: Final = frozenset({Kind.SECRET, Kind.CREDENTIAL, Kind.TOKEN})


def secrets_in_source(reading: RuleInput) -> Iterator[Hit]:
    """One hit per line and kind: what the detectors find, and texts that are assigned to a secret's name."""
    modules = {(module.source.item, module.source.path): module for module in reading.modules.all}
    keys = [(id(module), line) for module, line in literal_keys(reading.modules)]
    for source in reading.sources:
        module = modules.get((source.item, source.path))
        texts = _text_lines(module) if module is not None else None
        found: dict[int, str] = {}
        for finding in Redactor.over([(source.path, source.text)]).findings:
            for line in finding.lines if finding.kind in _KINDS else ():
                if texts is None or line in texts or _is_comment(source, line):
                    found.setdefault(line, str(finding.kind))
        for line, kind in _named(module) if module is not None else ():
            found.setdefault(line, kind)
        for line in (line for of, line in keys if of == id(module)):
            found.setdefault(line, str(Kind.SECRET))
        starts = _symbols(module) if module is not None else []
        for line, kind in sorted(found.items()):
            yield Hit(
                path=source.path, symbol=_symbol(starts, line), spot=Spot(source.item, line, line, source.path),
                order=(line, 0), route="", says=text(f"a {kind} written in the source"),
            )  # fmt: skip


def _text_lines(module: Module) -> frozenset[int]:
    """The lines on which a text stands that is no part of a documentation."""
    found: set[int] = set()
    told = {id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in told:
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(found)


def _is_comment(source: SourceText, line: int) -> bool:
    lines = source.text.splitlines()
    return 1 <= line <= len(lines) and lines[line - 1].lstrip().startswith("#")


def _named(module: Module) -> Iterator[tuple[int, str]]:
    """Texts that are given to a name, an argument or a key which says that its value is secret."""
    for node in ast.walk(module.tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=value):
                yield from _secret(name, value)
            case ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name), value=ast.expr() as value):
                yield from _secret(name, value)
            case ast.keyword(arg=str(name), value=value):
                yield from _secret(name, value)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
                yield from _beside(left, right)
            case ast.Call(func=ast.Attribute(attr="compare_digest"), args=[left, right]):
                yield from _beside(left, right)
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield from _secret(key.value, value)


def _beside(left: ast.expr, right: ast.expr) -> Iterator[tuple[int, str]]:
    """A text that a secret's name is compared with."""
    for named, value in ((left, right), (right, left)):
        match named:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield from _secret(name, value)


def _secret(name: str, value: ast.expr) -> Iterator[tuple[int, str]]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        for found in secret_member(name, value.value):
            if found.kind in _KINDS:
                yield value.lineno, str(found.kind)


def _symbols(module: Module) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []

    def walk(body: list[ast.stmt], outer: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{outer}.{node.name}" if outer else node.name
                found.append((node.lineno, node.end_lineno or node.lineno, name))
                walk(node.body, name)

    walk(module.tree.body, "")
    return sorted(found)


def _symbol(found: list[tuple[int, int, str]], line: int) -> str:
    """The innermost function or class around a line."""
    before = found[: bisect_right(found, (line, 2**31, ""))]
    return next((name for _, last, name in reversed(before) if last >= line), "")
