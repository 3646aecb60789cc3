"""Sentences for people, the languages that say them, and boards as text."""
