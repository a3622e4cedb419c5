"""What one kind of contract gives: how it is read, prepared, paired, judged and proved. A method imports what it needs.

One `KindSpec` stands in the `__init__` of each folder below `kinds`, so that a comparison loads one kind alone. What a
method does here holds for kinds whose values are JSON and that add nothing; `read`, `recognises` and `rules` are owed.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from evreview.core.errors import BadInput, bad_input
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ContractKind, Direction, Json, Plane, Tristate, Verdict

if TYPE_CHECKING:
    from evreview.comparison.comparison import JudgedRow
    from evreview.comparison.delta import Delta, Noise, RawDifference
    from evreview.comparison.drafts import Draft
    from evreview.comparison.elements import ElementDiff, ElementDifference, KindPairing
    from evreview.comparison.ledger import Ledger
    from evreview.comparison.node_pair import SchemaReaders
    from evreview.comparison.proof.outcome import Proof, WholeMessages
    from evreview.comparison.rules.classifier import Classification, Classifier
    from evreview.comparison.rules.rule import Rule
    from evreview.contract.model import Contract
    from evreview.contract.source import Files
    from evreview.messages.admission import AdmissionResult
    from evreview.schema.validators import SchemaCheck


# The words of a kind for people.


class Listing(StrEnum):
    """What rows are listed under.

    OPERATION: the operations that they reach. ELEMENT: the first step of their address. OWNER: the class or module that
    the name at the first step belongs to. MEMBER: the event, and the member of it that they stand in.
    """

    OPERATION = "operation"
    ELEMENT = "element"
    OWNER = "owner"
    MEMBER = "member"


@frozen(kw_only=True)
class KindWords:
    """The words of a kind.

    Attributes:
        listing: what rows are listed under.
        operation: what an operation that comes or goes is called; "" where its name says so.
        by_member: what it is called where its form has a member; "" for what that member says.
        whole: what the document is called.
        answer: what a response is called.
        in_source: the facets whose texts are source code.
    """

    listing: Listing = Listing.ELEMENT
    operation: str = "operation"
    by_member: Mapping[str, str] = field(default_factory=dict)
    whole: str = "the document"
    answer: str = "answer"
    in_source: frozenset[str] = frozenset()

    def operation_of(self, *forms: object) -> str:
        """What an operation is called, by its forms."""
        for form in forms:
            for member, noun in self.by_member.items():
                if isinstance(form, Mapping) and member in form:
                    return noun or str(form[member])
        return self.operation


class ContractFolders(Protocol):
    """Which folders of a repository are contracts."""

    def home(self, name: str) -> str:
        """The contract that a file belongs to: a folder, with `/` at its end."""

    def include(self, folder: str) -> tuple[str, ...]:
        """The folders that hold what a contract imports and its own folder has not."""


class KindSpec(ABC):
    """One kind of contract, as data and hooks.

    Attributes:
        kind: the kind.
        title: what people call it.
        opening: what such a contract starts with, for advice.
        starts_like: the bytes with which an ordinary file of this kind starts; no other kind is asked about it before.
        one_file: True where a folder is never such a contract.
        operation_word: what stands below the document of such a contract.
        over_http: True where its messages are requests and answers of HTTP.
        is_code: True where such a contract is read from the code that implements it.
        data_only: True where it describes data, and not who writes and who reads it.
        events: True where its schemas describe events: what in them nobody reads is told where both sides agree too.
        json_values: True where its values are sets of JSON values.
        open_formats: True where a format that the standard does not define is a name and nothing more.
        reaches_heirs: True where a row also reaches what inherits the changed part.
        name_facets: the facets whose texts are names, where names are those of code; None where they are not.
        words: how its rows are listed and named for people.
        endings: of the files among which such contracts are looked for in a repository; none for a kind that is named.
        says: what such a file says of itself somewhere, which saves parsing all others.
        in_folders: True where files of a repository are a contract together, with their folder.
        leads_nowhere: the problem's code of an import that may start at another folder of the repository; "" for none.
    """

    kind: ContractKind
    title: str
    opening: str
    starts_like: re.Pattern[bytes] | None = None
    one_file = False
    operation_word = "operation"
    over_http = False
    is_code = False
    data_only = False
    events = False
    json_values = False
    open_formats = False
    reaches_heirs = False
    name_facets: frozenset[str] | None = None
    words = KindWords()
    endings: tuple[str, ...] = ()
    says: re.Pattern[bytes] | None = None
    in_folders = False
    leads_nowhere = ""

    def folders(self, texts: Mapping[str, bytes], asked: Collection[str]) -> ContractFolders | None:
        """Which folders are contracts; None for a kind that is not `in_folders`.

        Args:
            texts: every file of a repository that ends so.
            asked: those that are looked at.
        """
        return None

    # Reading.

    @abstractmethod
    def recognises(self, files: Files) -> bool:
        """True when the files say that they are a contract of this kind; what it can't parse raises `BadInput`."""

    @abstractmethod
    def read(self, files: Files) -> Contract:
        """The contract, or `BadInput` with every problem that keeps it from being read at all."""

    def read_as_named(self, files: Files) -> Contract:
        """The contract in files that somebody says to be of this kind.

        Raises:
            BadInput: they are not, and what `read` raises.
        """
        if not self.recognises(files):
            raise unrecognised(files, (self,), f" of the kind {self.kind}")
        return self.read(files)

    def as_payload(self, contract: Contract) -> Contract:
        """The contract of a part of a message, told which of its types travels there."""
        return contract

    # Comparing: before the walk through both trees, in it, and behind it.

    def with_shared_names(self, released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
        """Both contracts, the candidate's elements with the keys of the released ones that they continue."""
        return released, candidate

    def prepared(self, released: Contract, candidate: Contract, sides: tuple[SchemaReaders, SchemaReaders]) -> Prepared:
        """Both contracts in one spelling, and what was found on the way."""
        return Prepared((released, candidate), (released, candidate))

    def pairing(self) -> KindPairing:
        """How the walk pairs and names members of this kind."""
        from evreview.comparison.elements import KindPairing

        return KindPairing()

    def settle(self, found: ElementDiff, released: Contract, candidate: Contract) -> None:  # noqa: B027
        """Makes noise of rows that others say, and one of those that are one edit: in what the walk found."""

    def settled_drafts(self, drafts: list[Draft]) -> list[Draft]:
        """The drafts of schemas, those of one edit under one identity."""
        return drafts

    # Judging and proving.

    @abstractmethod
    def rules(self) -> tuple[Rule, ...]:
        """The rules that may speak about such a contract, in the order in which they are asked."""

    @cached_property
    def _classifier(self) -> Classifier:
        from evreview.comparison.rules.classifier import Classifier

        return Classifier(self.rules())

    def classify(self, delta: Delta) -> Classification:
        """The judgement of a difference by the first rule that applies to it; unknown where none does."""
        return self._classifier.judgement(delta)

    def prover(self, ledger: Ledger, *, witnesses: bool) -> KindProver | None:
        """The prover of a ledger, None for kinds whose values are sets of JSON values.

        Args:
            ledger: the rows and both contracts.
            witnesses: False to leave out every proof that no verdict rests on.
        """
        return None

    def whole_messages(self, released: Contract, candidate: Contract) -> WholeMessages:
        """The maker of messages for a comparison of JSON values; here a message is its value."""
        from evreview.comparison.proof.outcome import Values

        return Values(released, candidate)

    def with_payloads(self, found: JudgedComparison, specs: Specs, *, witnesses: bool) -> JudgedComparison:
        """The comparison with the rows of parts that are contracts of another kind."""
        return found

    # A retained witness, judged once more.

    def replaying(self) -> WitnessReplay | None:
        """What judges a retained witness again, None for the kinds whose witnesses are messages of JSON."""
        return None

    def judge(self, witness: Mapping[str, Json]) -> str:
        """The distribution that judges a witness again, "" where evreview's own rules do."""
        return ""

    def heard(self, contracts: tuple[Contract, Contract], message: Json, check: SchemaCheck) -> ReplayedMessage:
        """A retained message of JSON values, and what each contract says of it.

        Raises:
            ValueError: it is no message of this kind.
        """
        from evreview.messages.admission import MessageAdmission
        from evreview.messages.message import from_json

        asked = from_json(message)
        return ReplayedMessage(
            asked, tuple(MessageAdmission(contract, check, whole=True).accepts(asked) for contract in contracts)
        )

    def payload(
        self, contracts: tuple[Contract, Contract], witness: Mapping[str, Json], specs: Specs
    ) -> Payload | None:
        """The part of a witness that another kind judges, None where there is none.

        Raises:
            ValueError: the contracts have no such part.
        """
        return None

    # Words for a review.

    def proposed_check(self, delta: Delta, direction: Direction | None) -> str:
        """What a check of a row asserts in the words of this kind, "" where the common words do."""
        return ""


Specs = Callable[[ContractKind], KindSpec]
"""The registry, as those below it ask it."""


def unrecognised(files: Files, specs: Iterable[KindSpec], named: str = "") -> BadInput:
    """The problem of files that none of some kinds recognises; `named` says which one was asked for."""
    from evreview.contract.source import described

    asked = tuple(specs)
    advice = "; ".join(spec.opening for spec in asked)
    if files.entry and not isinstance(files.root, dict):
        found = f"the document is {described(files.root)}, not an object"
        return bad_input("contract-not-object", found, file=files.entry, advice="check that this is the contract")
    titles = " and ".join(spec.title for spec in asked if spec.one_file)
    if files.is_folder and titles:
        advice = f"{titles} contracts are named by their file; {advice}"
    return bad_input("contract-kind-unknown", f"not recognised as a contract{named}", file=files.entry, advice=advice)


class Prepared(NamedTuple):
    """Two contracts ready to be walked.

    Attributes:
        contracts: as rows speak of them.
        walked: as their elements are paired.
        rows: found before the walk.
        moved: the base path that went into the paths or came out of them, None for none.
    """

    contracts: tuple[Contract, Contract]
    walked: tuple[Contract, Contract]
    rows: tuple[ElementDifference, ...] = ()
    moved: RawDifference | None = None


class JudgedComparison(NamedTuple):
    """What a comparison holds: facts, judged rows, and what changes nothing."""

    ledger: Ledger
    rows: tuple[JudgedRow, ...]
    noise: tuple[Noise, ...]


class Payload(NamedTuple):
    """Both contracts of a part of a message, and the part."""

    contracts: tuple[Contract, Contract]
    message: Json


class Retained(Protocol):
    """A message that was kept as JSON."""

    def to_json(self) -> dict[str, Json]:
        """The message as JSON."""


class ReplayedMessage(NamedTuple):
    """A retained message, and what the released and the candidate contract say of it."""

    message: Retained
    said: tuple[AdmissionResult, ...]


@frozen(kw_only=True)
class Decision:
    """What computing both sides says about a row.

    Attributes:
        accepts_old_requests, emits_old_compatible: the two producer questions; for data without a direction, whether
            the candidate reads what the released side wrote, and whether the released side reads what the candidate
            writes.
        proof: how that is known.
        planes: the verdict in each plane, for kinds where they differ.
    """

    accepts_old_requests: Tristate
    emits_old_compatible: Tristate
    proof: Proof
    planes: tuple[tuple[Plane, Verdict], ...] = ()


class KindProver(Protocol):
    """The proofs of one comparison, made when somebody asks."""

    def decision(self, delta: Delta) -> Decision | None:
        """What computing says of the row, None when its verdict rests on its rule."""

    def proof(self, delta: Delta) -> Proof:
        """The proof of a row whose verdict rests on its rule: a witness of it, or why there is none."""


@runtime_checkable
class DirectionalProver(Protocol):
    """A prover that knows each direction by itself: data of one side, read by the other."""

    def one_way(self, delta: Delta, writer: int) -> Proof | None:
        """The proof of what the released side (0) or the candidate (1) writes; None for a row that its rule judges."""


@frozen(kw_only=True)
class WitnessJudgement:
    """What one contract says of a witness.

    Attributes:
        accepted: whether it takes the witness as meant.
        says: in one line, what it reads, or why it refuses.
    """

    accepted: Tristate
    says: str


class WitnessReplay(Protocol):
    """Judges a retained witness of one kind once more, from both contracts read anew."""

    def __call__(
        self, released: Contract, candidate: Contract, witness: Json
    ) -> tuple[WitnessJudgement, WitnessJudgement]:
        """What the released and the candidate contract say of the witness.

        Raises:
            ValueError: it is no witness of this kind.
        """
