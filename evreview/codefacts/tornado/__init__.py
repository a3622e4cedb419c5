"""Tornado as facts.

Takes parsed modules.
Gives routes and handlers.
"""
