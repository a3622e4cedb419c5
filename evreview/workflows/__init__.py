"""The three reviews of nine gated steps each, and the session that runs one.

Takes a bundle.
Gives a finished review: artifacts, registers and a journal.
"""
