"""Rules that tell what a difference means for whoever sends and whoever receives.

Takes a row of the ledger.
Gives a verdict per direction, unknown where no rule speaks.
"""
