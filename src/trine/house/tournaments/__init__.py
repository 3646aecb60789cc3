"""Tournaments: how they are created, joined, played and shown."""
