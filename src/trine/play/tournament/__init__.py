"""Tournaments: pairings and standings, computed from values.

Nothing is played or stored here. A `Tournament` is a value: its plan, its participants and the
pairings so far; the next pairings and the standings are computed from it. A house and `trine match`
therefore share the formats, and a table can be recomputed from records.
"""
