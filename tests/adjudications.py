"""Where evreview and the peer disagree on the small pairs: who is right and why. One line per case; data only."""

from __future__ import annotations

from typing import Final

OURS, PEER, BOTH = "evreview", "peer", "matter of policy"

ADJUDICATED: Final[dict[str, tuple[str, str]]] = {
    "TestAPISecurityScopeAdded__1": (OURS, "a token with the released scope alone no longer suffices"),
    "TestBreaking_InvaidStability__1": (BOTH, "x-stability-level is the peer's own extension; no message changes"),
    "TestBreaking_InvalidStabilityLevelInBase__1": (BOTH, "x-stability-level is the peer's own extension"),
    "TestBreaking_InvalidStabilityLevelInRevision__1": (BOTH, "x-stability-level is the peer's own extension"),
    "TestBreaking_OptionalResponseHeaderRemoved__1": (OURS, "an optional header was never promised"),
    "TestBreaking_ParameterDeprecationNoSunset__1": (OURS, "deprecation announces a removal, it is still a removal"),
    "TestBreaking_RemovedParameterForAlpha__1": (BOTH, "the peer excuses alpha operations by its own extension"),
    "TestBreaking_RemovedPathForDraft__1": (BOTH, "the peer excuses draft operations by its own extension"),
    "TestBreaking_ReqBodyDeleteRequiredProperty__1": (OURS, "the candidate object is open and accepts the old request"),
    "TestBreaking_RequeatMinItemsGreater__1": (OURS, "minItems says nothing about a string"),
    "TestBreaking_RequestBodyEnumRemoved__1": (
        OURS,
        "dropping an enumeration widens; unknown for an unread scheme only",
    ),
    "TestBreaking_RequestPropertyOneOfRemoved__1": (
        OURS,
        "two released branches are equal, so that no value meets exactly one: nothing was ever accepted",
    ),
    "TestBreaking_RequiredPropertyWriteOnlyDisabled__1": (OURS, "the field joins the response of an open object"),
    "TestBreaking_Servers__1": (OURS, "old clients call the removed address"),
    "TestBreaking_SettingOptionalParamDefaultValue__1": (
        OURS,
        "the released contract does not say what leaving the parameter out meant: unknown",
    ),
    "TestListOfTypesUncoveredPaths__5": (OURS, "members of an exploded query object are texts: each is a string"),
    "TestMediaTypeSchemaExistence__3": (OURS, "a response without a schema may hold anything"),
    "TestRequestBodyAnyOfMultiMediaTypeDetails__1": (OURS, "both branches are equal; component names never travel"),
    "TestRequestDiscriminatorUpdatedCheckRemoved__1": (
        OURS,
        "only its discriminator told the branches apart that the inner choice stands in: unknown",
    ),
    "TestRequestBodyDefaultValueRemoving__1": (OURS, "an omitted value has lost the meaning that was promised"),
    "TestRequestBodyFormatChangedCheck__1": (OURS, "the format of strings says nothing about an object"),
    "TestRequestBodyMaxSetCheck__1": (OURS, "16 was accepted and is refused"),
    "TestRequestBodyMinLengthIncreased__1": (OURS, "minLength says nothing about values of this type"),
    "TestRequestDiscriminatorUpdatedCheckAdded__1": (OURS, "old requests need not carry the member that now decides"),
    "TestRequestDiscriminatorUpdatedCheckPropertyNameChanging__1": (OURS, "old requests carry another member"),
    "TestRequestOptionalPropertyBecameReadOnly__1": (OURS, "old requests may send what must no longer be sent"),
    "TestRequestParameterMaxDecreased__1": (OURS, "maximum says nothing about a string"),
    "TestRequestPropertyDefaultValueChanged__1": (OURS, "an omitted value now means something else"),
    "TestRequestPropertyMaxDecreasedCheck__1": (OURS, "maximum says nothing about a string"),
    "TestRequestReadOnlyPropertyMaxDecreasedCheck__1": (OURS, "the field also became readOnly: it must not be sent"),
    "TestResponseDiscriminatorUpdatedCheckPropertyNameChanging__1": (OURS, "clients read the old member to decide"),
    "TestResponseNonSuccessStatusRemoved__1": (OURS, "error mapping is wire behaviour; what takes its place is open"),
    "TestResponseOptionalPropertyUpdatedCheck__1": (OURS, "an optional field was never promised"),
    "TestResponsePropertyFormatChangedCheck__1": (OURS, "the fields stand below a string, which has none"),
}
