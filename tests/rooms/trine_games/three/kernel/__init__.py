"""The compiled part of the room."""
