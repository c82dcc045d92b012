"""What tests of recipes share."""

import pytest


@pytest.fixture(scope="module")
def one_thread():
    """Torch on one thread: many threads of several processes wait for each other in nets as small as these."""
    torch = pytest.importorskip("torch", reason="training needs torch: pip install torch 'whywire-lab[train]'")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
