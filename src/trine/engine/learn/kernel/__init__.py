"""Compiled code of learning."""
