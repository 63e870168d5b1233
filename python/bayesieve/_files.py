"""Files: read as text, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bayesieve._engine import DataError, OutputError, SettingError

#: A file, or a document as a text.
Source = str | os.PathLike[str]


def read(source: Source) -> str:
    """The text of a file; a text that is a document already stays what it is."""
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return source
    try:
        return Path(source).read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{source}: cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{source}: this is no text.") from error


def check_page(path: Source) -> None:
    """Refuses a name that would not open as a page."""
    if not str(path).lower().endswith((".html", ".htm")):
        raise SettingError(f"{path}: a page has a name that ends in .html.")


def write(path: str | os.PathLike[str], text: str) -> None:
    """Writes a file beside its place and moves it there."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with open(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror}.") from error


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
