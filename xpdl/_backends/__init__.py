"""The libraries that do the work: one module per device type, which registers its functions."""
