"""The views of the game for people."""
