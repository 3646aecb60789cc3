"""Fitting weights and curves of chances to games."""
