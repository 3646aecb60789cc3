"""The house's memory: events of games, seats, people, deadlines, in a database.

It stores and finds rows and knows neither rules nor messages; `trine.store.store` is its interface.
Importing this package loads no database library; only a server needs one.
"""
