"""The formats of other programs for records of the game."""
