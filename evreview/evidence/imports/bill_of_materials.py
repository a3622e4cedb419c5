"""What a bill of materials states, whatever its form: components, their licenses and what is said of vulnerabilities.

Nothing of it is a control, and nothing is decided by it: the file is kept, and people are told what stands in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceType
from evreview.evidence.files import text_of
from evreview.evidence.imports.model import Imported, KeptFile, Supplied, in_line, some, told_lines


class Component(NamedTuple):
    """One component: its id in the file, name, version and license as stated ("" for none), and its place."""

    ref: str
    name: str
    version: str
    license: str
    place: str

    @property
    def shown(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}".rstrip()


_ADVICE: Final = "Supply the file as its tool wrote it"


def bad_entry(supplied: Supplied, place: str, found: str) -> Problem:
    """The problem of an entry that can't be read."""
    return Problem(code="bad-bom", found=found, file=supplied.name, place=place, advice=_ADVICE)


def require_unique(ids: Iterable[tuple[str, str]], supplied: Supplied) -> None:
    """Nothing when no id stands twice: what names a component could mean either then.

    Args:
        ids: each with its place; "" is none.
        supplied: named in the problems.

    Raises:
        BadInput: with each id that stands twice.
    """
    listed = [(one, place) for one, place in ids if one]
    numbers = Counter(one for one, _ in listed)
    first: dict[str, str] = {}
    problems = [
        Problem(code="duplicate-id", found=f"`{in_line(one)}` stands twice, first at {first[one]}", file=supplied.name,
                place=place, advice=_ADVICE)
        for one, place in listed
        if numbers[one] > 1 and first.setdefault(one, place) != place
    ]  # fmt: skip
    if problems:
        raise BadInput(problems)


def imported(
    supplied: Supplied, form: str, ending: str, components: Sequence[Component], stated: Sequence[str] = ()
) -> Imported:
    """The file as an item, and what is to be told of it.

    Args:
        supplied: the file.
        form: its format, as people write it.
        ending: of the kept file.
        components: all of them.
        stated: a line for each vulnerability that the file states.

    Raises:
        BadInput: it lists nothing.
    """
    if not components and not stated:
        advice = "Nothing to import; that a list is empty shows no absence"
        raise bad_input("import-empty", f"this {form} lists no component", file=supplied.name, advice=advice)
    kept = KeptFile(
        ending=ending,
        text=text_of(supplied.data, supplied.name),
        type=EvidenceType.TEST_RECORD,
        establishes=f"What the bill of materials ({form}) with sha256:{supplied.digest} lists, as written. Not "
        "that the list is complete, that a component is reached, or that a vulnerability applies or does not.",
    )
    told = (
        f"components  {counted(len(components), 'component')} ({form})",
        *_gaps(components),
        *told_lines("states", stated),
    )
    last = "no control  a security review reads no list of packages as a control: nothing is decided by it"
    return Imported(name=f"imports/{form.partition(' ')[0].lower()}", type=kept.type, kept=kept, told=(*told, last))


def _gaps(components: Sequence[Component]) -> Iterator[str]:
    unversioned = [one.name for one in components if not one.version]
    unlicensed = [one.shown for one in components if not one.license]
    if unversioned:
        yield f"            {len(unversioned)} without a version: {some(unversioned)}"
    if unlicensed:
        yield f"            {len(unlicensed)} that no license names: {some(unlicensed)}"
