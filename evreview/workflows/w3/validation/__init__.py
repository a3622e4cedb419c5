"""What retained results prove of candidates.

Takes local results, inventory and candidates.
Gives candidates with what was executed for and against them.
"""
