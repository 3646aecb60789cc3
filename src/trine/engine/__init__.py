"""The engine: search, players, matches, learning, puzzles and archives."""
