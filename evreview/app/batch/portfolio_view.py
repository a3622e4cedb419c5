"""A portfolio as a notebook shows it: contracts, rules, clients by breaks, reviews by age, gates; and each ledger."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from posixpath import commonpath
from typing import Any, Final

import pandas as pd

from evreview.app.batch.portfolio import COLUMNS, portfolio_rows
from evreview.app.batch.storage import Storage, StorageFailed, is_url, storage_at
from evreview.app.batch.task import TaskStatus
from evreview.core.errors import bad_input
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import Verdict
from evreview.redaction.redactor import Redactor
from evreview.workflows.engine.gates import GateState
from evreview.workflows.widgets.citation_card import Card
from evreview.workflows.widgets.renderables import Document, Listing, Stack
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table_markup import Column, Look

RECENT: Final = 12
"""Versions whose counts a contract's row shows; its card has all."""
VERDICTS: Final = (Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE, "")
"""Breaking ones first; a register of a review that ended before step 4 has none."""
WAITING: Final = (GateState.OPEN, GateState.REJECTED)
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Portfolio:
    """Everything that a batch has kept, as one table; it shows itself in Jupyter.

    Attributes:
        storage: the output of the batch.
        rows: one for each pair and review, with the fields of the table.
    """

    storage: Storage
    rows: tuple[Row, ...]

    def __repr__(self) -> str:
        """Nothing of the contracts: a notebook that shows it saves it."""
        return f"Portfolio({self._counted})"

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The table as a frame, one row a pair or review."""
        frame = pd.DataFrame(list(self.rows), columns=[column.name for column in COLUMNS])
        return frame.astype({column.name: column.dtype for column in COLUMNS})

    @cached_property
    def by_contract(self) -> Mapping[str, Sequence[Row]]:
        """The pairs of each contract in their order; the contract with most breaks first."""
        found: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows:
            found[row["contract"]].append(row)
        return dict(sorted(found.items(), key=lambda item: (-sum(row["breaking"] for row in item[1]), item[0])))

    @cached_property
    def reviewed(self) -> Sequence[Row]:
        """The rows of reviews, the one that judges as of the oldest day first; those without a day last."""
        return sorted((row for row in self.rows if row["workflow"]), key=lambda row: (not row["as_of"], row["as_of"]))

    @property
    def _counted(self) -> str:
        bundles = sum(bool(row["bundle"]) for row in self.rows)
        nouns = {"pair": len(self.rows) - bundles, "bundle": bundles}
        return " and ".join(counted(count, noun) for noun, count in nouns.items() if count) or "nothing"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return Stack(parts=[self.head(), self.contracts()])._repr_mimebundle_()

    # What is shown.

    def head(self) -> Listing:
        """How many break an old client, which reviews give no permission, and what is lacking."""
        states = Counter(row["status"] for row in self.rows)
        breaking = sum(bool(row["breaking"]) for row in self.rows)
        told = ", ".join(f"{count:,} {state}" for state, count in states.most_common())
        lines = [
            f"{self._counted}, {counted(len(self.by_contract), 'contract')}: {told or 'none'}",
            f"{counted(sum(row['breaking'] for row in self.rows), 'breaking row')}, "
            f"{sum(row['unknown'] for row in self.rows):,} without a verdict",
        ]
        refused = sum(row["permitted"] == "no" for row in self.reviewed)
        if self.reviewed:
            of_all = counted(len(self.reviewed), "review")
            lines.append(f"without permission: {refused:,} of {of_all}; see `.reviews()`")
        lacking = len(self.rows) - states[TaskStatus.DONE]
        lines += [f"next: {lacking:,} without a result; see `.lacking()`"] if lacking else []
        return Listing(title=f"{breaking:,} of {self._counted} break an old client", lines=tuple(lines))

    def contracts(self) -> LedgerView:
        """One row a contract, most breaks first; it opens its versions, each with its ledger."""
        made = [
            (
                name,
                len(rows),
                sum(bool(row["breaking"]) for row in rows),
                sum(row["breaking"] for row in rows),
                sum(row["unknown"] for row in rows),
                " ".join(_count(row) for row in rows[-RECENT:]),
            )
            for name, rows in self.by_contract.items()
        ]
        columns = (
            Column("pairs", "Versions", Look.NUMBER),
            Column("broken", "That break", Look.NUMBER),
            Column("breaking", "Breaking rows", Look.NUMBER),
            Column("unknown", "Unknown", Look.NUMBER),
            Column("trend", f"Breaking rows, the last {RECENT} versions", Look.CODE),
        )
        names = ["contract", *(column.name for column in columns)]
        return self._view(made, names, ("contract", "Contract"), columns, ("Contracts by breaks", self._contract_card))

    def rules(self) -> LedgerView:
        """One row a rule, the one that breaks most first."""
        rows: Counter[str] = Counter()
        pairs: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows:
            for rule, count in json.loads(row["rules"]).items():
                rows[rule or "(no rule)"] += count
                pairs[rule or "(no rule)"].append(row)
        made = [
            (rule, count, len(pairs[rule]), len({row["contract"] for row in pairs[rule]}))
            for rule, count in rows.most_common()
        ]
        columns = (
            Column("rows", "Breaking rows", Look.NUMBER),
            Column("pairs", "Pairs", Look.NUMBER),
            Column("contracts", "Contracts", Look.NUMBER),
        )

        def card(rule: str) -> Card:
            return Card(title=rule, facts=(("explained by", f"evreview rules {rule}"),),
                        lists=(("Pairs", tuple(map(_leading, pairs[rule]))),), clean=self._clean)  # fmt: skip

        names = ["rule", *(column.name for column in columns)]
        return self._view(made, names, ("rule", "Rule"), columns, ("Rules by breaks", card))

    def reviews(self) -> LedgerView:
        """One row a review, the oldest first: what it decided, which gates are open, whom it would break."""
        made = [
            (
                row["name"],
                row["workflow"],
                row["permitted"],
                row["decision"],
                row["as_of"],
                ", ".join(gate for gate, state in json.loads(row["gates"]).items() if state in WAITING),
                row["breaking"],
                row["findings"],
            )
            for row in self.reviewed
        ]
        columns = (
            Column("workflow", "Workflow", Look.BADGE),
            Column("permitted", "Permitted", Look.BADGE),
            Column("decision", "Decision", Look.WORDS),
            Column("as_of", "As of", Look.CODE),
            Column("gates", "Gates not passed", Look.CODE),
            Column("breaking", "Breaking rows", Look.NUMBER),
            Column("findings", "Findings", Look.NUMBER),
        )
        names = ["name", *(column.name for column in columns)]
        facets = ("workflow", "permitted")
        return self._view(made, names, ("name", "Review"), columns, ("Reviews by age", self.pair), facets)

    def gates(self) -> LedgerView:
        """One row a gate, the one that most reviews wait at first."""
        held: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
        for row in self.reviewed:
            for gate, state in json.loads(row["gates"]).items():
                held[gate][state].append(row)
        waiting = {gate: [row for state in WAITING for row in states[state]] for gate, states in held.items()}
        made = [
            (
                gate,
                len(waiting[gate]),
                min((row["as_of"] for row in waiting[gate] if row["as_of"]), default=""),
                *(len(held[gate][state]) for state in GateState),
            )
            for gate in sorted(held, key=lambda gate: (-len(waiting[gate]), gate))
        ]
        columns = (
            Column("waiting", "Reviews waiting", Look.NUMBER),
            Column("oldest", "The oldest is as of", Look.CODE),
            *(Column(state.name.lower(), state.value.capitalize(), Look.NUMBER) for state in GateState),
        )

        def card(gate: str) -> Card:
            told = tuple(f"{row['name']}: {json.loads(row['waiting']).get(gate, '')}" for row in waiting[gate])
            return Card(title=gate, facts=(), lists=(("Waits", told),), clean=self._clean)

        names = ["gate", *(column.name for column in columns)]
        return self._view(made, names, ("gate", "Gate"), columns, ("Gates", card))

    def clients(self) -> LedgerView:
        """One row a client of the reviews, the one that most breaking rows fail first."""
        rows: Counter[str] = Counter()
        held: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for row in self.reviewed:
            for client, count in json.loads(row["clients"]).items():
                rows[client] += count
                held[client].append((row["name"], count))
        made = [(client, count, len(held[client])) for client, count in rows.most_common()]
        columns = (Column("rows", "Breaking rows", Look.NUMBER), Column("reviews", "Reviews", Look.NUMBER))

        def card(client: str) -> Card:
            told = tuple(f"{name}: {counted(count, 'breaking row')}" for name, count in held[client])
            return Card(title=client, facts=(), lists=(("Reviews", told),), clean=self._clean)

        names = ["client", *(column.name for column in columns)]
        return self._view(made, names, ("client", "Client"), columns, ("Clients by breaks", card))

    def pairs(self) -> LedgerView:
        """One row a pair, by contract and version."""
        fields = ("name", "status", "breaking", "unknown", "compatible", "kind", "ledger")
        columns = (
            Column("status", "Status", Look.BADGE),
            *(Column(name, name.capitalize(), Look.NUMBER) for name in ("breaking", "unknown", "compatible")),
            Column("kind", "Kind", Look.WORDS),
            Column("ledger", "Ledger", Look.CODE),
        )
        made = [tuple(row[name] for name in fields) for row in self.rows if not row["bundle"]]
        return self._view(made, fields, ("name", "Pair"), columns, ("Pairs", self.pair), ("status", "kind"))

    def lacking(self) -> LedgerView:
        """What has no result, and why."""
        fields = ("name", "status", "code", "found")
        columns = (
            Column("status", "Status", Look.BADGE),
            Column("code", "Code", Look.CODE),
            Column("found", "Found", Look.WORDS),
        )
        made = [tuple(row[name] for name in fields) for row in self.rows if row["status"] != TaskStatus.DONE]
        return self._view(made, fields, ("name", "Name"), columns, ("Without a result", self.pair), ("code",))

    def pair(self, name: str) -> Card:
        """One pair or review whole: its sides, what was found, where its ledger stands.

        Raises:
            BadInput: `pair-unknown`.
        """
        row = self._row(name)
        told = ("contract", "status", "kind", "decision", "as_of", "code", "found")
        facts = [(field.replace("_", " "), str(row[field])) for field in told if row[field] or not row["bundle"]]
        facts += [(side, self._place(row[side])) for side in ("released", "candidate", "bundle") if row[side]]
        facts += [(file, row[file]) for file in ("ledger", "artifact") if row[file] or file == "ledger"]
        rules = tuple(f"{rule}: {counted(count, 'row')}" for rule, count in json.loads(row["rules"]).items())
        waits = tuple(f"{gate}: {what}" for gate, what in json.loads(row["waiting"]).items())
        lists = (("What breaks", rules), ("Waits for", waits))
        return Card(title=name, facts=tuple(facts), lists=lists, clean=self._clean)

    def ledger(self, name: str) -> LedgerView:
        """The rows of the ledger of a pair or of a contract review, breaking ones first.

        Raises:
            BadInput: there is no such pair, or it has no ledger.
        """
        place = self._row(name)["ledger"]
        data = self.storage.read(place) if place else None
        if data is None:
            raise bad_input("ledger-missing", "it has no ledger", file=name, advice="See `.pair(name)`")
        made = sorted(_ledger_rows(json.loads(data)), key=lambda row: VERDICTS.index(row[1]))
        fields = ("id", "verdict", "title", "operation", "address")
        columns = (
            Column("verdict", "Verdict", Look.BADGE),
            Column("title", "What changes", Look.WORDS),
            Column("operation", "Operation", Look.CODE),
            Column("address", "Where", Look.CODE),
            Column("proof", "Proof", Look.WORDS),
        )
        return self._view(made, (*fields, "proof"), ("id", "Row"), columns, (name, None), ("verdict", "operation"))

    def report(self) -> Document:
        """All of it as one Markdown document, folded."""
        of_reviews = (self.reviews(), self.gates(), self.clients())
        parts = (self.contracts(), self.rules(), *of_reviews, self.pairs(), self.lacking())
        told = "\n\n".join(
            f"## {part.title}\n\n{replace(part, title='').to_markdown()}" for part in parts if len(part.frame)
        )
        head = self.head().to_markdown()
        return Document(source=f"# Portfolio\n\n{head}\n\n{told}\n", folded="The report")

    def _view(  # noqa: PLR0913  a table is made of all of it
        self,
        made: Sequence[tuple[object, ...]],
        names: Sequence[str],
        key: tuple[str, str],
        columns: tuple[Column, ...],
        named: tuple[str, Any],
        facets: tuple[str, ...] = (),
    ) -> LedgerView:
        title, detail = named
        return LedgerView(
            frame=pd.DataFrame(made, columns=list(names)),
            key=key[0],
            key_label=key[1],
            columns=columns,
            facets=facets,
            detail=detail,
            title=title,
            caption=f"One row for each {key[1].lower()}",
            clean=self._clean,
        )

    def _contract_card(self, name: str) -> Card:
        rows = self.by_contract[name]
        breaking = sum(row["breaking"] for row in rows)
        facts = (("versions", str(len(rows))), ("breaking rows", str(breaking)))
        return Card(title=name, facts=facts, lists=(("Versions", tuple(map(_leading, rows))),), clean=self._clean)

    @cached_property
    def _redactor(self) -> Redactor:
        return Redactor()

    def _clean(self, text: str) -> str:
        return self._redactor.clean_message(text)

    def _row(self, name: str) -> Row:
        found = next((row for row in self.rows if row["name"] == name), None)
        if found is None:
            raise bad_input("pair-unknown", f"no pair is called {name[:80]!r}", advice="`.pairs()` lists them")
        return found

    @cached_property
    def _root(self) -> str:
        places = [row[side] for row in self.rows for side in ("released", "candidate")]
        local = [place for place in places if place.startswith("/") and not is_url(place)]
        return f"{commonpath(local).rstrip('/')}/" if len(set(local)) > 1 else ""

    def _place(self, place: str) -> str:
        return place.removeprefix(self._root) if self._root else place


def _count(row: Row) -> str:
    return str(row["breaking"]) if row["status"] == TaskStatus.DONE else "?"


def _ledger_rows(told: Any) -> Iterator[tuple[str, ...]]:
    """Id, verdict, what changes, operation, address, proof of each row of `diff`'s JSON or of a review's register."""
    if isinstance(told, list):
        of_register = ("delta_id", "verdict", "why", "operation", "address", "proof_status")
        yield from (tuple(str(row[field]) for field in of_register) for row in told)
        return
    of_diff = ("id", "verdict", "title", "operation", "address")
    for row in told["rows"]:
        yield (*(str(row[field]) for field in of_diff), str(row["proof"]["status"]))


def _leading(row: Row) -> str:
    """A pair with its count and the place of its ledger."""
    what = f"{row['breaking']} breaking, {row['ledger']}" if row["ledger"] else f"{row['status']}: {row['code']}"
    return f"{row['name']}: {what}"


def portfolio_at(place: str) -> Portfolio:
    """What a batch has kept at a path or URL so far.

    Raises:
        BadInput: there is nothing, or the place can't be read.
    """
    storage = storage_at(place)
    try:
        rows = portfolio_rows(storage)
    except StorageFailed as error:
        raise bad_input("storage-failed", f"it can't be read: {error.found}", file=place) from None
    if not rows:
        advice = "Name the output of `evreview batch`"
        raise bad_input("portfolio-empty", "no pair is recorded here", file=place, advice=advice)
    return Portfolio(storage, tuple(rows))
