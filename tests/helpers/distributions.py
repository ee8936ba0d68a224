"""What is built of the package; kernels without optimisation, which takes most of the time."""

import os
import subprocess
import sys


def build(source, folder, compiler=None):
    """Make the wheel and the source distribution of a folder in another; return what was printed."""
    if compiler is None:
        compiler = folder / "cc"
        compiler.write_text('#!/bin/sh\nexec cc "$@" -O0\n')
        compiler.chmod(0o755)
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1600000000", "CC": str(compiler)}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr
