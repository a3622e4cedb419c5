"""Each part of an operation, in contract, code and tests.

Takes their facts.
Gives agreements and deviations per part, unknown where something was not read.
"""
