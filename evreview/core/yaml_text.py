"""YAML 1.2 text in, plain JSON values out, by the policy that `document_text` states; and list entries written as YAML.

The only file that imports yaml_rs.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import yaml_rs

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_pointer import yaml_duplicate
from evreview.core.json_text import exactly
from evreview.core.limits import MAX_ALIAS_DEPTH, MAX_ALIAS_EVENTS, MAX_DEPTH, MAX_NODES
from evreview.core.vocabulary import Json

_WHERE: Final = re.compile(r"at line (\d+), column (\d+)")
_DUPLICATE: Final = re.compile(r"duplicate mapping key: (.*)", re.DOTALL)
_ODD_NUMBER: Final = re.compile(
    r"(?m)(?:^|(?<=[\s\[,{:]))[-+]?(?:0b[01_]+|0[xo][0-9a-fA-F_]*_[0-9a-fA-F_]*|[0-9][0-9]*_[0-9_.eE+-]*)(?=\s*(?:$|[,\]}#:]))"
)
_MAYBE_ODD: Final = tuple(map(re.compile, ("_(?<=[0-9]_)", "0[bxo]")))
"""What odd numbers hold: a search for one sign in front is ten times faster."""
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
    lines = (line for part in _MAYBE_ODD for line in _lines_with(part, text))
    written = {found for line in lines for found in _ODD_NUMBER.findall(line)}
    plain = set(_PLAIN_NUMBER.findall(text)) if written else set()
    odd = {_number(found): found for found in sorted(written)}
    return {value: found for value, found in odd.items() if str(value) not in plain}


def _lines_with(part: re.Pattern[str], text: str) -> Iterator[str]:
    """Each line that the expression is found in, once: a text of megabytes may be one line."""
    found = part.search(text)
    while found:
        end = text.find("\n", found.start())
        end = end if end >= 0 else len(text)
        yield text[text.rfind("\n", 0, found.start()) + 1 : end]
        found = part.search(text, end)


def _number(written: str) -> object:
    """What the YAML reader makes of a number that YAML 1.2 does not know."""
    try:
        value: object = yaml_rs.loads(written, parse_datetime=False)
    except (ValueError, TypeError):
        return written
    return value


# Aliases that stand for nothing: the reader puts null where an alias stands inside its own anchor.


_ALIAS: Final = re.compile(r"(?<![^\s\[{,:-])\*([^\s\[\]{},'\"]+)")
_ANCHOR: Final = re.compile(r"&([^\s\[\]{},'\"]+)")
_WORD: Final = re.compile(r"[\w-]*")
_ALIAS_MARK: Final = "evreview-alias-"


def may_hold_aliases(text: str) -> bool:
    """False when no alias can stand in this text: prose is full of asterisks, but none of them names an anchor."""
    anchors = {_begin(match[1]) for match in _ANCHOR.finditer(text)}
    return bool(anchors) and any(_begin(match[1]) in anchors for match in _ALIAS.finditer(text))


def _begin(name: str) -> str:
    """How a name begins. Readers differ in the signs that a name may hold further on."""
    match = _WORD.match(name)
    return match.group() if match is not None else ""


def empty_alias(text: str, value: object, parse: Callable[[str], object]) -> tuple[str, int] | None:
    """Name and line of an alias whose value is null, None when there is none.

    Every alias is replaced by a mark of its own; where a mark appears in the parsed text, the value tells what the
    alias stood for. Marks inside longer strings never equal a whole value and don't count.

    Args:
        text, value: the text and what it was parsed to.
    """
    found = list(_ALIAS.finditer(text))
    pieces, end = [], 0
    for number, match in enumerate(found):
        pieces += [text[end : match.start()], f"{_ALIAS_MARK}{number}"]
        end = match.end()
    marked = parse("".join([*pieces, text[end:]]))
    empty = _marks(marked, value)
    if not empty:
        return None
    match = found[min(empty)]
    return match[1], text.count("\n", 0, match.start()) + 1


def _marks(marked: object, value: object) -> list[int]:
    """The numbers of the marks whose counterpart in the value is null."""
    empty: list[int] = []
    stack = [(marked, value)]
    while stack:
        mark, real = stack.pop()
        if isinstance(mark, str):
            if real is None and mark.startswith(_ALIAS_MARK):
                empty.append(int(mark.removeprefix(_ALIAS_MARK)))
        elif isinstance(mark, dict) and isinstance(real, dict):
            pairs = ((member, real.get(key, key)) for key, member in mark.items())
            stack.extend(pair for pair in pairs if pair[0] != pair[1])
        elif isinstance(mark, list) and isinstance(real, list):
            stack.extend(pair for pair in zip(mark, real, strict=False) if pair[0] != pair[1])
    return empty


# How deep a text nests, told before the native parser sees it: that one recurses per block level without a limit.
# Flow style is not looked at, the parser limits it itself.


_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_SUSPECT: Final = re.compile(r"(?:\A|[\r\n])[ \t?:-]{100}")
"""Each level takes at least one such character, and a column holds two levels at most; 100 are less than 250 levels."""
_PREFIX: Final = re.compile(r" *(?P<marks>(?:[-?:](?:[ \t]+|$))*)")
_INDICATOR: Final = re.compile(r"[-?:]")
_HEADER: Final = re.compile(r"(?:^|.*[ \t])(?P<sign>[|>][+-]?)[ \t]*(?:#.*)?")
_STAND_IN: Final = "evreview-block-"


def is_too_deep(text: str, parse: Callable[[str], object]) -> bool:
    """True when block collections nest, or may nest, deeper than `MAX_DEPTH`.

    Text inside a block scalar (`|`, `>`) may look deep. Such scalars are replaced by one word each; only when the
    parser gives every word back as a block scalar of its own, what stood there was text and nothing else.

    Args:
        parse: the parser; it gets a text that does not nest too deep, its errors pass through.
    """
    if _SUSPECT.search(text) is None:
        return False
    lines = _LINE_END.split(text)
    if not _exceeds(lines):
        return False
    words = _without_block_scalars(lines)
    if not words or _exceeds(lines):
        return True
    return not words <= _texts(parse("\n".join(lines)))


def _exceeds(lines: list[str]) -> bool:
    """True when the block collections that are open on some line are more than the limit. Never counts too few."""
    # (column, 0) is a mapping or a scalar, (column, 1) a list, which may stand below its key in the same column.
    levels: list[tuple[int, int]] = []
    for line in lines:
        for level in _levels(line):
            while levels and levels[-1] > level:
                levels.pop()
            if not levels or levels[-1] < level:
                levels.append(level)
        # What stands innermost is a scalar.
        if len(levels) > MAX_DEPTH + 1:
            return True
    return False


def _levels(line: str) -> Iterator[tuple[int, int]]:
    prefix = _PREFIX.match(line)
    assert prefix is not None
    for mark in _INDICATOR.finditer(line, prefix.start("marks"), prefix.end()):
        yield mark.start(), int(mark.group() == "-")
    rest = line[prefix.end() :].lstrip()
    if rest and not rest.startswith("#"):
        yield prefix.end(), 0


def _without_block_scalars(lines: list[str]) -> frozenset[str]:
    """The words that now stand in `lines` for block scalars that look deep; the count of lines stays."""
    words: set[str] = set()
    at = 0
    while at < len(lines):
        header = _HEADER.fullmatch(lines[at])
        at += 1
        if header is None:
            continue
        end, indent = _extent(lines, at)
        if _SUSPECT.search("\n".join(["", *lines[at:end]])) is None:
            continue
        word = f"{_STAND_IN}{len(words)}"
        words.add(word + "\n")
        start, stop = header.span("sign")
        lines[at - 1] = f"{lines[at - 1][:start]}|{lines[at - 1][stop:]}"
        lines[at:end] = [" " * indent + word, *[""] * (end - at - 1)]
        at = end
    return frozenset(words)


def _extent(lines: list[str], start: int) -> tuple[int, int]:
    """Where the lines end that belong to a block scalar beginning at `start`, and its indentation."""
    indent = -1
    for at in range(start, len(lines)):
        text = lines[at].lstrip(" ")
        if not text:
            continue
        column = len(lines[at]) - len(text)
        if indent < 0:
            indent = column
        if column < indent:
            return at, indent
    return len(lines), max(indent, 0)


def _texts(value: object) -> frozenset[str]:
    """Every text in a parsed value, keys too."""
    found: set[str] = set()
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            found.add(node)
        elif isinstance(node, dict):
            stack.extend(node)
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
    return frozenset(found)


# Entries of a list as text: one line per field, which leaves everything else in the file as it is.


_UNPRINTABLE: Final = re.compile("[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")


def as_yaml(stated: Mapping[str, Json]) -> str:
    """One line per field, in the order of the mapping; values are written as JSON, which YAML reads alike."""
    return "\n".join(f"{key}: {_scalar(value)}" for key, value in stated.items())


def indented(entry: str, width: int, end: bytes) -> bytes:
    """The entry as one list entry at an indentation."""
    lines = [f"{' ' * width}{'  ' if index else '- '}{line}" for index, line in enumerate(entry.split("\n"))]
    return b"".join(line.encode() + end for line in lines)


def _scalar(value: Json) -> str:
    return _UNPRINTABLE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))
