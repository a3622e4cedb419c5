"""Reports of test runs in the formats of their tools, read into one model.

Takes JUnit, pytest, schemathesis, newman, HAR, VCR and SARIF files.
Gives cases, exchanges and results with their place.
"""
