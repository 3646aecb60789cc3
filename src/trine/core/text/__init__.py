"""Sentences for people, their translation, and boards as text."""
