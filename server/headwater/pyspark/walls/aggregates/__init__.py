"""The aggregates that a job asks for."""
