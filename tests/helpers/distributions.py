"""What is built of the package."""

import os
import subprocess
import sys


def build(source, folder, compiler=None):
    """Make the wheel and the source distribution of a folder in another; return what was printed."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1600000000"} | ({"CC": compiler} if compiler else {})
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr
