"""Tournaments: pairings and standings, as values.

Nothing is played here, and nothing is stored: a `Tournament` is a value, made of its plan, its
participants and the pairings so far, and all that follows is computed from it. So a house and
`trine match` have the same formats, and a table can be recomputed from records.
"""
