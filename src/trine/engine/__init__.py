"""Thinking about games, and measuring it: search, players, matches, learning."""
