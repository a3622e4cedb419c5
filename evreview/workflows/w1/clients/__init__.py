"""Clients: what each reads, what the change does to it, and how far its migration is.

Takes the client inventory and the rows of the ledger.
Gives impacts, migration states and the client register.
"""
