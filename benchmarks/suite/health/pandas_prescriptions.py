"""Which drugs a patient takes, as a set with membership of those that must not meet, in `applyInPandas`."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
orders = spark.read.schema("patient string, drug string, dose int, active boolean").parquet("orders").dropna()

SCHEMA = "patient string, warfarin boolean, aspirin boolean, highest int"
COUNT_SCHEMA = "patient string, drugs long"


def conflicts(key, pdf):
    taken = set()
    doses = []
    for order in pdf.itertuples():
        if order.active:
            taken.add(order.drug)
            if order.drug == "aspirin":
                doses.append(order.dose)
    return pd.DataFrame(
        [
            {
                "patient": key[0],
                "warfarin": "warfarin" in taken,
                "aspirin": "aspirin" in taken,
                "highest": max(doses, default=0),
            }
        ]
    )


def polypharmacy(key, pdf):
    return pd.DataFrame([{"patient": key[0], "drugs": len({o.drug for o in pdf.itertuples() if o.active})}])


# kind: partial
# G: active AND (drug = 'warfarin' OR drug = 'aspirin')
# why: only active orders of the two drugs set a flag or a dose.
orders.groupBy("patient").applyInPandas(conflicts, SCHEMA).filter(F.col("warfarin") & F.col("aspirin"))

# kind: none empty-input-row
# why: a patient with neither passes.
orders.groupBy("patient").applyInPandas(conflicts, SCHEMA).filter(~F.col("warfarin"))

# kind: partial
# G: active AND (drug = 'warfarin' OR drug = 'aspirin')
# why: a high dose needs aspirin, but warfarin shows in its flag.
orders.groupBy("patient").applyInPandas(conflicts, SCHEMA).filter((F.col("highest") >= 300) & F.col("aspirin"))

# kind: partial
# G: active
# why: only active orders enter the set, and six different ones are needed.
orders.groupBy("patient").applyInPandas(polypharmacy, COUNT_SCHEMA).filter(F.col("drugs") > 5)

# kind: none empty-input-row opaque
# why: a patient without an active order has none.
orders.groupBy("patient").applyInPandas(polypharmacy, COUNT_SCHEMA).filter(F.col("drugs") <= 1)

# kind: exact
# G: active AND (drug = 'warfarin' OR drug = 'aspirin')
# why: whoever has an active order of one of the two passes, and shows both flags.
orders.groupBy("patient").applyInPandas(conflicts, SCHEMA).filter(F.col("warfarin") | F.col("aspirin"))
