"""Leads from the source, each with the line that raised it.

Takes code facts.
Gives leads, never findings.
"""
