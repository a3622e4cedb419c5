"""Witnesses of event contracts: whole messages with their channel, judged by both contracts."""
