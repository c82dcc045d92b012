import sys

import pytest
from lab.experiments.peers.measured import PRICES, dollars, growth, ratio, run, table

from whywire_lab.processor_time import process_seconds


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_seconds_are_of_the_processor_with_those_of_children():
    busy = "import time\nwhile time.process_time() < .4: pass"
    asleep = "import time; time.sleep(.5)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '''{busy}'''])"
    assert run(python(asleep)).seconds < 0.3
    assert run(python(busy)).seconds >= 0.4
    assert run(python(parent)).seconds >= 0.4


def test_memory_is_that_of_all_processes_at_once():
    hold = "data = bytearray(60_000_000); data[::4096] = b'1' * len(data[::4096]); import time; time.sleep(.6)"
    start = f"subprocess.Popen([sys.executable, '-c', '''{hold}'''])"
    two = f"import subprocess, sys; [each.wait() for each in [{start}, {start}]]"
    assert 60 < run(python(hold)).megabytes < 110
    assert run(python(two)).megabytes > 115


def test_a_command_is_ended_after_its_seconds_and_keeps_what_it_wrote():
    found = run(python("print('one', flush=True)\nwhile True: pass"), limit=1)
    assert (found.stopped, found.output) == (True, "one\n")
    assert not run(python("print('two')"), limit=5).stopped


def test_a_failure_says_why():
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        run(python("1 / 0"))


def test_a_running_process_tells_its_seconds():
    while process_seconds("self") < 0.1:
        pass


def test_growth_is_the_exponent_from_first_to_last():
    assert growth([10, 20, 40], [3, 9, 48]) == pytest.approx(2)
    assert growth([1, 100], [5, 500]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("peer", "ours", "shown"), [(1, 2, "0.5 ×"), (33, 12, "2.8 ×"), (1234, 1, "1,234 ×"), (0, 3, "0 ×")]
)
def test_a_ratio_has_two_digits(peer, ours, shown):
    assert ratio(peer, ours) == shown


def test_dollars_count_what_is_read_and_what_is_written():
    for model, (read, written) in PRICES.items():
        assert dollars(2_000_000, 0, model) == pytest.approx(2 * read)
        assert dollars(0, 500_000, model) == pytest.approx(written / 2)


def test_a_table_has_every_column_and_a_dash_for_what_is_missing():
    lines = table([{"way": "a", "s": 1234.5}, {"way": "b", "n": 12_000}, {"way": "c", "s": 0.01234}]).splitlines()
    assert lines == [
        "| way | s | n |",
        "| --- | --- | --- |",
        "| a | 1,234 | – |",
        "| b | – | 12,000 |",
        "| c | 0.0123 | – |",
    ]
