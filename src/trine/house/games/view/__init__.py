"""What players and watchers see of a game: snapshots, views, messages, pages and sockets."""
