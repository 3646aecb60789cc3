"""Figures about the games of the house, and what is known about computers that play them."""
