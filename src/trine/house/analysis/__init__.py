"""The analysis board, and reviews of whole games."""
