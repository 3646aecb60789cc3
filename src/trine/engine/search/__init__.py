"""Searching: counting sequences of actions, and the signature of the kernels. Blind to the game."""
