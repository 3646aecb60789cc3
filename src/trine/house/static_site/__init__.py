"""The lessons, rule books, puzzles and replays of a house as plain files, without a server."""
