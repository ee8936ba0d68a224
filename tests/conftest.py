"""What all tests share."""

import os

from hypothesis import settings

from polyrouge.counting.compiled.cache_folder import cache_folder

# A busy machine is no failure.
settings.register_profile("polyrouge", deadline=None)
settings.load_profile("polyrouge")

# Tests that give a process an empty cache mean the tables in it: only those of the kernels compile anew.
os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder() / "numba"))
