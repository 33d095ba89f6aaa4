"""Exposure of each account in the hour after the opening: `groupByKey().mapValues()` over events with epoch seconds.

Only increases count; an account without one in the window has 0.
"""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
events = (
    spark.read.schema("account string, at bigint, exposure bigint, frozen boolean")
    .parquet("events")
    .dropna(subset=["at", "exposure"])
)

OPENING = 32400
HOUR = 3600


def in_window(events):
    total = 0
    hits = 0
    for e in events:
        if OPENING <= e.at < OPENING + HOUR and e.exposure > 0:
            total += e.exposure
            hits += 1
    return (total, hits)


def peak(events):
    highest = 0
    for at, exposure in events:
        if at < OPENING or at >= OPENING + HOUR:
            continue
        highest = max(highest, exposure)
    return highest


def last_event(events):
    latest, exposure = -1, 0
    for e in events:
        if e.at > latest:
            latest, exposure = e.at, e.exposure
    return (latest, exposure)


# kind: exact
# G: at >= 32400 AND at < 36000 AND exposure > 0
# why: an event counts just if it is an increase in the window, and one is enough.
events.rdd.keyBy(lambda r: r.account).groupByKey().mapValues(in_window).filter(lambda kv: kv[1][1] > 0)

# kind: partial
# G: at >= 32400 AND at < 36000 AND exposure > 0
# why: the sum of what counts must still be compared.
events.rdd.keyBy(lambda r: r.account).groupByKey().mapValues(in_window).filter(lambda kv: kv[1][0] > 5000)

# kind: none empty-input-row
# why: an account without an event in the window passes.
events.rdd.keyBy(lambda r: r.account).groupByKey().mapValues(in_window).filter(lambda kv: kv[1][0] < 5000)

# kind: exact
# G: at >= 32400 AND at < 36000 AND exposure >= 1000
# why: an event of 1000 or more in the window makes the account pass; a smaller one is not the highest then.
(
    events.rdd.map(lambda r: (r.account, (r.at, r.exposure)))
    .groupByKey()
    .mapValues(peak)
    .filter(lambda kv: kv[1] >= 1000)
)

# kind: partial
# G: at >= 32400 AND at < 36000 AND exposure >= 1000
# why: lower ones are not the highest where it is 1000; higher ones must be seen.
(
    events.rdd.map(lambda r: (r.account, (r.at, r.exposure)))
    .groupByKey()
    .mapValues(peak)
    .filter(lambda kv: kv[1] == 1000)
)

# kind: exact
# G: at > 50000
# why: events until 50000 are not the last one of an account that passes.
events.rdd.keyBy(lambda r: r.account).groupByKey().mapValues(last_event).filter(lambda kv: kv[1][0] > 50000)

# kind: none empty-input-row
# why: -1 and 0 stand for accounts whose events are all before the epoch; any later event may be the last.
events.rdd.keyBy(lambda r: r.account).groupByKey().mapValues(last_event).filter(lambda kv: kv[1][1] == 0)

# kind: split
# G: at > 50000
# R: `kv[1][1]` > 0
# why: the last event decides; events before 50000 cannot be it, those after may be of any exposure.
(
    events.rdd.keyBy(lambda r: r.account)
    .groupByKey()
    .mapValues(last_event)
    .filter(lambda kv: kv[1][0] > 50000 and kv[1][1] > 0)
)
