"""Assets, entry points and trust boundaries, and the paths between them.

Takes the trust model and code facts.
Gives the trust map, its gaps and its picture.
"""
