"""Executing what a plan names: whether it may run, what runs, and what its result says. Pure; running is a door's."""
