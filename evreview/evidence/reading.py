"""Parsed values in, typed records out, or every problem with its place and the words that would be allowed.

pydantic finds what is wrong; this file says it in the words of the bundle format.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from evreview.core.errors import Problem
from evreview.core.json_pointer import Step, place
from evreview.core.vocabulary import Json

M = TypeVar("M", bound=BaseModel)

_CODES: Final[Mapping[str, str]] = {
    "missing": "missing-field",
    "extra_forbidden": "unknown-key",
    "literal_error": "not-allowed",
    "enum": "not-allowed",
    "union_tag_invalid": "not-allowed",
    "union_tag_not_found": "missing-field",
    "string_too_short": "empty-value",
    "too_short": "empty-value",
    "timezone_aware": "time-zone-missing",
    "model_type": "wrong-type",
    "model_attributes_type": "wrong-type",
}
_TYPE_WORDS: Final[Mapping[str, str]] = {
    "string_type": "a text; put the value in quotes",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false, without quotes",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping of named fields",
    "model_attributes_type": "a mapping of named fields",
}
MARK: Final = "FILL-IN"
"""Stands in a scaffold where a person has to fill something in."""
EVIDENCE_ID_PATTERN: Final = r"^E[1-9][0-9]*$"


def read_model(
    model: type[M], value: Json, *, file: str, at: tuple[Step, ...] = ()
) -> tuple[M | None, tuple[Problem, ...]]:
    """The typed record of a parsed value, or None and what is wrong with it.

    Args:
        model: the record's class.
        value: parsed JSON or YAML.
        file: named in the problems.
        at: where the value stands in the file.
    """
    unfilled = tuple(_unfilled(value, file, at))
    try:
        text = json.dumps(value)
    except ValueError:
        found = "a number here has more digits than are read"
        return None, (Problem(code="bad-value", found=found, file=file, place=place(at)),)
    try:
        record = model.model_validate_json(text, strict=True)
        return (None if unfilled else record), unfilled
    except ValidationError as error:
        wrong = (
            _problem(detail, model, value, file, at) for detail in error.errors(include_url=False, include_context=True)
        )
        return None, _one_per_place((*unfilled, *wrong))


def _unfilled(value: Json, file: str, at: tuple[Step, ...]) -> Iterator[Problem]:
    """Every place where the scaffold's marker still stands."""
    if value == MARK:
        advice = "Replace the marker, or comment the optional field out"
        yield Problem(
            code="not-filled-in", found=f"{MARK} still stands here", file=file, place=place(at), advice=advice
        )
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _unfilled(part, file, (*at, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _unfilled(part, file, (*at, index))


def _one_per_place(found: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems without echoes: a value that fits no member of a union is one problem, not one per member."""
    by_place: dict[str, Problem] = {}
    for problem in found:
        known = by_place.get(problem.place)
        if known is None or (known.code == "wrong-type" and problem.code != "wrong-type"):
            by_place[problem.place] = problem
    # pydantic calls a list too short when its only entries are wrong ones, and of a union it says that the value is
    # no text, beside what is wrong with the fields that it has.
    return tuple(
        problem
        for problem in by_place.values()
        if problem.code not in ("empty-value", "wrong-type")
        or not any(other.startswith(f"{problem.place}/") for other in by_place)
    )


def _problem(detail: Any, model: type[BaseModel], value: Json, file: str, at: tuple[Step, ...]) -> Problem:
    kind = str(detail["type"])
    steps = _steps(detail["loc"], value, kind)
    node = _schema_at(model, steps[:-1] if kind in ("missing", "extra_forbidden") else steps, value)
    context = detail.get("ctx") or {}
    if kind == "union_tag_not_found":
        steps = (*steps, _tag_name(context))
    elif kind == "union_tag_invalid":
        steps, node = (*steps, _tag_name(context)), {"enum": [*_tags(node)]}
    is_id = node.get("pattern") == EVIDENCE_ID_PATTERN
    code = "bad-evidence-id" if is_id and kind != "missing" else _CODES.get(kind, _fallback(kind))
    found, advice = _words(code, kind, detail, steps, node)
    return Problem(code=code, found=found, file=file, place=place((*at, *steps)), advice=advice)


def _fallback(kind: str) -> str:
    return "wrong-type" if kind.endswith("_type") else "bad-value"


def _words(code: str, kind: str, detail: Any, steps: tuple[Step, ...], node: Mapping[str, Any]) -> tuple[str, str]:
    name, given = (str(steps[-1]) if steps else "document"), _shown(detail.get("input"))
    match code:
        case "missing-field":
            return f"the field `{name}` is missing", "Add it; `evreview schema` describes every field"
        case "unknown-key":
            # The root of review.yaml is read without its evidence list, which is a key all the same.
            own = ("evidence",) if not steps[:-1] and "workflow" in node.get("properties", {}) else ()
            allowed = sorted((*node.get("properties", {}), *own))
            return f"the key `{name}` is not known here", suggestion(name, allowed, "keys")
        case "not-allowed":
            allowed = [str(word) for word in _allowed(node)]
            return f"`{name}` is {given}, which is not allowed", suggestion(str(detail.get("input")), allowed, "values")
        case "empty-value":
            return f"`{name}` is empty", "Fill it in, or leave an optional field out"
        case "bad-evidence-id":
            return f"{given} is not an evidence id", "Write E and a positive number without leading zeros: E1, E2, …"
        case "time-zone-missing":
            return f"{given} has no time zone", "Write it as 2026-01-31T12:00:00Z or with an offset such as +01:00"
        case "wrong-type":
            return f"`{name}` is {given}", f"It must be {_TYPE_WORDS.get(kind, 'of another type')}"
        case _ if kind == "string_pattern_mismatch":
            pattern = (detail.get("ctx") or {}).get("pattern", "")
            return f"`{name}` is {given}, which is not written as it must be", f"It must match {pattern}"
        case _:
            said = str(detail["msg"]).removeprefix("Value error, ")
            return f"`{name}` is {given}: {said[:1].lower()}{said[1:]}", ""


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def suggestion(given: str, allowed: Sequence[str], what: str) -> str:
    """Advice that names the closest allowed word first, then all of them."""
    close = difflib.get_close_matches(given, allowed, n=1, cutoff=0.6)
    listed = f"Allowed {what}: {', '.join(allowed)}" if allowed else f"No {what} are allowed here"
    return f"Did you mean `{close[0]}`? {listed}" if close else listed


def _steps(location: Sequence[Step], value: Json, kind: str) -> tuple[Step, ...]:
    """The location without the labels that pydantic adds for members of a union."""
    steps: list[Step] = []
    current: object = value
    for index, step in enumerate(location):
        is_last_missing = kind == "missing" and index == len(location) - 1
        if not is_last_missing:
            if not _has(current, step):
                continue
            current = current[step]  # type: ignore[index]
        steps.append(step)
    return tuple(steps)


def _has(value: object, step: Step) -> bool:
    if isinstance(value, Mapping):
        return isinstance(step, str) and step in value
    return isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)


@lru_cache(maxsize=64)
def _schema(model: type[BaseModel]) -> Mapping[str, Any]:
    return model.model_json_schema()


def _schema_at(model: type[BaseModel], steps: Sequence[Step], value: Json) -> Mapping[str, Any]:
    """The part of the model's JSON Schema that describes a place, `{}` when none does."""
    root = _schema(model)
    node, current = _plain(root, root, value), value
    for step in steps:
        child: object = None
        if isinstance(step, str) and isinstance(current, Mapping):
            current = current.get(step)
            child = node.get("properties", {}).get(step, node.get("additionalProperties"))
        elif isinstance(step, int) and isinstance(current, list | tuple):
            current = current[step] if step < len(current) else None
            child = node.get("items")
        node = _plain(root, child, current) if isinstance(child, Mapping) else {}
    return node


def _plain(root: Mapping[str, Any], node: Mapping[str, Any], value: object) -> Mapping[str, Any]:
    """A schema node with its reference followed and its union narrowed to the member that the value looks like."""
    if "$ref" in node:
        return _plain(root, root["$defs"][node["$ref"].rsplit("/", 1)[-1]], value)
    members = [_plain(root, member, value) for member in (*node.get("anyOf", ()), *node.get("oneOf", ()))]
    if not members:
        return node
    tagged = [member for member in members if _tag_fits(member, value)]
    wanted = "object" if isinstance(value, Mapping) else "array" if isinstance(value, list | tuple) else None
    shaped = [member for member in members if member.get("type") == wanted]
    if tagged:
        return tagged[0]
    return shaped[0] if wanted and len(shaped) == 1 else {**node, "members": members}


def _tag_fits(member: Mapping[str, Any], value: object) -> bool:
    tag = member.get("properties", {}).get("kind", {}).get("const")
    return tag is not None and isinstance(value, Mapping) and value.get("kind") == tag


def _allowed(node: Mapping[str, Any]) -> Iterator[object]:
    if "const" in node:
        yield node["const"]
    yield from node.get("enum", ())
    for member in node.get("members", ()):
        yield from _allowed(member)


def _tags(node: Mapping[str, Any]) -> Iterator[object]:
    for member in node.get("members", ()):
        yield from _allowed(member.get("properties", {}).get("kind", {}))


def _tag_name(context: Mapping[str, Any]) -> str:
    return str(context.get("discriminator", "kind")).strip("'")
