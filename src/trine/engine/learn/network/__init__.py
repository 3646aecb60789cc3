"""Nets beside the terms: what they see, training by AdamW, rounding for the search."""
