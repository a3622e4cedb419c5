"""The closed vocabularies and id types that every package shares. No logic lives here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NewType

EvidenceId = NewType("EvidenceId", str)
DeltaId = NewType("DeltaId", str)
FindingId = NewType("FindingId", str)
RuleId = NewType("RuleId", str)
ClientId = NewType("ClientId", str)
Address = NewType("Address", str)

Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]


class ClosedVocabulary(StrEnum):
    """A word of a closed vocabulary, hashed as the text that it is.

    `Enum` hashes by name, in Python code, and a comparison looks words up a hundred thousand times.
    """

    __hash__ = str.__hash__


class Sentence(ClosedVocabulary):
    """Why something is as it is: code decides on the member, people read its text. `NONE` is "" where there is one."""

    @property
    def text(self) -> str:
        """The sentence that users see, word for word."""
        return self.value


class Absent(ClosedVocabulary):
    """Stands where one side has no such element; JSON null is a value, this is not."""

    ABSENT = "(absent)"


ABSENT: Final = Absent.ABSENT
Form = Json | Absent


class WorkflowId(ClosedVocabulary):
    W1 = "W1"
    W2 = "W2"
    W3 = "W3"


class EvidenceType(ClosedVocabulary):
    """The kinds of evidence that the specification names; other kinds are text with a warning."""

    CONTRACT = "contract artifact"
    IMPLEMENTATION_DIFF = "implementation diff"
    CLIENT_INVENTORY = "client inventory"
    POLICY = "policy"
    TEST_RECORD = "test record"
    ROLLOUT_RECORD = "rollout record"
    AUTHORIZATION_RECORD = "authorization record"
    DATA_FLOW = "data-flow description"
    SOURCE_EXCERPT = "source excerpt"
    CONFIGURATION_EXCERPT = "configuration excerpt"
    TEST_INVENTORY = "test inventory"
    EXECUTION_AND_APPROVAL = "execution and approval record"


class Remedy(ClosedVocabulary):
    """What mends the cause of a reason, where the causes of one step are mended in different ways."""

    ANSWER = "somebody answers a gate"
    MAP = "the changed code gets an entry"
    REVIEW = "somebody reviews the entry"
    CORRECT_ENTRY = "the entry is corrected"
    NAME_DIFFERENCE = "an entry names the difference"
    SUPPLY_DIFF = "a diff that holds the code behind the difference is supplied"
    SAY_WHO_ANSWERED = "the record says which revision answered"
    STATE_BEHAVIOUR = "what the code does is stated or recorded"
    RECORD_CANDIDATE = "a response of the candidate is recorded"
    SANITIZE = "the value is taken out of the payload"
    CORRECT_SOURCE = "the source that is inconsistent is corrected"


class StatementKind(ClosedVocabulary):
    """The eight kinds of statement that an artifact keeps apart, each with its label."""

    OBSERVATION = "Observation"
    INFERENCE = "Inference"
    RECOMMENDATION = "Recommendation"
    EXECUTED_CHECK = "Executed check"
    PROPOSED_CHECK = "Proposed check"
    ASSUMPTION = "Assumption"
    LIMITATION = "Limitation"
    NEXT_ACTION = "Next action"


class ContractKind(ClosedVocabulary):
    OPENAPI = "openapi"
    ASYNCAPI = "asyncapi"
    PROTOBUF = "protobuf"
    JSON_SCHEMA = "jsonschema"
    AVRO = "avro"
    PYTHON = "python"
    GRAPHQL = "graphql"


class Role(ClosedVocabulary):
    """Which message a position belongs to."""

    REQUEST = "request"
    RESPONSE = "response"
    WEBHOOK = "webhook"
    CALLBACK = "callback"
    MESSAGE = "message"
    SIGNATURE = "signature"
    DOCUMENT = "document"


class Direction(ClosedVocabulary):
    """READ: the producer reads the value set, it may widen. WRITTEN: it writes it, it may narrow."""

    READ = "read"
    WRITTEN = "written"

    @property
    def reversed(self) -> Direction:
        return Direction.WRITTEN if self is Direction.READ else Direction.READ


class Aspect(ClosedVocabulary):
    """What of the wire a delta is about. Spec, W1 wire-difference ledger entry, and what it leaves out."""

    METHODS = "methods"
    VERSION_SELECTORS = "version-selectors"
    STATUS_CODES = "status-codes"
    CONTENT_TYPES = "content-types"
    PARAMETERS = "parameters"
    FIELDS = "fields"
    REQUIREDNESS = "requiredness"
    NULLABILITY = "nullability"
    DEFAULTS = "defaults"
    NUMERIC_RANGES = "numeric-ranges"
    ENUMS = "enums"
    HEADERS = "headers"
    ORDERING = "ordering"
    PAGINATION = "pagination"
    IDEMPOTENCY = "idempotency"
    ERRORS = "errors"
    TYPES = "types"
    FORMATS = "formats"
    PATTERNS = "patterns"
    LENGTHS = "lengths"
    COMPOSITION = "composition"
    DISCRIMINATORS = "discriminators"
    CONTENT_MODEL = "content-model"
    ACCESS = "access"
    SECURITY = "security"
    SERIALISATION = "serialisation"
    ENCODINGS = "encodings"
    SERVERS = "servers"
    CALLBACKS = "callbacks"
    LINKS = "links"
    DEPRECATION = "deprecation"
    ANNOTATIONS = "annotations"
    IDENTIFIERS = "identifiers"
    CHANNELS = "channels"
    BINDINGS = "bindings"
    CORRELATION = "correlation"
    NAMES = "names"
    NUMBERS = "numbers"
    CARDINALITY = "cardinality"
    STREAMING = "streaming"
    RESERVATIONS = "reservations"
    CALLING = "calling"
    INHERITANCE = "inheritance"
    DECORATION = "decoration"


class Change(ClosedVocabulary):
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class Tristate(ClosedVocabulary):
    """The answer to one direction's question about a row."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "n/a"


class Plane(ClosedVocabulary):
    """Where a change is felt, for kinds in which one change means different things in different places.

    BINARY, JSON: the two wires of protobuf. SOURCE: code generated from the contract, or written against it.
    RUNTIME, TYPING: a call when it runs, and what a type checker says of it.
    """

    BINARY = "binary"
    JSON = "json"
    SOURCE = "source"
    RUNTIME = "runtime"
    TYPING = "typing"


class Verdict(ClosedVocabulary):
    BREAKING = "breaking"
    COMPATIBLE = "compatible"
    UNKNOWN = "unknown"


class FailOn(ClosedVocabulary):
    """When a comparison ends with status 5: where a row breaks, also where one is not proved, never."""

    BREAKING = "breaking"
    UNPROVEN = "unproven"
    NEVER = "never"


class CompatibilityLevel(ClosedVocabulary):
    """The compatibility levels of schema registries."""

    BACKWARD = "backward"
    FORWARD = "forward"
    FULL = "full"
    BACKWARD_TRANSITIVE = "backward-transitive"
    FORWARD_TRANSITIVE = "forward-transitive"
    FULL_TRANSITIVE = "full-transitive"
    NONE = "none"

    @property
    def transitive(self) -> bool:
        """Whether every earlier release counts, not only the one before."""
        return self.value.endswith("-transitive")


class ProofStatus(ClosedVocabulary):
    PROVED = "proved"
    WITNESSED = "witnessed"
    UNPROVEN = "unproven"
    NOT_APPLICABLE = "n/a"


class ProofMethod(ClosedVocabulary):
    CONTAINMENT = "containment"
    VALIDATION = "validation"
    ENCODING = "encoding"
    RULE = "rule"


class Realism(ClosedVocabulary):
    """Whether a peer that knows the contract would send the value of a witness."""

    DECLARED = "declared"
    FREE_FORM = "free-form"
    LETTER = "letter only"


class SourceMatch(ClosedVocabulary):
    """What one implementation or observation source agrees with (W1 step 3)."""

    RELEASED = "released"
    CANDIDATE = "candidate"
    BOTH = "both"
    NEITHER = "neither"
    UNKNOWN = "unknown"


class Basis(ClosedVocabulary):
    """How a behaviour is known. Spec, common behaviour 5."""

    CONTRACT = "contract-declared"
    IMPLEMENTATION = "implementation-derived"
    OBSERVED = "observed"
    DECLARED = "declared"


class Concern(ClosedVocabulary):
    """What of an operation a reference's evidence matrix maps. Spec, W2 step 2, and what step 7 reviews besides."""

    AUTHENTICATION = "authentication"
    PARAMETERS = "parameters"
    VALIDATION = "validation"
    REQUEST_BODY = "request body"
    SUCCESS = "success responses"
    ERRORS = "errors"
    HEADERS = "headers"
    LIMITS = "limits"
    IDEMPOTENCY = "idempotency"
    SIDE_EFFECTS = "side effects"
    PAGINATION = "pagination"
    RATE_LIMITS = "rate limits"


class Area(ClosedVocabulary):
    """A kind of control that a security review inventories. Spec, W3 step 3."""

    AUTHENTICATION = "authentication"
    AUTHORIZATION = "authorization"
    INPUT_HANDLING = "input handling"
    SECRETS = "secrets"
    LOGGING = "logging"
    ERROR_DISCLOSURE = "error disclosure"


class Technique(ClosedVocabulary):
    """A way of looking that an authorization allows or does not."""

    STATIC_INSPECTION = "static inspection"
    CONFIGURATION_INSPECTION = "configuration inspection"
    RESULT_INTAKE = "intake of retained results"
    LEAD_INTAKE = "intake of scanner leads"
    ACTIVE_VALIDATION = "active local validation"


class StepState(ClosedVocabulary):
    ADVANCE = "advance"
    REMAIN = "remain"
    STOP = "stop"


class Confidence(ClosedVocabulary):
    HIGH = "High"
    MEDIUM = "Medium"
    LOW = "Low"


class Integrity(ClosedVocabulary):
    """VERIFIED: recomputed here and equal. DECLARED: stated, and nothing here could recompute it."""

    VERIFIED = "verified"
    DECLARED = "declared"


class VersionPath(ClosedVocabulary):
    """The five supported paths of W1 step 7."""

    IN_PLACE = "in-place compatibility"
    ADDITIVE = "additive transition"
    EXPLICIT_VERSION = "explicit version"
    DEPRECATION_WINDOW = "deprecation window"
    REJECTION = "rejection"


class Ask(ClosedVocabulary):
    """What the person who supplied the bundle asks for."""

    ASSESS = "assess"
    SHIP = "ship"
    REMOVE = "remove"


class ExitStatus:
    """Exit statuses of the command line; `interfaces` promises them to users."""

    DONE: Final = 0
    FAULT: Final = 1
    BAD_INPUT: Final = 2
    STOPPED: Final = 3
    BLOCKED: Final = 4
    FAIL_ON: Final = 5
    CONTRACT_BROKEN: Final = 6
    REDACTION_INCOMPLETE: Final = 7


class Unrated(ClosedVocabulary):
    """What stands in the place of a severity that no rule of a supplied policy or rubric gives."""

    NO_RUBRIC = "not rated (no rubric)"
    NO_RULE = "not rated (no rule of the rubric applies)"
    UNVERIFIED = "not rated (a hypothesis has no severity that holds a deployment)"
