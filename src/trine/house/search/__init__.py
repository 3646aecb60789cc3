"""The search of games and people."""
