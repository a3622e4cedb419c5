"""YAML 1.2 text in, plain JSON values out, by the policy that `text` states. The only file that imports yaml_rs."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

import yaml_rs

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_pointer import yaml_duplicate
from evreview.core.json_text import exactly
from evreview.core.limits import MAX_ALIAS_DEPTH, MAX_ALIAS_EVENTS, MAX_DEPTH, MAX_NODES
from evreview.core.vocabulary import Json
from evreview.documents.aliases import empty_alias, may_hold_aliases
from evreview.documents.nesting import is_too_deep

_WHERE: Final = re.compile(r"at line (\d+), column (\d+)")
_DUPLICATE: Final = re.compile(r"duplicate mapping key: (.*)", re.DOTALL)
_ODD_NUMBER: Final = re.compile(
    r"(?m)(?:^|(?<=[\s\[,{:]))[-+]?(?:0b[01_]+|0[xo][0-9a-fA-F_]*_[0-9a-fA-F_]*|[0-9][0-9]*_[0-9_.eE+-]*)(?=\s*(?:$|[,\]}#:]))"
)
_PLAIN_NUMBER: Final = re.compile(r"(?<![\w.])-?[0-9][0-9.]*(?![\w.])")
_NO_TEXT_KEY: Final = re.compile(
    r"""(?m)(?P<before>^[ \t]*(?:[-?][ \t]+)*|[{,][ \t]*)"""
    r"""(?P<key>true|false|[-+]?[0-9]+\.[0-9]*)(?=[ \t]*:(?:\s|$))""",
    re.IGNORECASE,
)
"""A plain key that Python takes for an integer: `true` is 1 there, and 1.0 is."""
_DOCUMENT: Final = re.compile(r"(?m)^---(?=\s|$)")


def read_yaml(text: str, file: str) -> Json:
    """The value that a YAML text holds, keys as strings and merge keys merged.

    Raises:
        BadInput: one problem that says what was found and where.
    """
    try:
        if is_too_deep(text, _loads):
            raise _too_deep(file)
        value = _loads(text)
        nothing = empty_alias(text, value, _loads) if may_hold_aliases(text) else None
    except yaml_rs.YAMLDecodeError as error:
        raise _problem(str(error), text, file) from None
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise bad_input("yaml-syntax", f"not YAML: {error}", file=file, advice="correct the syntax") from None
    if nothing is not None:
        found = f"the alias *{nothing[0]} stands inside its own anchor, or for an empty value"
        raise bad_input("yaml-alias-empty", found, file=file, place=f"line {nothing[1]}", advice="write the value out")
    if isinstance(value, list) and len(_DOCUMENT.findall(text)) > text.lstrip().startswith(("---", "%")):
        advice = "give each document its own file"
        raise bad_input("yaml-many-documents", "more than one document in one file", file=file, advice=advice)
    return exactly(_Plain(text, file).of(value), text.encode("utf-8", "surrogatepass"))


def _loads(text: str) -> object:
    try:
        return _parsed(text)
    except yaml_rs.YAMLDecodeError as error:
        if not _DUPLICATE.search(str(error)):
            raise
        value = _told_apart(text)
        if value is None:
            raise
        return value


def _parsed(text: str, policy: yaml_rs.DuplicateKeyPolicy = yaml_rs.DuplicateKeyPolicy.Error) -> object:
    limits = yaml_rs.AliasLimits(MAX_ALIAS_EVENTS, MAX_ALIAS_DEPTH, None)
    value: object = yaml_rs.loads(text, parse_datetime=False, alias_limits=limits, duplicate_key_policy=policy)
    return value


def _told_apart(text: str) -> object | None:
    """The value of a text whose keys `1` and `true`, or `1` and `1.0`, are one to Python and two to YAML and JSON.

    Its booleans and decimals are read as the texts that they become as keys of JSON. None where a key stands twice all
    the same, or where that would change more than keys: such words stand in prose, too.
    """
    quoted = _NO_TEXT_KEY.sub(lambda found: f'{found["before"]}"{_as_text(found["key"])}"', text)
    if quoted == text:
        return None
    try:
        value = _parsed(quoted)
        same = _folded(value) == _folded(_parsed(text, yaml_rs.DuplicateKeyPolicy.LastWins))
    except yaml_rs.YAMLDecodeError:
        return None
    return value if same else None


def _as_text(key: str) -> str:
    return key.lower() if key.isalpha() else str(float(key))


def _folded(value: object) -> object:
    """With the keys that Python takes for one made one, the last value standing."""
    if isinstance(value, list):
        return [_folded(item) for item in value]
    if isinstance(value, dict):
        return {_FOLD.get(key, _as_number(key)): _folded(member) for key, member in value.items()}
    return value


_FOLD: Final[Mapping[object, object]] = {"true": 1, "false": 0}


def _as_number(key: object) -> object:
    return float(key) if isinstance(key, str) and re.fullmatch(r"[-+]?[0-9]+\.[0-9]*", key) else key


def _problem(message: str, text: str, file: str) -> BadInput:
    where = _WHERE.search(message)
    place = f"line {where[1]}, column {where[2]}" if where else ""
    duplicate = _DUPLICATE.search(message)
    if duplicate:
        found = f"the key {duplicate[1]} stands twice in one mapping"
        line = yaml_duplicate(text, duplicate[1].strip("'\""))
        place = f"line {line}" if line else ""
        return bad_input("duplicate-key", found, file=file, place=place, advice="keep one of the two")
    if "alias replay limit" in message or "replay stack" in message:
        found = "its aliases expand to more than any contract needs"
        return bad_input("yaml-alias-bomb", found, file=file, advice="write the repeated parts out, or use $ref")
    if "recursion limit" in message:
        return _too_deep(file)
    found = "not YAML: " + (message.rsplit("\n", 1)[-1] or message)
    return bad_input("yaml-syntax", found, file=file, place=place, advice="correct the syntax at this place")


def _too_deep(file: str) -> BadInput:
    advice = "no contract needs this; check where the file comes from"
    return bad_input("text-too-deep", f"nested deeper than {MAX_DEPTH} levels", file=file, advice=advice)


class _Plain:
    """Turns what the YAML reader gives into plain JSON values, collecting what JSON can't hold."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.nodes = 0
        self.problems: list[Problem] = []
        self.odd = _odd_numbers(text)

    def of(self, value: object) -> Json:
        plain = self._node(value, "#", 0)
        if self.problems:
            raise BadInput(self.problems)
        return plain

    def _node(self, value: object, place: str, depth: int) -> Json:
        if value is None or isinstance(value, str | bool):
            return value
        if isinstance(value, dict):
            return self._mapping(value, place, self._deeper(depth, len(value)))
        if isinstance(value, list):
            deeper = self._deeper(depth, len(value))
            return [self._node(item, f"{place}/{at}", deeper) for at, item in enumerate(value)]
        return self._number(value, place)

    def _deeper(self, depth: int, members: int) -> int:
        self.nodes += members
        if depth >= MAX_DEPTH:
            raise _too_deep(self.file)
        if self.nodes > MAX_NODES:
            raise bad_input("text-too-many-values", f"more than {MAX_NODES} values", file=self.file)
        return depth + 1

    def _number(self, value: object, place: str) -> Json:
        if isinstance(value, int) and value not in self.odd:
            return value
        if isinstance(value, float) and math.isfinite(value) and value not in self.odd:
            return value
        if isinstance(value, int | float):
            written = self.odd.get(value, str(value))
            self._add(
                "yaml-value", f"the value {written} means different things to different readers", place, "quote it"
            )
        else:
            self._add(
                "yaml-value", f"a YAML {type(value).__name__} has no form in JSON", place, "use a list or a mapping"
            )
        return None

    def _mapping(self, value: dict[object, object], place: str, depth: int) -> Json:
        plain: dict[str, Json] = {}
        for key, member in value.items():
            name = key if type(key) is str else self._key(key, place)
            below = f"{place}/{name.replace('~', '~0').replace('/', '~1')}"
            if name in plain:
                self._add(
                    "duplicate-key", f"the key {name!r} stands twice in one mapping", below, "keep one of the two"
                )
            plain[name] = self._node(member, below, depth)
        return self._merged(plain, place) if "<<" in plain else plain

    def _key(self, key: object, place: str) -> str:
        if key is None:
            return "null"
        if isinstance(key, bool):
            return "true" if key else "false"
        if isinstance(key, int | float):
            return str(self.odd.get(key, key))
        self._add("yaml-key", "a list or a mapping as a key", place, "use a string as the key")
        return str(key)

    def _merged(self, plain: dict[str, Json], place: str) -> Json:
        given = plain["<<"]
        sources = given if isinstance(given, list) else [given]
        if not all(isinstance(source, dict) for source in sources):
            self._add(
                "yaml-merge-key", "a merge key `<<` without a mapping", place, "give it a mapping or an alias of one"
            )
            return plain
        merged = {key: member for key, member in plain.items() if key != "<<"}
        for source in sources:
            for key, member in source.items():  # type: ignore[union-attr]
                merged.setdefault(key, member)
        return merged

    def _add(self, code: str, found: str, place: str, advice: str) -> None:
        self.problems.append(Problem(code=code, found=found, file=self.file, place=place, advice=advice))


def _odd_numbers(text: str) -> dict[object, str]:
    """Numbers that YAML 1.2 does not know, by the value that the reader gives them.

    A match may stand in prose; a value that is also written the plain way somewhere is taken to be that one.
    """
    written = set(_ODD_NUMBER.findall(text))
    plain = set(_PLAIN_NUMBER.findall(text)) if written else set()
    odd = {_number(found): found for found in sorted(written)}
    return {value: found for value, found in odd.items() if str(value) not in plain}


def _number(written: str) -> object:
    """What the YAML reader makes of a number that YAML 1.2 does not know."""
    try:
        value: object = yaml_rs.loads(written, parse_datetime=False)
    except (ValueError, TypeError):
        return written
    return value
