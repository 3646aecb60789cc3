"""The compiled part of the searches, independent of the game."""
