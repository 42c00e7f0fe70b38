"""A stand-in for NVIDIA's driver and run-time compiler, which this process loads in their place: see CudaStandIn.cpp."""

import ctypes
import subprocess
from pathlib import Path

from compilers import GCC, PORTABLE, RUNTIME
from harness import PATIENCE

SOURCE = Path(__file__).with_name("CudaStandIn.cpp")


class StandIn:
    def __init__(self, folder):
        first, second = (Path(folder) / name for name in ("libcuda.so.1", "libnvrtc.so.13"))
        subprocess.run([GCC, "-std=c++17", "-O1", "-c", "-fPIC", PORTABLE, f"-I{RUNTIME}", SOURCE, "-o", first.with_suffix(".o")], check=True, timeout=PATIENCE)
        for each in (first, second):
            subprocess.run([GCC, "-shared", first.with_suffix(".o"), f"-Wl,-soname,{each.name}", "-o", each], check=True, timeout=PATIENCE)
        # The loader takes a library that the process already has, by its name.
        self.driver, self.compiler = ctypes.CDLL(str(first)), ctypes.CDLL(str(second))
        self.driver.standInStream.restype = ctypes.c_void_p
        self.stream = self.driver.standInStream()

    def open(self):
        """How many contexts are current, contexts retained, modules loaded and blocks of memory allocated."""
        return self._counts(self.driver)[:4]

    def compilations(self):
        return self._counts(self.compiler)[4]

    @staticmethod
    def _counts(of):
        out = (ctypes.c_int * 5)()
        of.standInCounts(out)
        return list(out)
