"""Who has to answer a gate, by the roles that `review.yaml` names."""

from __future__ import annotations

from evreview.evidence.records.review import Roles
from evreview.workflows.engine.gates import GateSpec, Seat


def named_seats(spec: GateSpec, roles: Roles) -> tuple[Seat, ...]:
    """One seat per capacity with the role that holds it.

    Of a gate that one capacity can answer, the capacities without a role are left out while another has one.
    """
    held = {
        "api-owner": roles.api_owner,
        "release-manager": roles.release_manager,
        "security-owner": roles.security_owner,
        "privacy-owner": roles.privacy_owner,
        "sandbox-owner": roles.sandbox_owner,
    }
    capacities = [capacity for stage in spec.stages for capacity in stage]
    known = [capacity for capacity in capacities if held.get(capacity)] if spec.any_one else capacities
    return tuple(Seat(capacity, held.get(capacity) or "") for capacity in known or capacities[:1])


def party(roles: Roles) -> frozenset[str]:
    """Every role that the review names."""
    return frozenset(role for role in roles.model_dump().values() if role)
