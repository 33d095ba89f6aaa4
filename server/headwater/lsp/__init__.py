"""The language server: one file per feature of the protocol, no analysis here.

``engine.documents.session`` does the work."""
