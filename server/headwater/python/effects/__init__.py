"""What running code does besides computing a value."""
