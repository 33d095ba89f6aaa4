"""Functions of one row: the filter is carried through the function, conjunct by conjunct."""
