"""JSON Schema as sets of values.

Takes a schema with the files that it refers to.
Gives views, verdicts on values, values of the set, and JSON Schema again.
"""
