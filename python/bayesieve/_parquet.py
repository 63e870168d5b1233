"""Row groups of Parquet files: listed on the driver, opened by whoever counts them.

Only the name of a file and the number of a row group travel. Needs pyarrow, nothing else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import groupby
from typing import Any, NamedTuple

from bayesieve._engine import DataError, SettingError
from bayesieve._names import repeated
from bayesieve._tasks import AT_A_TIME

#: A file, a folder of files, or several.
Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

#: `file:/data`, as Hadoop writes it.
LOCAL = re.compile(r"^file:/+")


class RowGroup(NamedTuple):
    """A part of a file."""

    path: str
    number: int
    n_rows: int

    @property
    def part(self) -> str:
        """What tells it from all others."""
        return f"{self.path}#{self.number}"


def arrow(module: str) -> Any:
    """A module of pyarrow, which reads the files."""
    try:
        return import_module(f"pyarrow.{module}")
    except ImportError as error:
        raise ImportError(
            f"Parquet files are read by pyarrow, which cannot be imported: {error}. Run "
            "pip install 'bayesieve[spark]'."
        ) from error


def place_of(path: str) -> tuple[Any, str]:
    """The file system of a path, and the path in it."""
    fs = arrow("fs")
    if "://" in path and not LOCAL.match(path):
        system, name = fs.FileSystem.from_uri(path)
        return system, name
    return fs.LocalFileSystem(), path


def opened(path: str) -> Any:
    """A Parquet file."""
    parquet = arrow("parquet")
    try:
        system, name = place_of(path)
        return parquet.ParquetFile(system.open_input_file(name))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as Parquet: {one_line(error)}.") from error


def files(paths: Paths) -> list[str]:
    """All files of paths, those in folders included, each once and in order."""
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    given = [os.fspath(one) for one in several]
    found = [one for path in given for one in files_at(path)]
    if not found:
        raise DataError(f"there is no Parquet file: {', '.join(given) or 'no path was given'}.")
    twice = repeated(found)
    if twice:
        raise SettingError(f"{twice[0]} is given twice: its rows would count twice.")
    return found


def files_at(path: str) -> list[str]:
    """The file, or those of a folder; what writers leave beside them is passed over."""
    fs = arrow("fs")
    path = LOCAL.sub("/", path)
    try:
        system, name = place_of(path)
        kind = system.get_file_info(name).type
        if kind != fs.FileType.Directory:
            return [path if "://" in path else os.path.abspath(path)]
        inside = system.get_file_info(fs.FileSelector(name, recursive=True))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read: {one_line(error)}.") from error
    names = [one.path[len(name.rstrip("/")) + 1 :] for one in inside if one.is_file]
    names = [one for one in names if not any(part[0] in "._" for part in one.split("/"))]
    folder = path.rstrip("/") if "://" in path else os.path.abspath(path)
    return [f"{folder}/{one}" for one in sorted(names)]


def row_groups(paths: Iterable[str]) -> list[RowGroup]:
    """The row groups of files, as their footers tell; empty ones are left out."""
    groups = []
    for path in paths:
        with opened(path) as file:
            counts = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
        groups += [RowGroup(path, n, rows) for n, rows in enumerate(counts) if rows]
    return groups


def column_names(path: str) -> list[str]:
    """The columns of a file."""
    with opened(path) as file:
        return list(file.schema_arrow.names)


def read(
    groups: Iterable[RowGroup], columns: list[str]
) -> Iterator[tuple[RowGroup, Iterator[Any]]]:
    """Row groups, each with its rows, some columns of them.

    A file is opened once for all neighbors: its footer tells of all its row groups, and to read
    it anew for each would take longer than their rows.
    """
    for path, neighbors in groupby(groups, lambda group: group.path):
        with opened(path) as file:
            for group in neighbors:
                yield group, batches(file, group, columns)


def batches(file: Any, group: RowGroup, columns: list[str]) -> Iterator[Any]:
    """The rows of a row group of an open file."""
    if group.number >= file.num_row_groups:
        raise changed(group)
    n_rows = 0
    for batch in file.iter_batches(
        AT_A_TIME, row_groups=[group.number], columns=columns, use_threads=False
    ):
        n_rows += batch.num_rows
        yield batch
    if n_rows != group.n_rows:
        raise changed(group)


def changed(group: RowGroup) -> DataError:
    """The error of a file that was written anew since it was listed."""
    return DataError(f"{group.path}: the file has changed since the run began. Run it again.")


def divided(groups: list[RowGroup], n_parts: int) -> list[list[RowGroup]]:
    """Neighbors together, in so many lists of about the same number of rows."""
    n_parts = max(1, min(n_parts, len(groups)))
    total = sum(group.n_rows for group in groups)
    lists: list[list[RowGroup]] = [[] for _ in range(n_parts)]
    before = 0
    for group in groups:
        # By its middle: every list gets what lies in its share of the rows.
        middle = before + group.n_rows // 2
        lists[min(n_parts - 1, middle * n_parts // max(total, 1))].append(group)
        before += group.n_rows
    return [some for some in lists if some]


def one_line(error: BaseException) -> str:
    """What an error says, in one line and without a full stop."""
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
