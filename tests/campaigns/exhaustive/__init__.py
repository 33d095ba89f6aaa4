"""Exhaustive small scope (issue 4): every plan of at most two operators, every filter of one conjunct, every table of
at most two rows over NULL, 0 and 1. What the prover proves must be right on all of them.

``operators`` and ``predicates`` write PySpark; ``reference`` runs it on all tables at once, on the small Spark;
``judge`` compares a program with its rewrite, ``missed`` looks for what was not proved, ``on_spark`` runs a sample on
Spark.
"""
