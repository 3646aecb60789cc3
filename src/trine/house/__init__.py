"""The house: games that are played here at once, who sits at them, and what falls due.

It knows no HTTP; `trine.web` gives it pages and sockets. `trine.house.house` has its doors.
"""
