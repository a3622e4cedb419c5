"""A ledger that shows itself in Jupyter: `ev.diff(a, b)`, `.breaking`, `.where(...)` and `.row(id)`, without a bundle.

Rows are said in the words that the terminal and the artifact print, redacted before they are said.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.core.errors import bad_input
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import Tristate, Verdict
from evreview.kinds.registry import spec_of
from evreview.report.difference_card import card_of
from evreview.report.difference_text import (
    RowContext,
    headline,
    listed_under,
    names_of,
    numbers,
    said,
    sketched,
    stated,
)

if TYPE_CHECKING:
    from pandas import DataFrame

    from evreview.workflows.session import Review
    from evreview.workflows.widgets.renderables import Renderable

GROUPED: Final = 2000
"""More rows than this open as operations with their counts."""
_ORDER: Final = (Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE)


class Rows(tuple[JudgedRow, ...]):
    """Some rows of a comparison, which show themselves as a table; else a tuple like any other."""

    shown_by: LedgerExplorer

    @property
    def frame(self) -> DataFrame:
        """Their part of the ledger's frame, redacted; columns and key are those of `Comparison.frame`."""
        every = self.shown_by.frame
        return every[every["delta_id"].isin(self._ids)].reset_index(drop=True)

    @property
    def breaking(self) -> Rows:
        """Those with a breaking verdict."""
        return self.where(verdict=Verdict.BREAKING)

    def where(self, **asked: Any) -> Rows:
        """Those that fit all that is named; arguments and refusals as of `LedgerExplorer.where`."""
        fit = {row.delta.id for row in self.shown_by.where(**asked)}
        return self.shown_by.rows_of(row for row in self if row.delta.id in fit)

    def row(self, delta_id: str) -> ShownRow:
        """The one of them with this id.

        Raises:
            BadInput: `row-unknown`.
        """
        found = self.shown_by.row(delta_id)
        if found.delta.id not in self._ids:
            raise bad_input("row-unknown", f"{found.delta.id} is none of these {counted(len(self), 'row')}",
                            advice="The whole ledger has it")  # fmt: skip
        return found

    @property
    def _ids(self) -> frozenset[str]:
        return frozenset(row.delta.id for row in self)

    def __repr__(self) -> str:
        """Nothing of the contracts: a notebook that shows it saves it."""
        return f"Rows({len(self)})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return self.shown_by.table(self)._repr_mimebundle_()


class ShownRow(JudgedRow):
    """A row that shows itself as its card."""

    shown_by: LedgerExplorer

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, JudgedRow)
        return same and (self.delta, self.judgement) == (other.delta, other.judgement)  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self.delta.id)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return self.shown_by.card(self.delta.id)._repr_mimebundle_()


@dataclass(frozen=True, kw_only=True, repr=False)
class LedgerExplorer(Comparison):
    """A comparison that shows itself.

    Attributes:
        clients: of a review in which clients are known, those that each difference concerns, by its id; None for two
            files alone.
    """

    clients: Mapping[str, tuple[str, ...]] | None = field(default=None, compare=False)

    @cached_property
    def breaking(self) -> Rows:
        """The rows with a breaking verdict."""
        return self.rows_of(row for row in self.rows if row.judgement.verdict is Verdict.BREAKING)

    def where(self, *, operation: str = "", client: str = "", verdict: Verdict | str = "", **others: object) -> Rows:
        """The rows that fit all that is named; none is an answer, too.

        Args:
            operation: as the contract writes it, or as the ledger does.
            client: a known client; only the ledger of a review knows any.
            verdict: breaking, compatible or unknown.
            others: refused; a name that is none of these is told as bad input.

        Raises:
            BadInput: there is no such operation, client or verdict, or nothing of that name to ask by.
        """
        if others:
            raise bad_input("filter-unknown", f"rows are not asked for by {', '.join(others)[:60]}",
                            advice="Name operation, client or verdict")  # fmt: skip
        odd = [name for name, word in (("operation", operation), ("client", client)) if not isinstance(word, str)]
        if odd:
            raise bad_input(
                "filter-unknown", f"{' and '.join(odd)} must be a text", advice="Name one; ask again for more"
            )
        wanted = self._verdict(verdict) if verdict else None
        keys = self._operations(operation) if operation else frozenset()
        concerned = self._client(client) if client else frozenset()
        return self.rows_of(
            row
            for row in self.rows
            if (wanted is None or row.judgement.verdict is wanted)
            and (not operation or keys & {*row.delta.operations, row.delta.operation})
            and (not client or row.delta.id in concerned)
        )

    def row(self, delta_id: str) -> ShownRow:
        """The row with this id.

        Raises:
            BadInput: `row-unknown`.
        """
        found = super().row(delta_id)
        shown = ShownRow(*(getattr(found, each.name) for each in fields(JudgedRow)))
        object.__setattr__(shown, "shown_by", self)
        return shown

    def rows_of(self, rows: Iterable[JudgedRow]) -> Rows:
        """Some rows of this ledger as what shows itself."""
        found = Rows(rows)
        found.shown_by = self
        return found

    def _verdict(self, named: Verdict | str) -> Verdict:
        try:
            return Verdict(named)
        except ValueError:
            raise bad_input("verdict-unknown", f"there is no verdict {str(named)[:60]!r}",
                            advice=f"Name one of {', '.join(Verdict)}") from None  # fmt: skip

    def _operations(self, named: str) -> frozenset[str]:
        """The keys that a name stands for: the ledger's own, and that of the operation that a contract writes so."""
        known = {name: key for key, name in self.names.items()} | {key: key for key in self.names}
        every = {each: each for row in self.rows for each in (*row.delta.operations, row.delta.operation) if each}
        found = (every | known).get(named)
        if found is None:
            near = difflib.get_close_matches(named, [*known, *every], n=1, cutoff=0.5)
            advice = f"Did you mean {near[0]}?" if near else "`.frame` has the column operation"
            raise bad_input("operation-unknown", f"no operation is called {named[:80]!r}", advice=advice)
        return frozenset({found})

    def _client(self, named: str) -> frozenset[str]:
        if self.clients is None:
            advice = "Ask the ledger of a review: ev.review(bundle).ledger"
            raise bad_input("client-unknown", "two contracts alone know no clients", advice=advice)
        every = sorted({each for found in self.clients.values() for each in found})
        if named not in every:
            advice = f"Name one of {', '.join(every)}" if every else "No difference concerns a known client"
            raise bad_input("client-unknown", f"no difference concerns a client {named[:60]!r}", advice=advice)
        return frozenset(delta for delta, found in self.clients.items() if named in found)

    # What is shown.

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Operations as the contracts write them, by key."""
        return names_of(self.ledger.released, self.ledger.candidate)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        from evreview.workflows.widgets.renderables import Stack

        return Stack(parts=[self.head(), self.table(self.rows)])._repr_mimebundle_()

    def head(self) -> Renderable:
        """The verdict in one line, and how many rows have which."""
        from evreview.workflows.widgets.renderables import Listing

        counts = Counter(row.judgement.verdict for row in self.rows)
        rest = ", ".join(f"{counts[verdict]} {verdict}" for verdict in _ORDER)
        lines = [f"{counted(len(self.rows), 'row')}: {rest}", f"{len(self.noise)} more never reach the wire"]
        lines += [f"{len(self.unread)} parts could not be read"] if self.unread else []
        return Listing(title=headline(self.summary)[1], lines=tuple(lines))

    def table(self, rows: Iterable[JudgedRow]) -> Renderable:
        """The rows as a table, worst first; of very many the operations with their counts."""
        import pandas as pd

        from evreview.workflows.widgets import difference_rows as shown
        from evreview.workflows.widgets.renderables import Listing
        from evreview.workflows.widgets.row_table import LedgerView

        chosen = sorted(rows, key=lambda row: _ORDER.index(row.judgement.verdict))
        if not chosen:
            return Listing(title="No row.")
        if len(chosen) > GROUPED:
            return self._by_operation(chosen)
        documents: Any = self.learn().clean_json([self._sketch(row) for row in chosen])
        ordinal = numbers(documents)
        nouns = [spec_of(row.delta.kind).operation_word for row in chosen]
        columns = shown.COLUMNS[:4] if self.clients is None else shown.COLUMNS[:5]
        made = [
            self._cells(each, ordinal.get(str(each["id"]), ""), noun)
            for each, noun in zip(documents, nouns, strict=True)
        ]
        names = [shown.KEY, *(column.name for column in shown.COLUMNS[:5]), "operation", "aspect"]
        return LedgerView(
            frame=pd.DataFrame(made, columns=names),
            columns=columns,
            facets=(*shown.FACETS, "aspect"),
            heat=shown.heat_of([(cells[-2], cells[-1], Verdict(cells[1])) for cells in made]),
            folded=shown.FOLDED,
            detail=self.card,
            title=counted(len(chosen), "row"),
            caption=shown.CAPTION,
            role="matrix",
        )

    def _sketch(self, row: JudgedRow) -> dict[str, Any]:
        """The row as far as a line needs it: no proof is computed for it."""
        judged = row.judgement
        return sketched(row.delta, self.ledger.released, rule=judged.rule or "", verdict=judged.verdict.value)

    def _cells(self, document: Any, number: str, noun: str) -> tuple[Any, ...]:
        from evreview.workflows.widgets.difference_rows import cells

        spoken = said(document, RowContext(names=self.names, number=number))
        under = tuple(self.names.get(name, name) or "the document" for name in listed_under(document))
        return (*cells(spoken, noun), self._concerned(spoken.id), under, document["aspect"])

    def _concerned(self, delta_id: str) -> str:
        from evreview.workflows.w1.client_outcomes import unconcerned

        found = (self.clients or {}).get(delta_id)
        return ", ".join(found or ()) or unconcerned(is_known=found is not None)

    def _by_operation(self, rows: list[JudgedRow]) -> Renderable:
        import pandas as pd

        from evreview.workflows.widgets.row_table import TableRenderable

        groups: dict[str, Counter[Verdict]] = {}
        for row in rows:
            for name in row.delta.operations or (row.delta.operation or "the document",):
                groups.setdefault(self.names.get(name, name), Counter())[row.judgement.verdict] += 1
        ordered = sorted(groups, key=lambda name: -groups[name][Verdict.BREAKING])
        frame = pd.DataFrame(
            [(name, *(groups[name][verdict] for verdict in _ORDER)) for name in ordered],
            columns=["operation", *map(str, _ORDER)],
        )
        title = f"{counted(len(rows), 'row')} by operation; .where(operation=...) opens one"
        return TableRenderable(frame=frame, title=title, clean=self.learn().clean)

    def card(self, delta_id: str) -> Renderable:
        """One row whole.

        Raises:
            BadInput: `row-unknown`.
        """
        from evreview.workflows.widgets.difference_rows import card_view

        row = super().row(delta_id)
        document: Any = self.learn().clean_json(stated(row, self.ledger.released))
        told = RowContext(names=self.names, clients=(self.clients or {}).get(delta_id, ()))
        return card_view(card_of(document, told), document, acceptance=self._accepting(row))

    def _accepting(self, row: JudgedRow) -> str:
        """The row's accept file, to fill in; a review accepts by a disposition, and what is compatible needs none."""
        if self.clients is not None or row.judgement.verdict is Verdict.COMPATIBLE:
            return ""
        from evreview.comparison.accepted_differences import Contents, skeleton

        clean = self.learn().clean
        return clean(skeleton([row], None, clean, Contents(self.ledger).of))


def explored(comparison: Comparison, clients: Mapping[str, tuple[str, ...]] | None = None) -> LedgerExplorer:
    """The comparison as one that shows itself."""
    return LedgerExplorer(**{each.name: getattr(comparison, each.name) for each in fields(Comparison)}, clients=clients)


def reviewed(review: Review) -> Review:
    """The review with a ledger that shows itself and knows the clients that each difference concerns."""
    if review.ledger is None:
        return review
    concerned: dict[str, dict[str, None]] = {}
    for impact in getattr(review.facts, "impacts", ()):
        named = concerned.setdefault(impact.delta_id, {})
        if impact.contract_incompatible is not Tristate.NO or impact.executed == "failed":
            named[str(impact.client)] = None
    clients = {delta: tuple(found) for delta, found in concerned.items()}
    return replace(review, ledger=explored(review.ledger, clients))
