"""A running game: commands go in, entries go to a journal, and a state comes out."""
