"""The compiled part of the searches; it calls the game only through the given functions."""
