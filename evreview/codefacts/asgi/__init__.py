"""FastAPI and Starlette as facts.

Takes parsed modules.
Gives routes, parameters, answers and guards.
"""
