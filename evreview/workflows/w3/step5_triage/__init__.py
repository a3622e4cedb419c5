"""Leads against source and compensating controls: what is supported, what stays a hypothesis, what is refuted."""
