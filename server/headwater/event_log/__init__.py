"""What earlier runs cost, read off Spark's event logs.

Nothing is run. Of what a log says, only numbers, the names of applications and the places of calls are kept: never a
property, a plan or an address, which may hold credentials.
"""
