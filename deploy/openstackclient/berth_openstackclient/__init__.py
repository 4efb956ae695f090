"""Commands of the OpenStack client that ask Berth's scheduler why instances are where they are, and what fits."""
