"""The parts of the W3 artifact: its first screens, the findings with their cards, and the registers of the annex.

Takes the facts of a run.
Gives rows of ready cells and labelled sentences for the template.
"""
