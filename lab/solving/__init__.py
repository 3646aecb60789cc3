"""Retrograde analysis of small boards of pawns and walls, from the most walls to none."""
