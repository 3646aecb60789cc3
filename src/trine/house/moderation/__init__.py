"""Reports to administrators, the administrators' actions, and farmed ratings."""
