"""Functions of groups."""

import pandas as pd


def best_price(group):
    return pd.DataFrame({"team": [group.team.iloc[0]], "best": [group.price.max()]})
