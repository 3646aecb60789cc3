"""A static site: the lessons, rule books, puzzles and replays of a house as plain files."""
