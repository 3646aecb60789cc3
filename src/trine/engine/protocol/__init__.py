"""Protocols of engines, on both sides: engines for controllers, and other engines as players.

Engine's side: `aei` and `ugi` read lines and answer, on `serving` and `thinker`, and write to a
`channel`. Controller's side: `players` opens a player by its words, `aei_player` and `ugi_player`
drive a `program`. Both sides share the notation of turns (`moves`) and of times (`time_limits`).
"""
