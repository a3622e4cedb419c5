"""Evidence-backed API reference: nine steps from the scope to the delivery.

Takes contract, code and tests of one revision.
Gives the reference, the execution report and discrepancies.
"""
