"""Flask and its blueprints as facts.

Takes parsed modules.
Gives routes, hooks, errors and guards.
"""
