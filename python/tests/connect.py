"""What the test of Spark Connect runs: a process can have one kind of session only."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import pandas as pd
import sparks

import bayesieve
from bayesieve import spark as bs


def main(data: str, folder: Path) -> None:
    """Learns, counts and selects in a session of Connect, and writes what came out."""
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    os.environ.update(sparks.environment())
    session = SparkSession.builder.remote("local[2]").getOrCreate()
    df = session.read.parquet(data)
    coding = bs.fit_coding(df)
    coding.save(folder / "coding.json")
    for merge in ("driver", "tree"):
        bs.count(df, coding, merge=merge).save(folder / f"{merge}.counts")
    kept = bs.select(df, method="iamb", coding=coding).kept_
    (folder / "kept").write_text(" ".join(kept), encoding="utf-8")
    X = pd.DataFrame({"few": [0, 0, 1, 1] * 5})
    predicted = bs.predict(df, bayesieve.NaiveBayes().fit(X, [0, 0, 1, 1] * 5), columns=[])
    assert predicted.columns == ["predicted", "p(0)", "p(1)"]
    assert predicted.where("predicted = 0").count() == df.where("few < 1").count()
    try:
        bs.count(df.withColumn("text", f.lit("odd")), coding)
    except bayesieve.DataError as error:
        (folder / "said").write_text(str(error), encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1], Path(sys.argv[2]))
