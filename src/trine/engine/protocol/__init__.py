"""Protocols of engines, on both sides: engines for controllers, and other engines as players.

The engine's side: `aei` and `ugi` answer lines, on `engine_session` and `thinker`, and write to a
`channel`. The controller's side: `players` opens a player by its specification, `aei_player` and
`ugi_player` drive a `program`. Both sides share the notation of turns (`turn_words`) and of times
(`time_limits`).
"""
