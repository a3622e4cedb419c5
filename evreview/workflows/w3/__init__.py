"""Defensive security review: nine steps from the authorization to the disclosure.

Takes authorization, trust model and inventory.
Gives assessment, findings, remediation and residual risk.
"""
