"""A generated Python client as a client of an inventory: what its code calls and reads, parsed and never imported.

Takes clients of openapi-generator and of openapi-python-client. Only what stands there as a literal is taken: an
operation whose answers or whose body can't be told has no list of fields, which counts as not known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.core.errors import bad_input
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceType, Json
from evreview.evidence.element_mentions import METHODS
from evreview.evidence.imports.model import Imported, Supplied, some

_LARGEST: Final = 2 * 1024 * 1024
_TYPE: Final = re.compile(r"(?:(?P<list>[Ll]ist)\[)?(?P<name>[A-Za-z_]\w*)\]?")
_READS: Final = frozenset({"get", "pop"})
_PATHS: Final = ("resource_path", "url")
_BODIES: Final = frozenset({"json", "data", "content", "files"})


@dataclass(slots=True)
class _Call:
    """One operation as the code calls it. `answers` are its models by status, None for one that can't be told."""

    operation: str
    place: str
    answers: dict[str, str | None] = field(default_factory=dict)
    sends: dict[str, None] = field(default_factory=dict)
    has_body: bool = False


Function = ast.FunctionDef | ast.AsyncFunctionDef


def read(supplied: Supplied) -> Imported:
    """The client that a folder of generated code is.

    Raises:
        BadInput: no file of it calls an operation, or the client is listed already.
    """
    identity = supplied.options.client
    if identity in supplied.reviewed.clients:
        found = f"client {identity} is listed in the bundle already, and nothing would say which entry holds"
        advice = "Take the older entry out of the bundle first, or give another --client"
        raise bad_input("client-twice", found, file=supplied.name, advice=advice)
    trees, unread = _trees(supplied)
    models = {name: fields for tree in trees.values() for name, fields in _models(tree)}
    calls = [call for path, tree in trees.items() for call in _calls(tree, path)]
    if not calls:
        advice = "Name the folder of a client that openapi-generator or openapi-python-client wrote"
        found = f"no operation is called in {counted(len(trees), 'Python file')}"
        raise bad_input("import-format", found, file=supplied.name, advice=advice)
    uses, unknown = _uses(calls, models, supplied)
    client: Json = {"id": identity, "name": identity, "uses": list(uses.values())}
    open_ = [name for name, use in uses.items() if isinstance(use, Mapping) and "fields" not in use]
    told = [f"client      {identity}: {counted(len(uses), 'operation')} in {counted(len(trees), 'Python file')}"]
    told += [f"fields are not told for certain of {some(open_)}"] if open_ else []
    told += [f"neither contract has {some(unknown)}"] if unknown else []
    told += [f"not read    {some(unread)}"] if unread else []
    return Imported(
        name="imports/openapi-client",
        type=EvidenceType.CLIENT_INVENTORY,
        record={"kind": "client-inventory", "clients": [client]},
        places=[[f"{supplied.name}/{call.place}" for call in calls]],
        establishes=f"What the generated code with sha256:{supplied.digest} can call and reads of answers. Not which "
        "of it anybody calls.",
        told=tuple(told),
    )


def _trees(supplied: Supplied) -> tuple[dict[str, ast.Module], list[str]]:
    """The modules by path, and the paths of what can't be parsed."""
    trees: dict[str, ast.Module] = {}
    unread: list[str] = []
    for path, data in supplied.files.items():
        try:
            if len(data) > _LARGEST:
                raise ValueError("larger than generated code is")
            trees[path] = ast.parse(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            unread.append(path)
    return trees, unread


def _models(tree: ast.Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The classes with a `from_dict`, each with the members that it reads."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, Function) and part.name == "from_dict":
                    yield node.name, tuple(dict.fromkeys(_members(part)))


def _members(function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Name()), args=[ast.Constant(value=str(key)), *_]):
                yield from [key] if name in _READS else []
            case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=str(key)), ctx=ast.Load()):
                yield key


def _calls(tree: ast.Module, path: str) -> Iterator[_Call]:
    """The operations of a module; what a function sends and what is made of answers stands in others beside it."""
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    found = [(function, name) for function in functions if (name := _operation(function)) is not None]
    for function, operation in found:
        call = _Call(operation, f"{path}:L{function.lineno}")
        beside = functions if len(found) == 1 else list(_beside(function, functions))
        for other in {id(each): each for each in (function, *beside)}.values():
            _note(other, call)
        yield call


def _beside(function: Function, functions: Iterable[Function]) -> Iterator[Function]:
    """The functions that one generator writes for an operation: `_get_parcel_serialize` serves `get_parcel`."""
    name = function.name.removeprefix("_").removesuffix("_serialize")
    yield from (each for each in functions if each.name in (name, f"{name}_with_http_info"))


def _operation(function: Function) -> str | None:
    """The operation whose method and path stand in a function as literals, None for none or several."""
    found: set[str] = set()
    for node in _own(function):
        named: dict[str, ast.expr] = {}
        if isinstance(node, ast.Call):
            named = {each.arg: each.value for each in node.keywords if each.arg}
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            named = {key.value: value for key, value in pairs if isinstance(key, ast.Constant)}  # type: ignore[misc]
        method = named.get("method")
        path = next((text for name in _PATHS if name in named and (text := _path(named[name]))), None)
        if isinstance(method, ast.Constant) and isinstance(method.value, str) and path is not None:
            found.add(f"{method.value.upper()} {path}")
    known = [each for each in found if each.partition(" ")[0] in METHODS]
    return known[0] if len(found) == len(known) == 1 else None


def _own(function: Function) -> Iterator[ast.AST]:
    """The parts of a function, without those of functions inside it."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [each for each in ast.iter_child_nodes(node) if not isinstance(each, Function)][::-1]


def _path(value: ast.expr) -> str | None:
    """The path that an expression spells, parameters as `{}`; None where it is no literal that begins with a slash."""
    match value:
        case ast.Constant(value=str(text)):
            path = text
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            path = text
        case ast.JoinedStr(values=parts):
            path = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
        case _:
            return None
    return path if path.startswith("/") and not re.search(r"\s", path) else None


def _note(function: Function, call: _Call) -> None:
    """Adds the statuses and models, query parameters and body that a function tells."""
    for node in _own(function):
        match node:
            case ast.AnnAssign(target=ast.Name(id="_response_types_map"), value=ast.Dict(keys=keys, values=values)):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and str(key.value).isdigit():
                        call.answers[str(key.value)] = value.value if isinstance(value, ast.Constant) else None  # type: ignore[assignment]
            case ast.If(test=ast.Compare(left=ast.Attribute(attr="status_code"), ops=[ast.Eq()], comparators=[status])):
                if isinstance(status, ast.Constant) and type(status.value) is int:
                    call.answers[str(status.value)] = _made(node)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="_query_params"), attr="append"),
                args=[ast.Tuple(elts=[ast.Constant(value=str(name)), *_])],
            ):
                call.sends[name] = None
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=target), slice=ast.Constant(value=str(name)))]):
                call.sends.update({name: None} if target == "params" else {})
                call.has_body |= target == "_kwargs" and name in _BODIES
            case ast.Assign(targets=[ast.Name(id="_body_params")], value=value):
                call.has_body |= not (isinstance(value, ast.Constant) and value.value is None)
            case ast.Dict(keys=keys):
                call.has_body |= any(isinstance(key, ast.Constant) and key.value in _BODIES for key in keys)


def _made(branch: ast.If) -> str | None:
    """The one model that a branch makes of the whole answer, None where that can't be told."""
    made: list[str | None] = []
    for node in (part for statement in branch.body for part in ast.walk(statement)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="from_dict"), args=[argument, *_]):
                is_whole = isinstance(argument, ast.Call) and getattr(argument.func, "attr", "") == "json"
                made.append(name if is_whole else None)
    return made[0] if len(made) == 1 else None


def _uses(
    calls: Iterable[_Call], models: Mapping[str, tuple[str, ...]], supplied: Supplied
) -> tuple[dict[str, Json], list[str]]:
    """The uses by operation, and the operations that no contract has."""
    uses: dict[str, Json] = {}
    unknown: dict[str, None] = {}
    for call in calls:
        known = supplied.reviewed.operation(call.operation)
        if known is None:
            unknown[call.operation] = None
        operation = known or call.operation
        use: dict[str, Json] = {"operation": operation}
        fields = _fields(call, models)
        if fields is not None and operation not in uses:
            use["fields"] = list(fields)
        if call.answers and operation not in uses:
            use["statuses"] = sorted(call.answers)
        uses[operation] = use
    return uses, list(unknown)


def _fields(call: _Call, models: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """What a call sends and what is read of its answers, None where a part of it can't be told."""
    if call.has_body or not call.answers:
        return None
    found = dict(call.sends)
    for answer in call.answers.values():
        named = _TYPE.fullmatch(answer) if isinstance(answer, str) else None
        if named is None or not models.get(named["name"]):
            return None
        found.update({f"[].{each}" if named["list"] else each: None for each in models[named["name"]]})
    return tuple(found)
