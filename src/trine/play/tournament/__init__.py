"""Tournaments: pairings and standings, computed from values.

Nothing is played or stored here. From a `Tournament` (its plan, its participants and the pairings
so far) the next pairings and the standings are computed. So a house and `trine match` share the
formats, and a table can be recomputed from records.
"""
