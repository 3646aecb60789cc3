"""Ratings of people who have accounts, and the page of a player."""
