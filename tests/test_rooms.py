"""The rooms of the house stand above what they import, and nothing imports itself by a way round."""

import subprocess
import sys

from tests.conftest import ROOT


def test_no_import_leads_up_and_none_leads_round():
    done = subprocess.run([sys.executable, ROOT / ".ci" / "rooms.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
