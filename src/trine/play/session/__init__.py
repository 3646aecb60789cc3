"""A running game: each command adds entries to a journal, and the state follows from them."""
