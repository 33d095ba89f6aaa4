"""What every part of Headwater speaks: types, expressions, plans, fold problems, verdicts, spans. Imports nothing
else of the project, and no solver, parser or Spark."""
