"""The ground floor: the types that every game and every program of the house share."""
