"""Games: in memory and in the database, their pages and their sockets."""
