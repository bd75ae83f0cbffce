"""Memory that is freed and soon needed again."""
import os
import platform
import subprocess
import sys

import pytest

PROGRAM = """
from resource import RUSAGE_SELF, getrusage
import numpy as np
from orange_structpred.running.memory import keep_freed_memory
{}
faults = []
for _ in range(20):
    arrays = [np.ones(1 << 19) for _ in range(10)]      # 40 MB
    del arrays
    faults.append(getrusage(RUSAGE_SELF).ru_minflt)
print(faults[-1] - faults[1])
"""


def page_faults(first: str) -> int:
    # Clusters that other tests have started leave settings of malloc behind.
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("MALLOC_")}
    run = subprocess.run([sys.executable, "-c", PROGRAM.format(first)], check=True,
                         capture_output=True, text=True, env=environment)
    return int(run.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="about the GNU C library")
def test_arrays_get_the_memory_of_those_before_them():
    assert page_faults("keep_freed_memory()") < page_faults("") / 10
