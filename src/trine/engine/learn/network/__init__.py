"""Nets beside the terms: inputs, training by AdamW, rounding for the search."""
