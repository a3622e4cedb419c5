"""What might be tried at a boundary, by the kind of control that stands there; and what an attacker would need for it.

Everything is in words; no case holds anything that could be sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.access_words import words


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """Something that an assumed attacker may be unable to do.

    Attributes:
        says: in words.
        told_by: groups of words; an exclusion that holds all words of one group excludes it.
        example, counter_example: exclusions that exclude it, and that do not.
    """

    id: str
    says: str
    told_by: tuple[tuple[str, ...], ...]
    example: str
    counter_example: str

    def excluded_by(self, exclusion: str) -> bool:
        """True when an exclusion of the trust model takes this capability away."""
        said = {_stem(word) for word in words(exclusion)}
        return any(all(_stem(word) in said for word in group) for group in self.told_by)


def _stem(word: str) -> str:
    """`flooding` and `floods` as `flood`; enough to compare the words of this table."""
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 4:
            return word[: -len(end)].rstrip("e")
    return word.rstrip("e") if len(word) > 4 else word


CAPABILITIES: Final = (
    Capability(
        id="stolen-credentials",
        says="somebody else's credentials",
        told_by=(("stolen", "credentials"), ("credential", "theft"), ("stolen", "token"), ("phishing",),
                 ("compromised", "account"), ("stolen", "passwords"), ("compromised", "credentials")),
        example="use of stolen credentials",
        counter_example="knowledge of the signing key",
    ),
    Capability(
        id="signing-key",
        says="the key that signs credentials",
        told_by=(("key", "signs"), ("signing", "key"), ("private", "key"), ("token", "secret"), ("key", "tokens")),
        example="knowledge of the key that signs tokens",
        counter_example="use of stolen credentials",
    ),
    Capability(
        id="source-access",
        says="reading the source or what is built from it",
        told_by=(("source", "code"), ("read", "source"), ("repository", "access"), ("access", "repository"),
                 ("access", "source")),
        example="access to the source code",
        counter_example="access to the machine that the service runs on",
    ),
    Capability(
        id="volume",
        says="many or large requests",
        told_by=(("flood",), ("denial", "service"), ("volume",), ("exhaust",), ("brute", "force")),
        example="flooding the service with requests",
        counter_example="physical access",
    ),
    Capability(
        id="network-position",
        says="a place between the caller and the service, or on an allowed network",
        told_by=(("network", "position"), ("intercept",), ("man", "middle"), ("mitm",), ("allowed", "network"),
                 ("internal", "network"), ("eavesdrop",)),
        example="a position on the internal network",
        counter_example="flooding the service with requests",
    ),
    Capability(
        id="valid-account",
        says="credentials of their own",
        told_by=(("valid", "account"), ("own", "account"), ("insider",), ("authenticated", "user"),
                 ("valid", "credentials")),
        example="use of a valid account",
        counter_example="use of stolen credentials",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One thing that might be tried at a boundary with a control of the area.

    Attributes:
        needs: ids of capabilities beyond sending a request.
        controlled_input, bypass, consequence: in words; the consequence is about the assets behind the boundary.
        preconditions: what must hold besides.
        by_id: it takes a route that names one object.
        rules: the lead rules that look for it.
        on_lead: it is worth a case only where one of them found something.
    """

    id: str
    area: Area
    controlled_input: str
    preconditions: tuple[str, ...]
    bypass: str
    consequence: str
    needs: tuple[str, ...] = ()
    by_id: bool = False
    rules: tuple[str, ...] = ()
    on_lead: bool = False


_SEND: Final = "the attacker can send requests to the route from this position"

TEMPLATES: Final = (
    Template(
        id="without-credentials",
        area=Area.AUTHENTICATION,
        controlled_input="the credentials, which are left out or are no valid ones",
        preconditions=(_SEND,),
        bypass="act without a principal that the service has verified",
        consequence="whoever calls gets as far as a verified principal to ",
        rules=(
            "service-without-authentication",
            "unguarded-sibling",
            "route-opened-by-name",
            "way-past-a-guard",
            "credential-not-checked",
            "unsigned-webhook",
        ),
    ),
    Template(
        id="credential-of-own-making",
        area=Area.AUTHENTICATION,
        controlled_input="a credential that was not issued by the service",
        preconditions=(_SEND, "the attacker has the key that signs credentials"),
        bypass="pass for a principal of the attacker's choice",
        consequence="the attacker acts as somebody else on ",
        needs=("signing-key",),
        rules=("verification-disabled",),
    ),
    Template(
        id="constant-in-the-source",
        area=Area.AUTHENTICATION,
        controlled_input="a credential that stands in the source as a constant",
        preconditions=(_SEND, "the attacker can read the source or what is built from it"),
        bypass="pass for whoever the constant stands for",
        consequence="the attacker acts as somebody who is signed in on ",
        needs=("source-access",),
        rules=("constant-credential",),
        on_lead=True,
    ),
    Template(
        id="credential-of-another",
        area=Area.AUTHENTICATION,
        controlled_input="a credential that was issued to somebody else",
        preconditions=(_SEND, "the attacker has got hold of it"),
        bypass="pass for its owner, also after it should have ended",
        consequence="the attacker acts as somebody else on ",
        needs=("stolen-credentials",),
        rules=("quick-password-hash",),
    ),
    Template(
        id="from-another-site",
        area=Area.AUTHENTICATION,
        controlled_input="the origin of a request that somebody else's browser sends",
        preconditions=("somebody who is signed in opens a site of the attacker's",),
        bypass="have the browser add its owner's credentials",
        consequence="another site acts as its visitor on ",
        rules=("credentials-to-any-origin",),
        on_lead=True,
    ),
    Template(
        id="own-word",
        area=Area.AUTHORIZATION,
        controlled_input="a header, parameter, cookie or body member that names a role, a right or an identity",
        preconditions=(_SEND,),
        bypass="have a decision rest on the caller's own word",
        consequence="a caller without the right reads or changes ",
        rules=(
            "caller-controlled-decision",
            "privilege-field-writable",
        ),
    ),
    Template(
        id="another-object",
        area=Area.AUTHORIZATION,
        controlled_input="the id of an object that belongs to somebody else",
        preconditions=(_SEND, "the attacker knows or guesses such an id"),
        bypass="reach the object without being asked whose it is",
        consequence="a caller reads or changes what belongs to others of ",
        by_id=True,
        rules=("object-without-owner-check",),
    ),
    Template(
        id="without-the-right",
        area=Area.AUTHORIZATION,
        controlled_input="a request of a principal who has not the right that similar routes ask for",
        preconditions=(_SEND, "the attacker has an account of their own"),
        bypass="reach what is kept for those who have the right",
        consequence="the attacker does what others alone may do to ",
        on_lead=True,
        needs=("valid-account",),
        rules=("weaker-sibling",),
    ),
    Template(
        id="from-an-allowed-network",
        area=Area.AUTHORIZATION,
        controlled_input="the address that the service takes for the caller's",
        preconditions=(_SEND, "the attacker calls from an allowed network, or can name such an address"),
        bypass="have the address stand for a right",
        consequence="a caller without a principal reads or changes ",
        needs=("network-position",),
        rules=("client-address-decision",),
    ),
    Template(
        id="more-than-data",
        area=Area.INPUT_HANDLING,
        controlled_input="a value that the component behind the service would read as more than data",
        preconditions=(_SEND, "the value arrives there unchanged"),
        bypass="have the value change what is done, not only what it is done with",
        consequence="the attacker changes what the service does with ",
        rules=(
            "unsafe-deserialisation",
            "sql-by-string",
            "command-by-string",
            "code-from-request",
            "template-from-string",
            "file-by-request",
            "address-by-request",
            "redirect-by-request",
            "markup-by-string",
            "every-member-from-request",
        ),
    ),
    Template(
        id="outside-the-expected",
        area=Area.INPUT_HANDLING,
        controlled_input="a value outside the documented form, size or range",
        preconditions=(_SEND,),
        bypass="pass the checks of form, size and range",
        consequence="the service works with values that it does not expect on ",
    ),
    Template(
        id="two-at-once",
        area=Area.INPUT_HANDLING,
        controlled_input="the moment at which requests come",
        preconditions=(_SEND,),
        bypass="pass one check with several requests before any of them counts",
        consequence="what may be spent once is spent several times of ",
        on_lead=True,
        rules=("check-then-act",),
    ),
    Template(
        id="too-much",
        area=Area.INPUT_HANDLING,
        controlled_input="the number and size of requests",
        preconditions=(_SEND,),
        bypass="use up what the service shares among its callers",
        consequence="others can't reach ",
        needs=("volume",),
    ),
    Template(
        id="key-in-reach",
        area=Area.SECRETS,
        controlled_input="a key that stands where the attacker can read it",
        preconditions=("the attacker can read the source or what is built from it",),
        bypass="use the key in place of the service",
        consequence="the attacker acts as the service on ",
        needs=("source-access",),
        rules=("secret-in-source",),
    ),
    Template(
        id="key-in-answers",
        area=Area.SECRETS,
        controlled_input="requests whose answers or failures may hold more than they should",
        preconditions=(_SEND,),
        bypass="have the service give away a key by itself",
        consequence="the attacker gains a key that protects ",
    ),
    Template(
        id="key-in-logs",
        area=Area.LOGGING,
        controlled_input="nothing: what callers and the service send is kept in logs",
        preconditions=("the attacker can read the logs or what is made of them",),
        bypass="use a key that a log holds",
        consequence="the attacker acts as whoever sent the key on ",
        on_lead=True,
        rules=("secret-in-log",),
    ),
    Template(
        id="unseen",
        area=Area.LOGGING,
        controlled_input="the parts of a request that logs keep, change or leave out",
        preconditions=(_SEND,),
        bypass="act so that the log does not tell who did what",
        consequence="it can't be told afterwards who read or changed ",
    ),
    Template(
        id="provoked-failure",
        area=Area.ERROR_DISCLOSURE,
        controlled_input="a request that makes a layer below fail",
        preconditions=(_SEND,),
        bypass="have the answer tell what failed inside",
        consequence="the attacker learns about the inside of what keeps ",
        rules=(
            "internal-error-in-response",
            "debug-mode-on",
        ),
    ),
)
