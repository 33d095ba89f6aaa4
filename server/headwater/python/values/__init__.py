"""The values that a function body computes with: scalars, lists, records, tables, and the scope that holds them."""
