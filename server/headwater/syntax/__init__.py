"""Python text: what can be said of it without knowing pandas, Arrow or Spark."""
