"""Abuse cases, suspicions and results of scanners.

Takes trust model and SARIF.
Gives cases that must be answered.
"""
