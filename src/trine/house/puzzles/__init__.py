"""Puzzles: one a day, streams by theme and difficulty, ratings, and the moments of one's games."""
