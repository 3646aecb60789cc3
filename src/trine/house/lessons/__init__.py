"""Lessons and rule books, with boards that answer."""
