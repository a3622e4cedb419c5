"""One file for each command; the only place that prints.

Takes options.
Gives text, files and an exit status.
"""
