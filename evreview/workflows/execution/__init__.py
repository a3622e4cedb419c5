"""What runs in the sandbox: plan, approval and outcome.

Takes a bundle and an approved plan.
Gives executed checks with their output.
"""
