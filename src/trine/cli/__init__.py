"""The command line, and the conversation in a terminal."""
