"""Programs that try to make a wrong rewrite look proved, and a judge that runs each before and after.

Every other campaign writes programs that a data engineer might write. This one draws every parameter of real
signatures, puts objects that
change when they are read in every place where a name may stand, and changes sessions, views and lists between two
uses of one frame.
"""
