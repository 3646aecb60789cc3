"""Fills the caches of a process once, before houses are forked from it."""

from trine.house.site import warm_up
from trine.house.web.assets import Assets

warm_up(Assets())
