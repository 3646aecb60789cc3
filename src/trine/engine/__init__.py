"""What thinks about games, and what measures it: search, players, matches, learning."""
