"""Runs supplied code without network, with its own file system and a filter of system calls.

Takes a plan that a person approved.
Gives exit status, output and what was tried.
"""
