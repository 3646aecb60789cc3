"""Whole games of two players in compiled code, with random beginnings: for matches and learning."""
