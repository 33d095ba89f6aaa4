"""The language server: one file per feature of the protocol, no analysis here. ``engine.session`` does the work."""
