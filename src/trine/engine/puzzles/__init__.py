"""Puzzles: positions of games in which one turn is far better than all others."""
