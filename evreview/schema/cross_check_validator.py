"""ECMA-262 expressions for the second validator: spelled in the syntax of the `regex` package, the only use of it.

`re` knows no `\\p{L}`, takes `$` for the place before a last line break too, and `\\d` for the digits of every script.
What has no certain spelling there is not guessed: `re` is asked as it stands, or nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import evreview.schema.late_formats  # noqa: F401  # isort: skip  # before `jsonschema`
import regex
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError as BadSchema
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing.exceptions import Unresolvable

from evreview.core.vocabulary import Json
from evreview.schema.validators import CROSS_CHECK, Ask, SchemaError, keyword_of

SECONDS: Final = 2.0
"""How long one expression may be matched against one text; the package raises TimeoutError then."""
_SPACE: Final = r"\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_WORD: Final = "0-9A-Za-z_"
_SETS: Final = {
    **{"d": "0-9", "w": _WORD, "s": _SPACE},
    **{"D": "[^0-9]", "W": f"[^{_WORD}]", "S": f"[^{_SPACE}]"},
}
_EDGE: Final = f"(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}])"
_INSIDE: Final = f"(?<=[{_WORD}])(?=[{_WORD}])|(?<![{_WORD}])(?![{_WORD}])"
_AT: Final = {"b": f"(?:{_EDGE})", "B": f"(?:{_INSIDE})", "A": r"\A", "z": r"\Z"}
_ALONE: Final = {"$": r"\Z", ".": r"[^\n\r\u2028\u2029]", "{": r"\{", "}": r"\}", "]": r"\]"}
_MANY: Final = ("[", "\\p", "\\P")
_NO_RANGE: Final = "a range that is not one of characters"
_QUANTIFIER: Final = regex.compile(r"(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??", regex.V1)
_GROUP: Final = regex.compile(r"\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_][A-Za-z0-9_]*>))?(?!\?)", regex.V1)
_CODE: Final = regex.compile(
    r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{0*([0-9A-Fa-f]{1,6})\}|c([A-Za-z])|0(?![0-9])", regex.V1
)
_CATEGORIES: Final = (
    "C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs "
    "Letter Lowercase_Letter Uppercase_Letter Titlecase_Letter Modifier_Letter Other_Letter Mark Nonspacing_Mark "
    "Number Decimal_Number Letter_Number Other_Number Punctuation Symbol Separator Space_Separator Other Control "
    "Alphabetic Uppercase Lowercase White_Space"
).replace(" ", "|")
_PROPERTY: Final = regex.compile(
    rf"[pP]\{{(?:{_CATEGORIES}|(?:gc|General_Category)=(?:{_CATEGORIES})|(?:sc|Script)=[A-Za-z_]+)\}}", regex.V1
)


class NoPattern(ValueError):
    """An expression that cannot be taken over with one meaning."""


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> regex.Pattern[str]:
    """The expression as ECMA-262 reads it (section 22.2).

    Raises:
        NoPattern: it cannot be taken over.
    """
    try:
        return regex.compile("".join(_spelled(pattern)), regex.V1)
    except (regex.error, RecursionError, OverflowError) as error:
        raise NoPattern(str(error)) from None


def found(pattern: str, text: str) -> bool:
    """True when the expression matches somewhere in the text.

    Raises:
        TimeoutError: it takes too long.
        ValueError: nobody here reads it.
    """
    try:
        return compiled(pattern).search(text, timeout=SECONDS) is not None
    except NoPattern:
        try:
            return re.search(pattern, text) is not None
        except (re.error, OverflowError) as error:
            raise NoPattern(str(error)) from None


def _spelled(pattern: str) -> Iterator[str]:
    at, repeatable = 0, False
    while at < len(pattern):
        quantifier = _QUANTIFIER.match(pattern, at)
        if quantifier is not None:
            if not repeatable:
                raise NoPattern(f"nothing to repeat at {at}")
            at, repeatable = quantifier.end(), False
            yield quantifier.group()
            continue
        piece, at = _piece(pattern, at)
        repeatable = pattern[at - 1] not in "(|" or piece[0] in "\\["
        if piece.startswith("(?") and not piece.endswith(")"):
            repeatable = False
        yield piece


def _piece(pattern: str, at: int) -> tuple[str, int]:
    sign = pattern[at]
    if sign == "\\":
        return _escape(pattern, at + 1)
    if sign == "[":
        return _class(pattern, at)
    if sign == "(":
        group = _GROUP.match(pattern, at)
        if group is None:
            raise NoPattern(f"an unusual group at {at}")
        return group.group(), group.end()
    return _ALONE.get(sign, sign if sign in "^|)" else regex.escape(sign)), at + 1


def _escape(pattern: str, at: int) -> tuple[str, int]:
    sign = pattern[at : at + 1]
    if sign in _SETS and sign:
        return f"[{_SETS[sign]}]", at + 1
    if sign in _AT and sign:
        return _AT[sign], at + 1
    if sign in "123456789" and sign:
        return f"(?:\\{sign})", at + 1
    return _sign(pattern, at)


def _sign(pattern: str, at: int) -> tuple[str, int]:
    """An escape that means the same inside a class and outside."""
    sign = pattern[at : at + 1]
    named = _PROPERTY.match(pattern, at)
    if named is not None:
        return f"\\{named.group()}", named.end()
    code = _CODE.match(pattern, at)
    if code is not None:
        digits = next((group for group in code.groups()[:3] if group), None)
        number = int(digits, 16) if digits else ord(code[4]) % 32 if code[4] else 0
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise NoPattern("half of a character, or none")
        return f"\\U{number:08X}", code.end()
    if not sign or (sign.isalnum() and sign not in "tnrfv") or ord(sign) > 127:
        raise NoPattern(f"an unusual escape at {at}")
    return (f"\\{sign}" if sign.isalpha() else regex.escape(sign, special_only=False)), at + 1


def _class(pattern: str, at: int) -> tuple[str, int]:
    negated = pattern.startswith("[^", at)
    at += 2 if negated else 1
    made: list[str] = []
    while not pattern.startswith("]", at):
        if at >= len(pattern):
            raise NoPattern("a class without end")
        piece, at = _member(pattern, at, last=made[-1] if made else "")
        made.append(piece)
    if not made:
        return (r"[\x00-\U0010FFFF]" if negated else "(?!)"), at + 1
    return f"[{'^' if negated else ''}{''.join(made)}]", at + 1


def _member(pattern: str, at: int, *, last: str) -> tuple[str, int]:
    sign = pattern[at]
    if sign == "-":
        edge = last == "" or pattern.startswith("]", at + 1)
        if not edge and (last == "-" or last.startswith(_MANY) or pattern.startswith("-", at + 1)):
            raise NoPattern(_NO_RANGE)
        return (r"\-" if edge else "-"), at + 1
    if sign != "\\":
        return regex.escape(sign, special_only=False), at + 1
    following = pattern[at + 1 : at + 2]
    if last == "-" and following in "dDsSwWpP":
        raise NoPattern(_NO_RANGE)
    if following in _SETS and following:
        return f"[{_SETS[following]}]", at + 2
    return (r"\x08", at + 2) if following == "b" else _sign(pattern, at + 1)


# The second opinion: the `jsonschema` package, which shares no code with jsonschema-rs. The only file that uses it.
#
# Its expressions are those of `re`; here they are read as ECMA-262 says. `unevaluatedProperties` beside
# `patternProperties` still asks `re`, and says nothing where that knows an expression not.


Path = tuple[str | int, ...]
_ANY_FORMAT = FormatChecker(())
"""A schema is not refused for an expression that `re` does not know."""


def _pattern(validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and not found(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, subschema in patterns.items():
        for name, member in instance.items():
            if found(pattern, name):
                yield from validator.descend(member, subschema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, rest: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [name for name in instance if name not in named and not any(found(each, name) for each in patterns)]
    if validator.is_type(rest, "object"):
        for name in extras:
            yield from validator.descend(instance[name], rest, path=name)
    elif rest is False and extras:
        yield ValidationError(f"additional properties are not allowed: {', '.join(sorted(extras))}")


_Validator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    },
)


def is_schema(value: Json) -> bool:
    """True for a well-formed JSON Schema of draft 2020-12."""
    return CrossCheckValidator().prepared(value) is not None


class CrossCheckValidator:
    """`jsonschema`, asserting the formats that it knows."""

    name = CROSS_CHECK

    def __init__(self, *, checked: bool = False) -> None:
        """`checked`: somebody else has found the schemas well-formed; what an instance breaks is asked all the same."""
        self._checked = checked

    def prepared(self, schema: Json) -> Ask | None:
        """See `evreview.schema.validators.SchemaCheck`."""
        root: Any = schema if isinstance(schema, (Mapping, bool)) else True
        try:
            if not self._checked:
                Draft202012Validator.check_schema(root, format_checker=_ANY_FORMAT)
            built = _Validator(root, format_checker=Draft202012Validator.FORMAT_CHECKER)
            places = _Places(root)
        except (BadSchema, RecursionError, TypeError, ValueError):
            return None

        def ask(instance: Json) -> tuple[SchemaError, ...] | None:
            try:
                return places.all(built.iter_errors(instance))
            except (Unresolvable, ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
                return None
            except (TimeoutError, re.error):
                return None

        return ask


class _Places:
    """Where the nodes of one schema stand; `jsonschema` leaves references out of the paths that it tells."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._paths: dict[int, Path] = {}
        waiting: list[tuple[Any, Path]] = [(root, ())]
        while waiting:
            node, path = waiting.pop()
            if isinstance(node, (dict, list)):
                self._paths.setdefault(id(node), path)
                members = node.items() if isinstance(node, dict) else enumerate(node)
                waiting.extend((member, (*path, key)) for key, member in members)

    def all(self, errors: Iterable[ValidationError]) -> tuple[SchemaError, ...]:
        """The errors in a fixed order."""
        found = (self._error(error) for error in errors)
        return tuple(sorted(found, key=lambda error: (str(error.at), str(error.path))))

    def _error(self, error: ValidationError) -> SchemaError:
        path = self._path(error)
        return SchemaError(path, tuple(error.absolute_path), keyword_of(path), self.all(error.context or ()))

    def _path(self, error: ValidationError) -> Path:
        if isinstance(error.schema, dict) and id(error.schema) in self._paths:
            return (*self._paths[id(error.schema)], str(error.validator))
        return self._walked(tuple(error.absolute_schema_path))

    def _walked(self, steps: Path) -> Path:
        """The path of a `false`, which has no identity: references are followed where nothing else leads on."""
        path: list[str | int] = []
        node: Any = self._root
        for step in steps:
            while isinstance(node, dict) and step not in node and isinstance(node.get("$ref"), str):
                path = ["$defs", node["$ref"].removeprefix("#/$defs/")]
                node = self._root["$defs"][path[1]]
            path.append(step)
            node = node[step] if node is not None else None
        return tuple(path)
