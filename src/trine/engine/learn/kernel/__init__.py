"""Compiled code of training."""
