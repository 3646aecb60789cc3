"""Fitting weights and win-chance curves to games."""
