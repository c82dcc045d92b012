"""Golden files are compared, not written, and what they are compared by sees a difference."""

import pytest

from tests.golden import WRITE, check_numbers, check_text, is_writing


def test_golden_files_are_not_being_written():
    assert not is_writing(), f"the golden files were written anew: unset {WRITE} and run the tests again"


def test_a_text_is_compared_to_the_byte_and_numbers_within_their_tolerance(tmp_path, monkeypatch):
    text, numbers = tmp_path / "text", tmp_path / "numbers.json"
    monkeypatch.setenv(WRITE, "1")
    check_text("Плотина\r\n", text)
    check_numbers({"a": 0.51234}, numbers, tolerance=0.01)
    monkeypatch.delenv(WRITE)
    check_text("Плотина\r\n", text)
    check_numbers({"a": 0.515}, numbers, tolerance=0.01)
    with pytest.raises(AssertionError):
        check_text("Плотина\n", text)
    for wrong in ({"a": 0.53}, {"b": 0.512}, {}):
        with pytest.raises(AssertionError):
            check_numbers(wrong, numbers, tolerance=0.01)
