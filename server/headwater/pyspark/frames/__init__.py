"""What is known of a DataFrame that a variable holds: its plan, schema, users and places."""
