"""Many comparisons: `evreview batch`.

Takes a list of pairs, or the tags of a clone, and where the results go: a folder or a URL.
Gives one record for each pair and one ledger for each pair of contents, all of them durable, and a table over them.
"""
