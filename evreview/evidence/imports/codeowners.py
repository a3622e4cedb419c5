"""CODEOWNERS as GitHub reads it: which team owns the contract and each client's folder. Teams are roles, people not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from evreview.core.vocabulary import EvidenceType
from evreview.evidence.files import text_of
from evreview.evidence.imports.model import Imported, KeptFile, Supplied, some, wrong_format

_OWNER: Final = re.compile(r"@[\w.-]+(?:/[\w.-]+)?|[^@\s]+@[^@\s]+")
_TEAM: Final = re.compile(r"@[\w.-]+/[\w.-]+")
_PART: Final = re.compile(r"(?:\\.|[^\s\\])+")
_WILD: Final = frozenset("*?")
_CLIENTS: Final = frozenset({"clients", "consumers"})
_MOST_RULES: Final = 10_000


@dataclass(frozen=True, slots=True)
class OwnerRule:
    """One line: its number, the pattern, and who owns what matches; nobody where no owner stands behind it."""

    line: int
    pattern: str
    owners: tuple[str, ...]

    @property
    def teams(self) -> tuple[str, ...]:
        """The owners that are roles: teams, never persons."""
        return tuple(dict.fromkeys(each for each in self.owners if _TEAM.fullmatch(each)))


def read(supplied: Supplied) -> Imported:
    """The contract's owner for the request, lines about clients, and the file as an item.

    Raises:
        BadInput: no line of the file names an owner.
    """
    text = text_of(supplied.data, supplied.name)
    rules, unread = _rules(text)
    if not any(rule.owners for rule in rules):
        raise wrong_format(supplied, "CODEOWNERS file", "Name a file with lines such as `api/ @parcels/api-owners`")
    roles, told = _contract(rules, supplied.reviewed.contract)
    told += _clients(rules, supplied.reviewed.clients)
    told += [f"not read    line {some(unread)}: neither a pattern with owners nor a comment"] if unread else []
    kept = KeptFile(
        ending=".txt",
        text=text,
        type=EvidenceType.CONFIGURATION_EXCERPT,
        establishes=f"Which team owns which path, as the file with sha256:{supplied.digest} states it. "
        "Not that anybody approved anything.",
    )
    return Imported(name="imports/codeowners", type=kept.type, kept=kept, roles=roles, told=tuple(told))


def _rules(text: str) -> tuple[tuple[OwnerRule, ...], tuple[str, ...]]:
    """The rules in order, and the numbers of lines that are none; GitHub passes such a line over too."""
    rules: list[OwnerRule] = []
    unread: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        words = [word.replace("\\ ", " ") for word in _PART.findall(line)]
        comment = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
        words = words[:comment]
        if not words:
            continue
        is_rule = not words[0].startswith(("!", "[", "\\#")) and all(_OWNER.fullmatch(each) for each in words[1:])
        if is_rule and len(rules) < _MOST_RULES:
            rules.append(OwnerRule(number, words[0], tuple(words[1:])))
        else:
            unread.append(str(number))
    return tuple(rules), tuple(unread)


def owner_of(rules: Sequence[OwnerRule], path: str) -> OwnerRule | None:
    """The last rule that matches a path, as GitHub has it; None for none."""
    return next((rule for rule in reversed(rules) if matches(rule.pattern, path)), None)


def matches(pattern: str, path: str) -> bool:
    """True when a pattern takes in the file at a path from the repository's root."""
    steps = pattern.strip("/").split("/")
    is_anchored = "/" in pattern.rstrip("/")
    if not is_anchored:
        steps = ["**", *steps]
    if pattern.endswith("/"):
        steps = [*steps, "**", "*"]
    elif steps[-1] not in ("*", "**") or not is_anchored:
        # What names a folder takes in all of it; `docs/*` takes in its files alone.
        return _fits(tuple(steps), tuple(path.split("/"))) or _fits((*steps, "**", "*"), tuple(path.split("/")))
    return _fits(tuple(steps), tuple(path.split("/")))


@lru_cache(maxsize=4096)
def _fits(steps: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """True when the steps of a pattern take all names; by a table of both, so that no pattern is dear."""
    reached = {0}
    for step in steps:
        if step == "**":
            reached = set(range(min(reached), len(names) + 1)) if reached else set()
        else:
            reached = {at + 1 for at in reached if at < len(names) and _alike(step, names[at])}
    return len(names) in reached


def _alike(glob: str, name: str) -> bool:
    """True when a name fits a pattern with `*` and `?`; what a star took is given back one sign at a time."""
    at = taken = 0
    star = -1
    sign = 0
    while at < len(name):
        if sign < len(glob) and glob[sign] == "*":
            star, taken, sign = sign, at, sign + 1
        elif sign < len(glob) and glob[sign] in ("?", name[at]):
            at, sign = at + 1, sign + 1
        elif star >= 0:
            taken += 1
            at, sign = taken, star + 1
        else:
            return False
    return all(each == "*" for each in glob[sign:])


def _contract(rules: Sequence[OwnerRule], path: str) -> tuple[dict[str, str], list[str]]:
    """The role that owns the contract, where exactly one team does, and what is told of it."""
    if not path:
        return {}, ["api_owner   the bundle names no contract"]
    rule = owner_of(rules, path)
    if rule is None or not rule.owners:
        return {}, [f"api_owner   {path} has no owner"]
    if len(rule.teams) == 1:
        return {"api_owner": rule.teams[0]}, [f"api_owner   {path}: {rule.teams[0]} (line {rule.line})"]
    who = "several teams: " + some(rule.teams) if rule.teams else "persons, who are no roles"
    return {}, [f"api_owner   {path} is owned by {who} (line {rule.line}); fill in roles.api_owner yourself"]


def _clients(rules: Sequence[OwnerRule], known: frozenset[str]) -> list[str]:
    """A line for each folder that is a client's: one of its name, or one below `clients`."""
    told: dict[str, str] = {}
    for folder, client in _folders(rules, known):
        rule = owner_of(rules, f"{folder}/_")
        teams = rule.teams if rule else ()
        if rule is not None and len(teams) == 1:
            listed = "" if client in known else ", not listed yet"
            line = f"owner_role  {folder}/: {teams[0]} (line {rule.line}) -> client {client}{listed}"
        else:
            line = f"owner_role  {folder}/ has {'several teams' if teams else 'no team'} -> client {client}"
        told.setdefault(folder, line)
    return list(told.values())


def _folders(rules: Sequence[OwnerRule], known: frozenset[str]) -> Iterator[tuple[str, str]]:
    for rule in rules:
        names = rule.pattern.strip("/").split("/")
        if not _WILD & set(rule.pattern) and (names[-1] in known or (len(names) > 1 and names[-2] in _CLIENTS)):
            yield "/".join(names), names[-1]
