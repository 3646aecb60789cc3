"""The compiled game loop: the search for each action, the rules, and the training data."""
