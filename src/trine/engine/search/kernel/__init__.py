"""The compiled half of the searches; it knows the game only by the functions that it is given."""
