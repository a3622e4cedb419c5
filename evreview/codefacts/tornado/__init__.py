"""Tornado: the rules of applications, their handlers, and what these read and answer."""
