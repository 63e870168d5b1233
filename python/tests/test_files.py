"""Files as they are written."""

from __future__ import annotations

import os
import stat

import pytest

from bayesieve import OutputError
from bayesieve._files import write


@pytest.mark.skipif(os.name != "posix", reason="rights are those of Unix")
def test_rights_are_those_of_the_umask_which_is_never_changed(tmp_path, monkeypatch):
    before = os.umask(0o027)
    try:
        # The umask is of the whole process: other threads would see it change.
        monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask was changed"))
        write(tmp_path / "page.html", "text")
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    place, link = tmp_path / "real" / "model.json", tmp_path / "link.json"
    link.symlink_to(place)
    for text in ("first", "second"):
        write(link, text)
        assert link.is_symlink()
        assert place.read_text() == text
    assert os.listdir(tmp_path / "real") == ["model.json"]


def test_a_name_may_be_as_long_as_names_can_be(tmp_path):
    name = "a" * 250 + ".html"
    write(tmp_path / name, "text")
    assert os.listdir(tmp_path) == [name]


def test_nothing_is_left_where_writing_failed(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="cannot be written"):
        write(tmp_path / "folder", "text")
    with pytest.raises(UnicodeEncodeError):
        write(tmp_path / "page.html", "\ud800")
    assert os.listdir(tmp_path) == ["folder"]
