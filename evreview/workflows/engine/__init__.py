"""What every workflow is made of: steps, gates, journal, registers and conclusions.

Takes the nine steps of a workflow as data.
Gives a run that stops where the specification stops.
"""
