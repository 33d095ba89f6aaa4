"""The evaluation of MagicPush (SIGMOD 2023) restated for PySpark: a baseline of rules, Spark alone, and Headwater."""
