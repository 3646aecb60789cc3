"""Away: a program of ours, or of anybody, that plays at a house elsewhere, by its API."""
