import os
import subprocess
import sys

from whywire_lab.processor_time import family_seconds, parent_of, process_seconds

BUSY = "import time\nwhile time.process_time() < .4: pass\nprint(flush=True)\ninput()"


def test_seconds_of_children_count_while_they_run_and_when_they_have_ended():
    before = family_seconds()
    with subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert parent_of(child.pid) == os.getpid()
        assert family_seconds() - before > 0.38
        assert process_seconds(child.pid) > 0.38
        child.communicate(b"\n")
    assert family_seconds() - before > 0.38
