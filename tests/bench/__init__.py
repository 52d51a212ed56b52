"""`make bench`: how fast it is, beside the targets, as ratios within one run because machines are noisy."""
