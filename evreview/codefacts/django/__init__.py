"""Django and Django REST framework as facts.

Takes parsed modules.
Gives routes, views, serializers and guards.
"""
