"""What people do next in a contract review: what no answer mends, then the answers, then what stays to be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evreview.core.quoted_text import Text, UserText, bare, counted, joined, listed
from evreview.core.vocabulary import Ask, StepState, VersionPath
from evreview.evidence.item import Bundle, Citation
from evreview.workflows.engine.halt import to_supply
from evreview.workflows.engine.next_actions import ActionKind, NextAction, acting, answers, recovery, unmet
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w1.ending.standing import Against, Point, standing
from evreview.workflows.w1.facts import F3, FAILURES, W1Facts, material, read_contracts
from evreview.workflows.w1.policy.version_path import MOVES

_LAST: Final = 9
_ROLLOUT: Final = 8
"""The step that moves traffic."""
_NAMED: Final = 4
"""Ids that one sentence names."""


def next_actions(
    bundle: Bundle, results: Sequence[StepResult], facts: W1Facts, *, is_halted: bool
) -> Iterator[NextAction]:
    """Every action, in order."""
    owner, on = acting(bundle.request.roles.api_owner, "API owner"), read_contracts(bundle)
    last = results[-1]
    if is_halted:
        yield _supply(bundle, last, on)
    points = tuple(standing(bundle, facts)) if last.number == _LAST else ()
    yield from _mend(bundle, facts, points)
    if last.number == _LAST:
        yield from _unasked(bundle, facts, last)
    told = {F3.code} if any(each.kind is Against.OWNERSHIP for each in points) else set()
    codes = [each.code for each in results if each.code and each.code not in told]
    marked = [recovery(code, FAILURES[code].recovery, owner, on) for code in codes]
    yield from marked if is_halted else ()
    yield from unmet(facts.gates, owner)
    yield from answers(facts.gates)
    yield from () if is_halted else marked
    if last.number == _LAST:
        yield from _afterwards(bundle, facts)


def _supply(bundle: Bundle, last: StepResult, on: tuple[Citation, ...]) -> NextAction:
    """Who goes on where a step ended the run: traffic is the release manager's, everything else the API owner's."""
    roles = bundle.request.roles
    moves = last.number == _ROLLOUT
    who = acting(roles.release_manager, "release manager") if moves else acting(roles.api_owner, "API owner")
    nothing = "close this review, or supply the candidate that was meant" if last.state is StepState.STOP else ""
    return to_supply(last, who, FAILURES.get(last.code), on, what=nothing)


# What no answer to a gate mends.


def _mend(bundle: Bundle, facts: W1Facts, points: Sequence[Point]) -> Iterator[NextAction]:
    """What mends each point that stands against what is asked, the path before everything that depends on it."""
    roles = bundle.request.roles
    owner, manager = acting(roles.api_owner, "API owner"), acting(roles.release_manager, "release manager")
    found = {kind: [each.reason for each in points if each.kind is kind] for kind in Against}
    if found[Against.PATH]:
        yield _another_path(facts, owner)
    elif found[Against.FINDING]:
        yield _blocked(facts, owner)
    told: dict[Against, tuple[Text, Text]] = {
        Against.SURFACE: (owner, ("confirm both contracts as complete: ",)),
        Against.POLICY: (owner, ("show that the policy applies: ",)),
        Against.ROLLOUT: (manager, ("approve the rollout record: ",)),
    }
    for kind, (who, lead) in told.items():
        for reason in found[kind]:
            what = (*lead, *bare(reason.text))
            yield NextAction(who=who, what=what, kind=ActionKind.SUPPLY, citations=reason.citations)
    for reason in found[Against.OWNERSHIP]:
        clients = dict.fromkeys(gap.client for gap in facts.ownership_gaps if gap.client)
        yield recovery(F3.code, F3.recovery, owner, reason.citations, about=clients)


def _another_path(facts: W1Facts, owner: Text) -> NextAction:
    """What is done about a path that ships nothing: another path, or a candidate that breaks less."""
    assert facts.path is not None
    path, ids = facts.path, [row.delta.id for row in facts.rows if material(row)]
    if path.path is VersionPath.REJECTION:
        what: Text = ("plan a path that keeps the released form, or take out of the candidate what breaks: ",)
    elif path.path in MOVES or not ids:
        what, ids = ("correct the plan: ", *joined(bare((each,)) for each in path.objections)), []
    else:
        what = (f"plan another path than {path.path}, or take out of the candidate what breaks: ",)
    about = (*ids, *(each.id for each in facts.findings if each.blocks))
    return NextAction(who=owner, what=(*what, *listed(ids, _NAMED)), kind=ActionKind.SUPPLY, about=about,
                      citations=path.citations)  # fmt: skip


def _blocked(facts: W1Facts, owner: Text) -> NextAction:
    """What is done about findings that block: what they are about changes, in the candidate or in the plan."""
    found = [each for each in facts.findings if each.blocks]
    blocks = " and ".join(dict.fromkeys(what for each in found for what in each.blocks))
    verb = "blocks" if len(found) == 1 else "block"
    ids = [each.id for each in found]
    what = ("change the candidate or its path as the policy asks: ", *listed(ids, _NAMED), f" {verb} the {blocks}")
    cited = dict.fromkeys(citation for each in found[:1] for citation in each.citations)
    return NextAction(who=owner, what=what, kind=ActionKind.SUPPLY, about=tuple(ids), citations=tuple(cited))


def _unasked(bundle: Bundle, facts: W1Facts, last: StepResult) -> Iterator[NextAction]:
    """What is done where neither shipment nor removal was asked."""
    if last.state is not StepState.ADVANCE or set(bundle.request.asks) - {Ask.ASSESS}:
        return
    owner, ids = acting(bundle.request.roles.api_owner, "API owner"), [row.delta.id for row in facts.breaking]
    if any(each.blocks for each in facts.findings):
        yield _blocked(facts, owner)
    elif ids:
        what = ("decide on a path for what breaks, and ask the shipment in review.yaml: ", *listed(ids, _NAMED))
        yield NextAction(who=owner, what=what, kind=ActionKind.SUPPLY, about=tuple(ids))
    else:
        what = ("ask the shipment or the removal in review.yaml, once one is wanted",)
        yield NextAction(who=owner, what=what, kind=ActionKind.SUPPLY)


# What stays to be done whatever was decided: run the checks, move clients, watch, and only then retire.


def _afterwards(bundle: Bundle, facts: W1Facts) -> Iterator[NextAction]:
    roles, path = bundle.request.roles, facts.path
    owner, manager = acting(roles.api_owner, "API owner"), acting(roles.release_manager, "release manager")
    if facts.checks and facts.checks.proposed:
        planned = counted(len(facts.checks.proposed), "proposed check")
        says = f"run the {planned}; {len(facts.checks.unverified)} classifications stay unverified until then"
        yield _then(owner, says)
    if path is None or not path.supported:
        return
    for state in facts.migrations:
        if not state.adopted and any(impact.breaking for impact in facts.impacts if impact.client == state.client):
            known = acting(state.owner, f"owner of {state.client}")
            says = "verify the adoption of client "
            yield _then(known, says, UserText(state.client), " on the selected path", on=state.citations)
    if path.traffic_steps:
        names = listed(path.step_names or path.traffic_steps)
        yield _then(manager, "move traffic in these steps, each watched for its whole window: ", *names)
    if facts.breaking or path.mechanisms:
        says = "retire the released contract and handler only after migration and observation gates pass"
        yield _then(owner, says)


def _then(who: Text, *what: str | UserText, on: tuple[Citation, ...] = ()) -> NextAction:
    return NextAction(who=who, what=what, kind=ActionKind.CARRY_OUT, citations=on)
