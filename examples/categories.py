"""Companies of two categories, where the category is derived from a free-text list of groups.

Shape: listing 6 of "Predicate Pushdown for Data Science Pipelines".
"""

import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import udf
from pyspark.sql.types import StringType


@udf(returnType=StringType())
def category(group):
    """The first of fourteen categories whose name occurs in the list of groups."""
    if group is None:
        return "Unknown"
    if "Finance" in group:
        return "Finance"
    elif "Software" in group:
        return "Software"
    elif "Health" in group:
        return "Health"
    elif "Data" in group:
        return "Data"
    elif "Education" in group:
        return "Education"
    elif "Energy" in group:
        return "Energy"
    elif "Travel" in group:
        return "Travel"
    elif "Media" in group:
        return "Media"
    elif "Retail" in group:
        return "Retail"
    elif "Food" in group:
        return "Food"
    elif "Sports" in group:
        return "Sports"
    elif "Estate" in group:
        return "Real Estate"
    elif "Transport" in group:
        return "Transport"
    elif "Gaming" in group:
        return "Gaming"
    return "Unknown"


def build(spark: SparkSession, data_dir: str) -> DataFrame:
    companies = spark.read.schema("company long, groups string, funding double").parquet(f"{data_dir}/companies")
    df = companies.withColumn("category", category("groups"))
    return df.filter(df["category"].isin("Software", "Data"))


if __name__ == "__main__":
    session = SparkSession.builder.appName("categories").getOrCreate()
    build(session, sys.argv[1]).write.mode("overwrite").parquet(sys.argv[2])
