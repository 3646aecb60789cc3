"""The database of a house: engine, writer, migrations and backup, without any subject.

The package stores and finds rows and knows neither rules nor messages; `trine.house.store.store` is
its interface. Importing it loads no database library; only a server needs one.
"""
