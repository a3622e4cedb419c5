"""What `model_config` and an inner `Config` class say about a model."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.modules import Scope
from evreview.core.vocabulary import MISSING
from evreview.sources.resolved import Definition, External
from evreview.sources.shape import Work


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one model.

    Attributes:
        extra: `ignore`, `forbid` or `allow`.
        alias: makes the JSON name of a member, or None for one that is not told; None for members' own names.
        by_name: members are taken under their own names besides their aliases.
        total: a TypedDict's members are all required.
    """

    extra: str = "ignore"
    alias: Callable[[str], str | None] | None = None
    by_name: bool = False
    strict: bool = False
    total: bool = True


_TEXTS: Final = (
    "str_strip_whitespace", "str_to_lower", "str_to_upper", "str_min_length", "str_max_length",
    "anystr_strip_whitespace", "anystr_lower", "anystr_upper", "min_anystr_length", "max_anystr_length",
)  # fmt: skip
"""Settings by which every text of a model is changed or measured."""


def settings_of(work: Work, cls: Definition) -> Settings:
    """The settings of a model, those of its bases included."""
    words: dict[str, tuple[Scope, ast.expr]] = {}
    for base in reversed(work.modules.ancestry(cls)):
        if isinstance(base, Definition) and isinstance(base.node, ast.ClassDef):
            words |= {name: (scope, node) for name, scope, node in _written(work, base)}
    values = {name: constant(work.modules, scope, node) for name, (scope, node) in words.items()}
    alias = words.get("alias_generator")
    extra = str(values.get("extra", "ignore")).rpartition(".")[2]
    if extra not in ("ignore", "forbid", "allow"):
        work.exact = False
        extra = "ignore"
    for word in _TEXTS:
        if values.get(word) not in (None, False, MISSING):
            scope, node = words[word]
            work.refuses("", scope.spot(node), word)
    return Settings(
        extra=extra,
        alias=_generator(work, *alias) if alias else None,
        by_name=any(values.get(word) is True for word in ("populate_by_name", "validate_by_name")),
        strict=values.get("strict") is True,
    )


def _written(work: Work, cls: Definition) -> Iterator[tuple[str, Scope, ast.expr]]:
    scope = work.modules.body(cls)
    node = cls.node
    if scope is None or not isinstance(node, ast.ClassDef):
        return
    yield from ((word.arg, cls.scope, word.value) for word in node.keywords if word.arg)
    for statement in node.body:
        if isinstance(statement, ast.ClassDef) and statement.name == "Config":
            inner = work.modules.inside(statement, scope)
            for name, bindings in inner.names.items():
                if isinstance(bindings[-1].node, ast.expr):
                    yield name, inner, bindings[-1].node
    config = scope.names.get("model_config", [])
    value = config[-1].node if config else None
    if isinstance(value, ast.Call):
        yield from ((word.arg, scope, word.value) for word in value.keywords if word.arg)
    elif isinstance(value, ast.Dict):
        for key, part in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, scope, part


def _generator(work: Work, scope: Scope, node: ast.expr) -> Callable[[str], str | None] | None:
    if isinstance(node, ast.Constant) and node.value is None:
        return None
    found = work.modules.resolve(scope, node)
    if isinstance(found, External) and found.package == "pydantic" and found.last in GENERATORS:
        return GENERATORS[found.last]
    return lambda _: None


def to_pascal(name: str) -> str:
    """`order_id` -> `OrderId`, as pydantic does it."""
    camel = name.title()
    return re.sub("([0-9A-Za-z])_(?=[0-9A-Z])", lambda found: found[1], camel)


def to_camel(name: str) -> str:
    """`order_id` -> `orderId`, as pydantic does it."""
    if re.match("^[a-z]+[A-Za-z0-9]*$", name) and not re.search(r"\d(?=[a-z])", name):
        return name
    camel = to_pascal(name)
    return re.sub("(^_*[A-Z])", lambda found: found[1].lower(), camel)


def to_snake(name: str) -> str:
    """`orderId` -> `order_id`, as pydantic does it."""
    snake = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    snake = re.sub(r"([a-z])([A-Z])", r"\1_\2", snake)
    snake = re.sub(r"([0-9])([A-Z])", r"\1_\2", snake)
    snake = re.sub(r"([a-z])([0-9])", r"\1_\2", snake)
    return snake.replace("-", "_").lower()


GENERATORS: Final = {"to_camel": to_camel, "to_pascal": to_pascal, "to_snake": to_snake}
