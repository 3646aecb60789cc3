"""The archive of a house: its public games that are over, and what was played from a position."""
