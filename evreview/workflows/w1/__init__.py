"""API contract review: nine steps from the boundary to the rollout decision.

Takes two contracts, implementation, clients and policy.
Gives the compatibility report, findings and decision.
"""
