"""The methods of DataFrames, one file for each family."""
