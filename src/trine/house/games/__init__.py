"""Games: each an actor, from a click to the database and back."""
