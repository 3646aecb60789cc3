"""Blocks among people, reports to administrators, and sanctions."""
