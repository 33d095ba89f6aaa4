"""A table function."""


class Worst:
    """The worst price of a team."""

    def __init__(self):
        self.team = None
        self.worst = None

    def eval(self, row):
        self.team = row.team
        if row.price is None:
            return
        if self.worst is None or row.price < self.worst:
            self.worst = row.price

    def terminate(self):
        yield self.team, self.worst
