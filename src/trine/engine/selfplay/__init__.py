"""Whole games of two players in compiled code, with random starts: for matches and training."""
