"""Searches, perft, and the bench signature; independent of the game."""
