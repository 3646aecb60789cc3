"""The command line, and playing in a terminal."""
