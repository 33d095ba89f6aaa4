"""What runs for hours and is no unit test."""
