"""Playing in a terminal or over a pipe."""
