"""Of which things the sources show that they belong to somebody, and of which that is so by their nature."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.model import Guard, Route
from evreview.workflows.w3.access_control.access_words import OWNERS, PRINCIPALS, words
from evreview.workflows.w3.access_control.sibling_routes import resource
from evreview.workflows.w3.access_control.units import Reading

PERSONAL: Final = frozenset(
    {"order", "invoice", "bill", "payment", "payslip", "message", "cart", "basket", "booking", "reservation", "note",
     "file", "document", "upload", "ticket", "account", "profile", "address", "prescription", "statement", "wallet",
     "subscription", "conversation", "chat", "inbox", "draft", "receipt", "purchase", "card", "letter", "diary",
     "appointment", "refund", "transfer"}
)  # fmt: skip
"""Names of things that somebody owns wherever they are kept."""
PUBLIC: Final = frozenset(
    {"product", "article", "post", "page", "category", "country", "city", "region", "currency", "language", "tag",
     "news", "faq", "book", "movie", "film", "song", "album", "artist", "author", "recipe", "event", "station",
     "weather", "menu", "price", "rate", "holiday", "brand", "catalog", "catalogue", "item", "topic", "genre",
     "timezone", "locale", "translation", "version", "release", "package", "plan", "feature", "blog", "course",
     "lesson", "quote", "venue", "store", "shop", "airport", "flight", "train", "stop", "line", "type", "unit",
     "color", "colour", "size", "licence", "license", "job", "vacancy", "team", "player", "game", "match", "season",
     "sport", "species", "animal", "plant", "vehicle", "model", "manufacturer", "sku", "label", "status", "setting"}
)  # fmt: skip
"""Names of things that are there for everybody."""
_SIGNED_IN: Final = frozenset({"login", "logged", "authenticated", "authentication", "signed", "auth", "jwt", "token"})
_TABLE: Final = re.compile(
    r"\b(?:from|into|update|join|create\s+table(?:\s+if\s+not\s+exists)?)\s+[\"`\[]?(?:\w+\.)?(\w{1,60})", re.IGNORECASE
)
_KEPT: Final = re.compile(r"(?is)\s*(?:create\s+table|insert\s+into)\s[^(]{1,200}\(([^)]{1,2000})")
_SHORTCUTS: Final = frozenset({"get_object_or_404", "get_list_or_404"})
_BLOCKS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_MOST: Final = 4_000
"""Characters of a statement that are looked at."""


def singular(name: str) -> str:
    """The last word of a name, without its plural."""
    last = words(name)[-1:]
    word = last[0] if last else ""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def authenticated_only(route: Route) -> bool:
    """True for a route that asks who calls, and by no guard what the caller may do."""
    return bool(route.guards) and all(_authenticates(guard) for guard in route.guards)


def _authenticates(guard: Guard) -> bool:
    if guard.scopes:
        return set(guard.scopes) <= {"authenticated"}
    if guard.kind == "unknown":
        return bool(_SIGNED_IN.intersection(words(guard.name)))
    return guard.kind == "authentication"


def owned_names(reading: Reading) -> frozenset[str]:
    """The things that other lines ask the owner of: tables and classes that are filtered by one."""
    found: set[str] = set()
    for _, statement in reading.modules.statements():
        if isinstance(statement, _BLOCKS):
            continue
        for node in ast.walk(statement):
            match node:
                case ast.Constant(value=str(told)) if asks_owner(told) or _keeps_owner(told):
                    found.update(tables(told))
                case ast.Call(func=ast.Attribute(), keywords=given) if _by_owner(given):
                    found.update(name for name in classes(node.func))
                case ast.Call(func=ast.Name(id=name), args=[first, *_], keywords=given) if _by_owner(given):
                    found.update(classes(first) if name in _SHORTCUTS else ())
    return frozenset(found)


def names_of_callers(reading: Reading) -> frozenset[str]:
    """The classes of which other lines give whoever calls those of their own: `filter(owner=request.user)`."""
    found: set[str] = set()
    for _, statement in reading.modules.statements():
        for node in ast.walk(statement) if not isinstance(statement, _BLOCKS) else ():
            if isinstance(node, ast.Call) and any(_is_caller(word) for word in node.keywords):
                found.update(classes(node))
    return frozenset(found)


def _is_caller(word: ast.keyword) -> bool:
    named = word.value.attr if isinstance(word.value, ast.Attribute) else getattr(word.value, "id", "")
    return _by_owner([word]) and bool(PRINCIPALS.intersection(words(named)))


def _by_owner(given: list[ast.keyword]) -> bool:
    return any(word.arg is not None and word.arg.partition("__")[0] in OWNERS for word in given)


def asks_owner(told: str) -> bool:
    """True for a statement that reads by an owner's column."""
    text = told[:_MOST].lower()
    where = text.partition("where ")[2]
    return text.lstrip().startswith(("select", "with")) and any(
        re.search(rf"\b{name}\b\s*(=|in\b)", where) for name in OWNERS
    )


def _keeps_owner(told: str) -> bool:
    """True for a statement that makes a table, or adds to one, with an owner's column."""
    found = _KEPT.match(told[:_MOST])
    return found is not None and bool(OWNERS.intersection(re.findall(r"\w+", found[1].lower())))


def made_without_owner(reading: Reading) -> frozenset[str]:
    """The tables whose making is shown without an owner's column, but those of things that somebody owns anyway."""
    found: set[str] = set()
    for _, statement in reading.modules.statements():
        for node in ast.walk(statement) if not isinstance(statement, _BLOCKS) else ():
            told = node.value if isinstance(node, ast.Constant) else None
            made = isinstance(told, str) and "create table" in told[:_MOST].lower()
            found |= set(tables(told)) if isinstance(told, str) and made and not _keeps_owner(told) else set()
    return frozenset(found - PERSONAL)


def tables(told: str) -> Iterator[str]:
    """The tables that a statement names, each as one thing."""
    for name in _TABLE.findall(told[:_MOST]):
        yield singular(name)


def classes(node: ast.AST) -> Iterator[str]:
    """The classes that an expression names, each as one thing."""
    for part in ast.walk(node):
        name = part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "")
        if isinstance(name, str) and name[:1].isupper() and not name.isupper():
            yield singular(name)


def things(route: Route, node: ast.AST, by_path: bool) -> frozenset[str]:
    """What a lookup is about: its tables, classes, the function's own name; by a path's id the route's resource."""
    found = {singular(resource(route.path)) if by_path else "", *classes(node)}
    for part in ast.walk(node):
        match part:
            case ast.Constant(value=str(told)):
                found.update(tables(told))
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
                found.add(singular(name))
    return frozenset(found - {""})
