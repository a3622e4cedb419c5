"""Which evidence speaks of which concern of which operation.

Takes entries of the contract, code facts and test results.
Gives cells, gaps and test coverage.
"""
