"""Hostile texts: what a parser has to refuse or to survive before any schema is seen."""

from __future__ import annotations

import json

from tests.adversarial.inputs import api, object_of, text

_HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\n'
PLAIN = json.dumps(api(object_of(b=text(20)))).encode()


def _laughs(levels: int, width: int) -> str:
    lines = ["x-0: &a0 [lol]"]
    lines += [f"x-{at}: &a{at} [{', '.join([f'*a{at - 1}'] * width)}]" for at in range(1, levels)]
    return "\n".join(lines)


def _anchored_components(levels: int) -> str:
    """Every schema holds the one before it twice, by alias."""
    lines = ["components:", "  schemas:", "    S0: &s0 {type: object, properties: {b: {type: string}}}"]
    for at in range(1, levels):
        lines.append(f"    S{at}: &s{at} {{type: object, properties: {{l: *s{at - 1}, r: *s{at - 1}}}}}")
    return "\n".join(lines)


TEXTS = {
    "billion laughs": f"{_HEAD}paths: {{}}\n{_laughs(30, 9)}\n".encode(),
    "wide laughs": f"{_HEAD}paths: {{}}\n{_laughs(4, 3000)}\n".encode(),
    "aliased components": f"{_HEAD}paths: {{}}\n{_anchored_components(40)}\n".encode(),
    "alias inside its anchor": f"{_HEAD}paths: &p {{/x: *p}}\n".encode(),
    "merge keys": f"{_HEAD}paths: {{}}\nx-m: &m {{a: 1}}\nx-n: {{{', '.join(['<<: *m'] * 2)}}}\n".encode(),
    "deep flow": f"{_HEAD}paths: {'[' * 100_000}{']' * 100_000}\n".encode(),
    "deep blocks": (_HEAD + "paths:\n" + "".join(f"{' ' * at}a:\n" for at in range(1, 3000))).encode(),
    "deep JSON": b'{"openapi": "3.1.0", "paths": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001,
    "open JSON": b'{"openapi": "3.1.0", "paths": ' + b'{"a":' * 100_000,
    "duplicate key": b'{"openapi": "3.1.0", "info": {}, "paths": {"/x": {"get": {}, "get": {"responses": {}}}}}',
    "duplicate key in YAML": f"{_HEAD}paths:\n  /x:\n    get: {{a: {{}}}}\n    get: {{a: {{}}}}\n".encode(),
    "half a character": PLAIN[:-3] + b"\xff",
    "nothing": b"",
    "zero bytes": b"\x00" * 100_000,
    "lone surrogate": PLAIN.replace(b'"b"', b'"\\ud800"'),
    "huge number": PLAIN.replace(b"20", b"9" * 100_000),
    "a list": b"[]",
    "null": b"null",
}
"""Each stands for the candidate; the released contract is a plain one."""
