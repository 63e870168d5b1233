"""Files: read as text, written whole or not at all."""

from __future__ import annotations

import os
import secrets
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


def handed_over(text: str, path: Source | None) -> str | None:
    """A text, or None where it goes into a file."""
    if path is None:
        return text
    write(path, text)
    return None


def write(path: str | os.PathLike[str], text: str) -> None:
    """Writes a file beside its place and moves it there; a link stays, what it names is written."""
    place = Path(os.path.realpath(path))
    # A short name of its own: with the file's name in it, it could be too long.
    beside = place.with_name(f".{secrets.token_hex(8)}.part")
    try:
        # Never through a link that somebody put there; the rights are those of the umask.
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with open(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            os.replace(beside, place)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}.") from error
