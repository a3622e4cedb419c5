"""The public interface of a Python package: reader, rules and proofs by calls.

Takes Python source, which is read and never imported.
Gives a contract, rules, and witnesses as calls.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from evreview.comparison.kind_spec import KindSpec, KindWords, Listing
from evreview.core.vocabulary import ContractKind

if TYPE_CHECKING:
    from evreview.comparison.elements import ElementDiff, KindPairing
    from evreview.comparison.kind_spec import KindProver, WitnessReplay
    from evreview.comparison.ledger import Ledger
    from evreview.comparison.rules.rule import Rule
    from evreview.contract.model import Contract
    from evreview.contract.source import Files

_LOOKED_AT: Final = 65_536
_STATEMENT: Final = re.compile(
    rb"^(?:async[ ]+)?def[ ]+\w+[ ]*\(|^class[ ]+\w+[^\n{]*:[ ]*(?:\#|\.\.\.|pass|$)"
    rb"|^from[ ]+[\w.]+[ ]+import[ ]+[\w(*]|^import[ ]+[A-Za-z_][\w.]*(?:[ ]+as[ ]+\w+)?[ ]*$",
    re.M,
)
_OTHERS: Final = (".proto", ".avsc", ".graphql", ".graphqls", ".gql")
_DATA: Final = (".json", ".yaml", ".yml")
ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"


class _Python(KindSpec):
    """The public interface of a Python package."""

    kind = ContractKind.PYTHON
    title = "Python"
    opening = "a Python library is a folder, a `.py` file, a wheel or a source archive"
    words = KindWords(
        listing=Listing.OWNER,
        operation="name",
        by_member={"is": ""},
        whole="the library",
        in_source=frozenset({"default"}),
    )
    operation_word = "public name"
    reaches_heirs = True
    is_code = True
    name_facets = frozenset(
        {"ancestors", "inherits from outside", "order of bases", "metaclass", "constructor", "stands for", "target"}
        | {"annotation", "returns", "type"}
    )
    """As `signatures` calls them; a test holds the two together."""

    def recognises(self, files: Files) -> bool:
        if files.is_folder:
            python = len(files.named(".py", ".pyi"))
            packaged = files.named("__init__.py", "__init__.pyi", "pyproject.toml", "setup.py")
            return python >= max(1, len(files.named(*_OTHERS))) and bool(packaged or not files.named(*_DATA))
        if files.entry.endswith((".py", ".pyi", ".whl")):
            return True
        data = files.data
        if is_archive(data):
            return True
        if data[:_LOOKED_AT].lstrip()[:1] in (b"{", b"["):
            return False
        return _STATEMENT.search(data, 0, _LOOKED_AT) is not None

    def read(self, files: Files) -> Contract:
        from evreview.kinds.python.reader import read

        return read(files)

    def with_shared_names(self, released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
        from evreview.kinds.python.alignment import with_reexports

        return with_reexports(released, candidate)

    def pairing(self) -> KindPairing:
        from evreview.kinds.python.alignment import ArgumentPairing

        return ArgumentPairing()

    def settle(self, found: ElementDiff, released: Contract, candidate: Contract) -> None:
        from evreview.kinds.python.alignment import settled_names

        found.rows = settled_names(found.rows, released, candidate)

    def rules(self) -> tuple[Rule, ...]:
        from evreview.kinds.python.rules import RULES

        return RULES

    def prover(self, ledger: Ledger, *, witnesses: bool) -> KindProver:
        from evreview.kinds.python.prover import PythonProver

        return PythonProver(ledger, witnesses=witnesses)

    def replaying(self) -> WitnessReplay:
        from evreview.kinds.python.prover import replay

        return replay


SPEC: Final = _Python()


def is_archive(data: bytes) -> bool:
    """True for the first bytes of a zip or gzip file."""
    return data.startswith((ZIP, GZIP))
