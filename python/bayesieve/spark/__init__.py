"""Counting inside Spark: features are chosen where the rows are.

Rows stay in the cluster. Tasks learn the coding of their partition and count it, in compiled code
over Arrow batches; what travels are tables of counts. The answers are those of the command and of
the selectors in memory, whatever the partitions. Workers need Python, pyarrow and the wheel of
this package, nothing else. Local, standalone and Connect sessions are the same to it.
"""

from __future__ import annotations

from typing import Any

from bayesieve import partitions
from bayesieve._parquet import Paths
from bayesieve.coding import Coding
from bayesieve.counts import Counts
from bayesieve.partitions import describe, fit_coding, select, train
from bayesieve.spark._file_rows import FileRows
from bayesieve.spark._predict import predict
from bayesieve.spark._rows import FrameRows, check_frame

__all__ = [
    "Coding",
    "Counts",
    "count",
    "count_files",
    "describe",
    "files",
    "fit_coding",
    "predict",
    "rows",
    "select",
    "train",
]


def rows(df: Any, merge: str = "driver", tasks: int | None = None) -> FrameRows:
    """The rows of a DataFrame, with a say in how they are gone through.

    All functions here take a DataFrame as it is; where more is to be said, give them this.

    Parameters
    ----------
    df : DataFrame of Spark
        The rows.
    merge : {"driver", "tree"}
        Where the counts of partitions are added up: on the driver, or in the cluster first, which
        pays where they are many or large (`spark.driver.maxResultSize` bounds what the driver
        takes).
    tasks : int, optional
        Most tasks at a time and in all: partitions are taken together (`coalesce`). None for one
        per partition.
    """
    check_frame(df)
    return FrameRows(df, merge, tasks)


def count(df: Any, coding: Coding, merge: str = "driver", tasks: int | None = None) -> Counts:
    """Count single features and all pairs of features by class, in one pass over the rows.

    Parameters
    ----------
    df : DataFrame of Spark
        The rows.
    coding : Coding
        What `fit_coding` came back with, on these rows or on others.
    merge, tasks
        As in `rows`.

    Returns
    -------
    Counts
        What a file of `bayesieve count` holds: the same bytes, whatever the partitions.
    """
    return partitions.count(rows(df, merge, tasks), coding)


def files(spark: Any, paths: Paths, tasks: int | None = None) -> FileRows:
    """The rows of Parquet files that workers open by themselves.

    All functions here take it in place of a DataFrame, but for `predict`. It is several times
    cheaper than a DataFrame of the same files: only names of files and numbers of row groups go
    through Spark.

    Parameters
    ----------
    spark : SparkSession
        The session.
    paths : path or list of paths
        Files and folders, on a file system that driver and workers share, or `s3://`, `gs://` and
        `hdfs://` as pyarrow opens them. Columns that are names of folders are not read.
    tasks : int, optional
        Number of tasks; None for one per row group, 256 at most.
    """
    return FileRows(spark, paths, tasks)


def count_files(spark: Any, paths: Paths, coding: Coding, tasks: int | None = None) -> Counts:
    """Count the rows of Parquet files that workers open by themselves.

    Parameters
    ----------
    spark, paths, tasks
        As in `files`.
    coding : Coding
        What `fit_coding` came back with.

    Returns
    -------
    Counts
        What a file of `bayesieve count` holds; every row group is a shard.
    """
    return partitions.count(files(spark, paths, tasks), coding)
