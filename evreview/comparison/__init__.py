"""Two contracts compared: pairs, differences, ids, verdicts and what is noise.

Takes two contracts of one kind.
Gives the ledger of differences, one row each.
"""
