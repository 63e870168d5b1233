"""A session of Spark for tests, where there is Java and pyspark."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

import pytest


def needed() -> None:
    """Skips tests where Spark cannot run, and says why."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and os.path.exists(f"{home}/bin/java")):
        pytest.skip("there is no Java, which Spark needs", allow_module_level=True)


def environment() -> dict[str, str]:
    """What processes of Spark are told: loopback only, and this Python."""
    return {
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


def local_session() -> Any:
    """Two threads of this machine."""
    from pyspark.sql import SparkSession

    os.environ.update(environment())
    builder = SparkSession.builder.master("local[2]").appName("bayesieve")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        # A short life: what would make a long one fast is left out.
        "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
