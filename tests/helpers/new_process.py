"""A program in a Python process of its own, which finds this package and ends as it should."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run_program(program, code=0, cwd=None, **environment):
    """What it printed (``stdout``) and said (``stderr``)."""
    own = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **environment}
    command, env = [sys.executable, "-c", program], {**os.environ, **own}
    done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8", env=env, cwd=cwd, timeout=900)
    assert done.returncode == code, done.stderr
    return done
