"""The database of a house: engine, writer, migrations and backup, without any subject.

It stores and finds rows and knows neither rules nor messages; `trine.house.store.store` is its
interface. Importing this package loads no database library; only a server needs one.
"""
