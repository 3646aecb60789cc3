"""Puzzles: positions of games with one turn that is far better than all others."""
