"""The steps of a plan as typed records: who does what, when, and what has to be there first."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from evreview.evidence.records.base import Day, Record, Text


class WaitsFor(Record):
    """One thing that has to be there before a step begins: exactly one of `step`, `adoption` and `gate`."""

    step: Text | None = None
    """An earlier step, by its id."""
    days: int | None = Field(default=None, ge=0)
    """With `step`: this many days after it."""
    observed: bool = False
    """With `step`: only once its observation window has passed without an abort."""
    adoption: Text | None = None
    """A client, by its id in the inventory: its owner has recorded that it requests the step's path."""
    gate: Literal["ship-breaking-change", "remove-deprecated"] | None = None
    """A gate of this review, approved."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(each is not None for each in (self.step, self.adoption, self.gate)) != 1:
            raise PydanticCustomError("waits_for_one", "name one of step, adoption and gate in each entry")
        if self.step is None and (self.days is not None or self.observed):
            raise PydanticCustomError("waits_for_step", "days and observed belong to an entry that names a step")
        return self


class PlanStep(Record):
    """One step of a plan."""

    id: Text
    """Its name, for the steps that wait for it."""
    who: Text
    """The role that does it."""
    what: Literal["open", "adopt", "route", "notify", "retire", "roll back"]
    """`open`: the path answers, and nobody is sent there. `adopt`: the owner of `client` lets it request the path.
    `route`: traffic of `client`, of everybody without one, is sent to the path. `notify`: notice is given.
    `retire`: the path stops to answer. `roll back`: traffic goes back to the path."""
    path: Text | None = None
    """The route or version, as the rollout record names it; every step but `notify` needs one."""
    client: Text | None = None
    """The client's id in the inventory; `adopt` needs one."""
    when: Day | None = None
    """The day on which it is planned."""
    waits_for: tuple[WaitsFor, ...] = ()
    """What has to be there before it begins."""
    note: Text | None = None
    """Free text; it shows nothing."""
