"""A game as players and watchers see it: snapshots, views, messages, pages and sockets."""
