"""How findings are to be repaired, and what a repair must not weaken.

Takes supplied remediations and findings.
Gives remediation rows.
"""
