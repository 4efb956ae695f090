"""Commands of the OpenStack client that show why Berth's scheduler placed an instance, and how many more fit."""
