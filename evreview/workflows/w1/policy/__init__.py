"""What the supplied policy and the rollout record allow.

Takes policy, plan and rollout record.
Gives judgements, the path, removals and controls, each with its reason.
"""
