"""GraphQL schemas as a contract: texts parsed within limits, extensions merged, checked, never executed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final

from graphql import (
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    Source,
    build_ast_schema,
    parse,
    print_ast,
    specified_directives,
    specified_scalar_types,
)
from graphql.language import ast
from graphql.validation import (
    LoneSchemaDefinitionRule,
    UniqueArgumentDefinitionNamesRule,
    UniqueArgumentNamesRule,
    UniqueDirectiveNamesRule,
    UniqueDirectivesPerLocationRule,
    UniqueEnumValueNamesRule,
    UniqueFieldDefinitionNamesRule,
    UniqueInputFieldNamesRule,
    UniqueOperationTypesRule,
    UniqueTypeNamesRule,
)
from graphql.validation.validate import validate_sdl

from evreview.contract.model import Contract, Element, ElementKind, Place, UnsupportedConstruct
from evreview.contract.source import Files, digest_of
from evreview.core.errors import BadInput, Problem
from evreview.core.frozen import frozen
from evreview.core.limits import MAX_BYTES, MAX_DEPTH
from evreview.core.vocabulary import Aspect, ContractKind, Role
from evreview.kinds.graphql import ENDINGS, answers
from evreview.kinds.graphql.introspection import HOLDS, Pointed, definitions_in

MAX_TOKENS: Final = 2_000_000
"""Words and signs of one file; the largest published schema known here has 400,000."""

SCALARS: Final = frozenset(str(scalar) for scalar in specified_scalar_types)
DIRECTIVES: Final = frozenset(directive.name for directive in specified_directives)
EXECUTABLE: Final = frozenset(
    {"QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"}
    | {"VARIABLE_DEFINITION"}
)
"""The places of directives in the documents that clients send."""

ROOTS: Final = {"query": "Query", "mutation": "Mutation", "subscription": "Subscription"}
"""The operations, each with the type that has them where a schema does not say so."""

_TOKENS: Final = re.compile(r'"""(?:\\"""|[^"]|"(?!""))*(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|#[^\n\r]*|[\[({]|[\])}]')
_RULES: Final = (
    LoneSchemaDefinitionRule,
    UniqueOperationTypesRule,
    UniqueTypeNamesRule,
    UniqueEnumValueNamesRule,
    UniqueFieldDefinitionNamesRule,
    UniqueArgumentDefinitionNamesRule,
    UniqueDirectiveNamesRule,
    UniqueDirectivesPerLocationRule,
    UniqueArgumentNamesRule,
    UniqueInputFieldNamesRule,
)
"""Those that guess what an unknown name was meant to be are left out: they take quadratic time."""

_COMPOSITES: Final = (ast.ObjectTypeDefinitionNode, ast.InterfaceTypeDefinitionNode, ast.UnionTypeDefinitionNode)
_PARTS: Final = ("directives", "interfaces", "fields", "values", "types", "operation_types")


@frozen
class Definitions:
    """What the files define together.

    Attributes:
        types, directives: by name, in the order of the files, without those of the language itself.
        roots: the name of the type of each operation that there is.
        schemas: the definition of the schema itself and what extends it, where they are written.
        unread: directives that are used and defined nowhere.
    """

    types: Mapping[str, Any]
    directives: Mapping[str, ast.DirectiveDefinitionNode]
    roots: Mapping[str, str]
    schemas: tuple[Any, ...] = ()
    unread: tuple[UnsupportedConstruct, ...] = ()


def place_of(node: ast.Node) -> Place:
    """The line of a node, of its name where it has one; of an answer the pointer."""
    named = getattr(node, "name", None) or node
    location = named.loc if named.loc is not None else node.loc
    if isinstance(location, Pointed):
        return location.place
    return Place.at_line(location.source.name, location.start_token.line) if location is not None else Place("", "")


def _where(place: Place) -> str:
    """A place as problems name it."""
    return f"line {place.line}" if place.line is not None else f"#{place.pointer}" if place.pointer else ""


@lru_cache(maxsize=4)
def _parsed(
    texts: tuple[tuple[str, str], ...],
) -> tuple[tuple[ast.DefinitionNode, ...], tuple[UnsupportedConstruct, ...]]:
    """The definitions of all files as written, and what answers to introspection leave open.

    Raises:
        BadInput: every file that can't be parsed.
    """
    problems: list[Problem] = []
    nodes: list[ast.DefinitionNode] = []
    unread: list[UnsupportedConstruct] = []
    for name, text in texts:
        try:
            if HOLDS.match(text):
                told, left_open = definitions_in(name, text)
                nodes += told
                unread += left_open
                continue
            _require_shallow(name, text)
            nodes += parse(Source(text, name), max_tokens=MAX_TOKENS, max_source_length=MAX_BYTES).definitions
        except BadInput as error:
            problems += error.problems
        except GraphQLSyntaxError as error:
            problems.append(_problem("graphql-syntax", error, name, "correct the schema; it is read as GraphQL SDL"))
    if problems:
        raise BadInput(problems)
    return tuple(nodes), tuple(unread)


def _require_shallow(name: str, text: str) -> None:
    depth = 0
    for token in _TOKENS.finditer(text):
        depth += {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}.get(token.group(), 0)
        if depth > MAX_DEPTH:
            line = text.count("\n", 0, token.start()) + 1
            found = f"nested more than {MAX_DEPTH} levels deep"
            raise BadInput([Problem(code="graphql-too-deep", found=found, file=name, place=f"line {line}")])


def _problem(code: str, error: GraphQLError, file: str, advice: str) -> Problem:
    message = error.message.removeprefix("Syntax Error: ").rstrip(".")
    node = error.nodes[-1] if error.nodes else None
    where = place_of(node) if node is not None else None
    line = error.locations[0].line if error.locations else None
    place = _where(where) if where is not None else f"line {line}" if line is not None else ""
    return Problem(code=code, found=message, file=where.file if where else file, place=place, advice=advice)


def definitions_of(texts: Mapping[str, str]) -> Definitions:
    """What the files define together, extensions merged into what they extend.

    Args:
        texts: the files by name, in order.

    Raises:
        BadInput: every problem that keeps the schema from being read.
    """
    nodes, left_open = _parsed(tuple(texts.items()))
    problems = [*_executable(nodes), *_contradicting(nodes)]
    types, mismatched = _merged(nodes)
    directives = {node.name.value: node for node in nodes if isinstance(node, ast.DirectiveDefinitionNode)}
    unknown, unread = _unknown(nodes, types, directives)
    problems += [*mismatched, *unknown, *_misplaced(types)]
    if problems:
        raise BadInput(problems)
    found = Definitions(types, directives, _roots(nodes, types), tuple(_schemas(nodes)))
    return replace(
        found,
        types={name: node for name, node in types.items() if name not in SCALARS},
        directives={name: node for name, node in directives.items() if name not in DIRECTIVES},
        unread=(*left_open, *unread, *_redefined(directives)),
    )


def _redefined(directives: Mapping[str, ast.DirectiveDefinitionNode]) -> Iterator[UnsupportedConstruct]:
    """Directives of the specification that stand in documents, and that a schema defines otherwise."""
    own = {directive.name: directive for directive in specified_directives}
    for name in ("include", "skip"):
        node = directives.get(name)
        if node is None:
            continue
        places = {place.value for place in node.locations}
        arguments = {each.name.value: print_ast(each.type) for each in node.arguments or ()}
        expected = {each: str(argument.type) for each, argument in own[name].args.items()}
        if (places, arguments) != ({place.name for place in own[name].locations}, expected):
            found = f"@{name} is defined otherwise than in the specification"
            yield UnsupportedConstruct(place_of(node), found, "it is read as the specification defines it")


def _executable(nodes: Iterable[ast.Node]) -> Iterator[Problem]:
    for node in nodes:
        if isinstance(node, ast.ExecutableDefinitionNode):
            where = place_of(node)
            yield Problem(
                code="graphql-operation",
                found="an operation or fragment among the definitions of a schema",
                file=where.file,
                place=_where(where),
                advice="name the files of the schema alone",
            )


def _contradicting(nodes: tuple[ast.DefinitionNode, ...]) -> Iterator[Problem]:
    document = ast.DocumentNode(definitions=nodes)
    for error in validate_sdl(document, rules=_RULES):
        yield _problem("graphql-definition", error, "", "define each name once; add to it by `extend`")


def _merged(nodes: Iterable[ast.Node]) -> tuple[dict[str, Any], list[Problem]]:
    """The types by name with everything that extends them, and extensions of another kind than their type."""
    first: dict[str, Any] = {}
    more: dict[str, list[Any]] = {}
    for node in nodes:
        if isinstance(node, ast.TypeDefinitionNode):
            first.setdefault(node.name.value, node)
        elif isinstance(node, ast.TypeExtensionNode):
            more.setdefault(node.name.value, []).append(node)
    problems = []
    found = {name: node for name, node in first.items() if name not in more}
    for name, extensions in more.items():
        base = first.get(name) or _as_definition(extensions.pop(0))
        kind = base.kind.removesuffix("_definition")
        for node in extensions:
            if node.kind.removesuffix("_extension") != kind:
                where = place_of(node)
                said = f"{name} is no {node.kind.removesuffix('_extension').replace('_', ' ')}, yet extended as one"
                problems.append(Problem(code="graphql-extension", found=said, file=where.file, place=_where(where)))
        found[name] = _extended(base, extensions)
    order = dict.fromkeys([*first, *more])
    return {name: found[name] for name in order}, problems


def _as_definition(extension: Any) -> Any:
    """A type that only extensions describe, as the parts of a federated schema have it."""
    made = getattr(ast, type(extension).__name__.replace("Extension", "Definition"))
    own = {key: getattr(extension, key) for key in ("name", "loc", *_PARTS) if hasattr(extension, key)}
    return made(**own)


def _extended(base: Any, extensions: Iterable[Any]) -> Any:
    own = {key: getattr(base, key) for key in ("description", "name", "loc", *_PARTS) if hasattr(base, key)}
    for node in extensions:
        for key in _PARTS:
            if key in own and hasattr(node, key):
                own[key] = (*(own[key] or ()), *(getattr(node, key) or ()))
    return type(base)(**own)


def _unknown(
    nodes: Iterable[ast.Node], types: Mapping[str, Any], directives: Mapping[str, object]
) -> tuple[list[Problem], list[UnsupportedConstruct]]:
    """The types that nobody defines, each place of them, and the directives, each once."""
    problems: list[Problem] = []
    unread: dict[str, UnsupportedConstruct] = {}
    for node in _walk(nodes):
        if isinstance(node, ast.NamedTypeNode) and node.name.value not in types and node.name.value not in SCALARS:
            where = place_of(node)
            problems.append(
                Problem(
                    code="graphql-type-unknown",
                    found=f"the type {node.name.value} is defined nowhere",
                    file=where.file,
                    place=_where(where),
                    advice="supply the file that defines it: name the folder, or list the parts",
                )
            )
        elif isinstance(node, ast.DirectiveNode) and node.name.value not in directives:
            name = node.name.value
            if name not in DIRECTIVES and name not in unread:
                found = f"the directive @{name} is defined nowhere"
                unread[name] = UnsupportedConstruct(place_of(node), found, "supply its definition")
    return problems, list(unread.values())


def _misplaced(types: Mapping[str, Any]) -> Iterator[Problem]:
    """Types of values that come where clients send, and the other way."""
    inputs = {name for name, node in types.items() if isinstance(node, ast.InputObjectTypeDefinitionNode)}
    outputs = {name for name, node in types.items() if isinstance(node, _COMPOSITES)}
    for name, node in types.items():
        for part in getattr(node, "fields", None) or ():
            sent = [part] if name in inputs else part.arguments or ()
            wrong = [(one.type, outputs) for one in sent] + ([] if name in inputs else [(part.type, inputs)])
            for kind, refused in wrong:
                if bare(kind) in refused:
                    where = place_of(part)
                    what = "an input object" if refused is inputs else "no input type"
                    found = f"{bare(kind)} is {what}, and can't stand there"
                    yield Problem(code="graphql-type-misplaced", found=found, file=where.file, place=_where(where))


def bare(node: Any) -> str:
    """The name of a type without its lists and exclamation marks."""
    while not isinstance(node, ast.NamedTypeNode):
        node = node.type
    return node.name.value


def _walk(nodes: Iterable[ast.Node]) -> Iterator[ast.Node]:
    """Every node below some that is no name and no description, in reading order."""
    waiting = list(reversed(list(nodes)))
    while waiting:
        node = waiting.pop()
        yield node
        below: list[ast.Node] = []
        for key in _keys(type(node)):  # type: ignore[arg-type]
            value = getattr(node, key)
            if isinstance(value, tuple):
                below.extend(value)
            elif value is not None:
                below.append(value)
        waiting.extend(reversed(below))


@cache
def _keys(kind: Any) -> tuple[str, ...]:
    """The members of a kind of node that may hold types or directives; asking the library takes its time."""
    return tuple(key for key in (*_PARTS, "arguments", "type") if key in kind.keys)


def _schemas(nodes: Iterable[ast.Node]) -> Iterator[Any]:
    return (node for node in nodes if isinstance(node, (ast.SchemaDefinitionNode, ast.SchemaExtensionNode)))


def _roots(nodes: Iterable[ast.Node], types: Mapping[str, Any]) -> dict[str, str]:
    stated = {
        part.operation.value: part.type.name.value for node in _schemas(nodes) for part in node.operation_types or ()
    }
    defines = any(isinstance(node, ast.SchemaDefinitionNode) for node in nodes)
    usual = {} if defines else {word: name for word, name in ROOTS.items() if name in types}
    return {
        word: name
        for word, name in {**usual, **stated}.items()
        if isinstance(types.get(name), ast.ObjectTypeDefinitionNode)
    }


def schema_of(texts: Mapping[str, str]) -> GraphQLSchema:
    """The schema that the files define, for questions to it; it may be one that a server would refuse.

    Raises:
        BadInput: the files can't be read, see `definitions_of`.
        TypeError: a type is used where one of its kind can't stand.
    """
    return _schema(tuple(texts.items()))


@lru_cache(maxsize=4)
def _schema(texts: tuple[tuple[str, str], ...]) -> GraphQLSchema:
    nodes, _ = _parsed(texts)
    types, _ = _merged(nodes)
    operations = tuple(
        ast.OperationTypeDefinitionNode(
            operation=ast.OperationType(word), type=ast.NamedTypeNode(name=ast.NameNode(value=name))
        )
        for word, name in _roots(nodes, types).items()
    )
    schema = (ast.SchemaDefinitionNode(operation_types=operations),) if operations else ()
    directives = [node for node in nodes if isinstance(node, ast.DirectiveDefinitionNode)]
    document = ast.DocumentNode(definitions=(*schema, *types.values(), *directives))
    return build_ast_schema(document, assume_valid=True, assume_valid_sdl=True)


# GraphQL schemas in the schema definition language, in one file or many, or as a server tells them to introspection.

EDITION: Final = "GraphQL, September 2025"


def read(files: Files) -> Contract:
    """The schema that the files define together, extensions merged into what they extend.

    Raises:
        BadInput: every problem: `text-encoding`, `graphql-syntax`, `graphql-introspection`, `graphql-too-deep`,
            `graphql-operation`, `graphql-definition`, `graphql-type-unknown`, `graphql-type-misplaced`,
            `graphql-extension`.
    """
    from evreview.kinds.graphql.elements import elements, schema_marks

    names = dict.fromkeys([*([files.entry] if files.entry else []), *files.named(*ENDINGS)]) or answers(files)
    parts = {name: files.load(name) for name in names}
    texts = _decoded(parts)
    found = definitions_of(texts)
    place = place_of(found.schemas[0]) if found.schemas else Place(next(iter(parts)), "")
    root = Element(
        kind=ElementKind.DOCUMENT,
        key="",
        name="",
        aspect=Aspect.ANNOTATIONS,
        place=place,
        role=Role.DOCUMENT,
        facets=tuple(schema_marks(found)),
        children=elements(found),
    )
    return Contract(
        kind=ContractKind.GRAPHQL,
        version=EDITION,
        title="",
        release="",
        path=files.entry,
        sha256=digest_of(parts.values()),
        root=root,
        documents=texts,
        unread=found.unread,
    )


def _decoded(parts: Mapping[str, bytes]) -> dict[str, str]:
    """The files as texts.

    Raises:
        BadInput: `text-encoding`, for each that is no UTF-8.
    """
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for name, data in parts.items():
        try:
            texts[name] = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            found = f"not UTF-8: the byte 0x{data[error.start]:02x}"
            place, advice = f"line {line}", "save the file as UTF-8"
            problems.append(Problem(code="text-encoding", found=found, file=name, place=place, advice=advice))
    if problems:
        raise BadInput(problems)
    return texts
