"""How long an editor waits for the language server."""
