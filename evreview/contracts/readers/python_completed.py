"""A parsed file with what its statements say besides its definitions: branches, other bindings, imports, wrappers."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final

from evreview.contracts.readers import python_parsed as parsed
from evreview.contracts.readers.python_answers import answers_of
from evreview.contracts.readers.python_branches import Branches, branches_of
from evreview.contracts.readers.python_later import set_later
from evreview.contracts.readers.python_scripts import is_script
from evreview.contracts.readers.python_wrappers import wrappers_of
from evreview.kinds.python.bindings import Bindings, Set, bindings_of
from evreview.kinds.python.parsed import loads_of

_OF_MODULE: Final = frozenset({"module-attribute"})
_OF_CLASS: Final = frozenset({"class-attribute", "instance-attribute"})
_STAR: Final = re.compile(
    r"^([ \t]*from[ \t]+(typing|typing_extensions|dataclasses|enum|abc|collections|collections\.abc|functools"
    r"|contextlib)[ \t]+import[ \t]+)\*",
    re.M,
)
_WORD: Final = re.compile(r"\w+")


def told_stars(code: str) -> str:
    """The text with `from typing import *` and the like naming what the text uses; lines stay where they are."""
    if "import *" not in code or not (stars := {match[2] for match in _STAR.finditer(code)}):
        return code
    used = set(_WORD.findall(code))
    given = {star: ", ".join(sorted(used & set(_names_of(star)))) for star in stars}
    return _STAR.sub(lambda match: match[1] + given[match[2]] if given[match[2]] else match[0], code)


def _names_of(star: str) -> list[str]:
    """What a module of Python itself gives by `*`; typing_extensions gives at least what typing does."""
    module = import_module("typing" if star == "typing_extensions" else star)
    return [*getattr(module, "__all__", ()), *(["deprecated"] if star == "typing_extensions" else [])]


def completed(module: parsed.Module, tree: ast.Module, code: str) -> parsed.Module:
    """The module with what its text says besides its definitions.

    Raises:
        RecursionError: it is nested too deep.
    """
    branches = branches_of(tree, module.path.split(".")[0])
    bindings = bindings_of(tree, walruses=":=" in code)
    exports = None if module.exports is None else (*module.exports, *branches.exports)
    made = _Completing(module, branches, bindings, wrappers_of(tree))
    members = made.members(module.members, "", _OF_MODULE)
    members, left = made.attributed(members)
    return replace(
        module,
        members=members,
        exports=exports,
        unread=branches.unread,
        untold=(*bindings.untold, *left),
        later=set_later(tree, code, module.path, package=module.package),
        answers=answers_of(tree),
        script=is_script(tree),
        loads=loads_of(tree, code, module.path, package=module.package),
    )


@dataclass(frozen=True, slots=True)
class _Completing:
    """One file: its module by definitions alone, and what the text says besides."""

    module: parsed.Module
    branches: Branches
    bindings: Bindings
    gives: Mapping[str, str]

    def members(
        self, members: Mapping[str, parsed.Member], around: str, labels: frozenset[str], *, live: bool = False
    ) -> Mapping[str, parsed.Member]:
        """The members of a scope: what is deleted left out, what is bound otherwise added; `live`: all of it runs."""
        found = {**members, **self._more(members, around, labels)}
        for name in [name for name in found if around + name in self.branches.gone]:
            del found[name]
        return {name: self._told(member, around + name, live=live) for name, member in found.items()}

    def _more(
        self, members: Mapping[str, parsed.Member], around: str, labels: frozenset[str]
    ) -> Mapping[str, parsed.Attribute]:
        where: dict[str, Any] = {"file": self.module.file, "labels": labels}
        return {
            name: parsed.Attribute(name=name, line=given.line, value=given.value, **where)
            for name, given in self.bindings.names.get(around, {}).items()
            if name not in members
        }

    def _told(self, member: parsed.Member, name: str, *, live: bool) -> parsed.Member:
        """A member with what the text says of it."""
        live = live or name in self.bindings.live
        if isinstance(member, parsed.Class):
            member = replace(member, members=self.members(member.members, f"{name}.", _OF_CLASS, live=live))
        elif isinstance(member, parsed.Function) and name in self.gives:
            member = replace(member, gives=self.gives[name])
        forms, perhaps = self.branches.forms.get(name, ()), name in self.bindings.perhaps
        borrowed = name in self.branches.borrowed
        runtime = member.runtime or live
        if forms or perhaps or runtime is not member.runtime:
            member = replace(member, forms=forms, perhaps=perhaps, borrowed=borrowed, runtime=runtime)
        return member

    def attributed(self, members: Mapping[str, parsed.Member]) -> tuple[Mapping[str, parsed.Member], list[str]]:
        """The members with the attributes that are set on them, and the statements about anything else."""
        found, left = dict(members), list[str]()
        for each in self.bindings.sets:
            first, _, rest = each.owner.partition(".")
            owner = found.get(first)
            changed = self._set(owner, rest, each, members) if owner is not None else None
            if changed is None:
                left.append(each.text)
            else:
                found[first] = changed
        return found, left

    def _set(
        self, owner: parsed.Member, rest: str, given: Set, members: Mapping[str, parsed.Member]
    ) -> parsed.Member | None:
        """The owner with an attribute more, None where it is neither a class nor a function of the file."""
        first, _, behind = rest.partition(".")
        if isinstance(owner, parsed.Class) and first:
            inner = owner.members.get(first)
            changed = self._set(inner, behind, given, members) if inner is not None else None
            return None if changed is None else replace(owner, members={**owner.members, first: changed})
        value = given.given.value
        where: dict[str, Any] = {"name": given.name, "file": self.module.file, "line": given.given.line}
        made = parsed.Attribute(**where, value=value, labels=_OF_CLASS)
        if isinstance(owner, parsed.Class):
            target = members.get(value or "")
            function = replace(target, **where) if isinstance(target, parsed.Function) else None
            return replace(owner, members={**owner.members, given.name: function or made})
        if isinstance(owner, parsed.Function) and not first:
            return replace(owner, attributes={**owner.attributes, given.name: made})
        return None
