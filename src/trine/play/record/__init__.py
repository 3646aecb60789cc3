"""A game as a file: replaying, checking and converting records, and the live log."""
