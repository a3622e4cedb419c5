"""Constructors that attrs, pydantic and `dataclass_transform` make of the fields, by the rules that they publish.

None wherever their releases differ, or an option, a validator or an alias may decide: only running tells then.
Sources: attrs, "API Reference" (define, field, attr.s, attr.ib); pydantic, "Models" and "Fields".
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from evreview.kinds.python.names import InheritanceLine, Names, ResolvedDeclaration
from evreview.kinds.python.parsed import Argument, Attribute, Class, Function
from evreview.kinds.python.signatures import KEYWORD_ONLY, KEYWORDS

_NEW: Final = frozenset(f"{name}.{one}" for name in ("attr", "attrs") for one in ("define", "frozen", "mutable"))
_OLD: Final = frozenset({"attr.s", "attr.attrs", "attr.attributes", "attr.dataclass"})
MAKERS: Final = _NEW | _OLD
_SPECIFIERS: Final = frozenset({"attr.ib", "attr.attrib", "attr.field", "attrs.field"})
_DECIDING: Final = frozenset({"init", "these", "field_transformer", "auto_exc", "maybe_cls"})
_MODELS: Final = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel"})
_VALIDATORS: Final = frozenset({"root_validator", "model_validator"})
_CONFIGURED: Final = ("alias", "extra", "populate", "validate_by", "fields")
_MAY_BE_NONE: Final = frozenset({"Optional", "Any", "object"})
_HARMLESS: Final = frozenset({"typing.Generic", "typing_extensions.Generic", "abc.ABC"})


class _NotTold(Exception):
    """Something decides that is not computed here."""


def generated_arguments(names: Names, cls: ResolvedDeclaration) -> tuple[Argument, ...] | None:
    """The arguments of a constructor that attrs or pydantic makes, None where something else decides."""
    line = names.line(cls)
    outside = set(line.outside) - _HARMLESS
    try:
        if outside and outside <= _MODELS:
            return tuple(_Model(names, line).arguments())
        if not outside and any(_maker(each) for each in line.own[:1]):
            return tuple(_defined(names, line))
    except _NotTold:
        return None
    return None


def _maker(found: ResolvedDeclaration) -> tuple[str, Mapping[str, ast.expr]] | None:
    """The decorator of attrs on a class, and its options."""
    decorators = found.member.decorators if isinstance(found.member, Class) else ()
    for path, text in decorators:
        if path in MAKERS:
            call = _parsed(text.strip().lstrip("@"))
            given = call.keywords if isinstance(call, ast.Call) else []
            return path, {each.arg or "**": each.value for each in given}
    return None


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _defined(names: Names, line: InheritanceLine) -> list[Argument]:
    """The arguments that attrs makes: those of the bases first, each class's own in their order; keywords last."""
    found: dict[str, Argument | None] = {}
    for each in reversed(line.own):
        cls, maker = each.member, _maker(each)
        if not isinstance(cls, Class) or len(cls.bases) > 1:
            raise _NotTold
        if maker is None:
            continue
        if len(cls.decorators) > 1 or _DECIDING & set(maker[1]) or (_is_true(maker[1].get("kw_only")) and found):
            raise _NotTold
        own = dict(_own(names, each, maker))
        found = {name: one for name, one in found.items() if name not in own} | own
    made = [one for one in found.values() if one is not None]
    return sorted(made, key=lambda one: one.kind == KEYWORD_ONLY)


def _own(
    names: Names, found: ResolvedDeclaration, maker: tuple[str, Mapping[str, ast.expr]]
) -> Iterator[tuple[str, Argument | None]]:
    """The fields of one class by name, None for one that the constructor doesn't take."""
    cls = found.member
    assert isinstance(cls, Class)
    attributes = [one for one in cls.members.values() if isinstance(one, Attribute) and "property" not in one.labels]
    calls = {one.name: call for one in attributes if (call := _specified(names, found, one.value)) is not None}
    path, options = maker
    told = options.get("auto_attribs")
    if told is not None and not isinstance(told, ast.Constant):
        raise _NotTold
    every = _is_true(told) if told is not None else path == "attr.dataclass" or path in _NEW
    if every and told is None and any(one.annotation is None for one in attributes if one.name in calls):
        every = False
    for one in attributes:
        annotated = every and one.annotation is not None and one.labels != {"class-attribute"}
        if one.name in calls or annotated:
            yield one.name, _field(one, calls.get(one.name), cls, keyword=_is_true(options.get("kw_only")))


def _specified(names: Names, found: ResolvedDeclaration, value: str | None) -> ast.Call | None:
    """The call of a field specifier, None for any other value."""
    call = _parsed(value) if value is not None and value.endswith(")") else None
    if isinstance(call, ast.Call) and names.scope(found.module, ast.unparse(call.func)) in _SPECIFIERS:
        return call
    return None


def _field(one: Attribute, call: ast.Call | None, cls: Class, *, keyword: bool) -> Argument | None:
    options = {each.arg or "**": each.value for each in call.keywords} if call is not None else {}
    if "**" in options or (call is not None and len(call.args) > 1):
        raise _NotTold
    default = one.value if call is None else _default(call, options)
    if any(_gives_default(member, one.name) for member in cls.members.values()):
        default = "..."
    alias = options.get("alias")
    name = alias.value if isinstance(alias, ast.Constant) and isinstance(alias.value, str) else one.name.lstrip("_")
    if (alias is not None and not isinstance(alias, ast.Constant)) or not name.isidentifier():
        raise _NotTold
    if "init" in options and not _is_true(options["init"]):
        return None
    only = _is_true(options["kw_only"]) if "kw_only" in options else keyword
    made = Argument(name=name, default=default, annotation=one.annotation if call is None else None)
    return Argument(name=name, kind=KEYWORD_ONLY, default=default, annotation=made.annotation) if only else made


def _default(call: ast.Call, options: Mapping[str, ast.expr]) -> str | None:
    given = options.get("default", call.args[0] if call.args else None)
    factory = options.get("factory")
    if factory is not None:
        return f"{ast.unparse(factory)}()"
    text = ast.unparse(given) if given is not None else None
    return None if text is not None and text.endswith("NOTHING") else text


def _gives_default(member: object, name: str) -> bool:
    """True for a method that `@name.default` makes the default."""
    return isinstance(member, Function) and any(path.endswith(f"{name}.default") for path in member.decorators)


def _is_true(node: ast.expr | None) -> bool:
    if node is None:
        return False
    if not isinstance(node, ast.Constant) or not isinstance(node.value, bool):
        raise _NotTold
    return node.value


class _Model:
    """The constructor of a pydantic model: every field by name, and any other name besides."""

    def __init__(self, names: Names, line: InheritanceLine) -> None:
        self._names, self._line = names, line

    def arguments(self) -> Iterator[Argument]:
        """The arguments, `**` last: by default a model ignores names that it does not know."""
        found: dict[str, Argument] = {}
        for each in reversed(self._line.own):
            found |= {one.name: one for one in self._own(each)}
        yield from found.values()
        yield Argument(name="data", kind=KEYWORDS)

    def _own(self, found: ResolvedDeclaration) -> Iterator[Argument]:
        cls = found.member
        if not isinstance(cls, Class) or cls.decorators or set(cls.keywords) - {"frozen"}:
            raise _NotTold
        for name, member in cls.members.items():
            self._require_plain(name, member)
            if not isinstance(member, Attribute) or member.annotation is None or name.startswith("_"):
                continue
            if "property" in member.labels or "instance-attribute" not in member.labels or name == "model_config":
                continue
            default = self._default(member, found)
            yield Argument(name=name, kind=KEYWORD_ONLY, default=default, annotation=member.annotation)

    def _require_plain(self, name: str, member: object) -> None:
        """Raises where a configuration or a validator decides what the constructor takes."""
        if isinstance(member, Function) and {path.rpartition(".")[2] for path in member.decorators} & _VALIDATORS:
            raise _NotTold
        if (
            name == "Config"
            and isinstance(member, Class)
            and any(each.startswith(_CONFIGURED) for each in member.members)
        ):
            raise _NotTold
        if name == "Config" and not isinstance(member, Class):
            raise _NotTold
        text = member.value or "" if isinstance(member, Attribute) else ""
        if name == "model_config" and (not text or any(word in text for word in _CONFIGURED) or "**" in text):
            raise _NotTold

    def _default(self, field: Attribute, found: ResolvedDeclaration) -> str | None:
        annotation = field.annotation or ""
        if "Field(" in annotation or "Depends(" in annotation:
            raise _NotTold
        if field.value is None:
            self._require_bare(annotation, found)
            return None
        call = _parsed(field.value)
        if not isinstance(call, ast.Call):
            return None if field.value == "..." else field.value
        if not ast.unparse(call.func).rpartition(".")[2].endswith("Field"):
            return field.value
        options = {each.arg or "**": each.value for each in call.keywords}
        if any("alias" in name for name in options) or {"**", "init", "init_var"} & set(options) or len(call.args) > 1:
            raise _NotTold
        given, factory = call.args[0] if call.args else options.get("default"), options.get("default_factory")
        if factory is not None:
            return f"{ast.unparse(factory)}()"
        if given is None:
            self._require_bare(annotation, found)
        text = ast.unparse(given) if given is not None else "..."
        return None if text == "..." else text

    def _require_bare(self, annotation: str, found: ResolvedDeclaration) -> None:
        """Raises where pydantic 1 gives `None` because the annotation takes it, and pydantic 2 does not."""
        if self._may_be_none(annotation, found):
            raise _NotTold

    def _may_be_none(self, annotation: str, found: ResolvedDeclaration) -> bool:
        tree = _parsed(annotation)
        if tree is None:
            return True
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and not isinstance(node.value, int):
                return True
            if isinstance(node, ast.Name | ast.Attribute):
                text = ast.unparse(node)
                target = self._names.find(self._names.scope(found.module, text))
                is_alias = isinstance(target, ResolvedDeclaration) and not isinstance(target.member, Class)
                if text.rpartition(".")[2] in _MAY_BE_NONE or is_alias:
                    return True
        return False


# Constructors that only a type checker sees: classes below what `dataclass_transform` marks (PEP 681).


MARKS: Final = frozenset({"typing.dataclass_transform", "typing_extensions.dataclass_transform"})


def is_transformed(names: Names, cls: ResolvedDeclaration) -> bool:
    """True where a marked decorator, base or metaclass makes a type checker take the fields for a constructor.

    A constructor that the class itself defines is taken as it is written.
    """
    if not isinstance(cls.member, Class) or "__init__" in cls.member.members:
        return False
    line = names.line(cls).own
    makers = (maker for each in line for maker in _makers(names, each))
    return any(map(_is_marked, line[1:])) or any(map(_is_marked, makers))


def _makers(names: Names, cls: ResolvedDeclaration) -> Iterator[ResolvedDeclaration]:
    """The decorators of a class, and its metaclass with what that inherits, as far as the library defines them."""
    assert isinstance(cls.member, Class)
    for path, _ in cls.member.decorators:
        found = names.named(names.find(path))
        if isinstance(found, ResolvedDeclaration):
            yield found
    meta = names.named(names.find(names.scope(cls.module, cls.member.keywords.get("metaclass", ""))))
    if isinstance(meta, ResolvedDeclaration) and isinstance(meta.member, Class):
        yield from names.line(meta).own


def _is_marked(found: ResolvedDeclaration) -> bool:
    if isinstance(found.member, Function):
        return not MARKS.isdisjoint(found.member.decorators)
    return isinstance(found.member, Class) and any(path in MARKS for path, _ in found.member.decorators)
