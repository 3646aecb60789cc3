"""The sources of datasets: self-play, records, the trees of searches, other programs."""
