"""The picture of a position as plain data."""
