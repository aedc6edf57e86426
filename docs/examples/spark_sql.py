"""Filters from PySpark: queries alone, so there is nothing of Tamis to install in Python.

spark-submit --packages dev.tamis:tamis-spark:0.1.0-SNAPSHOT \\
    --conf spark.sql.extensions=dev.tamis.spark.TamisExtensions spark_sql.py
"""

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("tamis").getOrCreate()

spark.sql("""
    CREATE OR REPLACE TEMPORARY VIEW pages AS
    SELECT concat('https://example.org/', id % 2000) AS url, id % 2 AS site FROM range(10000)
""")

# a filter of 1,000 URLs and more: 1.2 KB that any program can read
spark.sql("""
    CREATE OR REPLACE TEMPORARY VIEW known AS
    SELECT site, tamis_build(url, 1000, 0.01) AS filter FROM pages GROUP BY site
""")

spark.sql("""
    SELECT site, tamis_count(filter), tamis_info(filter) FROM known
""").show(truncate=False)

spark.sql("""
    SELECT count(DISTINCT url)
    FROM pages
    WHERE tamis_might_contain((SELECT filter FROM known WHERE site = 0), url)
""").show()
