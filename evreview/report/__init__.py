"""Artifacts: Markdown that cannot overstate, formats of the ledger, and their validation.

Takes ready cells and sentences with citations.
Gives files, redacted on the way out.
"""
