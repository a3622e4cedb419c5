"""What is wrong with a trust model, or left out of it. One rule is one value; those that decide keep step 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evreview.core.quoted_text import Part, text
from evreview.evidence.item import Citation
from evreview.security.mapped import TrustGap


@dataclass(frozen=True, slots=True, kw_only=True)
class GapRule:
    """One kind of gap.

    Attributes:
        id: kebab-case.
        decides: it keeps step 2 from advancing.
        why: why it does, or why it does not.
        example, counter_example: of a model, in words.
    """

    id: str
    decides: bool
    why: str
    example: str
    counter_example: str


DANGLING: Final = GapRule(
    id="dangling-id",
    decides=True,
    why="a path through something that is not described can't be followed",
    example="an entry point names the boundary `edge`, and no boundary has this id",
    counter_example="every id that is named is described once",
)
REPEATED: Final = GapRule(
    id="repeated-id",
    decides=True,
    why="what the id means can't be told",
    example="two assets have the id `orders`",
    counter_example="an actor and an asset have the same id",
)
UNTRACED: Final = GapRule(
    id="untraced-control",
    decides=True,
    why="step 2 advances when the paths for the requested controls are traceable",
    example="a control stands at the boundary `edge`, and every path over it has a gap",
    counter_example="one path over it has none",
)
TOO_MANY: Final = GapRule(
    id="too-many-paths",
    decides=True,
    why="what is not listed is not reviewed",
    example="60 actors, 60 entry points and 60 assets, all tied to each other",
    counter_example="entry points that name only who comes in there",
)
OTHER_REVISION: Final = GapRule(
    id="other-revision",
    decides=True,
    why="paths of another revision are not those under review",
    example="the model is of a commit that is not the authorized one",
    counter_example="the model names the authorized commit",
)
UNREACHED_ASSET: Final = GapRule(
    id="unreached-asset",
    decides=False,
    why="it may be reached within the service only; whoever reads the map should know",
    example="an asset that no entry point names",
    counter_example="an asset behind at least one entry point",
)
UNCROSSED_BOUNDARY: Final = GapRule(
    id="uncrossed-boundary",
    decides=False,
    why="no path can be attacked over it as far as the model says",
    example="a boundary that no entry point names",
    counter_example="a boundary on at least one path",
)
UNMAPPED_ROUTE: Final = GapRule(
    id="unmapped-route",
    decides=False,
    why="the model leaves a way in out; the matrix of controls has it all the same",
    example="the code registers `GET /health`, and no entry point has this route",
    counter_example="every registered route is an entry point",
)
OTHER_DEPLOYMENT: Final = GapRule(
    id="other-deployment",
    decides=False,
    why="nothing that stands in that deployment is known to stand around the reviewed revision",
    example="a deployment record names another commit than the reviewed one",
    counter_example="every deployment record names the reviewed commit",
)
RULES: Final = (
    DANGLING, REPEATED, UNTRACED, TOO_MANY, OTHER_REVISION, UNREACHED_ASSET, UNCROSSED_BOUNDARY, UNMAPPED_ROUTE,
    OTHER_DEPLOYMENT,
)  # fmt: skip


def gap(rule: GapRule, *says: Part, on: tuple[Citation, ...] = ()) -> TrustGap:
    """A gap of a rule."""
    return TrustGap(kind=rule.id, says=text(*says), citations=on, decides=rule.decides)
