"""The benchmark of the synthesis: the problems of ``benchmarks/suite``, their expectations, ablations, the report."""
