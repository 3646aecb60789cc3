"""Games: each has a queue of writes, from a click to the database and back."""
