"""Puzzles: one a day, series by theme and difficulty, ratings, and the moments of one's games."""
