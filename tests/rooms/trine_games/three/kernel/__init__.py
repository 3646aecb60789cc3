"""The compiled code of the game."""
