"""The house's memory: events of games, seats, people, deadlines, in a database.

It keeps and finds rows and knows neither rules nor messages. `trine.store.store` has its doors.
Importing this package loads no library of databases; only a server needs them.
"""
