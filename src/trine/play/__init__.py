"""A game as a file, as a picture, and as it is played; nothing here thinks."""
