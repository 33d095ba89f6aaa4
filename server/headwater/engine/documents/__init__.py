"""The open documents of an editor, and what is asked of workers for them."""
