"""Games in memory: their actor, commands, clocks, bots, and what changes in them sets off."""
