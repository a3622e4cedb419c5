"""Severity, confidence and disposition of a finding, each with its reason.

Takes candidates, rubric and decisions.
Gives rated findings.
"""
