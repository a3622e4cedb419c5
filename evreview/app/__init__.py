"""The ways in: the command, the Python functions and the workbench.

Takes arguments of a user.
Gives exit statuses, values and widgets.
"""
