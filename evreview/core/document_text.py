"""Bytes of a JSON or YAML document in, plain JSON values out, or one clear problem. Knows no contract format.

What decides: the content, never the file name. A text that opens like JSON is JSON and nothing else, so that a broken
JSON file is not quietly read as YAML with another meaning. Everything else is YAML 1.2.

The YAML policy, the same for every document:

* only `true`/`True`/`TRUE` and `false`/… are booleans: `yes`, `no`, `on`, `off` are strings;
* only an empty value, `~`, `null`/`Null`/`NULL` are null;
* dates and times are strings, `1:30` is a string;
* `0o17` is octal, `0x1F` hexadecimal, `017` is the decimal 17; whole numbers of any size are kept;
* `0b11` and `1_000` are numbers in YAML 1.1 and strings in 1.2: refused where one is used as a value;
* `.inf` and `.nan` are refused, JSON has no such values;
* keys become strings as written in JSON (`200:` is "200", `true:` is "true"); list and map keys are refused;
* a key that stands twice in one mapping is refused, `200:` beside `"200":` too;
* an anchor may be declared again, the last declaration before an alias counts; an alias inside its own anchor
  is refused;
* a merge key `<<` with a mapping or a list of mappings is merged, own keys win, then the earlier mapping wins;
* one document per file.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_pointer import json_line, yaml_line
from evreview.core.json_text import read_json
from evreview.core.limits import MAX_BYTES
from evreview.core.vocabulary import Json
from evreview.core.yaml_text import read_yaml

_OPENS_JSON: Final = re.compile(rb'\s*(?:\{\s*["}]|\[\s*["{\[\]0-9tfn-])')
_CONTROLS: Final = bytes([*range(9), 11, 12, *range(14, 32), 127])
_LOOKED_AT: Final = 4096
_CONFLICT: Final = re.compile(rb"^(<{7}|>{7})(?: |\r?$)", re.MULTILINE)
_MARKS: Final = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def parse_text(data: bytes, file: str) -> Json:
    """The value that a JSON or YAML text holds.

    Args:
        data: the bytes of the file.
        file: its name for messages.

    Raises:
        BadInput: `text-too-large`, `text-empty`, `text-encoding`, `text-binary`, `text-too-deep`,
            `text-too-many-values`, `duplicate-key`, or one of `json-…` and `yaml-…`.
    """
    if len(data) > MAX_BYTES:
        found = f"{len(data) / 1_000_000:.0f} MB, more than the {MAX_BYTES / 1_000_000:.0f} MB that are read"
        raise bad_input("text-too-large", found, file=file, advice="split the contract, or take out embedded data")
    data = data.removeprefix(b"\xef\xbb\xbf")
    with without_gc():
        if not _OPENS_JSON.match(data):
            return read_yaml(_decoded(data, file), file)
        try:
            return read_json(data, file)
        except BadInput as problem:
            _decoded(data, file)
            raise problem from None


def line_of(data: bytes, pointer: str) -> int | None:
    """The line on which the part at a JSON pointer begins, or for YAML the nearest part around it that can be told.

    Args:
        data: the bytes of a text that `parse_text` reads.
        pointer: `/a/b`, also `#/a/b`; "" is the whole document; `L12` is line 12 of a text of any kind.
    """
    if pointer.startswith("L"):
        return int(pointer[1:])
    if data[:_LOOKED_AT].translate(None, _CONTROLS) != data[:_LOOKED_AT]:
        # Of what is no text, such as a descriptor set, no line can be told.
        return None
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.removeprefix("#").split("/")[1:]]
    data = data.removeprefix(b"\xef\xbb\xbf")
    if _OPENS_JSON.match(data):
        return json_line(data, steps)
    return yaml_line(data.decode("utf-8", "replace"), steps)


def merge_conflicts(files: Mapping[str, bytes]) -> Iterator[Problem]:
    """The files in which a merge was left unfinished, each with the first line that shows it."""
    for name, data in files.items():
        found = list(_CONFLICT.finditer(data))
        if {each[1][:1] for each in found} == {b"<", b">"}:
            line = data.count(b"\n", 0, found[0].start()) + 1
            says, advice = "a merge conflict stands in the file", "Resolve it, or name a commit in which it is resolved"
            yield Problem(code="conflict-markers", found=says, file=name, place=f"line {line}", advice=advice)


@contextmanager
def without_gc() -> Iterator[None]:
    """No garbage collection inside: while a tree without cycles grows, it looks at every value again and again."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()


def _decoded(data: bytes, file: str) -> str:
    """The text, once it is known to be text at all."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            raise _encoding(f"the text is {encoding}, not UTF-8", file)
    if b"\x00" in data[:4] and data.count(b"\x00") * 3 > len(data):
        raise _encoding("the text looks like UTF-16 without its mark", file)
    if not data.strip():
        raise bad_input("text-empty", "the file is empty", file=file, advice="check that it was written completely")
    at = _first_control(data)
    if at is not None:
        place = _line(data, at)
        found = f"not a text: it holds the control byte 0x{data[at]:02x}"
        raise bad_input("text-binary", found, file=file, place=place, advice="give the contract as text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"not UTF-8: the byte 0x{data[error.start]:02x} (is it Latin-1?)"
        raise _encoding(found, file, _line(data, error.start)) from None


def _encoding(found: str, file: str, place: str = "") -> BadInput:
    return bad_input("text-encoding", found, file=file, place=place, advice="save the file as UTF-8")


def _line(data: bytes, at: int) -> str:
    line = data.count(b"\n", 0, at) + 1
    return f"line {line}"


def _first_control(data: bytes) -> int | None:
    if len(data.translate(None, _CONTROLS)) == len(data):
        return None
    return min(at for at in map(data.find, _CONTROLS) if at >= 0)
