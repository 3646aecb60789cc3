"""The house: games that are played here at once, the people at them, and their deadlines.

It knows no HTTP; `trine.web` gives it pages and sockets. `trine.house.house` has its doors.
"""
