"""Words that evreview writes itself, made from its rules, vocabulary and headings by `make docs`."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = """
    absent abstract access acknowledgement action active added additional additive address addresses admits admitted
    advance after alias aliases alike allof allowed allowemptyvalue allowreserved always ancestor annotation
    annotations announced another answer answered answers anyof apart application applied applies approval argument
    arguments array artifact asked assess assigned assumption assumptions asyncapi asynchronous attribute attributes
    authenticate authentication authorization awaitable backward bases became before began begins behavior behind
    beside between binary binding bindings boolean bound branch branches breaking broker brought bytes callable
    callback callbacks called calling calls candidate cardinality carry ceased ceases changed channel channels check
    checkable checked class client clients closed closes codes command commands compatibility compatible composed
    composition condition conditional conditions configuration constant constrained constraint constructor
    containment contains content contentencoding contentmediatype contentschema context contract copies corrected
    correlated correlation covered credentials custom decided decides decimal decision declared decorates decoration
    decorator decorators default defaults define defined definition deleted deleter delivery demanded demands
    dependent dependentrequired dependentschemas deployment deprecated deprecation derived described describes
    description destination difference differently differs direction directive directives disclosure discrepancy
    discriminator discriminators disposition divisor document documentation documented dropped edition effect
    effects element elsewhere empty encoding encodings entry enumeration enums error errors event every exactly
    example exceptions excerpt exchanged excluded exclusive exclusivemaximum exclusiveminimum executed execution
    explicit exploded expression extensible extension extensions extra falls fewer field fields final findings first
    fixed floor follow format formats former forward freed frozen function generated given gives granted graphql
    handling hashable hashed hashing header headers holds hypothesis idempotency identifiers identity impact
    implementation implemented implements import imports inconsistent inference inheritance inherits input
    inspection instance instances instead intake integer interface introduced inventory items iterator itself joined
    jsonschema judged keeping keyword keywords known knows kwargs language leads length lengths letter level library
    limitation limitations limits links listed loaded loading loads local location logging logical longer loosened
    lowered makes manager marked marker marks match matrix maxcontains maximum maxitems maxlength maxproperties
    media medium member members message messages metaclass method methods mincontains minimum minitems minlength
    minproperties missing model module modules monitoring moved multiple multipleof mutation named names namespace
    narrowed needs neither never newer newly nothing nullability nullable number numbers numeric oauth object
    observation observed offered often older oneof oneself openapi opened openness operation operations option
    optional order ordered ordering other others otherwise output overload overloads package packed packing
    pagination parameter parameters partitions pattern patternproperties patterns payload place places point points
    policy position positional possible precision prefix prefixitems presence present procedure producer promise
    promised promoted properties property propertynames proposed proto protobuf protocol prove proved public python
    query raised raises range ranges rated reading readonly reads receive received receives recommendation record
    recorded referred refused register rejection relate relaxed released remain remediation remove removed renamed
    reordered repeat repeatable repeated repetition rephrased replaced replicas replies reply report request
    requests required requiredness reservation reservations reserved residual response responses restated result
    results retained return reverse review reviews revision reworded rollback rollout route rubric running runtime
    scalar scale scanner schema schemas scheme scope secrets security selectors sends serialisation serialised serve
    server servers service settable several severity shape shapes signature signs singular somebody something sorted
    source speaks specification spelled stand stands state stated statements static status statuses stays still
    stream streaming string style subclass submodule subscriber subscription success suffices summary sunset
    supplied symbol syntax taken takes tells template their there thing threat tightened topic traceability
    transition transitive travels tuple turned typed types typing undemanded undeprecated union unique unknown
    unlisted unproven unread unrelated unset untold validation value values variable variadic verification verified
    version versions webhook whatever where whether which whose widened wider window withdrawn within without
    witnessed wrapper write writeonly writes written
"""
OWN: Final = frozenset(_WORDS.split())


def is_own(value: str) -> bool:
    """True for a text of nothing but such words, which stand in every output: `response-field-became-optional`."""
    words = re.split("[ _-]", value.lower())
    return not OWN.isdisjoint(words) and all(word in OWN or (len(word) < 5 and word.isalpha()) for word in words)
