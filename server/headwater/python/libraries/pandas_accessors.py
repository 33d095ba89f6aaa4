"""Methods of the accessors ``Series.str`` and ``Series.dt``."""

from __future__ import annotations

from .registry import register

register(
    "pandas.Series.str",
    "per row",
    """
capitalize()
casefold()
center(width, fillchar=" ")
contains(pat, case: True | False = True, flags: never = 0, na: True | False = ..., regex: True | False = True)
count(pat, **kwargs)
encode(encoding, errors: "strict" | "ignore" = "strict")
endswith(pat, na: True | False = ...)
find(sub, start=0, end=None)
findall(pat, **kwargs)
fullmatch(pat, case: True | False = True, flags: never = 0, na: True | False = ...)
get(i)
index(sub, start=0, end=None)
isalnum()
isalpha()
isdecimal()
isdigit()
islower()
isnumeric()
isspace()
istitle()
isupper()
join(sep)
len()
ljust(width, fillchar=" ")
lower()
lstrip(to_strip=None)
match(pat, case: True | False = True, flags: never = 0, na: True | False = ...)
pad(width, side: "left" | "right" | "both" = "left", fillchar=" ")
removeprefix(prefix)
removesuffix(suffix)
replace(pat, repl, n=-1, case: never = None, flags: never = 0, regex: True | False = False)
rfind(sub, start=0, end=None)
rjust(width, fillchar=" ")
rsplit(pat=None, *, n=-1, expand: False = False)
rstrip(to_strip=None)
slice(start=None, stop=None, step=None)
split(pat=None, *, n=-1, expand: False = False, regex=None)
startswith(pat, na: True | False = ...)
strip(to_strip=None)
swapcase()
title()
upper()
zfill(width)
""",
)
register(
    "pandas.Series.str",
    "other",
    """
cat(others=None, sep=None, na_rep=None, **kwargs)
extract(pat, flags: never = 0, expand: True | False = True)
get_dummies(sep="|")
""",
)
