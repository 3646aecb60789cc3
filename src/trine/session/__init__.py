"""One running game for everybody: commands in, entries to a journal, a state."""
