"""The ground floor: what every game and every program of the house stands on."""
